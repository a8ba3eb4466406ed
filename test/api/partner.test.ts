/** The partner as its credential sees it (D195). */
import { apiForFile } from '../support/scene';

const { api } = apiForFile();
const inAnHour = new Date(Math.floor(Date.now() / 1_000) * 1_000 + 3_600_000);

test('a key is shown with its prefix, its end and its place in the rate limit', async () => {
  const partner = await api.partner({ expiresAt: inAnHour });
  const answer = await partner.get('/v1/partner');
  expect(answer).toMatchObject({ status: 200 });
  expect(answer.body.data).toEqual({
    id: partner.id,
    business_name: 'Acme Fintech',
    email: `${partner.id}@acme.example`,
    phone: expect.any(String),
    status: 'registered',
    tier: 'starter',
    created_at: expect.any(String),
    environment: 'sandbox',
    credential: {
      type: 'api_key',
      key_prefix: `${partner.key.slice(0, 12)}...`,
      expires_at: inAnHour.toISOString(),
    },
    rate_limit: {
      limit: Number(answer.headers.get('X-RateLimit-Limit')),
      remaining: Number(answer.headers.get('X-RateLimit-Remaining')),
      reset_seconds: expect.any(Number),
    },
  });
  expect(answer.text).not.toContain(partner.key);
});

test('each call takes one place', async () => {
  const partner = await api.partner();
  const remaining = async (): Promise<number> =>
    (await partner.get('/v1/partner')).body.data.rate_limit.remaining;
  expect((await remaining()) - (await remaining())).toBe(1);
});

test('a key without an end, in live', async () => {
  const partner = await api.partner({ environment: 'live', status: 'active' });
  expect((await partner.get('/v1/partner')).body.data).toMatchObject({
    environment: 'live',
    status: 'active',
    credential: { type: 'api_key', key_prefix: expect.stringMatching(/^sk_live_/), expires_at: null },
  });
});

test('an access token is shown with its end', async () => {
  const partner = await api.partner();
  const answer = await api.call('GET', '/v1/partner', { key: await api.token(partner.id) });
  const { credential } = answer.body.data;
  expect(credential).toMatchObject({ type: 'access_token', key_prefix: null });
  const lifeMs = Date.parse(credential.expires_at) - Date.now();
  expect(lifeMs).toBeGreaterThan(3_500_000);
  expect(lifeMs).toBeLessThanOrEqual(3_600_000);
});

test('without a credential: 401', async () => {
  expect((await api.call('GET', '/v1/partner')).status).toBe(401);
});
