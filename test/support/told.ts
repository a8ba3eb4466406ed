/** The events of transactions with what an endpoint is told: the stored payload, or the one made from the row. */
import { toTransaction, type TransactionRow } from '../../src/db/ledger/transaction-row';
import { writeMoneyMoved } from '../../src/wire/webhooks';
import { SANDBOX_CELL } from '../setup/cells';
import { TEST_SEALING } from './sealing';

/** @returns the events of these resources in the order in which they were written. */
export async function eventsAbout(
  // oxlint-disable-next-line typescript/no-explicit-any -- rows are what the query says
  sql: (text: string, values?: unknown[]) => Promise<any[]>,
  resourceIds: readonly string[],
): Promise<{ kind: string; partnerId: string; data: unknown }[]> {
  const events = await sql(
    `SELECT * FROM ${SANDBOX_CELL}.events WHERE resource_id = ANY($1::uuid[]) ORDER BY id`,
    [resourceIds],
  );
  const rows: TransactionRow[] = await sql(
    `SELECT *, amount_kobo::float8 AS amount_kobo FROM ${SANDBOX_CELL}.transactions WHERE id = ANY($1::uuid[])`,
    [resourceIds],
  );
  const transactions = new Map(rows.map((row) => [row.id, toTransaction(row, TEST_SEALING)]));
  return events.map(({ kind, partner_id: partnerId, resource_id: id, data }) => ({
    kind,
    partnerId,
    data: JSON.parse(data ?? writeMoneyMoved(transactions.get(id)!)),
  }));
}
