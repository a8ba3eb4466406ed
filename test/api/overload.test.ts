/**
 * More payments than the ledger can write in time: the excess is turned away before anything is done for it, and what
 * was accepted is answered in time (G28).
 */
import { randomUUID } from 'node:crypto';
import { newApiKey } from '../../src/wire/api-keys';
import { ROUTES } from '../../src/api/routes';
import { PLAIN_MARK } from '../../src/db/ledger/other-writers';
import { auditCell } from '../support/audit';
import { forgetLog, logLines } from '../support/log';
import { expectOutage } from '../support/outage';
import type { Answer } from '../support/send';
import { apiForFile, partnerForFile } from '../support/scene';
import { requestText, sendRaw } from '../support/sockets';
import { until } from '../support/until';
import { SANDBOX_CELL, TEST_CELLS } from '../setup/cells';

const { world, api } = apiForFile({ LOG_LEVEL: 'info' });
const partner = partnerForFile(api);

/** With the second for which the ledger is held up before others are refused, two seconds. */
const ACCEPTED_WITHIN_MS = 1_000;
const REFUSED_WITHIN_MS = 100;
const ACCEPTED = 40;
/** How long the ledger is held up: for longer than a batch may take. */
const HELD_MS = 1_200;
/** The others are sent in turns, so that each of them is measured and not the queue of this process. */
const AT_ONCE = 2;

let source: string;
let dest: string;
/** The process of Postgres that writes for the ledger. */
let backend: number;
beforeAll(async () => {
  source = await partner.wallet({ fundKobo: 100_000_000 });
  dest = await partner.wallet();
  expect((await pay(randomUUID())).status).toBe(200);
  const rows = await world.sql(
    // What it has sent last is the statement that decided and wrote this payment.
    `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND starts_with(query, '${PLAIN_MARK}')`,
  );
  expect(rows).toHaveLength(1);
  backend = rows[0]?.['pid'] as number;
});

const bodyOf = (reference: string) => ({ source_wallet: source, dest_wallet: dest, amount: 100, reference });
const pay = (reference: string, headers = {}) =>
  partner.post('/v1/transfers/p2p', bodyOf(reference), headers);
const hold = (): boolean => process.kill(backend, 'SIGSTOP');
const go = (): boolean => process.kill(backend, 'SIGCONT');
afterEach(go);
const isLate = (): boolean => api.environments.sandbox.cells.get(SANDBOX_CELL)?.isLate() ?? false;

async function timed<Result>(work: Promise<Result>): Promise<{ result: Result; tookMs: number }> {
  const startedAt = performance.now();
  const result = await work;
  return { result, tookMs: performance.now() - startedAt };
}

/** Refusals in the log: in how many lines, and how many requests these count. */
function told(): { lines: number; requests: number } {
  const lines = logLines().filter(({ msg }) => msg.startsWith('The API answered 503'));
  return {
    lines: lines.length,
    requests: lines.reduce((sum: number, line) => sum + Number(line.requests), 0),
  };
}

test('whoever asks for payments while the ledger is held up is refused at once, and what was accepted ends in time', async () => {
  forgetLog();
  const startedAt = performance.now();
  hold();
  const accepted = Array.from({ length: ACCEPTED }, () => timed(pay(randomUUID())));
  await until('the ledger to be late', isLate);

  const shed: string[] = [];
  const refused: Answer[] = [];
  while (refused.length === 0 || performance.now() - startedAt < HELD_MS) {
    const asked = Array.from({ length: AT_ONCE }, (_, place) => {
      const reference = randomUUID();
      shed.push(reference);
      return pay(reference, place === 0 ? { 'X-Response-Form': 'guide' } : {});
    });
    refused.push(...(await Promise.all(asked)));
  }
  const wallet = await partner.get(`/v1/wallets/${source}`);
  const heldMs = performance.now() - startedAt;
  go();

  const outcomes = await Promise.all(accepted);
  expect(outcomes.map(({ result }) => result.status)).toEqual(outcomes.map(() => 200));
  expect(Math.max(...outcomes.map(({ tookMs }) => tookMs)) - heldMs).toBeLessThan(ACCEPTED_WITHIN_MS);
  expect(refused.map((result) => result.status)).toEqual(refused.map(() => 503));
  // By the API's own clock, because this process is slower than the API on a busy machine.
  const tookMs = logLines().flatMap(({ status, durationMs }) => (status === 503 ? [Number(durationMs)] : []));
  expect(tookMs).toHaveLength(refused.length);
  expect(tookMs.sort((one, other) => one - other)[Math.floor(tookMs.length / 2)]).toBeLessThan(
    REFUSED_WITHIN_MS,
  );
  expectOutage(refused[1] as Answer);
  expect(refused[0]?.headers.get('Retry-After')).toBe('1');
  expect(refused[0]?.body).toEqual({
    error: { code: 'SERVICE_UNAVAILABLE', message: expect.any(String), http_status: 503 },
    meta: { request_id: refused[0]?.headers.get('X-Request-Id') },
  });
  expect(wallet.status).toBe(200);

  // Nothing was written for them, and where no other cell could be the partner's, none took a place of its rate limit.
  const rows = await world.sql(`SELECT FROM ${SANDBOX_CELL}.transactions WHERE reference = ANY($1)`, [shed]);
  expect(rows).toEqual([]);
  const counted = refused.filter((result) => result.headers.get('X-RateLimit-Remaining') !== null);
  expect(counted).toHaveLength(TEST_CELLS === 1 ? 0 : refused.length);
  expect((await pay(shed[0] as string)).status).toBe(200);
  expect(await auditCell(world.databaseUrl, SANDBOX_CELL)).toEqual([]);

  await until('all refusals in the log', () => told().requests === refused.length);
  expect(told().lines).toBeLessThanOrEqual(1 + Math.ceil((performance.now() - startedAt) / 1_000));
});

// With several cells the partner must be known first, because another cell may have time.
const ofOneCell = TEST_CELLS === 1 ? test : test.skip;

ofOneCell('while the ledger is held up, no credential is looked up and no body is read', async () => {
  hold();
  const first = pay(randomUUID());
  await until('the ledger to be late', isLate);
  const head = (length: number, key = newApiKey('sandbox')) =>
    requestText('POST', '/v1/transfers/p2p', [
      ['Authorization', `Bearer ${key}`],
      ['Content-Type', 'application/json'],
      ['Content-Length', String(length)],
    ]);
  const [stranger, unread, noKey, reading] = await Promise.all([
    sendRaw(api.port, `${head(2)}{}`),
    sendRaw(api.port, `${head(1_000, partner.key)}{"source`),
    sendRaw(api.port, `${head(2, 'nothing')}{}`),
    partner.get('/v1/wallets'),
  ]);
  // The connection is kept for the repeat.
  expect(stranger).toMatchObject({ status: 503, closed: false });
  expect(unread).toMatchObject({ status: 503 });
  // What is no key of ours is told so, as at any other time.
  expect(noKey).toMatchObject({ status: 401 });
  expect(reading.status).toBe(200);

  const posting = ROUTES.filter((route) => route.postsMoney);
  expect([...new Set(posting.map(({ operation }) => operation))].sort()).toEqual([
    'bankTransfer',
    'captureHold',
    'completeBankTransfer',
    'failBankTransfer',
    'fundWallet',
    'p2pTransfer',
    'payQrPayment',
    'splitPayment',
  ]);
  for (const { path } of posting) {
    const answer = await partner.post(path.replace(/:\w+/, randomUUID()), 'no JSON');
    expectOutage(answer);
  }
  const token = await api.token(partner.id);
  expectOutage(await api.call('POST', '/v1/transfers/p2p', { key: token, body: 'no JSON' }));
  go();
  expect((await first).status).toBe(200);
});
