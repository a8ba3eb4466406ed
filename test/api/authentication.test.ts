/** Who may call (interface: Authentication; D99, D102, D141, D150, D151, D158, D174). */
import { setTimeout as sleep } from 'node:timers/promises';
import { decode } from 'jsonwebtoken';
import pg from 'pg';
import { issueAccessToken, type TokenHolder } from '../../src/wire/access-tokens';
import { newApiKey } from '../../src/wire/api-keys';
import { UNAUTHENTICATED } from '../../src/wire/errors';
import type { TestApi } from '../support/api';
import { apiForFile, partnerForFile } from '../support/scene';
import { TEST_SECRETS } from '../support/settings';
import { requestText, sendRaw } from '../support/sockets';
import { until } from '../support/until';

const { world, api } = apiForFile();
const partner = partnerForFile(api);

const unsigned = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
const JWT = `${unsigned({ alg: 'none' })}.${unsigned({ partner_id: 'any', env: 'sandbox' })}.`;
const keyUntil = (timeMs: number) => api.partner({ id: partner.id, expiresAt: new Date(timeMs) });
async function revokedKey(): Promise<string> {
  const { key, keyId } = await api.partner();
  await world.sql('UPDATE platform.api_keys SET revoked_at = now() WHERE id = $1', [keyId]);
  return key;
}
/** A token as somebody who has the key would sign it, for a session of the partner that is in force. */
async function tokenFor(change: Partial<TokenHolder>): Promise<string> {
  const { jti: sessionId } = decode(await api.token(partner.id)) as { jti: string };
  const holder = { partnerId: partner.id, environment: 'sandbox', sessionId, ...change } as const;
  return `Bearer ${issueAccessToken(TEST_SECRETS.JWT_KEY, holder, 'somebody')}`;
}
const other = (letter: string | undefined): string => (letter === 'a' ? 'b' : 'a');

describe('a token that is missing, invalid or expired: 401 INVALID_TOKEN', () => {
  const { absent, otherScheme, malformed, unknown } = UNAUTHENTICATED;
  const BAD: [what: string, message: string, header: () => string | null | Promise<string>][] = [
    ['no Authorization header', absent, () => null],
    ['an empty one', absent, () => ''],
    ['a scheme without a token', otherScheme, () => 'Bearer'],
    ['a key without its scheme', otherScheme, () => partner.key],
    ['another scheme', otherScheme, () => `Basic ${Buffer.from(`${partner.key}:`).toString('base64')}`],
    ['two keys in one header', otherScheme, () => `Bearer ${partner.key} ${partner.key}`],
    ['a key in quotation marks', malformed, () => `Bearer "${partner.key}"`],
    [
      'a key with one letter changed',
      malformed,
      () => `Bearer ${partner.key.slice(0, -1)}${other(partner.key.at(-1))}`,
    ],
    ['a key cut short', malformed, () => `Bearer ${partner.key.slice(0, -1)}`],
    ['a key with one letter more', malformed, () => `Bearer ${partner.key}a`],
    ['a key in capitals', malformed, () => `Bearer ${partner.key.toUpperCase()}`],
    ['a prefix alone', malformed, () => 'Bearer sk_test_'],
    ['any other word', malformed, () => 'Bearer secret'],
    ['a key that was never given out', unknown, () => `Bearer ${newApiKey('sandbox')}`],
    [
      'a sandbox key called a live one',
      unknown,
      () => `Bearer ${partner.key.replace('sk_test_', 'sk_live_')}`,
    ],
    [
      'a token for the session of another partner',
      unknown,
      async () => tokenFor({ partnerId: (await api.partner()).id }),
    ],
    ['a token for a session of the other environment', unknown, () => tokenFor({ environment: 'live' })],
    ['a JWT that nobody signed', unknown, () => `Bearer ${JWT}`],
    ['an expired key', unknown, async () => `Bearer ${(await keyUntil(Date.now() - 1_000)).key}`],
    ['a revoked key', unknown, async () => `Bearer ${await revokedKey()}`],
    [
      'a key of a partner that was closed',
      unknown,
      async () => `Bearer ${(await api.partner({ status: 'closed' })).key}`,
    ],
  ];

  test.each(BAD)('%s: %s', async (_what, message, header) => {
    const authorization = await header();
    const answer = await api.call('GET', '/v1/webhooks', {
      headers: authorization === null ? {} : { Authorization: authorization },
    });
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({
      error: 'INVALID_TOKEN',
      message,
      meta: { request_id: answer.headers.get('X-Request-Id') },
    });
    expect([...answer.headers.keys()].filter((name) => name.startsWith('x-ratelimit'))).toEqual([]);
  });

  test('two Authorization headers, even of one good key', async () => {
    const twice = ['Authorization', `Bearer ${partner.key}`] as const;
    const answer = await sendRaw(api.port, requestText('GET', '/v1/webhooks', [twice, twice]));
    expect(answer).toMatchObject({ status: 401, body: { error: 'INVALID_TOKEN', message: otherScheme } });
  });

  test('in the guide envelope when the header asks for it', async () => {
    const { status, body } = await api.call('GET', '/v1/webhooks', {
      headers: { 'X-Response-Form': 'guide' },
    });
    expect(status).toBe(401);
    expect(body).toEqual({
      error: { code: 'INVALID_TOKEN', message: expect.any(String), http_status: 401 },
      meta: { request_id: expect.stringMatching(/^req_/) },
    });
  });

  test.each([
    ['an unknown route', 'GET', '/v1/nothing', {}],
    ['an unknown sandbox route', 'GET', '/sandbox/nothing', {}],
    ['a wrong method', 'DELETE', '/v1/wallets', {}],
    ['a body that is not JSON', 'POST', '/v1/wallets', { body: '{' }],
    ['a form that does not exist', 'GET', '/v1/webhooks', { headers: { 'X-Response-Form': 'other' } }],
    ['an id that is malformed', 'GET', '/v1/wallets/%E0%A4%A', {}],
  ])('comes before %s', async (_what, method, path, options) => {
    expect(await api.call(method, path, options)).toMatchObject({
      status: 401,
      body: { error: 'INVALID_TOKEN' },
    });
  });

  test('comes before the refusal of a body whose Content-Length is too large', async () => {
    const headers = [
      ['Content-Type', 'application/json'],
      ['Content-Length', '262145'],
    ] as const;
    const answer = await sendRaw(api.port, requestText('POST', '/v1/wallets', headers));
    expect(answer).toMatchObject({ status: 401, body: { error: 'INVALID_TOKEN' } });
  });
});

describe('a good key', () => {
  test.each(['Bearer', 'bearer', 'BEARER'])('is accepted under the scheme %s', async (scheme) => {
    const headers = { Authorization: `${scheme} ${partner.key}` };
    expect((await api.call('GET', '/v1/webhooks', { headers })).status).toBe(200);
  });

  test('works for a hundred callers at once right after a start, although Postgres is slow', async () => {
    const fresh = await world.startApi({ RATE_LIMIT_UNAUTHENTICATED: '' });
    const holder = new pg.Client(world.databaseUrl);
    await holder.connect();
    try {
      await holder.query('BEGIN; LOCK TABLE platform.api_keys');
      const asked = Array.from({ length: 100 }, () => partner.at(fresh).get('/v1/webhooks'));
      await Promise.race([...asked, sleep(1_000)]);
      await holder.query('ROLLBACK');
      const statuses = (await Promise.all(asked)).map(({ status }) => status);
      expect([...new Set(statuses)]).toEqual([200]);
    } finally {
      await holder.end();
    }
  });

  test('works until it expires', async () => {
    const caller = await keyUntil(Date.now() + 600_000);
    expect((await caller.get('/v1/webhooks')).status).toBe(200);
  });

  test('keeps the time of its last use', async () => {
    await partner.get('/v1/webhooks');
    await until('the use of a key is noted', async () => {
      const [row] = await world.sql('SELECT last_used_at FROM platform.api_keys WHERE id = $1', [
        partner.keyId,
      ]);
      return row?.['last_used_at'] !== null;
    });
  });

  test('is refused within five seconds of its revocation, in every instance', async () => {
    const instances = [api, await world.startApi()];
    const { key, keyId } = await api.partner();
    const call = (at: TestApi) => at.call('GET', '/v1/webhooks', { key });
    for (const at of instances) expect((await call(at)).status).toBe(200);

    await world.sql('UPDATE platform.api_keys SET revoked_at = now() WHERE id = $1', [keyId]);
    const revokedAt = Date.now();
    for (const at of instances) {
      await until('the revoked key is refused', async () => {
        const askedAt = Date.now();
        const { status } = await call(at);
        // A request that begins within five seconds of the revocation may still succeed.
        expect(status === 200 && askedAt - revokedAt >= 5_000).toBe(false);
        return status === 401;
      });
    }
  });
});
