/** A process of one environment: it serves that one alone, and says where the other one is. */
import { ENVIRONMENTS, type EnvironmentName } from '../../src/domain/partners';
import { readConfig } from '../../src/runtime/config';
import { openWorld, type TestApi, type World } from '../support/api';
import { TEST_SETTINGS } from '../support/settings';

let world: World;
const apis = {} as Record<EnvironmentName, TestApi>;

beforeAll(async () => {
  world = await openWorld();
  for (const name of ENVIRONMENTS) apis[name] = await world.startApi({ ENVIRONMENTS: name });
});
afterAll(() => world.close());

const other = { sandbox: 'live', live: 'sandbox' } as const;

describe.each(ENVIRONMENTS)('an API of %s alone', (name) => {
  const elsewhere = other[name];

  test('opens its environment and no other one', () => {
    expect(Object.keys(apis[name].environments)).toEqual([name]);
  });

  test('answers a key of its own', async () => {
    const { key } = await apis[name].partner({ environment: name });
    expect((await apis[name].call('GET', '/v1/webhooks', { key })).status).toBe(200);
  });

  test('answers a session of its own', async () => {
    const { id } = await apis[name].partner({ environment: name });
    const key = await apis[name].token(id, name);
    expect((await apis[name].call('GET', '/v1/webhooks', { key })).status).toBe(200);
  });

  test.each([
    ['GET', '/v1/webhooks'],
    ['POST', '/v1/transfers/p2p'],
  ])(`refuses a good key of ${elsewhere} at %s %s, and says where it works`, async (method, path) => {
    const { key } = await apis[elsewhere].partner({ environment: elsewhere });
    const answer = await apis[name].call(method, path, { key, ...(method === 'POST' && { body: {} }) });
    expect(answer.status).toBe(401);
    expect(answer.body).toMatchObject({
      error: 'INVALID_TOKEN',
      message: expect.stringContaining('which is not served at this address'),
      detail: { environment: elsewhere },
    });
  });

  test(`refuses a good session of ${elsewhere}, and says where it works`, async () => {
    const { id } = await apis[name].partner();
    const key = await apis[name].token(id, elsewhere);
    const { status, body } = await apis[name].call('GET', '/v1/webhooks', { key });
    expect([status, body]).toEqual([
      401,
      expect.objectContaining({ error: 'INVALID_TOKEN', detail: { environment: elsewhere } }),
    ]);
  });

  test('names the host of the other one where it knows it', async () => {
    const api = await world.startApi({ ENVIRONMENTS: name, [HOSTS[elsewhere]]: 'pay.example' });
    const { key } = await apis[elsewhere].partner({ environment: elsewhere });
    expect((await api.call('GET', '/v1/webhooks', { key })).body).toMatchObject({
      message: expect.stringContaining('use pay.example'),
      detail: { environment: elsewhere, host: 'pay.example' },
    });
  });

  test('registers a company and signs its user in, for either environment', async () => {
    const email = `ada@${name}.example`;
    const password = 'correct horse battery staple';
    const registered = await apis[name].call('POST', '/v1/auth/register', {
      body: { business_name: 'Acme', email, password, phone: '+2348030000001' },
    });
    expect([registered.status, registered.body]).toEqual([expect.any(Number), expect.anything()]);
    expect(registered.status).toBeLessThan(300);
    for (const environment of ENVIRONMENTS) {
      const login = await apis[name].call('POST', '/v1/auth/login', {
        body: { email, password, environment },
      });
      expect(login.status).toBe(200);
    }
  });

  test('is well while its own environment answers', async () => {
    expect((await apis[name].call('GET', '/health')).status).toBe(200);
  });

  test('an operator is told that the other environment is served elsewhere, and nothing is done', async () => {
    const operator = await apis[name].operator();
    const found = await operator.get(`/ops/${elsewhere}/waiting`);
    expect([found.status, found.body]).toEqual([421, expect.objectContaining({ error: 'NOT_SERVED_HERE' })]);
    expect((await operator.get(`/ops/${name}/waiting`)).status).toBe(200);
  });
});

const HOSTS = { sandbox: 'SANDBOX_HOST', live: 'LIVE_HOST' } as const;

test('a partner is not closed by a process that cannot see its live wallets', async () => {
  const { id } = await apis.sandbox.partner();
  const operator = await apis.sandbox.operator();
  const answer = await operator.post(`/ops/partners/${id}/close`, { reason: 'left us' });
  expect(answer.status).toBe(421);
  const [partner] = await world.sql('SELECT status FROM platform.partners WHERE id = $1', [id]);
  expect(partner?.['status']).not.toBe('closed');
});

test('without a setting a process serves both', () => {
  expect(readConfig({ ...TEST_SETTINGS, DATABASE_URL: world.databaseUrl }).ENVIRONMENTS).toBe('both');
});
