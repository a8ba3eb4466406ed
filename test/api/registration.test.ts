/** Registration and login (interface: Authentication; D100, D101, D128, D158, D167). */
import { decode } from 'jsonwebtoken';
import { newId } from '../../src/db/pg/ids';
import { apiForFile } from '../support/scene';

const { world, api } = apiForFile();

const PASSWORD = 'correct horse battery';
const newEmail = (): string => `owner-${newId()}@acme.example`;
const company = (changes: object = {}) => ({
  business_name: 'Acme Fintech',
  email: newEmail(),
  phone: '+2348012345678',
  password: PASSWORD,
  ...changes,
});
const register = (body: unknown, headers = {}) => api.call('POST', '/v1/auth/register', { body, headers });
const login = (body: unknown, headers = {}) => api.call('POST', '/v1/auth/login', { body, headers });

/** What all registrations together have written; a refused registration must not change it. */
const counts = async () =>
  (
    await world.sql(`SELECT (SELECT count(*) FROM platform.partners) AS partners,
      (SELECT count(*) FROM platform.partner_cells) AS cells, (SELECT count(*) FROM platform.users) AS users`)
  )[0];

describe('registering', () => {
  test('answers 202 with the partner: registered, on the starter tier', async () => {
    const body = company();
    const answer = await register(body);
    expect(answer.status).toBe(202);
    expect(answer.body).toEqual({
      data: {
        id: expect.stringMatching(/^[0-9a-f]{8}-/),
        business_name: 'Acme Fintech',
        email: body.email,
        phone: '+2348012345678',
        status: 'registered',
        tier: 'starter',
        created_at: expect.stringMatching(/Z$/),
      },
      meta: { request_id: answer.headers.get('X-Request-Id') },
    });
    expect([...answer.headers.keys()].filter((name) => name.startsWith('x-ratelimit'))).toEqual([]);
  });

  test('gives the partner a place in both environments, and keeps no password', async () => {
    const { body } = await register(company());
    const places = await world.sql(
      'SELECT environment FROM platform.partner_cells WHERE partner_id = $1 ORDER BY environment',
      [body.data.id],
    );
    expect(places).toEqual([{ environment: 'live' }, { environment: 'sandbox' }]);
    const users = await world.sql('SELECT * FROM platform.users WHERE partner_id = $1', [body.data.id]);
    expect(users).toHaveLength(1);
    expect(JSON.stringify(users)).not.toContain(PASSWORD);
    expect(users[0]!['password_hash']).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  test.each([
    ['as it was', (email: string) => email],
    ['in other letters', (email: string) => email.toUpperCase()],
  ])(
    'an email a second time, %s: the same answer, nothing is written, and its owner gets a mail',
    async (_what, spell) => {
      const email = newEmail();
      const first = await register(company({ email }));
      const before = await counts();
      const again = await register(company({ email: spell(email), business_name: 'Another' }));
      expect(again.status).toBe(first.status);
      expect(again.body).toEqual({
        data: {
          ...first.body.data,
          id: expect.stringMatching(/^[0-9a-f]{8}-/),
          business_name: 'Another',
          email: spell(email),
          created_at: expect.stringMatching(/Z$/),
        },
        meta: { request_id: expect.any(String) },
      });
      expect([...again.headers.keys()]).toEqual([...first.headers.keys()]);
      expect(await counts()).toEqual(before);
      const mails =
        'SELECT kind, token_sealed IS NOT NULL AS has_token FROM platform.mail_outbox WHERE recipient = $1 ORDER BY id';
      expect(await world.sql(mails, [email])).toEqual(
        expect.arrayContaining([
          { kind: 'confirm_email', has_token: true },
          { kind: 'registration_known', has_token: false },
        ]),
      );
    },
  );

  test('a known email takes as long as a new one: both hash the password', async () => {
    const known = newEmail();
    await register(company({ email: known }));
    const took = async (email: string): Promise<number> => {
      const startedAt = performance.now();
      await register(company({ email }));
      return performance.now() - startedAt;
    };
    const fastestOf = async (email: () => string): Promise<number> => {
      const times: number[] = [];
      for (let n = 0; n < 8; n += 1) times.push(await took(email()));
      return Math.min(...times);
    };
    const [ofKnown, ofNew] = [await fastestOf(() => known), await fastestOf(newEmail)];
    // Without the hash an answer takes a few milliseconds, and with it tens of them.
    expect(ofKnown).toBeGreaterThan(ofNew / 2);
    expect(ofKnown).toBeLessThan(ofNew * 2);
  });

  test('its owner gets five mails about it in an hour at most, whoever registers', async () => {
    const email = newEmail();
    for (let n = 0; n < 8; n += 1) expect((await register(company({ email }))).status).toBe(202);
    const mails = await world.sql('SELECT FROM platform.mail_outbox WHERE recipient = $1', [email]);
    expect(mails).toHaveLength(5);
  });

  test('twenty at once with one email: one partner', async () => {
    const email = newEmail();
    const answers = await Promise.all(Array.from({ length: 20 }, () => register(company({ email }))));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 202));
    const rows = await world.sql('SELECT FROM platform.partners WHERE email = $1', [email]);
    expect(rows).toHaveLength(1);
  });

  test('cannot choose its own status, tier or id', async () => {
    const { body } = await register(
      company({ status: 'active', tier: 'scale', id: '01980000-0000-7000-8000-00000000dead' }),
    );
    expect(body.data).toMatchObject({ status: 'registered', tier: 'starter' });
    expect(body.data.id).not.toBe('01980000-0000-7000-8000-00000000dead');
  });

  const REFUSED: [what: string, body: unknown, message: RegExp][] = [
    ['no JSON', '{', /JSON/],
    ['null', null, /object/],
    ['a list', [], /object/],
    ['no business_name', company({ business_name: undefined }), /^business_name: is required/],
    ['an empty business_name', company({ business_name: '' }), /^business_name: /],
    ['a business_name of spaces', company({ business_name: '   ' }), /^business_name: /],
    ['a business_name of 201 characters', company({ business_name: 'a'.repeat(201) }), /^business_name: /],
    ['a NUL in the business_name', company({ business_name: 'a\u0000b' }), /^business_name: /],
    ['a lone surrogate in the business_name', company({ business_name: 'a\ud800' }), /^business_name: /],
    ['no email', company({ email: undefined }), /^email: is required/],
    ['an email that is none', company({ email: 'acme.example' }), /^email: /],
    ['an email of 255 characters', company({ email: `${'a'.repeat(244)}@ac.example` }), /^email: /],
    ['no phone', company({ phone: null }), /^phone: /],
    ['a phone of letters', company({ phone: 'call me' }), /^phone: /],
    ['a phone that is a number', company({ phone: 2348012345678 }), /^phone: /],
    ['no password', company({ password: undefined }), /^password: is required/],
    ['a password of 7 characters', company({ password: 'sevench' }), /^password: .*8 to 128/],
    ['a password of 129 characters', company({ password: 'a'.repeat(129) }), /^password: /],
    ['a password that is a number', company({ password: 12345678 }), /^password: /],
  ];
  test.each(REFUSED)('%s: 422 VALIDATION_ERROR and nothing is written', async (_what, body, message) => {
    const before = await counts();
    const answer = await register(body);
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({
      error: 'VALIDATION_ERROR',
      message: expect.stringMatching(message),
    });
    expect(answer.text).not.toContain(PASSWORD);
    expect(await counts()).toEqual(before);
  });

  test.each(['é'.repeat(8), 'pass word with spaces', 'a'.repeat(128)])(
    'the password %j is fine as it stands',
    async (password) => {
      const { body } = await register(company({ password }));
      expect((await login({ email: body.data.email, password })).status).toBe(200);
      expect((await login({ email: body.data.email, password: password.slice(1) })).status).toBe(401);
    },
  );

  test.each(['reference', 'guide'])('errors come in the form of the header: %s', async (form) => {
    const { body } = await register(company({ email: 'none' }), { 'X-Response-Form': form });
    expect(form === 'guide' ? body.error.code : body.error).toBe('VALIDATION_ERROR');
  });

  test('a form that there is not: 422', async () => {
    expect(await register(company(), { 'X-Response-Form': 'other' })).toMatchObject({
      status: 422,
      body: { error: 'VALIDATION_ERROR' },
    });
  });

  test.each(['/v1/auth/register', '/v1/auth/login'])('%s has only POST', async (path) => {
    const answer = await api.call('GET', path);
    expect(answer).toMatchObject({ status: 405, body: { error: 'METHOD_NOT_ALLOWED' } });
    expect(answer.headers.get('Allow')).toBe('POST, OPTIONS');
  });
});

describe('logging in', () => {
  let registered: { id: string; email: string };
  beforeAll(async () => {
    registered = (await register(company())).body.data;
  });

  test('answers 200 with a token for an hour, and the partner', async () => {
    const answer = await login({ email: registered.email, password: PASSWORD });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      data: {
        access_token: expect.any(String),
        token_type: 'Bearer',
        expires_in: 3_600,
        partner: registered,
      },
      meta: { request_id: answer.headers.get('X-Request-Id') },
    });
    expect([...answer.headers.keys()].filter((name) => name.startsWith('x-ratelimit'))).toEqual([]);
  });

  test('the token names the partner, the user and the session, and holds nothing more', async () => {
    const { body } = await login({ email: registered.email, password: PASSWORD });
    const claims = decode(body.data.access_token) as Record<string, unknown>;
    const [user] = await world.sql('SELECT id FROM platform.users WHERE partner_id = $1', [registered.id]);
    const [session] = await world.sql(
      'SELECT id FROM platform.sessions WHERE partner_id = $1 ORDER BY id DESC LIMIT 1',
      [registered.id],
    );
    expect(claims).toEqual({
      iss: expect.any(String),
      aud: expect.any(String),
      sub: user!['id'],
      partner_id: registered.id,
      env: 'sandbox',
      scope: 'partner',
      iat: expect.any(Number),
      exp: (claims['iat'] as number) + 3_600,
      jti: session!['id'],
    });
  });

  test.each([
    [{}, 'sandbox'],
    [{ environment: null }, 'sandbox'],
    [{ environment: 'sandbox' }, 'sandbox'],
    [{ environment: 'live' }, 'live'],
  ])('%j gives a token for %s', async (more, environment) => {
    const { body } = await login({ email: registered.email, password: PASSWORD, ...more });
    const key = body.data.access_token;
    expect((await api.call('GET', '/v1/webhooks', { key })).status).toBe(200);
    expect(decode(key)).toMatchObject({ env: environment });
    // That operation refuses a credential for its environment only when the credential is live.
    const simulated = await api.call('POST', '/v1/sandbox/bank-transfer/complete', { key, body: {} });
    expect(simulated.body.error).toBe(environment === 'live' ? 'SANDBOX_ONLY' : 'VALIDATION_ERROR');
  });

  test('the case of the email does not matter', async () => {
    const email = registered.email.toUpperCase();
    expect((await login({ email, password: PASSWORD })).status).toBe(200);
  });

  test('an unknown email, a wrong password and a closed partner get one answer', async () => {
    const closed = (await register(company())).body.data;
    await world.sql(`UPDATE platform.partners SET status = 'closed' WHERE id = $1`, [closed.id]);
    const answers = [
      await login({ email: newEmail(), password: PASSWORD }),
      await login({ email: 'no email at all', password: PASSWORD }),
      await login({ email: registered.email, password: `${PASSWORD}.` }),
      await login({ email: registered.email, password: PASSWORD.toUpperCase() }),
      await login({ email: registered.email, password: ' ' }),
      await login({ email: closed.email, password: PASSWORD }),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(401);
      expect(answer.body).toEqual({
        error: 'INVALID_CREDENTIALS',
        message: answers[0]!.body.message,
        meta: { request_id: answer.headers.get('X-Request-Id') },
      });
    }
  });

  test('an unknown email takes as long as a wrong password', async () => {
    const time = async (email: string): Promise<number> => {
      const start = performance.now();
      await login({ email, password: 'wrong password' });
      return performance.now() - start;
    };
    const [known, unknown]: [number[], number[]] = [[], []];
    for (let round = 0; round < 12; round += 1) {
      // Without its waits, which come after ten wrong attempts.
      await world.sql('DELETE FROM platform.login_attempts');
      known.push(await time(registered.email));
      unknown.push(await time(newEmail()));
    }
    const middle = (times: number[]): number => times.sort((one, next) => one - next)[6]!;
    const ratio = middle(unknown) / middle(known);
    // Most of the time goes into the hash; without it an unknown email would take a tenth of that.
    expect(ratio).toBeGreaterThan(0.5);
    expect(ratio).toBeLessThan(2);
  });

  test.each([
    ['no email', { password: PASSWORD }],
    ['no password', { email: 'a@b.example' }],
    ['a password of 129 characters', { email: 'a@b.example', password: 'a'.repeat(129) }],
    ['an email that is a list', { email: ['a@b.example'], password: PASSWORD }],
    ['an unknown environment', { email: 'a@b.example', password: PASSWORD, environment: 'staging' }],
    ['no JSON', '{'],
  ])('%s: 422 VALIDATION_ERROR', async (_what, body) => {
    expect(await login(body)).toMatchObject({ status: 422, body: { error: 'VALIDATION_ERROR' } });
  });

  test('a suspended partner may log in, and its live token can only read', async () => {
    const suspended = (await register(company())).body.data;
    await world.sql(`UPDATE platform.partners SET status = 'suspended' WHERE id = $1`, [suspended.id]);
    const { body } = await login({ email: suspended.email, password: PASSWORD, environment: 'live' });
    const key = body.data.access_token;
    expect((await api.call('GET', '/v1/webhooks', { key })).status).toBe(200);
    expect(await api.call('POST', '/v1/api-keys', { key, body: {} })).toMatchObject({
      status: 403,
      body: { error: 'PARTNER_NOT_ACTIVE' },
    });
  });
});

test('from registration to a wallet', async () => {
  const { body: registered } = await register(company());
  const { email } = registered.data;
  const token = (await login({ email, password: PASSWORD })).body.data.access_token;
  const made = await api.call('POST', '/v1/api-keys', { key: token, body: { label: 'backend' } });
  expect(made.status).toBe(201);
  const wallet = await api.call('POST', '/v1/wallets', {
    key: made.body.data.key,
    body: { user_ref: 'ada' },
  });
  expect(wallet).toMatchObject({ status: 202, body: { data: { partner_id: registered.data.id } } });
});
