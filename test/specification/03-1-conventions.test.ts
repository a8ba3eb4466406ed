/** The specification's section "Endpoints": its Conventions, and Health, line by line. */
import { openService, type Service } from './client';

let service: Service;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());

describe('GET /health', () => {
  test('returns { status, timestamp }; status is `ok` when healthy', async () => {
    const { status, body } = await service.as(null).get('/health');
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['status', 'timestamp']);
    expect(body.status).toBe('ok');
    expect(new Date(body.timestamp).toISOString()).toBe(body.timestamp);
  });
});
