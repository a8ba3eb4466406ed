/** Verifications of BVNs and NINs: their rows, without anything that could open the number. */
import type { EventDraft } from '../../domain/events';
import type { Intention } from '../../domain/intentions';
import { sources } from '../../domain/machine';
import {
  triggerOf,
  VERIFICATION_MACHINE,
  type AnsweredBy,
  type RecordedConsent,
  type Verdict,
  type Verification,
  type VerificationFailure,
  type VerificationStatus,
  type VerificationSubject,
  type VerificationType,
} from '../../domain/verifications';
import { insertEvent } from '../events/events';
import { insertIntention } from '../events/intentions';
import { followVerifications } from '../wallets/limits';
import { markNews, type OwnerNews } from '../wallets/owner-news';
import { newId } from '../pg/ids';
import { inTransaction, type Cell, type Queryable } from '../pg/postgres';

interface VerificationRow {
  id: string;
  partner_id: string;
  subject: VerificationSubject;
  user_ref: string | null;
  director_id: string | null;
  type: VerificationType;
  status: VerificationStatus;
  failure_reason: VerificationFailure | null;
  company: string | null;
  watch_listed: boolean | null;
  created_at: Date;
  verified_at: Date | null;
}

const COLUMNS =
  'id, partner_id, subject, user_ref, director_id, type, status, failure_reason, company, watch_listed, created_at, verified_at';

const toVerification = (row: VerificationRow): Verification => ({
  id: row.id,
  partnerId: row.partner_id,
  subject: row.subject,
  userRef: row.user_ref,
  directorId: row.director_id,
  type: row.type,
  status: row.status,
  failureReason: row.failure_reason,
  company: row.company,
  watchListed: row.watch_listed,
  createdAt: row.created_at,
  verifiedAt: row.verified_at,
});

/** Whose number is to be verified. */
export type Subject =
  | { subject: 'end_user'; userRef: string; directorId: null }
  | { subject: 'director'; userRef: null; directorId: string };

export type NewVerification = Subject & {
  id: string;
  partnerId: string;
  type: VerificationType;
  numberSealed: string;
  numberIndex: string;
  /** The index under every key that is known: the number may be under way since before the key changed. */
  numberIndexes: string[];
  /** The name that the person should have, sealed; null when none is known. */
  expectedNameSealed: string | null;
  intention: Intention;
};

/** The verification that holds, and the workflow to start if this call has created it. */
export type Inserted = { verificationId: string } & (
  | { isNew: true; intention: Intention }
  | { isNew: false; intention: null }
);

/**
 * Writes a pending verification and the intention to carry it out, inside the caller's transaction. Harmless the
 * second time: while an end user's number is pending it stays the one verification of it (D82), and a director has
 * one for ever.
 * @returns the id of the verification that holds, and whether this call made it; only then is there a workflow to
 *   start.
 */
export async function insertVerification(
  trx: Queryable,
  schema: string,
  asked: NewVerification,
): Promise<Inserted> {
  for (let tries = 0; tries < INSERT_TRIES; tries++) {
    const inserted = await trx.query(
      `INSERT INTO ${schema}.verifications (id, partner_id, subject, user_ref, director_id, type, number_sealed,
         number_index, expected_name_sealed, created_at, updated_at)
       SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, now(), now()
        WHERE NOT EXISTS (SELECT FROM ${schema}.verifications
                           WHERE partner_id = $2 AND user_ref = $4 AND number_index = ANY($10) AND status = 'pending')
           ON CONFLICT DO NOTHING`,
      [
        asked.id,
        asked.partnerId,
        asked.subject,
        asked.userRef,
        asked.directorId,
        asked.type,
        asked.numberSealed,
        asked.numberIndex,
        asked.expectedNameSealed,
        asked.numberIndexes,
      ],
    );
    if (inserted.rowCount === 1) {
      const intention = await insertIntention(trx, schema, asked.intention);
      return { verificationId: asked.id, isNew: true, intention };
    }
    const { rows } = await trx.query<{ id: string }>(
      `SELECT id FROM ${schema}.verifications
        WHERE (director_id = $3 AND type = $4)
           OR (partner_id = $1 AND user_ref = $2 AND number_index = ANY($5) AND status = 'pending')`,
      [asked.partnerId, asked.userRef, asked.directorId, asked.type, asked.numberIndexes],
    );
    if (rows[0]) return { verificationId: rows[0].id, isNew: false, intention: null };
    // The verification has ended between the two statements, so the number may be verified again.
  }
  throw new Error('bug: a verification is neither new nor under way');
}

/** A further try is needed only if another verification ended in that moment. */
const INSERT_TRIES = 5;

/**
 * `insertVerification` in a transaction of its own, with the consent that this submission tells, or that it tells none.
 * Every submission leaves a row of its own, also where the verification is known already.
 */
export function submitVerification(
  cell: Cell,
  asked: NewVerification,
  told: Pick<RecordedConsent, 'consent' | 'requestId'>,
): Promise<Inserted> {
  const { consent, requestId } = told;
  return inTransaction(cell.pool, async (trx) => {
    const inserted = await insertVerification(trx, cell.schema, asked);
    await trx.query(
      `INSERT INTO ${cell.schema}.consents
         (id, partner_id, verification_id, basis, given_at, text_version, channel, request_id)
       SELECT $1, $2, v.id, $4, $5, $6, $7, $8 FROM ${cell.schema}.verifications v WHERE v.id = $3 FOR KEY SHARE`,
      [
        newId(),
        asked.partnerId,
        inserted.verificationId,
        (consent ? 'customer' : 'partner_agreement') satisfies RecordedConsent['basis'],
        consent?.givenAt,
        consent?.textVersion,
        consent?.channel,
        requestId,
      ],
    );
    return inserted;
  });
}

/** What was kept of the submissions of an end user's numbers, oldest first. */
export async function listConsents(
  cell: Cell,
  partnerId: string,
  userRef: string,
): Promise<RecordedConsent[]> {
  const { rows } = await cell.pool.query<ConsentRow>(
    `SELECT c.verification_id, c.basis, c.given_at, c.text_version, c.channel, c.request_id, c.recorded_at
       FROM ${cell.schema}.verifications v JOIN ${cell.schema}.consents c ON c.verification_id = v.id
      WHERE v.partner_id = $1 AND v.user_ref = $2 ORDER BY c.id LIMIT ${String(LIST_MAX)}`,
    [partnerId, userRef],
  );
  return rows.map((row) => ({
    verificationId: row.verification_id,
    basis: row.basis,
    consent: row.given_at && { givenAt: row.given_at, textVersion: row.text_version, channel: row.channel },
    requestId: row.request_id,
    recordedAt: row.recorded_at,
  }));
}

interface ConsentRow {
  verification_id: string;
  basis: RecordedConsent['basis'];
  /** With it the two texts are there. */
  given_at: Date | null;
  text_version: string;
  channel: string;
  request_id: string;
  recorded_at: Date;
}

/** A verification with the sealed values that only its activities open. */
export interface SealedVerification extends Verification {
  numberSealed: string;
  expectedNameSealed: string | null;
}

/** A verification of this partner, or null. */
export async function findVerification(
  cell: Cell,
  partnerId: string,
  verificationId: string,
): Promise<SealedVerification | null> {
  const { rows } = await cell.pool.query<
    VerificationRow & { number_sealed: string; expected_name_sealed: string | null }
  >(
    `SELECT ${COLUMNS}, number_sealed, expected_name_sealed FROM ${cell.schema}.verifications
      WHERE id = $1 AND partner_id = $2`,
    [verificationId, partnerId],
  );
  const [row] = rows;
  return row
    ? {
        ...toVerification(row),
        numberSealed: row.number_sealed,
        expectedNameSealed: row.expected_name_sealed,
      }
    : null;
}

/** The verifications of a partner's directors that are under way: a sandbox reset leaves them alone (R14). */
export async function directorsVerificationIds(cell: Cell, partnerId: string): Promise<string[]> {
  const { rows } = await cell.pool.query<{ id: string }>(
    `SELECT id FROM ${cell.schema}.verifications
      WHERE partner_id = $1 AND subject = 'director' AND status = 'pending'`,
    [partnerId],
  );
  return rows.map((row) => row.id);
}

/** The verifications of these directors. A director has at most one of each type. */
export async function verificationsOfDirectors(
  cell: Cell,
  directorIds: readonly string[],
): Promise<Verification[]> {
  const { rows } = await cell.pool.query<VerificationRow>(
    `SELECT ${COLUMNS} FROM ${cell.schema}.verifications WHERE director_id = ANY($1) ORDER BY type`,
    [directorIds],
  );
  return rows.map(toVerification);
}

/** The largest number that is shown. Nobody submits as many for one person; the newest ones are shown. */
const LIST_MAX = 1_000;

/**
 * The verifications of an end user, newest first.
 * @returns null when neither a verification nor a wallet knows the user_ref (D84).
 */
export async function listVerifications(
  cell: Cell,
  partnerId: string,
  userRef: string,
): Promise<Verification[] | null> {
  const { rows } = await cell.pool.query<VerificationRow>(
    `SELECT ${COLUMNS} FROM ${cell.schema}.verifications WHERE partner_id = $1 AND user_ref = $2
      ORDER BY created_at DESC, id DESC LIMIT ${String(LIST_MAX)}`,
    [partnerId, userRef],
  );
  if (rows.length > 0) return rows.map(toVerification);
  const wallets = await cell.pool.query(
    `SELECT FROM ${cell.schema}.wallets WHERE partner_id = $1 AND user_ref = $2`,
    [partnerId, userRef],
  );
  return wallets.rowCount === 0 ? null : [];
}

/** Keeps the name that the bureau has for the number. The same name again changes nothing that matters. */
export async function recordFoundName(
  cell: Cell,
  verificationId: string,
  foundNameSealed: string,
): Promise<void> {
  await cell.pool.query(
    `UPDATE ${cell.schema}.verifications SET found_name_sealed = $2, updated_at = now()
      WHERE id = $1 AND status = 'pending'`,
    [verificationId, foundNameSealed],
  );
}

/** The sealed name of an end user by the newest verification that brought one (D10), or null. */
export async function findVerifiedName(
  cell: Cell,
  partnerId: string,
  userRef: string,
): Promise<{ verificationId: string; foundNameSealed: string } | null> {
  const { rows } = await cell.pool.query<{ id: string; found_name_sealed: string }>(
    `SELECT id, found_name_sealed FROM ${cell.schema}.verifications
      WHERE partner_id = $1 AND user_ref = $2 AND status = 'verified' AND found_name_sealed IS NOT NULL
      ORDER BY created_at DESC, id DESC LIMIT 1`,
    [partnerId, userRef],
  );
  return rows[0] ? { verificationId: rows[0].id, foundNameSealed: rows[0].found_name_sealed } : null;
}

/** The newest verified number of an end user, sealed; a BVN before a NIN. Null where there is none, or it was erased. */
export async function findVerifiedNumber(
  cell: Cell,
  partnerId: string,
  userRef: string,
): Promise<{ verificationId: string; type: VerificationType; numberSealed: string } | null> {
  const { rows } = await cell.pool.query<{ id: string; type: VerificationType; number_sealed: string }>(
    `SELECT id, type, number_sealed FROM ${cell.schema}.verifications
      WHERE partner_id = $1 AND user_ref = $2 AND status = 'verified' AND number_sealed IS NOT NULL
      ORDER BY type, created_at DESC, id DESC LIMIT 1`,
    [partnerId, userRef],
  );
  return rows[0]
    ? { verificationId: rows[0].id, type: rows[0].type, numberSealed: rows[0].number_sealed }
    : null;
}

/**
 * Ends a verification with its event, in one commit. Harmless the second time: only a pending one moves, and
 * the event is written by the call that moved it.
 * @param by what is kept of the answer; null where no company has answered.
 * @returns the verification as it is, the endpoints to wake, and the wallet that waited for a verified owner.
 */
export async function concludeVerification(
  cell: Cell,
  partnerId: string,
  verificationId: string,
  verdict: Verdict,
  by: AnsweredBy,
  announce: (verification: Verification) => EventDraft,
): Promise<{ verification: Verification | null; endpointIds: string[]; news: OwnerNews[] }> {
  const trigger = triggerOf(verdict);
  const reason = verdict.status === 'failed' ? verdict.reason : null;
  return inTransaction(cell.pool, async (trx) => {
    const moved = await trx.query<VerificationRow>(
      `UPDATE ${cell.schema}.verifications SET status = $3, failure_reason = $4, company = $6, watch_listed = $7,
         updated_at = now(), verified_at = CASE WHEN $3 = 'verified' THEN now() END
        WHERE id = $1 AND partner_id = $2 AND status = ANY($5) RETURNING ${COLUMNS}`,
      [
        verificationId,
        partnerId,
        verdict.status,
        reason,
        sources(VERIFICATION_MACHINE, trigger),
        by?.company,
        by?.watchListed,
      ],
    );
    if (moved.rows[0]) {
      const verification = toVerification(moved.rows[0]);
      const { userRef } = verification;
      if (userRef !== null) await followVerifications(trx, cell.schema, { partnerId, userRef });
      const waits = userRef !== null && verification.status === 'verified';
      const news = waits ? await markNews(trx, cell.schema, { partnerId, userRef }) : [];
      const endpointIds = await insertEvent(trx, cell.schema, partnerId, announce(verification));
      return { verification, endpointIds, news };
    }
    const { rows } = await trx.query<VerificationRow>(
      `SELECT ${COLUMNS} FROM ${cell.schema}.verifications WHERE id = $1 AND partner_id = $2`,
      [verificationId, partnerId],
    );
    return { verification: rows[0] ? toVerification(rows[0]) : null, endpointIds: [], news: [] };
  });
}
