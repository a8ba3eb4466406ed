/** Sessions: every token has one, and ends with it (D101, D102, D128). */
import { decode } from 'jsonwebtoken';
import { newId } from '../../src/db/pg/ids';
import type { Answer, TestApi } from '../support/api';
import { apiForFile } from '../support/scene';
import { until } from '../support/until';

const { world, api } = apiForFile();

const PASSWORD = 'correct horse battery';
/** An end is in force everywhere within five seconds. */
const IN_FORCE_MS = 5_000;

interface Person {
  email: string;
  partnerId: string;
  logIn(environment?: 'sandbox' | 'live'): Promise<string>;
}

async function newPerson(): Promise<Person> {
  const email = `owner-${newId()}@acme.example`;
  const company = { business_name: 'Acme Fintech', email, phone: '+2348012345678', password: PASSWORD };
  const { body } = await api.call('POST', '/v1/auth/register', { body: company });
  return {
    email,
    partnerId: body.data.id,
    async logIn(environment = 'sandbox') {
      const asked = { email, password: PASSWORD, environment };
      return (await api.call('POST', '/v1/auth/login', { body: asked })).body.data.access_token;
    },
  };
}

const idOf = (token: string): string => (decode(token) as { jti: string }).jti;
const list = (key: string, at: TestApi = api): Promise<Answer> => at.call('GET', '/v1/sessions', { key });
const end = (key: string, id = 'current'): Promise<Answer> =>
  api.call('DELETE', `/v1/sessions/${id}`, { key });

/** Asks until the token is refused. A request that begins later than five seconds must not succeed. */
async function expectDead(at: TestApi, key: string, endedAt: number): Promise<void> {
  await until('the token is refused', async () => {
    const askedAt = Date.now();
    const { status, body } = await list(key, at);
    expect(status === 200 && askedAt - endedAt >= IN_FORCE_MS).toBe(false);
    if (status === 401) expect(body.error).toBe('INVALID_TOKEN');
    return status === 401;
  });
}

test('a token after log-out is refused within five seconds, in every instance', async () => {
  const person = await newPerson();
  const [key, other] = [await person.logIn(), await person.logIn()];
  const instances = [api, await world.startApi()];
  for (const at of instances) expect((await list(key, at)).status).toBe(200);

  expect((await end(key)).status).toBe(204);
  const endedAt = Date.now();
  for (const at of instances) await expectDead(at, key, endedAt);
  expect((await list(other)).status).toBe(200);
});

test('logging out everywhere ends the sessions of both environments, and nobody else’s', async () => {
  const [person, other] = [await newPerson(), await newPerson()];
  const keys = [await person.logIn(), await person.logIn('live')];
  const others = await other.logIn();
  for (const key of keys) expect((await list(key)).status).toBe(200);
  expect((await api.call('DELETE', '/v1/sessions', { key: keys[0]! })).status).toBe(204);
  const endedAt = Date.now();
  for (const key of keys) await expectDead(api, key, endedAt);
  expect((await list(others)).status).toBe(200);
  expect((await list(await person.logIn())).status).toBe(200);
});

test('the list shows the sessions in force, newest first, and marks the one of the token', async () => {
  const person = await newPerson();
  const keys = [await person.logIn(), await person.logIn('live'), await person.logIn()];
  await end(keys[0]!);
  const answer = await list(keys[1]!);
  expect(answer.status).toBe(200);
  expect(answer.body.data).toEqual(
    [keys[2]!, keys[1]!].map((key, place) => ({
      id: idOf(key),
      environment: place === 0 ? 'sandbox' : 'live',
      address: expect.stringMatching(/127\.0\.0\.1$/),
      current: place === 1,
      proved_at: expect.stringMatching(/Z$/),
      expires_at: expect.stringMatching(/Z$/),
      created_at: expect.stringMatching(/Z$/),
    })),
  );
  const [{ created_at: begun, expires_at: ends }] = answer.body.data;
  expect(Date.parse(ends) - Date.parse(begun)).toBeGreaterThanOrEqual(3_599_000);
});

test('another one of the own sessions is ended by its id, once', async () => {
  const person = await newPerson();
  const [key, lost] = [await person.logIn(), await person.logIn()];
  expect((await end(key, idOf(lost))).status).toBe(204);
  expect(await end(key, idOf(lost))).toMatchObject({ status: 404, body: { error: 'NOT_FOUND' } });
  await expectDead(api, lost, Date.now());
});

test('a session that has expired by the clock of the database is refused', async () => {
  const key = await (await newPerson()).logIn();
  await world.sql(`UPDATE platform.sessions SET expires_at = now() WHERE id = $1`, [idOf(key)]);
  await expectDead(api, key, Date.now());
});

test('a session that has ended cannot be brought back, not even by the owner of the table', async () => {
  const key = await (await newPerson()).logIn();
  await end(key);
  await expect(
    world.sql('UPDATE platform.sessions SET ended_at = NULL WHERE id = $1', [idOf(key)]),
  ).rejects.toThrow('never comes back');
});

test('a suspended partner’s person can log out of live', async () => {
  const person = await newPerson();
  const key = await person.logIn('live');
  await world.sql(`UPDATE platform.partners SET status = 'suspended' WHERE id = $1`, [person.partnerId]);
  expect((await end(key)).status).toBe(204);
});

test('a user’s row of a session is deleted by a sign-in ninety days later', async () => {
  const person = await newPerson();
  const old = idOf(await person.logIn());
  await world.sql(`UPDATE platform.sessions SET created_at = now() - interval '91 days' WHERE id = $1`, [
    old,
  ]);
  await person.logIn();
  expect(await world.sql('SELECT FROM platform.sessions WHERE id = $1', [old])).toEqual([]);
});
