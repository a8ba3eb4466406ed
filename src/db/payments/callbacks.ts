/** The callbacks of providers, one row per event, with the transfer that each is about (D115). */
import {
  compareCallback,
  isRehearsed,
  receiverOf,
  type CallbackNotice,
  type CallbackOutcome,
  type CallbackReceiver,
  type ReportedAttempt,
} from '../../domain/callbacks';
import type { Finding } from '../../domain/findings';
import type { Transaction } from '../../domain/transactions';
import { assertNotResetting } from '../upkeep/epochs';
import { closeFindings, recordFindings } from '../reconcile/findings';
import { FIRST_UUID, idNamed } from '../pg/ids';
import { inTransaction, type Cell, type Queryable, type SealedCell } from '../pg/postgres';
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
export async function findAnyTransaction(
  cell: SealedCell,
  transactionId: string,
): Promise<Transaction | null> {
  const { rows } = await cell.pool.query<TransactionRow>(
    `SELECT * FROM ${cell.schema}.transactions WHERE id = $1`,
    [transactionId],
  );
  return rows[0] ? toTransaction(rows[0], cell.sealing) : null;
}

/** The attempt that a callback names; null if it names none, or one that we do not have. */
export async function findReportedAttempt(
  cell: Cell,
  transactionId: string,
  n: number | null,
): Promise<ReportedAttempt | null> {
  if (n === null) return null;
  const { rows } = await cell.pool.query<{ provider_ref: string | null; is_last: boolean }>(
    `SELECT provider_ref, NOT EXISTS (
              SELECT FROM ${cell.schema}.transfer_attempts later
               WHERE later.transaction_id = a.transaction_id AND later.n > a.n) AS is_last
       FROM ${cell.schema}.transfer_attempts a WHERE transaction_id = $1 AND n = $2`,
    [transactionId, n],
  );
  return rows[0] ? { providerRef: rows[0].provider_ref, isLast: rows[0].is_last } : null;
}

/** What is kept of a callback beside what its provider says. */
export interface KeptCallback {
  id: string;
  /** The bytes as they came, sealed, because they may name people. */
  bodySealed: string;
  /** The transfer, and the attempt that the callback names; null where they are not ours. */
  transfer: Transaction | null;
  attempt: ReportedAttempt | null;
}

/**
 * Keeps a callback. An event that is known already, and says the same, is not kept again (D115). One that says something else
 * under the same id is kept beside it, so that it is asked about and compared like any other (R52).
 * @returns which workflow to tell; null if no workflow has anything to ask, or the event was known.
 */
export async function storeCallback(
  cell: Cell,
  provider: string,
  notice: CallbackNotice,
  { id, bodySealed, transfer, attempt }: KeptCallback,
): Promise<UntoldCallback | null> {
  const receiver = transfer && receiverOf(notice, transfer, attempt);
  const { rows } = await inTransaction(cell.pool, async (trx) => {
    if (transfer) await assertNotResetting(trx, cell.schema, transfer.partnerId);
    // A sandbox reset may have deleted the transfer since it was found.
    return trx.query<{ id: string }>(
      `INSERT INTO ${cell.schema}.provider_callbacks (id, provider, event_id, partner_id, transaction_id,
         provider_reference, outcome, amount_kobo, currency, occurred_at, body_sealed, told_at, attempt_n)
       SELECT $1, $2, $3, t.partner_id, t.id, $5, $6, $7, $8, $9, $10, CASE WHEN $11 THEN NULL ELSE now() END, $12
         FROM (SELECT $4::uuid AS id) asked LEFT JOIN ${cell.schema}.transactions t USING (id)
       ON CONFLICT (provider, event_id) DO NOTHING RETURNING id`,
      [
        id,
        provider,
        notice.eventId,
        transfer?.id ?? null,
        notice.providerReference,
        notice.outcome,
        notice.amountKobo,
        notice.currency,
        notice.occurredAt,
        bodySealed,
        receiver !== null,
        notice.attemptNumber,
      ],
    );
  });
  if (rows[0]) return transfer && receiver ? { id: rows[0].id, receiver, transfer } : null;
  const otherwise = { ...notice, eventId: idOfOther(notice, transfer) };
  const isKnown =
    otherwise.eventId === notice.eventId || (await saysTheSame(cell, provider, notice, transfer));
  return isKnown ? null : storeCallback(cell, provider, otherwise, { id, bodySealed, transfer, attempt });
}

const OTHERWISE = ' said otherwise: ';

/** The id under which an event is kept that says something else than the event of the same id. */
function idOfOther(notice: CallbackNotice, transfer: Transaction | null): string {
  const { eventId, providerReference, outcome, amountKobo, currency, attemptNumber } = notice;
  if (eventId.includes(OTHERWISE)) return eventId;
  const said = [transfer?.id, providerReference, outcome, amountKobo, currency, attemptNumber];
  return `${eventId}${OTHERWISE}${idNamed(JSON.stringify(said))}`;
}

/** Whether the kept event of this id says what the new one says; the moment of which it speaks may be another one. */
async function saysTheSame(
  cell: Cell,
  provider: string,
  notice: CallbackNotice,
  transfer: Transaction | null,
): Promise<boolean> {
  const { rows } = await cell.pool.query(
    `SELECT FROM ${cell.schema}.provider_callbacks
      WHERE provider = $1 AND event_id = $2 AND transaction_id IS NOT DISTINCT FROM $3 AND provider_reference = $4
        AND outcome = $5 AND amount_kobo = $6 AND currency = $7 AND attempt_n IS NOT DISTINCT FROM $8`,
    [
      provider,
      notice.eventId,
      transfer?.id ?? null,
      notice.providerReference,
      notice.outcome,
      notice.amountKobo,
      notice.currency,
      notice.attemptNumber,
    ],
  );
  return rows.length === 1;
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
  cell: SealedCell,
  olderThanMs: number,
  limit: number,
): Promise<UntoldCallback[]> {
  const found = await callbacksWith(
    cell,
    `c.told_at IS NULL AND c.received_at < now() - $1 * interval '1 millisecond'`,
    [olderThanMs],
    limit,
  );
  const untold = found.flatMap(({ callback, transfer, attempt }): UntoldCallback[] => {
    const receiver = transfer && receiverOf(callback, transfer, attempt);
    return receiver ? [{ id: callback.id, receiver, transfer }] : [];
  });
  const told = new Set(untold.map(({ id }) => id));
  const settled = found.map(({ callback }) => callback.id).filter((id) => !told.has(id));
  if (settled.length > 0) await markTold(cell, settled);
  return untold;
}

/** A callback that says that an attempt was paid, although its transfer has nothing to pay for any more. */
export interface LateCallback {
  id: string;
  eventId: string;
  transfer: Transaction;
  n: number;
}

/** A page of callbacks, as they were compared. */
interface Compared {
  findings: Finding[];
  /** Callbacks that say that a transfer came back, and about which the provider was not asked yet. */
  returning: UntoldCallback[];
  /** Callbacks that say that an order was paid which was given up. Their provider is to be asked. */
  late: LateCallback[];
  /** Where the next page begins; null after the last one. */
  next: Place | null;
}

/**
 * Compares the recent callbacks with the books, oldest first, and writes findings. A callback whose transfer has
 * not ended yet is left to a later run. A second comparison finds the same. What a sandbox has asked for is closed at once,
 * because nobody has to look at it.
 */
export async function compareCallbacks(
  cell: SealedCell,
  page: { after: Place | null; limit: number },
): Promise<Compared> {
  const found = await callbacksWith(
    cell,
    'c.compared_at IS NULL AND (c.received_at, c.id) > ($1, $2)',
    [page.after?.at ?? '-infinity', page.after?.id ?? FIRST_UUID],
    page.limit,
  );
  const findings: Finding[] = [];
  const compared: string[] = [];
  const returning = new Map<string, UntoldCallback>();
  const late: LateCallback[] = [];
  for (const { callback, transfer, attempt } of found) {
    const result = compareCallback(callback, transfer, attempt);
    if (result === 'late' && transfer && callback.attemptNumber !== null) {
      late.push({ id: callback.id, eventId: callback.eventId, transfer, n: callback.attemptNumber });
      continue;
    }
    if (result !== 'open') compared.push(callback.id);
    else if (transfer && receiverOf(callback, transfer, attempt) === 'bankReturn') {
      returning.set(transfer.id, { id: callback.id, receiver: 'bankReturn', transfer });
    }
    if (result && typeof result === 'object') findings.push(result);
  }
  if (compared.length > 0) {
    await inTransaction(cell.pool, async (trx) => {
      await recordFindings(trx, cell.schema, findings);
      await closeFindings(trx, cell.schema, findings.filter(isRehearsed));
      await markCompared(trx, cell.schema, compared);
    });
  }
  const last = found.length === page.limit ? found.at(-1)?.callback : undefined;
  const next = last ? { at: last.receivedAt, id: last.id } : null;
  return { findings, returning: [...returning.values()], late, next };
}

/**
 * Whether a callback reports this outcome of the transfer, whether that was followed already or not. A callback about
 * another amount, or about another attempt, does not.
 * @param n the attempt that it must be about, if it names one.
 */
export async function isReported(
  cell: Cell,
  transfer: { id: string; amountKobo: number },
  n: number,
  outcome: CallbackOutcome,
): Promise<boolean> {
  const { rows } = await cell.pool.query(
    `SELECT FROM ${cell.schema}.provider_callbacks
      WHERE transaction_id = $1 AND coalesce(attempt_n, $2) = $2 AND outcome = $3 AND amount_kobo = $4 LIMIT 1`,
    [transfer.id, n, outcome, transfer.amountKobo],
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

/** So many callbacks of a transfer are compared again; where there are more, people look at its finding. */
const COMPARED_AGAIN_MAX = 500;

/**
 * Closes what people were to look at because a company had contradicted itself, once the books have what it had told of: the
 * transfer came back, or the order that was given up was paid. A transfer has one such finding, so it stays open where
 * another callback of it still contradicts the books. A second call finds nothing open.
 * @param transactionId null for all of a cell.
 * @returns how many are closed.
 */
export async function closeContradicted(cell: SealedCell, transactionId: string | null): Promise<number> {
  const { pool, schema } = cell;
  const { rows } = await pool.query<{ id: string }>(
    `SELECT resource AS id FROM ${schema}.recon_findings f
      WHERE f.class = 'provider_contradiction' AND f.closed_at IS NULL AND ($1::text IS NULL OR f.resource = $1)
        AND (f.detail->>'about' = 'return' AND EXISTS (
               SELECT FROM ${schema}.transactions t WHERE t.id::text = f.resource AND t.status = 'reversed')
          OR EXISTS (
               SELECT FROM ${schema}.suspense_postings p
                WHERE p.class = 'paid_after_all' AND p.resource = f.resource
                  AND p.transaction_id::text = f.detail->>'booked_as'))
      ORDER BY last_seen LIMIT ${String(COMPARED_AGAIN_MAX)}`,
    [transactionId],
  );
  let closed = 0;
  for (const { id } of rows) {
    const found = await callbacksWith(cell, 'c.transaction_id = $1', [id], COMPARED_AGAIN_MAX);
    const still = found.some(({ callback, transfer, attempt }) => {
      const result = compareCallback(callback, transfer, attempt);
      return result !== null && typeof result === 'object' && !isRehearsed(result);
    });
    if (still || found.length === COMPARED_AGAIN_MAX) continue;
    await closeFindings(pool, schema, [{ class: 'provider_contradiction', resource: id }]);
    closed++;
  }
  return closed;
}

/** Writes what came of asking about a late payment, and marks its callback, in one commit. */
export async function closeLate(
  cell: Cell,
  { id }: Pick<LateCallback, 'id'>,
  findings: readonly Finding[],
): Promise<void> {
  await inTransaction(cell.pool, async (trx) => {
    await recordFindings(trx, cell.schema, findings);
    await markCompared(trx, cell.schema, [id]);
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
  provider: string;
  event_id: string;
  provider_reference: string;
  outcome: string;
  amount_kobo: number;
  currency: string;
  received_at: Date;
  transaction_id: string | null;
  attempt_n: number | null;
  attempt_ref: string | null;
  attempt_is_last: boolean | null;
}

/** Callbacks with the transfers and the attempts they are about. */
async function callbacksWith(cell: SealedCell, condition: string, values: unknown[], limit: number) {
  const { rows } = await cell.pool.query<CallbackRow>(
    `SELECT c.id, c.provider, c.event_id, c.provider_reference, c.outcome, c.amount_kobo, c.currency, c.received_at,
            c.transaction_id, c.attempt_n, a.provider_ref AS attempt_ref,
            a.n = (SELECT max(n) FROM ${cell.schema}.transfer_attempts
                    WHERE transaction_id = c.transaction_id) AS attempt_is_last
       FROM ${cell.schema}.provider_callbacks c LEFT JOIN ${cell.schema}.transfer_attempts a
         ON a.transaction_id = c.transaction_id AND a.n = c.attempt_n
      WHERE ${condition} ORDER BY c.received_at, c.id LIMIT $${values.length + 1}`,
    [...values, limit],
  );
  const ids = rows.flatMap((row) => row.transaction_id ?? []);
  const { rows: transfers } = await cell.pool.query<TransactionRow>(
    `SELECT * FROM ${cell.schema}.transactions WHERE id = ANY($1)`,
    [ids],
  );
  const byId = new Map(transfers.map((row) => [row.id, toTransaction(row, cell.sealing)]));
  return rows.map((row) => ({
    callback: {
      id: row.id,
      provider: row.provider,
      eventId: row.event_id,
      attemptNumber: row.attempt_n,
      providerReference: row.provider_reference,
      outcome: row.outcome,
      amountKobo: row.amount_kobo,
      currency: row.currency,
      receivedAt: row.received_at,
    },
    transfer: (row.transaction_id && byId.get(row.transaction_id)) || null,
    attempt:
      row.attempt_is_last === null ? null : { providerRef: row.attempt_ref, isLast: row.attempt_is_last },
  }));
}
