/** The operator port: who gets in, what is open, and that partners cannot reach it (D91, G37). */
import pg from 'pg';
import { apiForFile, operatorForFile } from '../../support/scene';
import { send } from '../../support/send';
import { until } from '../../support/until';
import { OPERATOR_ROUTES } from '../../../src/api/operator/routes';
import { TEST_CELLS } from '../../setup/cells';
import { makeOperatorToken } from '../../../src/administration/operator-token';
import { newId } from '../../../src/db/pg/ids';
import { newKey } from '../../../src/wire/api-keys';
import { version as productVersion } from '../../../package.json';

const { world, api } = apiForFile();
const operator = operatorForFile(api);

const at = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  send(`http://127.0.0.1:${api.operatorPort}${path}`, method, { headers });

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const concrete = (path: string) => path.replace(':environment', 'sandbox').replaceAll(/:\w+/g, () => newId());

describe('without a token in force', () => {
  test.each(OPERATOR_ROUTES.map(({ method, path }) => [method, path] as const))(
    '%s %s: 401',
    async (method, path) => {
      expect(await at(concrete(path), {}, method)).toMatchObject({
        status: 401,
        body: { error: 'INVALID_TOKEN', meta: { request_id: expect.stringMatching(/^req_/) } },
      });
    },
  );

  const revoked = async () => {
    const gone = await api.operator();
    await world.sql('UPDATE platform.operators SET revoked_at = now() WHERE name = $1', [gone.name]);
    return gone.token;
  };
  const expired = async () => {
    const late = await api.operator();
    expect(await late.get('/ops/partners')).toMatchObject({ status: 200 });
    await world.sql('UPDATE platform.operators SET expires_at = now() WHERE name = $1', [late.name]);
    return late.token;
  };
  test.each<[string, () => Record<string, string> | Promise<Record<string, string>>]>([
    ['another scheme', () => ({ Authorization: `Basic ${operator.token}` })],
    ['an empty token', () => ({ Authorization: 'Bearer ' })],
    ['a token nobody was given', () => bearer(newKey('op_'))],
    ['a token with a wrong checksum', () => bearer(`${operator.token.slice(0, -1)}_`)],
    ['a partner’s key', async () => bearer((await api.partner()).key)],
    ['a revoked token', async () => bearer(await revoked())],
    ['an expired operator token', async () => bearer(await expired())],
  ])('%s: 401, on unknown paths too', async (_what, headers) => {
    const given = await headers();
    for (const path of ['/ops/partners', '/ops/nothing', '/']) {
      expect(await at(path, given)).toMatchObject({ status: 401, body: { error: 'INVALID_TOKEN' } });
    }
  });
});

test('an expired operator token gets the published wording, and its owner a new token', async () => {
  const ada = await api.operator();
  await world.sql('UPDATE platform.operators SET expires_at = now() WHERE name = $1', [ada.name]);
  expect(await ada.get('/ops/partners')).toMatchObject({
    status: 401,
    body: { error: 'INVALID_TOKEN', message: 'The API key or access token is unknown, revoked or expired' },
  });
  const owner = {
    query: async (text: string, values?: unknown[]) => ({ rows: await world.sql(text, values) }),
  };
  const inAnHour = new Date(Date.now() + 3_600_000);
  const renewed = await makeOperatorToken(owner as never, ada.name, 'operator', inAnHour);
  expect(renewed?.id).toBe(ada.id);
  expect(await operator.post(`/ops/operators/${ada.id}/admit`, { reason: 'Monday' })).toMatchObject({
    status: 200,
  });
  expect(await at('/ops/partners', bearer(renewed!.token))).toMatchObject({ status: 200 });
});

test('an operator is told that an unknown path is unknown', async () => {
  for (const path of ['/ops/nothing', '/ops/moon/adjustments', '/v1/wallets']) {
    expect(await operator.get(path)).toMatchObject({
      status: 404,
      body: { error: 'NOT_FOUND', detail: { reason: 'no_such_operation' } },
    });
  }
  expect((await operator.get('/ops/partner')).body.detail.nearest).toEqual({
    method: 'GET',
    path: '/ops/partners',
  });
});

describe('an operator is told why something was not found', () => {
  const id = newId();
  const of = `/ops/sandbox/partners/${id}`;
  test.each<['GET' | 'POST', string, string]>([
    ['GET', `/ops/partners/${id}`, 'not_found'],
    ['GET', '/ops/partners/acme', 'malformed_id'],
    ['GET', '/ops/partners/%zz', 'malformed_id'],
    ['GET', `${of}/wallets/wlt_${id}?reason=Review%20of%20it`, 'not_found'],
    ['GET', `${of}/wallets/tx_${id}?reason=Review%20of%20it`, 'malformed_id'],
    ['GET', `${of}/transactions/tx_${id}?reason=Review%20of%20it`, 'not_found'],
    ['POST', `${of}/bank-transfers/tx_${id}/ask`, 'not_found'],
    ['POST', `${of}/bank-transfers/wlt_${id}/ask`, 'malformed_id'],
    ['GET', `/ops/moon/partners/${id}/compliance?reason=Review%20of%20it`, 'not_found'],
    ['GET', `/ops/proposals/${id}`, 'not_found'],
    ['POST', '/ops/proposals/mine/approve', 'malformed_id'],
  ])('%s %s: %s', async (method, path, reason) => {
    const answer = await (method === 'GET' ? operator.get(path) : operator.post(path, {}));
    expect(answer).toMatchObject({ status: 404, body: { error: 'NOT_FOUND', detail: { reason } } });
  });
});

test('the partners’ port has none of these routes', async () => {
  const partner = await api.partner();
  for (const path of ['/ops/partners', '/live', '/ready', '/metrics']) {
    expect(await partner.get(path)).toMatchObject({ status: 404, body: { error: 'NOT_FOUND' } });
    const headers = bearer(operator.token);
    const answer = await api.call('GET', path, { headers });
    expect(answer).toMatchObject({ status: 404 });
  }
  const refused = await api.call('GET', '/v1/wallets/x', { headers: bearer(operator.token) });
  expect(refused).toMatchObject({ status: 401, body: { error: 'INVALID_TOKEN' } });
});

test('a viewer can read, and cannot change anything', async () => {
  const viewer = await api.operator('viewer');
  expect(await viewer.get('/ops/partners')).toMatchObject({ status: 200 });
  for (const { path } of OPERATOR_ROUTES.filter(({ method }) => method === 'POST')) {
    expect(await viewer.post(concrete(path), {})).toMatchObject({
      status: 403,
      body: { error: 'FORBIDDEN' },
    });
  }
});

describe('the probes are open', () => {
  test.each(['/live', '/ready', '/metrics'])(
    '%s refuses a query parameter, because it knows none',
    async (path) => {
      expect(await at(`${path}?verbose=1`)).toMatchObject({
        status: 422,
        body: { error: 'VALIDATION_ERROR' },
      });
    },
  );

  const running = { version: productVersion, build: 'sources' };

  test('/live', async () => {
    expect(await at('/live')).toMatchObject({ status: 200, body: { status: 'ok', ...running } });
  });

  test('/live, /ready and /metrics say which version and build runs, and /health does not', async () => {
    expect(await at('/ready')).toMatchObject({ body: running });
    const metrics = await fetch(`http://127.0.0.1:${api.operatorPort}/metrics`);
    expect(await metrics.text()).toContain(`build_info{version="${productVersion}",build="sources"} 1`);
    const { body } = await api.call('GET', '/health', {});
    expect(Object.keys(body)).toEqual(['status', 'timestamp']);
  });

  test('/ready says what it has checked', async () => {
    expect(await at('/ready')).toMatchObject({
      status: 200,
      body: {
        status: 'ready',
        checks: { postgres: true, migrations: true, cells: true, temporal: false, draining: false },
        why: [],
        outbox_oldest_seconds: expect.any(Number),
      },
    });
  });

  test('/ready is 503 from the moment the process is told to end, while it still serves', async () => {
    const ending = await world.startApi();
    const partner = (await api.partner()).at(ending);
    ending.drain();
    const ready = await send(`http://127.0.0.1:${ending.operatorPort}/ready`, 'GET');
    expect(ready).toMatchObject({
      status: 503,
      body: { checks: { draining: true }, why: ['The process is about to end'] },
    });
    expect(await partner.get('/health')).toMatchObject({ status: 200 });
  });

  test('/ready is 503 while the database is older than the code', async () => {
    const [row] = await world.sql(
      `DELETE FROM sandbox_directory.migrations_of_sandbox_0 WHERE name = '007_events' RETURNING name, batch, migration_time`,
    );
    const young = await world.startApi();
    const ready = () => send(`http://127.0.0.1:${young.operatorPort}/ready`, 'GET');
    expect(await ready()).toMatchObject({
      status: 503,
      body: {
        checks: { postgres: true, migrations: false },
        why: ['The database lacks migrations of this version: sandbox_0/007_events'],
      },
    });
    await world.sql(
      'INSERT INTO sandbox_directory.migrations_of_sandbox_0 (name, batch, migration_time) VALUES ($1, $2, $3)',
      [row!['name'], row!['batch'], row!['migration_time']],
    );
    expect(await ready()).toMatchObject({ status: 200 });
  });

  test('/ready is 503 while Postgres does not say in time how old the database is', async () => {
    const other = new pg.Client({ connectionString: world.databaseUrl });
    await other.connect();
    await other.query('BEGIN; LOCK TABLE sandbox_directory.migrations_of_sandbox_0');
    const waiting = await world.startApi();
    const ready = () => send(`http://127.0.0.1:${waiting.operatorPort}/ready`, 'GET');
    expect(await ready()).toMatchObject({
      status: 503,
      body: {
        checks: { postgres: true, migrations: false },
        why: ['Postgres did not say in time which migrations the database has'],
      },
    });
    await other.end();
    expect(await ready()).toMatchObject({ status: 200 });
  });

  test('/ready is 503 where a cell is there that the process does not serve', async () => {
    const cell = `sandbox_${TEST_CELLS}`;
    await world.sql(`CREATE TABLE sandbox_directory.migrations_of_${cell} ()`);
    const small = await world.startApi();
    const ready = () => send(`http://127.0.0.1:${small.operatorPort}/ready`, 'GET');
    expect(await ready()).toMatchObject({
      status: 503,
      body: {
        checks: { postgres: true, migrations: true, cells: false },
        why: [
          `The database has cells that this process does not serve: ${cell}. ` +
            `CELLS_PER_ENVIRONMENT is ${TEST_CELLS}, and should be ${TEST_CELLS + 1}`,
        ],
      },
    });
    await world.sql(`DROP TABLE sandbox_directory.migrations_of_${cell}`);
    expect(await ready()).toMatchObject({ status: 200 });
  });

  test('without Postgres: /live 200, /ready 503, /metrics still answers', async () => {
    const lost = await world.startApi({ DATABASE_URL: 'postgres://127.0.0.1:1/none' });
    const ask = (path: string) => send(`http://127.0.0.1:${lost.operatorPort}${path}`, 'GET');
    expect(await ask('/live')).toMatchObject({ status: 200 });
    expect(await ask('/ready')).toMatchObject({
      status: 503,
      body: {
        checks: { postgres: false },
        why: ['Postgres does not answer'],
        outbox_oldest_seconds: null,
      },
    });
    const metrics = await ask('/metrics');
    expect(metrics.status).toBe(200);
    expect(metrics.text).not.toMatch(/^ledger_imbalance_kobo\{/m);
    const refused = await send(`http://127.0.0.1:${lost.operatorPort}/ops/partners`, 'GET', {
      headers: bearer(operator.token),
    });
    expect(refused).toMatchObject({ status: 503, body: { error: 'SERVICE_UNAVAILABLE' } });
  });
});

describe('/metrics', () => {
  let metrics: string;
  // A look takes as long as Temporal, which is not there, may take to answer.
  beforeAll(async () => {
    metrics = (await at('/metrics')).text;
  });

  test.each([
    'http_server_request_duration_seconds',
    'idempotency_replays_total',
    'requests_not_logged_total',
    'ledger_batch_size',
    'recon_breaks_open',
    'webhook_attempts_total',
    'event_loop_lag_seconds',
    'ledger_imbalance_kobo',
    'intention_oldest_seconds',
    'transfer_processing_oldest_seconds',
    'webhook_oldest_pending_seconds',
    'db_pool_waiting',
  ])('has %s', (name) => {
    expect(metrics).toContain(`# TYPE ${name} `);
  });

  test('counts a request once, by method, operation and status, and never by an id', async () => {
    const fresh = await world.startApi();
    const partner = (await api.partner()).at(fresh);
    const text = async () => (await send(`http://127.0.0.1:${fresh.operatorPort}/metrics`, 'GET')).text;
    const walletId = await partner.wallet({ fundKobo: 1_000 });
    await partner.get(`/v1/wallets/${walletId}`);
    await partner.get(`/v1/wallets/${newId()}`);
    await partner.get('/v1/nothing');
    const body = {
      source_wallet: walletId,
      dest_wallet: await partner.wallet(),
      amount: 100,
      reference: 'r1',
    };
    await partner.post('/v1/transfers/p2p', body);
    await partner.post('/v1/transfers/p2p', body);

    const counted = async () =>
      (await text())
        .split('\n')
        .filter((line) => line.includes('_duration_seconds_count'))
        .map((line) => line.replace('http_server_request_duration_seconds_count', ''))
        .sort();
    // The metric changes only after the answer was sent, so it may lag behind the answer.
    const lines = await until('the observation of the last request', async () => {
      const now = await counted();
      return now.some((line) => line.endsWith('} 2')) && now;
    });
    expect(lines).toEqual([
      '{method="GET",operation="getWallet",environment="sandbox",status="200"} 1',
      '{method="GET",operation="getWallet",environment="sandbox",status="404"} 1',
      '{method="GET",operation="none",environment="sandbox",status="404"} 1',
      '{method="POST",operation="p2pTransfer",environment="sandbox",status="200"} 2',
    ]);
    const all = await text();
    expect(all).toMatch(/^idempotency_replays_total 1$/m);
    // The funding, the transfer and its replay came one after the other, so each was a batch.
    expect(all).toMatch(/^ledger_batch_size_count 3$/m);
    expect(all).toMatch(/^ledger_batch_size_sum 3$/m);
    expect(all).not.toContain(walletId);
  });

  test('gives the age of the oldest intention and the imbalance of the ledger, which is zero, per cell', () => {
    for (const cell of ['sandbox_0', 'live_0']) {
      const place = `environment="${cell.split('_')[0] ?? ''}",cell="${cell}"`;
      expect(metrics).toContain(`ledger_imbalance_kobo{${place}} 0`);
      expect(metrics).toMatch(new RegExp(`^intention_oldest_seconds\\{${place}\\} [0-9.]+$`, 'm'));
    }
  });
});
