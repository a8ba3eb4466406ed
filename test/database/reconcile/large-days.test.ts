/**
 * A day with many lines is compared in time: what Postgres has to handle grows with the lines, and not with their square.
 * The transfers are copies of one real transfer, written past the ledger, so this file has books of its own.
 */
import { insertPartner } from '../../../src/db/partners/credentials';
import { newId } from '../../../src/db/pg/ids';
import type { Cell, Queryable } from '../../../src/db/pg/postgres';
import { beginningOf, dayOf } from '../../../src/domain/days';
import { payoutReference } from '../../../src/domain/payouts';
import type { StatementLine } from '../../../src/domain/statement-lines';
import { importDay } from '../../../src/operations/days/import-day';
import { SANDBOX_CELL } from '../../setup/cells';
import { openTestCell, type TestCell } from '../../support/cell';
import { bankTransfer, settlement, transactionIdOf } from '../../support/movements';
import { pastChecks } from '../../support/past-checks';

const LINES = 3_000;
/** So many rows Postgres may handle for a line, in all statements together. The square would be thousands. */
const ROWS_PER_LINE_MAX = 100;
const PROVIDER = 'large';
const AMOUNT_KOBO = 500_000;
const FEE_KOBO = 1_000;
const TODAY = dayOf(new Date());
const partnerId = newId();
let cell: TestCell;
beforeAll(async () => {
  cell = await openTestCell();
  const cells = { sandbox: SANDBOX_CELL, live: SANDBOX_CELL.replace('sandbox', 'live') };
  const names = { businessName: 'Acme Fintech', email: 'ada@acme.example' };
  await insertPartner(cell.owner, { id: partnerId, ...names, status: 'registered' }, cells);
});
afterAll(() => cell.close());

/** So many transfers that this company has paid. @returns their ids. */
async function paidTransfers(count: number): Promise<string[]> {
  const from = await cell.wallet({ partnerId, fundKobo: 1_000_000 });
  const writer = cell.openWriter();
  const id = transactionIdOf(await writer.post(bankTransfer({ partnerId, from, amountKobo: AMOUNT_KOBO })));
  const item = settlement({ partnerId, transactionId: id, from, to: 'completed' });
  const facts = {
    provider: PROVIDER,
    sessionId: null,
    responseCode: null,
    feeKobo: FEE_KOBO,
    dutyKobo: null,
  };
  await writer.post({ ...item, movement: { ...item.movement, facts } as typeof item.movement });
  const ids = Array.from({ length: count }, newId);
  const places = `unnest('{${ids.join(',')}}'::uuid[]) WITH ORDINALITY AS copy(id, place)`;
  await pastChecks(cell.owner, [
    `CREATE TEMP TABLE copies AS SELECT * FROM ${places}`,
    `INSERT INTO transactions SELECT (jsonb_populate_record(t, jsonb_build_object('id', copy.id, 'reference', copy.id))).*
       FROM transactions t, copies copy WHERE t.id = '${id}'`,
    `INSERT INTO entries SELECT (jsonb_populate_record(e,
         jsonb_build_object('transaction_id', copy.id, 'id', gen_random_uuid()))).*
       FROM entries e, copies copy WHERE e.transaction_id = '${id}' AND e.sequence IS NULL`,
    `INSERT INTO transfer_attempts (transaction_id, n, provider, state, open_posts, provider_ref, session_id, fee_kobo)
       SELECT id, 1, '${PROVIDER}', 'succeeded', 1, 'TRF_' || place, '999' || place, ${String(FEE_KOBO)} FROM copies`,
  ]);
  return ids;
}

/** Each third line names its payout in another way. */
const lineOf = (id: string, place: number): StatementLine => ({
  id: String(place + 1),
  at: new Date(beginningOf(TODAY).getTime() + place),
  about: 'payout',
  changeKobo: -AMOUNT_KOBO - FEE_KOBO,
  balanceKobo: -(AMOUNT_KOBO + FEE_KOBO) * (place + 1),
  reference: place % 3 === 0 ? payoutReference(id, 1) : null,
  providerRef: place % 3 === 1 ? `TRF_${String(place + 1)}` : null,
  sessionId: place % 3 === 2 ? `999${String(place + 1)}` : null,
});

interface PlanNode {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Join Filter'?: number;
  Plans?: PlanNode[];
}
const rowsIn = (node: PlanNode): number =>
  (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0)) *
    node['Actual Loops'] +
  (node.Plans ?? []).reduce((sum, one) => sum + rowsIn(one), 0);

/** The owner's pool, which first counts the rows that the plan of each reading statement handles. */
function counting(counted: { rows: number }): Queryable {
  const query = async (text: string, values: unknown[]) => {
    if (/^\s*(SELECT|WITH)/.test(text)) {
      const { rows } = await cell.owner.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values);
      counted.rows += rowsIn((rows[0] as { 'QUERY PLAN': { Plan: PlanNode }[] })['QUERY PLAN'][0]!.Plan);
    }
    return cell.owner.query(text, values);
  };
  return { query } as unknown as Queryable;
}

test('a day of three thousand lines: each finds its payout, and no step is quadratic', async () => {
  const ids = await paidTransfers(LINES);
  const counted = { rows: 0 };
  const pool = counting(counted);
  const cells = [{ schema: SANDBOX_CELL, pool: pool as Cell['pool'] }];
  const statements = { pool, directory: 'sandbox_directory', provider: PROVIDER };
  const own = { ledger: cell.openWriter() };
  const source = { treasury: null, lines: ids.map(lineOf), mayBeNew: true };
  const outcome = await importDay(statements, own, cells, source, TODAY);
  if (!outcome.ok) throw new Error(outcome.refusal.message);
  const unmatched = outcome.value.open.filter(({ class: of }) => of === 'line_unmatched');
  expect({ imported: outcome.value.imported, unmatched }).toEqual({ imported: LINES, unmatched: [] });
  // The one real transfer is in the books and in no line.
  expect(outcome.value.figures.booksKobo).toBe(-(AMOUNT_KOBO + FEE_KOBO) * (LINES + 1));
  expect(counted.rows).toBeLessThan(ROWS_PER_LINE_MAX * LINES);
});
