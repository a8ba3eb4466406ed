/**
 * Failures on our side: answered in the published envelope, without their cause (interface: Errors; D118, D126).
 */
import { connect } from 'node:net';
import { expectOutage } from '../support/outage';
import { apiForFile, partnerForFile } from '../support/scene';
import { requestText } from '../support/sockets';
import { SANDBOX_CELL } from '../setup/cells';

const { world, api } = apiForFile();
const partner = partnerForFile(api);

const LOGIN = { email: 'owner@acme.example', password: 'correct horse battery' };

test.each([
  ['after the body was read', 'POST', '/v1/webhooks', { url: 'https://a.example/', events: ['kyc.failed'] }],
  ['without a body', 'GET', '/v1/webhooks', undefined],
])('a bug %s: 500 INTERNAL_ERROR', async (_what, method, path, body) => {
  await world.sql(`ALTER TABLE ${SANDBOX_CELL}.webhook_endpoints RENAME TO hidden`);
  try {
    for (const form of ['reference', 'guide']) {
      const headers = { 'X-Response-Form': form };
      const answer = await api.call(method, path, { key: partner.key, body, headers });
      expect(answer.status).toBe(500);
      const meta = { request_id: answer.headers.get('X-Request-Id') };
      expect(answer.body).toEqual(
        form === 'guide'
          ? { error: { code: 'INTERNAL_ERROR', message: 'Unexpected error', http_status: 500 }, meta }
          : { error: 'INTERNAL_ERROR', message: 'Unexpected error', meta },
      );
    }
  } finally {
    await world.sql(`ALTER TABLE ${SANDBOX_CELL}.hidden RENAME TO webhook_endpoints`);
  }
});

test.each([
  ['after the body was read', '/v1/auth/login', LOGIN],
  ['before the body was read', '/v1/wallets', { user_ref: 'ada' }],
])('an outage %s: 503 SERVICE_UNAVAILABLE with Retry-After', async (_what, path, body) => {
  const lost = await world.startApi({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' });
  const answer = await lost.call('POST', path, { key: partner.key, body });
  expectOutage(answer);
});

test('callers who disconnect in the middle of a body do not disturb other callers, and nothing is logged', async () => {
  const complaints = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  const headers = [
    ['Authorization', `Bearer ${partner.key}`],
    ['Content-Type', 'application/json'],
    ['Content-Length', '100'],
  ] as const;
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      const socket = connect(api.port, '127.0.0.1');
      await new Promise<void>((sent) =>
        socket.write(requestText('POST', '/v1/wallets', headers) + '{"user', () => sent()),
      );
      // By the time of this answer the server is reading the body.
      await api.call('GET', '/health');
      socket.destroy();
    }),
  );
  expect((await partner.get('/v1/webhooks')).status).toBe(200);
  expect(complaints).not.toHaveBeenCalled();
  complaints.mockRestore();
});
