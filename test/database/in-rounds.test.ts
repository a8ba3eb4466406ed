/**
 * Transactions in one or two round trips: a failure leaves nothing behind, neither in the rows nor on the
 * connection.
 */
import type pg from 'pg';
import { newId } from '../../src/db/pg/ids';
import { inOneRound, inTwoRounds } from '../../src/db/pg/in-rounds';
import { isOutage, openPool } from '../../src/db/pg/postgres';
import type { Step } from '../../src/db/pg/round';
import { openTestCell, type TestCell } from '../support/cell';
import { until } from '../support/until';
import { asLogin } from '../support/logins';

const NAME = 'in-rounds';

let db: TestCell;
/** A pool of one connection, so that the next user meets whatever was left on it. */
let pool: pg.Pool;

beforeAll(async () => {
  db = await openTestCell();
  const named = new URL(db.url);
  named.searchParams.set('application_name', NAME);
  pool = openPool(asLogin(named.href, 'sandbox_worker'), 1, 10_000, () => undefined);
});
afterAll(async () => {
  await pool.end();
  await db.close();
});

const step = (text: string, values: string[] = []): Step => ({ statement: { text }, values });
const failing = (): Step => step('SELECT 1 / 0');
const waiting = (): Step => step('SELECT pg_sleep(2.5)');
const write = (partnerId: string): Step =>
  step(`INSERT INTO ${db.cell.schema}.rate_windows (partner_id, window_start, used) VALUES ($1, now(), 1)`, [
    partnerId,
  ]);
const isWritten = async (partnerId: string): Promise<boolean> =>
  (await db.sql(`SELECT 1 FROM ${db.cell.schema}.rate_windows WHERE partner_id = $1`, [partnerId])).length ===
  1;
const connection = async () =>
  (await db.sql(`SELECT pid, state FROM pg_stat_activity WHERE application_name = $1`, [NAME]))[0];
const setting = async (name: string): Promise<string> =>
  (await pool.query<{ value: string }>(`SELECT current_setting('${name}') AS value`)).rows[0]!.value;
/** Reads nothing and writes one row of this partner. */
const writing = (partnerId: string) =>
  inTwoRounds(pool, [], () => ({ writes: [write(partnerId)], result: () => 'written' }));

/** Checks that the connection is in the pool as it was before, and works. */
async function expectUsable(pid: number): Promise<void> {
  expect(await connection()).toEqual({ pid, state: 'idle' });
  expect(await setting('enable_seqscan')).toBe('on');
  const partnerId = newId();
  expect(await writing(partnerId)).toBe('written');
  expect(await isWritten(partnerId)).toBe(true);
  expect((await connection())?.['pid']).toBe(pid);
}

const pidNow = async (): Promise<number> =>
  (await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]!.pid;

test('what was read decides what is written, and each write answers with its rows', async () => {
  const partnerId = newId();
  const reads = [step('SELECT 1 AS one'), step('SELECT 2 AS two UNION SELECT 3 ORDER BY two')];
  const result = await inTwoRounds(pool, reads, (found) => {
    expect(found).toEqual([[{ one: 1 }], [{ two: 2 }, { two: 3 }]]);
    return {
      writes: [write(partnerId), step('SELECT 4 AS four')],
      result: (written) => written,
    };
  });
  expect(result).toEqual([[], [{ four: 4 }]]);
  expect(await isWritten(partnerId)).toBe(true);
  expect(await inOneRound(pool, step('SELECT 5 AS five'))).toEqual([{ five: 5 }]);
});

test('the transaction ends too when there is nothing to write', async () => {
  const pid = await pidNow();
  expect(await inTwoRounds(pool, [], () => ({ writes: [], result: (written) => written }))).toEqual([]);
  await expectUsable(pid);
});

test('plans are made for a large table, in this transaction only', async () => {
  const names = ['enable_seqscan', 'enable_bitmapscan', 'plan_cache_mode'];
  const shown = names.map((name) => `current_setting('${name}') AS ${name}`);
  expect(await inOneRound(pool, step(`SELECT ${shown.join(', ')}`))).toEqual([
    { enable_seqscan: 'off', enable_bitmapscan: 'off', plan_cache_mode: 'force_generic_plan' },
  ]);
  expect(await Promise.all(names.map(setting))).toEqual(['on', 'on', 'auto']);
});

describe('an error leaves no transaction open', () => {
  test('in the middle of the first round', async () => {
    const pid = await pidNow();
    const partnerId = newId();
    const decide = jest.fn();
    const reads = [write(partnerId), failing(), step('SELECT 1')];
    await expect(inTwoRounds(pool, reads, decide)).rejects.toMatchObject({ code: '22012' });
    expect(decide).not.toHaveBeenCalled();
    expect(await isWritten(partnerId)).toBe(false);
    await expectUsable(pid);
  });

  test('in the middle of the second one, in front of COMMIT', async () => {
    const pid = await pidNow();
    const partnerId = newId();
    const decide = () => ({ writes: [write(partnerId), failing()], result: () => 'written' });
    await expect(inTwoRounds(pool, [], decide)).rejects.toMatchObject({ code: '22012' });
    expect(await isWritten(partnerId)).toBe(false);
    await expectUsable(pid);
  });

  test('in a transaction of one round', async () => {
    const pid = await pidNow();
    await expect(inOneRound(pool, failing())).rejects.toMatchObject({ code: '22012' });
    await expectUsable(pid);
  });

  test('in the decision: that is a bug, so the connection is not used again', async () => {
    const pid = await pidNow();
    const partnerId = newId();
    const decide = () => {
      throw new Error('bug: undecided');
    };
    await expect(inTwoRounds(pool, [write(partnerId)], decide)).rejects.toThrow('undecided');
    await until('the connection to be gone', async () => (await connection())?.['pid'] !== pid);
    expect(await isWritten(partnerId)).toBe(false);
    await expectUsable(await pidNow());
  });
});

test.each<[when: string, reads: Step[], writes: Step[]]>([
  ['in the first round', [waiting()], []],
  ['in front of COMMIT', [], [waiting()]],
])('a connection that ends %s is an outage, and is not used again', async (_when, reads, writes) => {
  const pid = await pidNow();
  const partnerId = newId();
  const failed = inTwoRounds(pool, reads, () => ({
    writes: [write(partnerId), ...writes],
    result: () => 'written',
  })).catch((error: unknown) => error);
  await until('the statement to run', async () => (await connection())?.['state'] === 'active');
  await db.sql('SELECT pg_terminate_backend($1)', [pid]);
  expect(isOutage(await failed)).toBe(true);
  expect(await isWritten(partnerId)).toBe(false);
  await expectUsable(await pidNow());
});
