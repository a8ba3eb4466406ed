/** The attempts to pay bank transfers: what was sent to which company, and what came of it (D57). */
import {
  GIVEN_UP,
  RELEASED_AFTER_MS,
  withFacts,
  type Attempt,
  type AttemptRecord,
  type Told,
} from '../../domain/payouts';
import { present } from '../../domain/assert';
import type { EventDraft } from '../../domain/events';
import { isSameHolder } from '../../domain/names';
import type { NameDecision } from '../../domain/payout-instructions';
import type { BankAccount, ProviderFacts, Transaction } from '../../domain/transactions';
import { UnavailableError } from '../../runtime/unavailable';
import { sealResolvedName } from '../ledger/transaction-row';
import { insertEvent } from '../events/events';
import { inTransaction, type Cell, type SealedCell } from '../pg/postgres';

/** The attempts of one transfer, the first one first. */
export interface Attempts {
  attempts: Attempt[];
  /** The database was restored after the transfer was made, so it may have forgotten orders. */
  isDoubtful: boolean;
  /** By then it was so old that an attempt could have been released (`mayBeFollowed`). */
  hasForgotten: boolean;
}

interface AttemptRow {
  n: number;
  provider: string;
  state: Attempt['state'];
  open_posts: number;
  cause: Attempt['cause'];
  failed_at: Date | null;
  provider_ref: string | null;
  session_id: string | null;
  code: string | null;
  fee_kobo: number | null;
  duty_kobo: number | null;
  needs_authorization: boolean;
  sent_at: Date | null;
  declined_at: Date | null;
  said: Attempt['said'];
  said_code: string | null;
  said_reason: string | null;
  created_at: Date;
}

const toAttempt = (row: AttemptRow): Attempt => ({
  n: row.n,
  provider: row.provider,
  state: row.state,
  begunAt: row.created_at,
  openPosts: row.open_posts,
  sentAt: row.sent_at ?? row.created_at,
  declinedAt: row.declined_at,
  cause: row.cause,
  failedAt: row.failed_at,
  providerRef: row.provider_ref,
  sessionId: row.session_id,
  code: row.code,
  feeKobo: row.fee_kobo,
  dutyKobo: row.duty_kobo,
  needsAuthorization: row.needs_authorization,
  said: row.said,
  saidCode: row.said_code,
  saidReason: row.said_reason,
});

/** The attempts of a transfer. */
export async function findAttempts(
  cell: Cell,
  directory: string,
  transfer: { id: string; createdAt: Date },
): Promise<Attempts> {
  const { rows } = await cell.pool.query<Partial<AttemptRow> & { doubtful: boolean; forgotten: boolean }>(
    `SELECT a.*, EXISTS (SELECT FROM ${directory}.restores WHERE restored_at >= $2) AS doubtful,
            ${isForgotten(directory, '$2::timestamptz')} AS forgotten
       FROM (SELECT) AS always LEFT JOIN ${cell.schema}.transfer_attempts a ON a.transaction_id = $1 ORDER BY a.n`,
    [transfer.id, transfer.createdAt],
  );
  return {
    attempts: rows.filter(isAttempt).map(toAttempt),
    isDoubtful: rows.some(({ doubtful }) => doubtful),
    hasForgotten: rows.some(({ forgotten }) => forgotten),
  };
}

const isForgotten = (directory: string, createdAt: string): string =>
  `EXISTS (SELECT FROM ${directory}.restores
            WHERE restored_at >= ${createdAt} + ${String(RELEASED_AFTER_MS)} * interval '1 millisecond')`;

/** A transfer without attempts gives one row without values. */
const isAttempt = <Row extends Partial<AttemptRow>>(row: Row): row is Row & AttemptRow => Boolean(row.n);

/**
 * Notes an attempt, before its first order is sent, with one open POST. Callbacks find the partner by the transfer's
 * row in the directory, which is written in the same commit. A second note of one attempt changes nothing.
 * @returns null if somebody has noted the attempt before, or the transfer has ended.
 * @throws an outage while the partner's sandbox is being reset.
 */
export async function openAttempt(
  cell: Cell,
  directory: string,
  transfer: { id: string; partnerId: string },
  { n, provider }: Pick<Attempt, 'n' | 'provider'>,
): Promise<Attempt | null> {
  // It is one statement, and so one database transaction: the lock of the fence is held until the attempt is
  // committed.
  const { rows } = await cell.pool.query<AttemptRow>(
    `WITH open AS (
       SELECT id, partner_id FROM ${cell.schema}.transactions
        WHERE id = $2 AND status = 'processing' AND ${cell.schema}.refuse_while_resetting($1) IS NOT NULL),
     noted AS (
       INSERT INTO ${directory}.submitted_transfers (transaction_id, partner_id) SELECT id, partner_id FROM open
       ON CONFLICT DO NOTHING)
     INSERT INTO ${cell.schema}.transfer_attempts (transaction_id, n, provider, state, open_posts)
     SELECT id, $3, $4, 'sending', 1 FROM open
     ON CONFLICT DO NOTHING RETURNING *`,
    [transfer.partnerId, transfer.id, n, provider],
  );
  return rows[0] ? toAttempt(rows[0]) : null;
}

/**
 * Takes the place of the next attempt, so that nobody begins one any more: the transfer is to fail.
 * @returns the attempt, which is refused; null if somebody has noted an attempt before, or the transfer has ended.
 */
export async function closeAttempts(
  cell: Cell,
  transfer: { id: string },
  { n, provider }: Pick<Attempt, 'n' | 'provider'>,
  cause: 'hold' | 'beneficiary',
): Promise<Attempt | null> {
  const { rows } = await cell.pool.query<AttemptRow>(
    `INSERT INTO ${cell.schema}.transfer_attempts (transaction_id, n, provider, state, open_posts, cause)
     SELECT id, $2, $3, 'refused', 0, $4 FROM ${cell.schema}.transactions WHERE id = $1 AND status = 'processing'
     ON CONFLICT DO NOTHING RETURNING *`,
    [transfer.id, n, provider, cause],
  );
  return rows[0] ? toAttempt(rows[0]) : null;
}

/** All attempts of a transfer, the first one first. */
export async function listAttempts(cell: Cell, transactionId: string): Promise<AttemptRecord[]> {
  const { rows } = await cell.pool.query<AttemptRow & { approved_at: Date | null; updated_at: Date }>(
    `SELECT * FROM ${cell.schema}.transfer_attempts WHERE transaction_id = $1 ORDER BY n`,
    [transactionId],
  );
  return rows.map((row) => ({
    ...toAttempt(row),
    transactionId,
    approvedAt: row.approved_at,
    updatedAt: row.updated_at,
  }));
}

const GIVEN_UP_IN_SQL = GIVEN_UP.map((state) => `'${state}'`).join(', ');

/** The attempts that were released or failed over lately, with their transfers' partners. */
export async function releasedLately(
  cell: Cell,
  days: number,
  limit: number,
): Promise<{ transactionId: string; partnerId: string; n: number }[]> {
  const { rows } = await cell.pool.query<{ transaction_id: string; partner_id: string; n: number }>(
    `SELECT a.transaction_id, t.partner_id, a.n
       FROM ${cell.schema}.transfer_attempts a JOIN ${cell.schema}.transactions t ON t.id = a.transaction_id
      WHERE a.state IN (${GIVEN_UP_IN_SQL}) AND a.updated_at > now() - $1 * interval '1 day'
      ORDER BY a.updated_at LIMIT $2`,
    [days, limit],
  );
  return rows.map((row) => ({ transactionId: row.transaction_id, partnerId: row.partner_id, n: row.n }));
}

/** What a company asks about before it pays. */
export interface AskedPayout {
  transactionId: string;
  n: number;
  provider: string;
  amountKobo: number;
}

/**
 * Lets a company pay, once and for all: from then on the attempt is accepted, and is never released. The lock of the
 * row decides between this and a release. A second approval of one attempt says the same. After a restore that may have
 * forgotten a release, only what had been accepted before is approved.
 * @returns false where the attempt may not be paid: it was given up or has ended, or the amount is another one.
 */
export async function approveAttempt(cell: Cell, directory: string, asked: AskedPayout): Promise<boolean> {
  const { rows } = await cell.pool.query(
    `UPDATE ${cell.schema}.transfer_attempts a
        SET state = 'accepted', cause = NULL, approved_at = coalesce(approved_at, now()), updated_at = now()
       FROM ${cell.schema}.transactions t
      WHERE a.transaction_id = $1 AND a.n = $2 AND a.provider = $3
        AND (a.state = 'accepted' OR a.state = 'sending' AND NOT ${isForgotten(directory, 't.created_at')})
        AND t.id = a.transaction_id AND t.status = 'processing' AND t.amount_kobo = $4
     RETURNING a.n`,
    [asked.transactionId, asked.n, asked.provider, asked.amountKobo],
  );
  return rows.length === 1;
}

/**
 * Releases an attempt that people have looked into.
 * @param seen.openPosts how many orders they knew of: if another one was sent since, they have to look again.
 * @param seen.quietMs so long nothing may have been sent whose answer is not known.
 * @returns false, with nothing changed, if the attempt is no longer so.
 */
export async function releaseAttempt(
  cell: Cell,
  transactionId: string,
  seen: { n: number; openPosts: number; quietMs: number },
): Promise<boolean> {
  const { rows } = await cell.pool.query(
    `UPDATE ${cell.schema}.transfer_attempts SET state = 'released', updated_at = now()
      WHERE transaction_id = $1 AND n = $2 AND state = 'sending' AND open_posts = $3
        AND coalesce(sent_at, created_at) <= now() - $4 * interval '1 millisecond' RETURNING n`,
    [transactionId, seen.n, seen.openPosts, seen.quietMs],
  );
  return rows.length === 1;
}

/** So long a payment that the company did not ask about lets us doubt its promise to ask. */
const UNASKED_DAYS = 7;

/** Whether a company has asked us about everything that it has paid lately. */
export async function isAskingFirst(cell: Cell, provider: string): Promise<boolean> {
  const { rows } = await cell.pool.query(
    `SELECT FROM ${cell.schema}.transfer_attempts
      WHERE provider = $1 AND state = 'succeeded' AND approved_at IS NULL
        AND updated_at > now() - $2 * interval '1 day' LIMIT 1`,
    [provider, UNASKED_DAYS],
  );
  return rows.length === 0;
}

/**
 * Changes an attempt by a rule of `domain/payouts.ts`, and keeps what the company has told. Where somebody else has
 * changed the attempt since it was read, the rule is applied to what it is now. So two answers at the same moment are
 * both counted.
 * @param heard what the company has told; null if nobody was asked.
 * @param resolvedName the name that the bank has for the account; null where nobody has told it.
 * @returns the attempt as it is now.
 * @throws an outage if the attempt is gone, as after a sandbox reset.
 */
export async function changeAttempt(
  cell: SealedCell,
  transfer: Pick<Transaction, 'id' | 'destAccount'>,
  read: Attempt,
  rule: (attempt: Attempt) => Attempt,
  heard: Told | null,
  resolvedName: string | null,
): Promise<Attempt> {
  const { id: transactionId } = transfer;
  const told = resolvedName === null ? null : toldAccount(cell.sealing, transfer, resolvedName);
  for (let was = read; ;) {
    const now = heard ? rule(withFacts(was, heard)) : rule(was);
    if (isSame(was, now) || (await replaceAttempt(cell, transactionId, was, now, told))) return now;
    const { rows } = await cell.pool.query<AttemptRow>(
      `SELECT * FROM ${cell.schema}.transfer_attempts WHERE transaction_id = $1 AND n = $2`,
      [transactionId, read.n],
    );
    if (!rows[0]) throw new UnavailableError('the attempt of a transfer is gone');
    was = toAttempt(rows[0]);
  }
}

/** Only this of the account changes: its partner may decide about its name at the same moment. */
const withNameMatches = (account: string, value: string): string =>
  `(${account}::jsonb || jsonb_build_object('nameMatches', ${value}::boolean))::json`;

/** What the row of a transfer keeps once the bank has told the name of its account. */
interface ToldAccount {
  nameSealed: string;
  /** Whether that is the holder whom the partner has named. */
  nameMatches: boolean;
}

function toldAccount(
  sealing: SealedCell['sealing'],
  transfer: Pick<Transaction, 'id' | 'destAccount'>,
  name: string,
): ToldAccount {
  const { accountName } = present<BankAccount>(transfer.destAccount, 'the account of a transfer');
  return {
    nameSealed: sealResolvedName(sealing, transfer, name),
    nameMatches: isSameHolder(accountName, name),
  };
}

/**
 * Keeps the name for which a transfer is held, with the event that says so. Only the first name is kept, so a second run
 * changes nothing and tells nothing.
 * @returns the endpoints that have something due now.
 */
export function waitForName(
  cell: SealedCell,
  transfer: Transaction,
  name: string,
  announce: (transfer: Transaction) => EventDraft,
): Promise<string[]> {
  const { id, partnerId, destAccount } = transfer;
  const told = toldAccount(cell.sealing, transfer, name);
  return inTransaction(cell.pool, async (trx) => {
    const { rows } = await trx.query(
      `UPDATE ${cell.schema}.transactions
          SET resolved_name_sealed = $2, dest_account = ${withNameMatches('dest_account', '$3')}, updated_at = now()
        WHERE id = $1 AND status = 'processing' AND resolved_name_sealed IS NULL RETURNING id`,
      [id, told.nameSealed, told.nameMatches],
    );
    if (rows.length === 0) return [];
    const waiting = { ...transfer, destAccount: destAccount && { ...destAccount, nameMatches: false } };
    return insertEvent(trx, cell.schema, partnerId, announce(waiting));
  });
}

/**
 * Decides about a transfer whose account has another holder than the partner has named: from then on such a name is no reason
 * to hold it. A second decision of the same kind changes nothing.
 * @returns whether the transfer was held, or was to be; false where it was not, or has ended.
 */
export async function decideName(
  cell: Cell,
  { id, partnerId }: Pick<Transaction, 'id' | 'partnerId'>,
  decision: NameDecision,
): Promise<boolean> {
  const { rows } = await cell.pool.query(
    `UPDATE ${cell.schema}.transactions
        SET dest_account = (dest_account::jsonb || jsonb_build_object('nameDecision', $3::text))::json, updated_at = now()
      WHERE id = $1 AND partner_id = $2 AND status = 'processing'
        AND dest_account->>'onNameMismatch' = 'hold'
        AND coalesce(dest_account->>'nameDecision', $3) = $3 RETURNING id`,
    [id, partnerId, decision],
  );
  return rows.length === 1;
}

const isSame = (one: Attempt, other: Attempt): boolean =>
  (Object.keys(one) as (keyof Attempt)[]).every((key) => one[key] === other[key]);

/** @returns false, with nothing changed, if the attempt is no longer what it was. */
async function replaceAttempt(
  cell: Cell,
  transactionId: string,
  was: Attempt,
  now: Attempt,
  told: ToldAccount | null,
): Promise<boolean> {
  const { rows } = await cell.pool.query(
    `WITH changed AS (
       UPDATE ${cell.schema}.transfer_attempts
          SET state = $6, open_posts = $7, cause = $8, failed_at = $9, provider_ref = $10, session_id = $11,
              code = $12, fee_kobo = $13, duty_kobo = $14, needs_authorization = $17, sent_at = $18, declined_at = $19,
              said = $20, said_code = $21, said_reason = $22, updated_at = now()
        WHERE transaction_id = $1 AND n = $2 AND state = $3 AND open_posts = $4 AND failed_at IS NOT DISTINCT FROM $5
          AND coalesce(sent_at, created_at) = $23 AND declined_at IS NOT DISTINCT FROM $24
       RETURNING transaction_id),
     told AS (
       UPDATE ${cell.schema}.transactions t
          SET psp_reference = coalesce($10::text, t.psp_reference), updated_at = now(),
              psp_meta = CASE WHEN $10::text IS NULL THEN t.psp_meta ELSE $15::json END,
              resolved_name_sealed = coalesce($16::text, t.resolved_name_sealed),
              dest_account = CASE WHEN $25::boolean IS NULL THEN t.dest_account ELSE ${withNameMatches('t.dest_account', '$25')} END
         FROM changed
        WHERE t.id = changed.transaction_id AND t.status = 'processing'
          AND ($16::text IS NOT NULL OR $10::text IS NOT NULL AND t.psp_reference IS DISTINCT FROM $10::text))
     SELECT FROM changed`,
    [
      transactionId,
      was.n,
      was.state,
      was.openPosts,
      was.failedAt,
      now.state,
      now.openPosts,
      now.cause,
      now.failedAt,
      now.providerRef,
      now.sessionId,
      now.code,
      now.feeKobo,
      now.dutyKobo,
      JSON.stringify(factsOf(now)),
      told?.nameSealed ?? null,
      now.needsAuthorization,
      now.sentAt,
      now.declinedAt,
      now.said,
      now.saidCode,
      now.saidReason,
      was.sentAt,
      was.declinedAt,
      told?.nameMatches ?? null,
    ],
  );
  return rows.length === 1;
}

/** What the transaction itself keeps of the company that pays it. */
export const factsOf = ({ provider, sessionId, code, feeKobo, dutyKobo }: Attempt): ProviderFacts => ({
  provider,
  sessionId,
  responseCode: code,
  feeKobo,
  dutyKobo,
});
