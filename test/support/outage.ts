/** What a caller is told while something of ours is away, whatever it asked for (interface: Errors; D126). */
import type { Answer } from './send';

export function expectOutage(answer: Answer): void {
  expect(answer.status).toBe(503);
  expect(answer.body).toEqual({
    error: 'SERVICE_UNAVAILABLE',
    message: expect.any(String),
    meta: { request_id: answer.headers.get('X-Request-Id') },
  });
  expect(answer.headers.get('Retry-After')).toBe('1');
}
