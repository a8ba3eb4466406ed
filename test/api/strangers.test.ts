/**
 * The limits of callers without a credential, over all instances (interface: Limits; D101, D122, D150, D158,
 * D167).
 */
import { openWorld, type Answer, type TestApi, type World } from '../support/api';
import { newKey } from '../../src/wire/api-keys';
import { until } from '../support/until';
import { SANDBOX_CELL } from '../setup/cells';

let world: World;
let apis: [TestApi, TestApi];
beforeAll(async () => {
  world = await openWorld();
  // An empty variable counts as not set, so the published 60 and 10 apply.
  const published = { RATE_LIMIT_UNAUTHENTICATED: '', RATE_LIMIT_LOGIN: '', TRUST_PROXY: '1' };
  apis = [await world.startApi(published), await world.startApi(published)];
});
afterAll(() => world.close());

/** Every test calls from an address of its own. */
let drawn = 0;
const newAddress = (): string => `203.0.113.${String((drawn += 1))}`;
const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } });

const callAt = (index: number, address: string): Promise<Answer> =>
  apis[index % 2]!.call('GET', '/v1/webhooks', from(address));

/** Waits until the window that all callers share is long enough for a test. */
async function roomInWindow(seconds: number): Promise<void> {
  await until('a window with room', async () => {
    const rows = await world.sql('SELECT 60 - extract(second FROM clock_timestamp()) AS left');
    return Number(rows[0]?.['left']) > seconds;
  });
}

const statusesOf = (answers: Answer[]): Record<number, number> => {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

function expectRefused(answer: Answer): void {
  expect(answer).toMatchObject({ status: 429, body: { error: 'RATE_LIMIT_EXCEEDED' } });
  const wait = Number(answer.headers.get('Retry-After'));
  expect(Number.isInteger(wait) && wait >= 1 && wait <= 60).toBe(true);
  expect([...answer.headers.keys()].filter((name) => name.startsWith('x-ratelimit'))).toEqual([]);
}

test('of 70 calls over two instances 60 are 401 and 10 are 429; other addresses and good keys are served', async () => {
  await roomInWindow(15);
  const address = newAddress();
  const answers: Answer[] = [];
  for (let index = 0; index < 70; index += 1) answers.push(await callAt(index, address));
  expect(statusesOf(answers)).toEqual({ 401: 60, 429: 10 });
  answers.slice(60).forEach(expectRefused);

  expect((await callAt(0, newAddress())).status).toBe(401);
  const { key } = await apis[0].partner();
  const good = await apis[0].call('GET', '/v1/webhooks', { key, ...from(address) });
  expect(good.status).toBe(200);
  expect((await apis[0].call('GET', '/health', from(address))).status).toBe(200);
});

test('200 at once over two instances: no more than 60 are 401', async () => {
  await roomInWindow(15);
  const address = newAddress();
  const answers = await Promise.all(Array.from({ length: 200 }, (_, index) => callAt(index, address)));
  // On a busy machine the shared count can come too late; then each instance counts for itself.
  const answered = statusesOf(answers)[401] ?? 0;
  expect(answered).toBeGreaterThanOrEqual(60);
  expect(answered).toBeLessThanOrEqual(120);
  expectRefused(await callAt(0, address));
  expectRefused(await callAt(1, address));
});

test('a new minute begins with the whole limit', async () => {
  await roomInWindow(10);
  const address = newAddress();
  for (let index = 0; index < 3; index += 1) await callAt(0, address);
  await world.sql(
    `UPDATE platform.stranger_windows SET window_start = window_start - interval '1 minute', used = 60`,
  );
  expect((await callAt(1, address)).status).toBe(401);
});

test('an IPv6 caller counts by its /64, and not by its address', async () => {
  await roomInWindow(15);
  const answers: Answer[] = [];
  for (let index = 0; index < 62; index += 1) {
    answers.push(await callAt(index, `2001:db8:1:2:${index.toString(16)}::1`));
  }
  expect(statusesOf(answers)).toEqual({ 401: 60, 429: 2 });
  expect((await callAt(0, '2001:db8:1:3::1')).status).toBe(401);
});

describe('behind no proxy', () => {
  test('X-Forwarded-For is ignored', async () => {
    const open = await world.startApi({ RATE_LIMIT_UNAUTHENTICATED: '3' });
    await roomInWindow(10);
    const answers: Answer[] = [];
    for (let index = 0; index < 5; index += 1) {
      answers.push(await open.call('GET', '/v1/webhooks', from(newAddress())));
    }
    expect(statusesOf(answers)).toEqual({ 401: 3, 429: 2 });
  });
});

describe('behind one proxy', () => {
  test('the addresses that the caller itself wrote into X-Forwarded-For are ignored', async () => {
    await roomInWindow(15);
    const address = newAddress();
    const answers: Answer[] = [];
    for (let index = 0; index < 62; index += 1) {
      answers.push(await callAt(index, `${newAddress()}, ${address}`));
    }
    expect(statusesOf(answers)).toEqual({ 401: 60, 429: 2 });
  });
});

test('while Postgres is away each instance counts for itself, and no caller waits long', async () => {
  const lost = await world.startApi({
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    RATE_LIMIT_UNAUTHENTICATED: '3',
  });
  const answers: Answer[] = [];
  for (let index = 0; index < 5; index += 1) answers.push(await lost.call('GET', '/v1/webhooks'));
  expect(statusesOf(answers)).toEqual({ 401: 3, 429: 2 });
});

test('a stranger hammers: over its limit it costs no database statement, whatever it sends', async () => {
  const api = await world.startApi({ RATE_LIMIT_UNAUTHENTICATED: '3', TRUST_PROXY: '1' });
  const good = await api.partner();
  await roomInWindow(20);
  const address = newAddress();
  const from203 = from(address);
  expect((await api.call('GET', '/v1/webhooks', { key: good.key, ...from203 })).status).toBe(200);
  for (let count = 0; count < 3; count += 1) {
    await api.call('GET', '/v1/webhooks', { key: newKey('sk_test_'), ...from203 });
  }
  // The request that was answered is logged a moment later, which is a statement too.
  await until('the log', async () => {
    const logged = `SELECT FROM ${SANDBOX_CELL}.requests WHERE partner_id = $1`;
    return (await world.sql(logged, [good.id])).length === 1;
  });

  const asked = Object.values(api.environments).map(({ pool }) => jest.spyOn(pool, 'query'));
  const used = () => world.sql('SELECT sum(used)::int AS used FROM platform.stranger_windows');
  const before = await used();
  const shapes: (() => Promise<Answer>)[] = [
    () => api.call('GET', '/v1/webhooks', from203),
    () => api.call('GET', '/v1/webhooks', { key: newKey('sk_test_'), ...from203 }),
    () => api.call('GET', '/v1/webhooks', { key: newKey('sk_live_'), ...from203 }),
    () => api.call('GET', '/v1/webhooks', { key: 'a.b.c', ...from203 }),
    () => api.call('POST', '/v1/auth/login', { body: '{}', ...from203 }),
    () => api.call('POST', '/v1/auth/register', { body: '{}', ...from203 }),
  ];
  for (const shape of shapes) for (let count = 0; count < 5; count += 1) expectRefused(await shape());
  expect(asked.map((spy) => spy.mock.calls.length)).toEqual([0, 0]);
  expect(await used()).toEqual(before);

  // A partner behind the same address goes on.
  expect((await api.call('GET', '/v1/webhooks', { key: good.key, ...from203 })).status).toBe(200);
});

describe('registration and login', () => {
  const COMPANY = {
    business_name: 'Acme Fintech',
    email: 'owner@acme.example',
    phone: '+2348012345678',
    password: 'correct horse battery',
  };
  const login = (index: number, address: string, email = COMPANY.email, password = 'wrong password') =>
    apis[index % 2]!.call('POST', '/v1/auth/login', { body: { email, password }, ...from(address) });
  beforeAll(async () => {
    await apis[0].call('POST', '/v1/auth/register', { body: COMPANY });
  });

  test('ten logins a minute for one address and email, right or wrong, in any case', async () => {
    await roomInWindow(20);
    const address = newAddress();
    const answers: Answer[] = [];
    for (let index = 0; index < 12; index += 1) {
      const email = index % 3 === 0 ? COMPANY.email.toUpperCase() : COMPANY.email;
      answers.push(await login(index, address, email, index === 4 ? COMPANY.password : undefined));
    }
    expect(answers.map(({ status }) => status)).toEqual([
      ...[401, 401, 401, 401, 200, 401, 401, 401, 401, 401],
      ...[429, 429],
    ]);
    answers.slice(10).forEach(expectRefused);

    // The right password is refused too; another email and another address are not.
    expect((await login(0, address, COMPANY.email, COMPANY.password)).status).toBe(429);
    expect((await login(0, address, 'other@acme.example')).status).toBe(401);
    expect((await login(0, newAddress(), COMPANY.email, COMPANY.password)).status).toBe(200);
  });

  test.each(['/v1/auth/register', '/v1/auth/login'])(
    'POST %s counts towards the address, before the body is looked at',
    async (path) => {
      await roomInWindow(15);
      const address = newAddress();
      const answers: Answer[] = [];
      for (let index = 0; index < 62; index += 1) {
        answers.push(await apis[index % 2]!.call('POST', path, { body: '{', ...from(address) }));
      }
      expect(statusesOf(answers)).toEqual({ 422: 60, 429: 2 });
      answers.slice(60).forEach(expectRefused);
      expectRefused(await callAt(0, address));
    },
    30_000,
  );

  test('in the form that the header asks for', async () => {
    await roomInWindow(10);
    const address = newAddress();
    for (let index = 0; index < 60; index += 1) await callAt(index, address);
    const answer = await apis[0].call('POST', '/v1/auth/login', {
      body: '{',
      headers: { ...from(address).headers, 'X-Response-Form': 'guide' },
    });
    expect(answer.body.error).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', http_status: 429 });
  });
});

test('the stored counters contain neither an address nor an email', async () => {
  const address = newAddress();
  await callAt(0, address);
  const rows = await world.sql('SELECT who, length(who) AS length, w::text FROM platform.stranger_windows w');
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.every((row) => row['length'] === 16)).toBe(true);
  expect(JSON.stringify(rows)).not.toContain(address);
});

describe('an environment with a host of its own (D1)', () => {
  test.each([
    ['sandbox', 'sandbox', 200],
    ['sandbox', 'live', 401],
    ['live', 'live', 200],
    ['live', 'sandbox', 401],
  ] as const)('a %s key at the host of %s: %d', async (environment, at, status) => {
    // `fetch` writes the Host header itself, so the two hosts are two names of this machine.
    const hosts = { sandbox: '127.0.0.1', live: 'localhost' };
    const api = await world.startApi({ SANDBOX_HOST: hosts.sandbox, LIVE_HOST: hosts.live });
    const { key } = await api.partner({ environment });
    const answer = await fetch(`http://${hosts[at]}:${String(api.port)}/v1/webhooks`, {
      headers: { Authorization: `Bearer ${key}` },
    });
    expect(answer.status).toBe(status);
    if (status === 401) expect(await answer.json()).toMatchObject({ error: 'INVALID_TOKEN' });
  });
});
