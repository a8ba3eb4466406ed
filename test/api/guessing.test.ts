/** Guessing passwords: waits that grow, for each account and for each network, over all instances (D101, D150). */
import { newId } from '../../src/db/pg/ids';
import { openWorld, type Answer, type TestApi, type World } from '../support/api';

let world: World;
let apis: [TestApi, TestApi];
beforeAll(async () => {
  world = await openWorld();
  const behindProxy = { TRUST_PROXY: '1' };
  apis = [await world.startApi(behindProxy), await world.startApi(behindProxy)];
});
afterAll(() => world.close());
afterEach(() => world.sql('DELETE FROM platform.login_attempts'));

const PASSWORD = 'correct horse battery';
let drawn = 0;
const newAddress = (): string => `198.51.100.${String((drawn += 1))}`;
const newEmail = (): string => `owner-${newId()}@acme.example`;

async function register(): Promise<string> {
  const email = newEmail();
  const company = { business_name: 'Acme Fintech', email, phone: '+2348012345678', password: PASSWORD };
  expect((await apis[0].call('POST', '/v1/auth/register', { body: company })).status).toBe(202);
  return email;
}

const logIn = (email: string, address: string, password = 'a wrong password', at = 0): Promise<Answer> =>
  apis[at % 2]!.call('POST', '/v1/auth/login', {
    body: { email, password },
    headers: { 'X-Forwarded-For': address },
  });

const statusesOf = (answers: Answer[]): Record<number, number> => {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

function expectRefused(answer: Answer | undefined, least: number, most: number): void {
  expect(answer).toMatchObject({ status: 429, body: { error: 'RATE_LIMIT_EXCEEDED' } });
  const wait = Number(answer?.headers.get('Retry-After'));
  expect(wait).toBeGreaterThanOrEqual(least);
  expect(wait).toBeLessThanOrEqual(most);
}

/** Lets the present wait of everybody pass. */
const passWaits = (): Promise<unknown> =>
  world.sql('UPDATE platform.login_attempts SET wait_until = clock_timestamp()');

test('two hundred guesses of a password from one address: ten are looked at', async () => {
  const [email, address] = [await register(), newAddress()];
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, n) => logIn(email, address, `guess number ${String(n)}`, n)),
  );
  expect(statusesOf(answers)).toEqual({ 401: 10, 429: 190 });
  expectRefused(
    answers.find(({ status }) => status === 429),
    50,
    60,
  );
  // The right password is refused too, or else whoever waits long enough between two answers could go on.
  expectRefused(await logIn(email, address, PASSWORD, 1), 50, 60);
});

test('guesses from many addresses: ten are looked at, and then one in each wait', async () => {
  const email = await register();
  const answers: Answer[] = [];
  for (let n = 0; n < 12; n += 1) answers.push(await logIn(email.toUpperCase(), newAddress(), undefined, n));
  expect(statusesOf(answers)).toEqual({ 401: 10, 429: 2 });
  for (const minutes of [2, 4, 8, 15, 15]) {
    await passWaits();
    expect((await logIn(email, newAddress())).status).toBe(401);
    expectRefused(await logIn(email, newAddress(), undefined, 1), minutes * 60 - 10, minutes * 60);
  }
});

test('guesses for many accounts from one address: fifty are looked at', async () => {
  const address = newAddress();
  const answers: Answer[] = [];
  for (let n = 0; n < 52; n += 1) answers.push(await logIn(newEmail(), address, undefined, n));
  expect(statusesOf(answers)).toEqual({ 401: 50, 429: 2 });
  expectRefused(answers.at(-1), 50, 60);
  expect((await logIn(newEmail(), newAddress())).status).toBe(401);
});

test('strangers who guess cannot keep the owner out where the owner has signed in before', async () => {
  const [email, home] = [await register(), newAddress()];
  expect((await logIn(email, home, PASSWORD)).status).toBe(200);
  for (let n = 0; n < 11; n += 1) await logIn(email, newAddress());
  expectRefused(await logIn(email, newAddress(), PASSWORD), 50, 60);
  expect((await logIn(email, home, PASSWORD)).status).toBe(200);
  // Guesses from there have a count of their own.
  const answers: Answer[] = [];
  for (let n = 0; n < 11; n += 1) answers.push(await logIn(email, home));
  expect(statusesOf(answers)).toEqual({ 401: 10, 429: 1 });
});

test('a network is known for thirty days after a sign-in', async () => {
  const [email, home] = [await register(), newAddress()];
  expect((await logIn(email, home, PASSWORD)).status).toBe(200);
  for (let n = 0; n < 10; n += 1) await logIn(email, newAddress());
  const age = (interval: string) =>
    world.sql(`UPDATE platform.sessions SET created_at = now() - $1::interval`, [interval]);
  await age('29 days 23 hours');
  expect((await logIn(email, home)).status).toBe(401);
  await age('30 days 1 hour');
  expect((await logIn(email, home)).status).toBe(429);
});

test('to go on guessing during a wait does not make it longer', async () => {
  const [email, address] = [await register(), newAddress()];
  for (let n = 0; n < 30; n += 1) await logIn(email, address);
  await passWaits();
  expect((await logIn(email, address, PASSWORD)).status).toBe(200);
});

test('after the right password the count begins anew; that of the network does not', async () => {
  const [email, address] = [await register(), newAddress()];
  for (let round = 0; round < 2; round += 1) {
    for (let n = 0; n < 9; n += 1) expect((await logIn(email, address)).status).toBe(401);
    expect((await logIn(email, address, PASSWORD)).status).toBe(200);
  }
  const rows = await world.sql('SELECT in_a_row FROM platform.login_attempts ORDER BY in_a_row');
  expect(rows).toEqual([{ in_a_row: 18 }]);
});

test('an account that does not exist is counted like one that does', async () => {
  const [email, unknown] = [await register(), newEmail()];
  for (const one of [email, unknown]) {
    const answers: Answer[] = [];
    for (let n = 0; n < 11; n += 1) answers.push(await logIn(one, newAddress()));
    expect(answers.map(({ status }) => status)).toEqual([...Array<number>(10).fill(401), 429]);
    const { request_id: _id, ...meta } = answers[10]!.body.meta;
    expect({ ...answers[10]!.body, meta }).toEqual({
      error: 'RATE_LIMIT_EXCEEDED',
      message: 'There were too many wrong attempts to sign in',
      meta: {},
    });
  }
});

test('the counts contain neither an address nor an email', async () => {
  const [email, address] = [await register(), newAddress()];
  await logIn(email, address);
  const rows = await world.sql('SELECT length(who) AS length, a::text FROM platform.login_attempts a');
  expect(rows.map((row) => row['length'])).toEqual([16, 16]);
  expect(JSON.stringify(rows)).not.toContain(address);
});

test('one network that fills the places of the checks leaves a sign-in from elsewhere its turn', async () => {
  const email = await register();
  const [thief, home] = [newAddress(), newAddress()];
  const tried = { business_name: 'Acme', phone: '+2348012345678', password: PASSWORD };
  const flood = Array.from({ length: 150 }, () =>
    apis[0].call('POST', '/v1/auth/register', {
      body: { ...tried, email: newEmail() },
      headers: { 'X-Forwarded-For': thief },
    }),
  );
  // The places are full as soon as somebody is refused.
  await Promise.any(
    flood.map(async (one) => {
      if ((await one).status !== 503) throw new Error('served');
    }),
  );
  // From a network that nobody knows, and from the one that is known afterwards.
  for (let n = 0; n < 2; n += 1) expect((await logIn(email, home, PASSWORD)).status).toBe(200);
  const counts = statusesOf(await Promise.all(flood));
  expect(counts[503]).toBeGreaterThan(0);
});
