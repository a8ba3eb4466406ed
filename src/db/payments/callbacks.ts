/** The callbacks of providers, one row per event, with the transfer that each is about (D115). */
import {
  compareCallback,
  receiverOf,
  type CallbackNotice,
  type CallbackOutcome,
  type CallbackReceiver,
} from '../../domain/callbacks';
import type { Finding } from '../../domain/findings';
import type { Transaction } from '../../domain/transactions';
import { assertNotResetting } from '../upkeep/epochs';
import { recordFindings } from '../reconcile/findings';
import { FIRST_UUID, newId } from '../pg/ids';
import { inTransaction, type Cell, type Queryable } from '../pg/postgres';
import { toTransaction, type TransactionRow } from '../ledger/transaction-row';

/** A callback of which the workflow must still be told. */
export interface UntoldCallback {
  id: string;
  receiver: CallbackReceiver;
  transfer: Transaction;
}

/** The partner of a transfer that a provider reports, if the transfer was handed to a provider. */
export async function findSubmitter(
  db: Queryable,
  directory: string,
  transactionId: string,
): Promise<string | null> {
  const { rows } = await db.query<{ partner_id: string }>(
    `SELECT partner_id FROM ${directory}.submitted_transfers WHERE transaction_id = $1`,
    [transactionId],
  );
  return rows[0]?.partner_id ?? null;
}

/** A transaction by its id only, because a provider's callback names no partner. */
export async function findAnyTransaction(cell: Cell, transactionId: string): Promise<Transaction | null> {
  const { rows } = await cell.pool.query<TransactionRow>(
    `SELECT * FROM ${cell.schema}.transactions WHERE id = $1`,
    [transactionId],
  );
  return rows[0] ? toTransaction(rows[0]) : null;
}

/**
 * Keeps a callback. An event that is known already is not kept again, whatever it says this time (D115).
 * @returns which workflow to tell; null if no workflow has anything to ask, or the event was known.
 */
export async function storeCallback(
  cell: Cell,
  provider: string,
  notice: CallbackNotice,
  body: string,
  transfer: Transaction | null,
): Promise<UntoldCallback | null> {
  const receiver = transfer && receiverOf(notice, transfer);
  const { rows } = await inTransaction(cell.pool, async (trx) => {
    if (transfer) await assertNotResetting(trx, cell.schema, transfer.partnerId);
    // A sandbox reset may have deleted the transfer since it was found.
    return trx.query<{ id: string }>(
      `INSERT INTO ${cell.schema}.provider_callbacks (id, provider, event_id, partner_id, transaction_id,
         provider_reference, outcome, amount_kobo, currency, occurred_at, body, told_at)
       SELECT $1, $2, $3, t.partner_id, t.id, $5, $6, $7, $8, $9, $10, CASE WHEN $11 THEN NULL ELSE now() END
         FROM (SELECT $4::uuid AS id) asked LEFT JOIN ${cell.schema}.transactions t USING (id)
       ON CONFLICT (provider, event_id) DO NOTHING RETURNING id`,
      [
        newId(),
        provider,
        notice.eventId,
        transfer?.id ?? null,
        notice.providerReference,
        notice.outcome,
        notice.amountKobo,
        notice.currency,
        notice.occurredAt,
        body,
        receiver !== null,
      ],
    );
  });
  return rows[0] && transfer && receiver ? { id: rows[0].id, receiver, transfer } : null;
}

/** Marks callbacks as told to their workflow. Marking one twice changes nothing. */
export async function markTold(cell: Cell, callbackIds: readonly string[]): Promise<void> {
  await cell.pool.query(
    `UPDATE ${cell.schema}.provider_callbacks SET told_at = now() WHERE id = ANY($1) AND told_at IS NULL`,
    [callbackIds],
  );
}

/**
 * The callbacks of which no workflow was told because of a crash or a stopped Temporal, oldest first. Those whose
 * transfer has ended meanwhile are marked.
 */
export async function untoldCallbacks(
  cell: Cell,
  olderThanMs: number,
  limit: number,
): Promise<UntoldCallback[]> {
  const found = await callbacksWith(
    cell,
    `told_at IS NULL AND received_at < now() - $1 * interval '1 millisecond'`,
    [olderThanMs],
    limit,
  );
  const untold = found.flatMap(({ callback, transfer }): UntoldCallback[] => {
    const receiver = transfer && receiverOf(callback, transfer);
    return receiver ? [{ id: callback.id, receiver, transfer }] : [];
  });
  const told = new Set(untold.map(({ id }) => id));
  const settled = found.map(({ callback }) => callback.id).filter((id) => !told.has(id));
  if (settled.length > 0) await markTold(cell, settled);
  return untold;
}

/** A page of callbacks, as they were compared. */
interface Compared {
  findings: Finding[];
  /** Callbacks that say that a transfer came back, and about which the provider was not asked yet. */
  returning: UntoldCallback[];
  /** Where the next page begins; null after the last one. */
  next: Place | null;
}

/**
 * Compares the recent callbacks with the books, oldest first, and writes findings. A callback whose transfer has
 * not ended yet is left to a later run. A second comparison finds the same.
 */
export async function compareCallbacks(
  cell: Cell,
  page: { after: Place | null; limit: number },
): Promise<Compared> {
  const found = await callbacksWith(
    cell,
    'compared_at IS NULL AND (received_at, id) > ($1, $2)',
    [page.after?.at ?? '-infinity', page.after?.id ?? FIRST_UUID],
    page.limit,
  );
  const findings: Finding[] = [];
  const compared: string[] = [];
  const returning = new Map<string, UntoldCallback>();
  for (const { callback, transfer } of found) {
    const result = compareCallback(callback, transfer);
    if (result !== 'open') compared.push(callback.id);
    else if (transfer && receiverOf(callback, transfer) === 'bankReturn') {
      returning.set(transfer.id, { id: callback.id, receiver: 'bankReturn', transfer });
    }
    if (result && result !== 'open') findings.push(result);
  }
  if (compared.length > 0) {
    await inTransaction(cell.pool, async (trx) => {
      await recordFindings(trx, cell.schema, findings);
      await markCompared(trx, cell.schema, compared);
    });
  }
  const last = found.length === page.limit ? found.at(-1)?.callback : undefined;
  const next = last ? { at: last.receivedAt, id: last.id } : null;
  return { findings, returning: [...returning.values()], next };
}

/** Whether a callback of any company reports this outcome of the transfer, whether that was followed already or not. */
export async function isReported(
  cell: Cell,
  transfer: { id: string },
  outcome: CallbackOutcome,
): Promise<boolean> {
  const { rows } = await cell.pool.query(
    `SELECT FROM ${cell.schema}.provider_callbacks WHERE transaction_id = $1 AND outcome = $2 LIMIT 1`,
    [transfer.id, outcome],
  );
  return rows.length > 0;
}

/**
 * The provider does not confirm that a completed transfer came back: a finding is left to people, and the
 * callbacks that said so are marked. Both are one commit. A second call finds no callback that is not marked, and
 * changes nothing, also when people have closed the finding since.
 */
export async function contradictReturn(cell: Cell, transfer: Transaction, answer: string): Promise<void> {
  await inTransaction(cell.pool, async (trx) => {
    const { rowCount } = await trx.query(
      `UPDATE ${cell.schema}.provider_callbacks SET compared_at = now()
        WHERE transaction_id = $1 AND outcome = 'reversed' AND compared_at IS NULL`,
      [transfer.id],
    );
    if (rowCount === 0) return;
    const detail = { about: 'return', answer, status: transfer.status };
    await recordFindings(trx, cell.schema, [
      { class: 'provider_contradiction', resource: transfer.id, detail },
    ]);
  });
}

async function markCompared(trx: Queryable, schema: string, ids: readonly string[]): Promise<void> {
  await trx.query(
    `UPDATE ${schema}.provider_callbacks SET compared_at = now() WHERE id = ANY($1) AND compared_at IS NULL`,
    [ids],
  );
}

export interface Place {
  at: Date;
  id: string;
}

interface CallbackRow {
  id: string;
  event_id: string;
  provider_reference: string;
  outcome: string;
  amount_kobo: number;
  currency: string;
  received_at: Date;
  transaction_id: string | null;
}

/** Callbacks with the transfers they are about. */
async function callbacksWith(cell: Cell, condition: string, values: unknown[], limit: number) {
  const { rows } = await cell.pool.query<CallbackRow>(
    `SELECT id, event_id, provider_reference, outcome, amount_kobo, currency, received_at, transaction_id
       FROM ${cell.schema}.provider_callbacks WHERE ${condition}
      ORDER BY received_at, id LIMIT $${values.length + 1}`,
    [...values, limit],
  );
  const ids = rows.flatMap((row) => row.transaction_id ?? []);
  const { rows: transfers } = await cell.pool.query<TransactionRow>(
    `SELECT * FROM ${cell.schema}.transactions WHERE id = ANY($1)`,
    [ids],
  );
  const byId = new Map(transfers.map((row) => [row.id, toTransaction(row)]));
  return rows.map((row) => ({
    callback: {
      id: row.id,
      eventId: row.event_id,
      providerReference: row.provider_reference,
      outcome: row.outcome,
      amountKobo: row.amount_kobo,
      currency: row.currency,
      receivedAt: row.received_at,
    },
    transfer: (row.transaction_id && byId.get(row.transaction_id)) || null,
  }));
}
