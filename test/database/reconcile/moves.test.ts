/**
 * Transactions that have moved are read in their order, a page at a time, at a cost that does not depend on the
 * others.
 */
import { newId } from '../../../src/db/pg/ids';
import { movedPage, summarizeMoves } from '../../../src/db/reconcile/pages';
import { openTestCell, type TestCell } from '../../support/cell';
import { openHolder } from '../../support/holder';
import { openActivities } from '../../support/activities';
import { SANDBOX_CELL } from '../../setup/cells';

const COUNT = 8_000;
let cell: TestCell;
/** In the order in which they moved. */
let ids: string[];

beforeAll(async () => {
  cell = await openTestCell();
  const partnerId = newId();
  const to = await cell.wallet({ partnerId });
  // Autovacuum and autosummarize would do the summarizing that is tested here.
  await cell.sql(`ALTER TABLE ${SANDBOX_CELL}.transactions SET (autovacuum_enabled = off)`);
  await cell.sql(`ALTER INDEX ${SANDBOX_CELL}.transactions_by_move SET (autosummarize = off)`);
  // A burst in the middle of half an hour: as many transactions in one second as in the rest of the half hour.
  const rows = await cell.sql(
    `INSERT INTO ${SANDBOX_CELL}.transactions (id, partner_id, reference, type, status, amount_kobo, dest_wallet,
       customer_fee_kobo, merchant_fee_kobo, mfb_cost_kobo, net_amount_kobo, created_at, updated_at, completed_at)
     SELECT uuidv7(), $1, 'order-' || n, 'wallet_funding', 'completed', 1, $2, 0, 0, 0, 1, at, at, at
       FROM generate_series(1, $3::integer) n, LATERAL (
            SELECT now() - interval '40 minutes' + CASE WHEN n BETWEEN $3 / 4 AND $3 / 4 * 3
                   THEN interval '15 minutes' + (n - $3 / 4) * interval '0.1 milliseconds'
                   ELSE n * interval '90 milliseconds' END AS at) moved
      ORDER BY at RETURNING id, updated_at`,
    [partnerId, to, COUNT],
  );
  ids = rows
    .sort((one, other) => one['updated_at'] - other['updated_at'] || (one['id'] < other['id'] ? -1 : 1))
    .map((row) => row['id']);
});
afterAll(() => cell.close());

test.each([
  [2_000, 1_000],
  [60_000, 1_000],
  [10_000, 3_000],
])('by windows of %i ms every transaction is found once, in order', async (windowMs, limit) => {
  const found: string[] = [];
  let position: string | null = null;
  for (;;) {
    const page = await movedPage(cell.cell, position, { settledMs: 0, windowMs, limit });
    found.push(...page.ids);
    position = page.position;
    if (page.next === null) break;
  }
  expect(found).toEqual(ids);
});

/** How many pages Postgres reads for the transactions that moved within two seconds. */
async function pagesRead(): Promise<number> {
  const [row] = await cell.sql(
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) SELECT id FROM ${SANDBOX_CELL}.transactions
      WHERE updated_at >= now() - interval '20 minutes' AND updated_at < now() - interval '1198 seconds'`,
  );
  const explained = row?.['QUERY PLAN'] as [{ Plan: Record<string, number> }] | undefined;
  const plan = explained?.[0].Plan ?? {};
  return (plan['Shared Hit Blocks'] ?? NaN) + (plan['Shared Read Blocks'] ?? NaN);
}

test('every query reads all new pages until they are summarized, and then only the pages of its time', async () => {
  await cell.sql(`ANALYZE ${SANDBOX_CELL}.transactions`);
  const before = await pagesRead();
  await summarizeMoves(cell.cell);

  expect(before).toBeGreaterThan(100);
  expect(await pagesRead()).toBeLessThan(before / 3);
});

test('a run of reconciliation looks at all moved transactions, and the next run at none of them again', async () => {
  const activities = openActivities(cell.url, { RECONCILE_AFTER_MS: '0' });
  const lookedAt = async () => (await activities.run('reconcileCell', SANDBOX_CELL, false)).looked;
  // Each run also takes a part of the round over everything, here all of it: it has fewer than ten pages.
  expect(await lookedAt()).toBe(2 * COUNT);
  expect(await lookedAt()).toBe(COUNT);
  await activities.close();
});

test('summarizing does not wait while the table is being vacuumed', async () => {
  const holder = await openHolder(cell.owner);
  await holder.begin(`LOCK TABLE ${SANDBOX_CELL}.transactions IN SHARE UPDATE EXCLUSIVE MODE`, []);
  const startedAt = performance.now();

  await expect(summarizeMoves(cell.cell)).resolves.toBeUndefined();

  expect(performance.now() - startedAt).toBeLessThan(1_000);
  await holder.close();
});
