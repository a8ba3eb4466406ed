/**
 * The published interface (interface: Authentication), line by line; its partners register and log in as
 * published.
 */
import { createHmac, randomUUID } from 'node:crypto';
import { until } from '../support/until';
import { openService, type Answer, type Client, type Json, type Service } from './client';
import { OPERATIONS, withId } from './operations';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const PASSWORD = 'correct horse battery';
/** Revocation and expiry are in force everywhere within five seconds. */
const IN_FORCE_MS = 5_000;

let service: Service;
let nobody: Client;
beforeAll(async () => {
  // This file calls from one address, which fails to authenticate more than sixty times a minute.
  service = await openService();
  nobody = service.as(null);
});
afterAll(() => service.close());

const newEmail = (): string => `owner-${randomUUID()}@acme.example`;
const register = (email: string, more: object = {}): Promise<Answer> =>
  nobody.post('/v1/auth/register', {
    business_name: 'Acme Fintech',
    email,
    phone: '+2348012345678',
    password: PASSWORD,
    ...more,
  });
const login = (email: string, more: object = {}): Promise<Answer> =>
  nobody.post('/v1/auth/login', { email, password: PASSWORD, ...more });

type Environment = 'sandbox' | 'live';

interface Company {
  email: string;
  partner: Json;
}

async function newCompany(): Promise<Company> {
  const email = newEmail();
  return { email, partner: (await register(email)).body.data };
}

const tokens = new Map<string, string>();

/** A person of the company who is logged in. One login serves all calls, because ten a minute are allowed. */
async function person({ email }: Company, environment: Environment = 'sandbox'): Promise<Client> {
  const known = tokens.get(email + environment);
  const token: string = known ?? (await login(email, { environment })).body.data.access_token;
  tokens.set(email + environment, token);
  return service.as(token);
}

async function keyOf(company: Company, environment: Environment, more: object = {}): Promise<Json> {
  const inEnvironment = await person(company, environment);
  const made = await inEnvironment.post('/v1/api-keys', { label: 'Backend', environment, ...more });
  expect(made.status).toBe(201);
  return made.body.data;
}

const refusedToken = { status: 401, body: { error: 'INVALID_TOKEN' } };

describe('1. every request carries `Authorization: Bearer <token>`', () => {
  let company: Company;
  beforeAll(async () => {
    company = await newCompany();
  });

  test('a partner registers: 201 { data: Partner }', async () => {
    const email = newEmail();
    const answer = await register(email);
    expect(answer.status).toBe(202);
    expect(answer.body.data).toEqual({
      id: expect.stringMatching(UUID),
      business_name: 'Acme Fintech',
      email,
      phone: '+2348012345678',
      status: 'registered',
      tier: 'starter',
      created_at: expect.stringMatching(TIMESTAMP),
    });
    expect(answer.text).not.toContain(PASSWORD);
  });

  test('an email is registered once, and the answer does not say so', async () => {
    const again = await register(company.email, { password: 'seven green kettles' });
    expect(again).toMatchObject({
      status: 202,
      body: { data: { email: company.email, status: 'registered' } },
    });
    expect(again.body.data.id).not.toBe(company.partner.id);
    expect((await login(company.email, { password: 'seven green kettles' })).status).toBe(401);
  });

  test.each(['business_name', 'email', 'phone', 'password'])('register without `%s`: 422', async (field) => {
    const answer = await register(newEmail(), { [field]: undefined });
    expect(answer).toMatchObject({ status: 422, body: { error: 'VALIDATION_ERROR' } });
    expect(answer.body.message).toContain(field);
  });

  test('a partner JWT is issued at login: Bearer, for 3,600 seconds, in the sandbox unless live is asked for', async () => {
    for (const [asked, environment] of [
      [{}, 'sandbox'],
      [{ environment: 'sandbox' }, 'sandbox'],
      [{ environment: 'live' }, 'live'],
    ] as const) {
      const answer = await login(company.email, asked);
      expect(answer.status).toBe(200);
      expect(answer.body.data).toEqual({
        access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
        token_type: 'Bearer',
        expires_in: 3_600,
        partner: company.partner,
      });
      const claims = claimsOf(answer.body.data.access_token);
      expect(claims).toMatchObject({ partner_id: company.partner.id, env: environment });
      expect(claims.exp - claims.iat).toBe(3_600);
    }
  });

  test.each([
    ['a wrong password', () => login(company.email, { password: `${PASSWORD}!` })],
    ['an unknown email', () => login(newEmail())],
  ])('login with %s: 401 INVALID_CREDENTIALS', async (_what, ask) => {
    expect(await ask()).toMatchObject({ status: 401, body: { error: 'INVALID_CREDENTIALS' } });
  });

  test('ten logins a minute for one email from one address, then 429 with `Retry-After`', async () => {
    const email = newEmail();
    const answers: Answer[] = [];
    // More than twice as many as allowed, because a new minute may begin meanwhile.
    for (let n = 0; n < 21; n += 1) answers.push(await login(email));
    expect(answers.slice(0, 10).map(({ status }) => status)).toEqual(Array(10).fill(401));
    const refused = answers.find(({ status }) => status !== 401);
    expect(refused).toMatchObject({ status: 429, body: { error: 'RATE_LIMIT_EXCEEDED' } });
    expect(Number(refused?.headers.get('Retry-After'))).toBeGreaterThanOrEqual(1);
    expect((await login(company.email)).status).toBe(200);
  });

  test('a token and an API key both serve; the token stands for a person, the key for a program', async () => {
    const byToken = await person(company);
    const { key, id } = await keyOf(company, 'sandbox');
    const byKey = service.as(key);
    for (const caller of [byToken, byKey]) {
      expect((await caller.post('/v1/wallets', { user_ref: `user-${randomUUID()}` })).status).toBe(202);
    }
    const forbidden = { status: 403, body: { error: 'FORBIDDEN' } };
    expect(await byKey.get('/v1/api-keys')).toMatchObject(forbidden);
    expect(await byKey.post('/v1/api-keys', { label: 'Another' })).toMatchObject(forbidden);
    expect(await byKey.delete(`/v1/api-keys/${id}`)).toMatchObject(forbidden);
  });

  test.each<[environment: Environment, prefix: string]>([
    ['sandbox', 'sk_test_'],
    ['live', 'sk_live_'],
  ])('a %s key is labelled %s by a fixed prefix followed by opaque text', async (environment, prefix) => {
    const { key } = await keyOf(company, environment);
    expect(key.startsWith(prefix)).toBe(true);
    expect(key.slice(prefix.length)).toMatch(/^[0-9A-Za-z]{38}$/);
  });

  test('without a chosen environment a key is for that of the token', async () => {
    const inLive = await person(company, 'live');
    const { key } = (await inLive.post('/v1/api-keys', { label: 'Backend' })).body.data;
    expect(key).toMatch(/^sk_live_/);
  });

  test('displayed once at creation', async () => {
    const { key } = await keyOf(company, 'sandbox');
    expect((await (await person(company)).get('/v1/api-keys')).text).not.toContain(key);
  });

  test.each<[line: string, body: Json]>([
    ['a `label` of 201 characters', { label: 'x'.repeat(201) }],
    ['another environment', { label: 'Backend', environment: 'test' }],
    ['an end that has passed', { label: 'Backend', expires_at: '2020-01-01T00:00:00.000Z' }],
    ['an end that is no time', { label: 'Backend', expires_at: 'tomorrow' }],
  ])('POST /v1/api-keys with %s: 422 VALIDATION_ERROR', async (_line, body) => {
    expect(await (await person(company)).post('/v1/api-keys', body)).toMatchObject({
      status: 422,
      body: { error: 'VALIDATION_ERROR' },
    });
  });
});

describe('2. a sandbox key acts only on sandbox data, a live key only on live data', () => {
  test('they cannot be crossed: the data of the other environment is not found', async () => {
    const company = await newCompany();
    await service.confirmOwner(company.partner.id);
    const sandbox = service.as((await keyOf(company, 'sandbox')).key);
    const live = service.as((await keyOf(company, 'live')).key);
    expect(await live.post('/v1/wallets', { user_ref: 'ada' })).toMatchObject({
      status: 403,
      body: { error: 'PARTNER_NOT_ACTIVE' },
    });
    await service.letIntoLive(live, company.partner.id);

    const ids = new Map<Client, string>();
    for (const caller of [sandbox, live]) {
      const created = await caller.post('/v1/wallets', { user_ref: 'ada' });
      expect(created.status).toBe(202);
      ids.set(caller, created.body.data.id);
    }
    for (const [caller, other] of [
      [sandbox, live],
      [live, sandbox],
    ] as const) {
      expect((await caller.get(`/v1/wallets/${ids.get(caller)}`)).status).toBe(200);
      expect(await caller.get(`/v1/wallets/${ids.get(other)}`)).toMatchObject({
        status: 404,
        body: { error: 'NOT_FOUND' },
      });
      const listed = (await caller.get('/v1/wallets?user_ref=ada')).body.data;
      expect(listed.map(({ id }: Json) => id)).toEqual([ids.get(caller)]);
    }
  });
});

describe('4. a missing, invalid or expired token yields 401 with code INVALID_TOKEN', () => {
  const bodyFor = (method: string) => (method === 'POST' ? {} : undefined);

  test.each(OPERATIONS)('%s %s: missing, and invalid', async (method, path) => {
    const address = withId(path);
    expect(await nobody.ask(method, address, bodyFor(method))).toMatchObject(refusedToken);
    const wrong = service.as(`sk_test_${'a'.repeat(38)}`);
    expect(await wrong.ask(method, address, bodyFor(method))).toMatchObject(refusedToken);
  });

  test('GET /health needs no token', async () => {
    expect((await nobody.get('/health')).status).toBe(200);
  });

  const INVALID: [what: string, header: () => Promise<string>][] = [
    ['an empty header', () => Promise.resolve('')],
    ['no scheme', async () => (await keyOf(await newCompany(), 'sandbox')).key],
    ['another scheme', () => Promise.resolve('Basic YWRhOm9iaQ==')],
    ['a key with another last letter', async () => `Bearer ${changed(await newKey())}`],
    ['a sandbox key called a live one', async () => `Bearer ${(await newKey()).replace('_test_', '_live_')}`],
    ['a token signed with another key', async () => `Bearer ${signedAnew(await newToken())}`],
    ['a token with other claims', async () => `Bearer ${withClaims(await newToken(), { env: 'live' })}`],
    ['a token that names no algorithm', async () => `Bearer ${unsigned(await newToken())}`],
    ['a token cut short', async () => `Bearer ${(await newToken()).slice(0, -1)}`],
  ];
  test.each(INVALID)('%s', async (_what, header) => {
    const answer = await nobody.get('/v1/webhooks', { Authorization: await header() });
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({
      error: 'INVALID_TOKEN',
      message: expect.any(String),
      meta: { request_id: answer.headers.get('X-Request-Id') },
    });
  });

  test('in guide form when the header asks for it', async () => {
    const answer = await nobody.get('/v1/webhooks', { 'X-Response-Form': 'guide' });
    expect(answer.status).toBe(401);
    expect(answer.body.error).toMatchObject({ code: 'INVALID_TOKEN', http_status: 401 });
  });

  test('an expired key, and not before', async () => {
    const expiresAt = new Date(Date.now() + 3_000);
    const { key, expires_at: shown } = await keyOf(await newCompany(), 'sandbox', {
      expires_at: expiresAt.toISOString(),
    });
    expect(shown).toBe(expiresAt.toISOString());
    const caller = service.as(key);
    expect((await caller.get('/v1/webhooks')).status).toBe(200);
    await until('the end of the key', async () => (await caller.get('/v1/webhooks')).status === 401);
    expect(Date.now()).toBeGreaterThanOrEqual(expiresAt.getTime());
    expect(await caller.get('/v1/webhooks')).toMatchObject(refusedToken);
  });

  test('a deleted key, within five seconds; another key of the partner still works', async () => {
    const company = await newCompany();
    const [one, other] = [await keyOf(company, 'sandbox'), await keyOf(company, 'sandbox')];
    const [old, rotated] = [service.as(one.key), service.as(other.key)];
    expect((await old.get('/v1/webhooks')).status).toBe(200);
    const deleted = await (await person(company)).delete(`/v1/api-keys/${one.id}`);
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    await until(
      'the end of the key',
      async () => (await old.get('/v1/webhooks')).status === 401,
      IN_FORCE_MS,
    );
    expect(await old.get('/v1/webhooks')).toMatchObject(refusedToken);
    expect((await rotated.get('/v1/webhooks')).status).toBe(200);
  });
});

describe('5. key records', () => {
  test('expose only `key_prefix`, `environment`, `label`, `last_used_at`, `expires_at`, ids and their beginning', async () => {
    const company = await newCompany();
    const { key, ...made } = await keyOf(company, 'live');
    const record = {
      id: expect.stringMatching(UUID),
      partner_id: company.partner.id,
      key_prefix: `${key.slice(0, 12)}...`,
      environment: 'live',
      label: 'Backend',
      last_used_at: null,
      expires_at: null,
      created_at: expect.stringMatching(TIMESTAMP),
    };
    expect(made).toEqual(record);
    const listed = await (await person(company, 'live')).get('/v1/api-keys');
    expect(listed.status).toBe(200);
    expect(listed.body.data).toEqual([record]);
  });

  test('`key_prefix` is the first 12 characters followed by three dots', async () => {
    const { key, key_prefix: prefix } = await keyOf(await newCompany(), 'sandbox');
    expect(prefix).toHaveLength(15);
    expect(prefix).toBe(`${key.slice(0, 12)}...`);
  });

  test('`last_used_at` is filled by a use', async () => {
    const company = await newCompany();
    const { key } = await keyOf(company, 'sandbox');
    await service.as(key).get('/v1/webhooks');
    const owner = await person(company);
    const used = await until('the use', async () => {
      const [record] = (await owner.get('/v1/api-keys')).body.data;
      return record.last_used_at as string | null;
    });
    expect(used).toMatch(TIMESTAMP);
  });

  test('another company’s keys are neither listed nor deleted', async () => {
    const [company, other] = [await newCompany(), await newCompany()];
    const { id } = await keyOf(company, 'sandbox');
    const stranger = await person(other);
    expect((await stranger.get('/v1/api-keys')).body.data).toEqual([]);
    expect(await stranger.delete(`/v1/api-keys/${id}`)).toMatchObject({
      status: 404,
      body: { error: 'NOT_FOUND' },
    });
    expect((await (await person(company)).get('/v1/api-keys')).body.data).toHaveLength(1);
  });
});

test('6. each webhook endpoint has a `secret`, returned once at registration', async () => {
  const caller = service.as(await newKey());
  const endpoint = { url: 'https://shop.example/hook', events: ['kyc.failed'] };
  const { secret } = (await caller.post('/v1/webhooks', endpoint)).body.data;
  expect(secret).toMatch(/^sk_wh_/);
  expect((await caller.get('/v1/webhooks')).text).not.toContain(secret);
});

const newKey = async (): Promise<string> => (await keyOf(await newCompany(), 'sandbox')).key;
const newToken = async (): Promise<string> => (await person(await newCompany())).key;
const changed = (key: string): string => key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a');

const encoded = (part: Json): string => Buffer.from(JSON.stringify(part)).toString('base64url');
const decoded = (part = ''): Json => JSON.parse(Buffer.from(part, 'base64url').toString());
const claimsOf = (token: string): Json => decoded(token.split('.')[1]);

function signedAnew(token: string): string {
  const signed = token.split('.').slice(0, 2).join('.');
  return `${signed}.${createHmac('sha256', 'a key of nobody').update(signed).digest('base64url')}`;
}

function withClaims(token: string, claims: object): string {
  const [header, payload, signature] = token.split('.');
  return [header, encoded({ ...decoded(payload), ...claims }), signature].join('.');
}

function unsigned(token: string): string {
  const [header, payload] = token.split('.');
  return `${encoded({ ...decoded(header), alg: 'none' })}.${payload ?? ''}.`;
}
