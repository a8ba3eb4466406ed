/** A process notices whether others write payments to its Postgres, too (docs/decisions/0047). */
import type pg from 'pg';
import { PLAIN_MARK, watchOtherWriters } from '../../../src/db/ledger/other-writers';
import { ledgerStatements } from '../../../src/db/ledger/statements';
import { runRound } from '../../../src/db/pg/round';
import { openTestCell, type TestCell } from '../../support/cell';
import { TEST_SEALING } from '../../support/sealing';
import { until } from '../../support/until';
import { SANDBOX_CELL } from '../../setup/cells';

let cell: TestCell;
beforeAll(async () => {
  cell = await openTestCell();
});
afterAll(() => cell.close());

/** A watch whose looks are always due. */
function watch() {
  let nowMs = 0;
  return watchOtherWriters(() => (nowMs += 1_000));
}

/** What one look finds from this connection. */
async function looked(client: pg.ClientBase): Promise<unknown> {
  const [[row] = []] = await runRound(client, [watch().look()!]);
  return row?.['found'];
}

test.each([
  ['a payment', `${PLAIN_MARK} SELECT pg_sleep(10)`, true],
  ['anything else', `SELECT pg_sleep(10)`, false],
])('another connection that writes %s', async (_, text, found) => {
  const [ours, its] = await Promise.all([cell.openPool().connect(), cell.openPool().connect()]);
  const [row] = (await its.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows;
  const written = its.query(text).catch((error: unknown) => error);
  await until(`it sleeps`, async () => {
    const [activity] = await cell.sql(`SELECT wait_event FROM pg_stat_activity WHERE pid = $1`, [row!.pid]);
    return activity?.['wait_event'] === 'PgSleep';
  });
  expect(await looked(ours)).toBe(found);
  await cell.sql('SELECT pg_cancel_backend($1)', [row!.pid]);
  await written;
  // A connection that has written and waits is not at work.
  expect(await looked(ours)).toBe(false);
  ours.release();
  its.release();
});

test('a connection does not take itself for another', async () => {
  const ours = await cell.openPool().connect();
  const look = watch().look()!;
  const marked = { statement: { text: `${PLAIN_MARK} ${look.statement.text}` }, values: [] };
  const [[row] = []] = await runRound(ours, [marked]);
  expect(row?.['found']).toBe(false);
  ours.release();
});

test('the statements that write plain payments have the mark', () => {
  const { plain } = ledgerStatements(SANDBOX_CELL, TEST_SEALING, false);
  const nothing = { wallets: [], payments: [], entries: [], intentions: [] };
  for (const step of Object.values(plain)) {
    expect(step(nothing).statement.text.startsWith(PLAIN_MARK)).toBe(true);
  }
});

test.each([
  ['nothing was looked at', '', false],
  ['one look found another', '1', false],
  ['two in a row did', '11', true],
  ['every other look did, for a while', '1010101010', true],
  ['one look in eight does', '10000000'.repeat(10), false],
  ['they have ended half a second ago', '1'.repeat(20) + '000000', false],
  ['they have paused for two looks', '1'.repeat(20) + '00', true],
])('others are busy when %s', (_, looks, busy) => {
  const others = watch();
  for (const found of looks) {
    expect(others.look()).not.toBeNull();
    others.noteLook(found === '1');
  }
  expect(others.areBusy()).toBe(busy);
});

test('a look is due ten times a second', () => {
  let nowMs = 5_000;
  const others = watchOtherWriters(() => nowMs);
  const dueAt = (atMs: number): boolean => {
    nowMs = atMs;
    return others.look() !== null;
  };
  expect([5_000, 5_001, 5_099, 5_100, 5_150, 5_200].map(dueAt)).toEqual([
    true,
    false,
    false,
    true,
    false,
    true,
  ]);
});
