/**
 * PIN attempts of USSD sessions: counted first, verified afterwards, decided once (D75, R18, G24). Counting and
 * deciding use rounds, because the bench row `ussd-pin` demands it; reading an attempt uses plain pg.
 */
import { PIN_ATTEMPTS_MAX, type PinOutcome } from '../../domain/pins';
import type { UssdSession } from '../../domain/ussd';
import { fence } from '../upkeep/epochs';
import { inOneRound, inTwoRounds, perSchema, type Decided } from '../pg/in-rounds';
import { guess, guessIn, type CountedGuess, type PinRow } from '../wallets/pins';
import type { Cell } from '../pg/postgres';

/** The check of a PIN counts as abandoned after this time, because a gateway gives up after five seconds. */
export const VERIFYING_MS = 10_000;

/** The attempt was counted, and the caller must check the PIN. */
interface NewAttempt extends CountedGuess {
  kind: 'counted';
  /** Its number in the session, from 1. */
  number: number;
}

export type Counted =
  | NewAttempt
  /**
   * The gateway has sent this input before, or the PIN of the session was accepted already, so that no other one is counted.
   * This is that attempt.
   */
  | { kind: 'repeated'; attemptId: string }
  /** The wallet's PIN is locked. The PIN is not checked, and the attempt ends the session. */
  | { kind: 'locked'; number: number }
  /** The session takes no PIN, because it is over or overdue, or three attempts were counted. */
  | { kind: 'closed' };

/**
 * Counts an attempt in its session and in its wallet, in one commit. The time of the database decides whether it
 * came within the session's window (R18).
 */
export function countAttempt(
  cell: Cell,
  session: Pick<UssdSession, 'id' | 'partnerId' | 'payerWalletId'>,
  attempt: { id: string; gatewaySession: string; hop: number },
): Promise<Counted> {
  const sql = statements(cell.schema);
  const hop = String(attempt.hop);
  const reads = [
    { statement: sql.fence, values: [session.partnerId] },
    { statement: sql.lock, values: [session.id, session.partnerId] },
    { statement: sql.session, values: [session.id, session.partnerId] },
    { statement: sql.before, values: [session.id, attempt.gatewaySession, hop] },
  ];
  return inTwoRounds(cell.pool, reads, ([, , sessions, attempts]): Decided<Counted> => {
    const before = attempts?.[0] as { id: string } | undefined;
    if (before) return { writes: [], result: () => ({ kind: 'repeated', attemptId: before.id }) };
    const row = sessions?.[0] as Takes | undefined;
    if (row?.accepted_id)
      return { writes: [], result: () => ({ kind: 'repeated', attemptId: row.accepted_id ?? '' }) };
    if (!row?.takes_pin) return { writes: [], result: () => ({ kind: 'closed' }) };
    const number = row.pin_attempts + 1;
    const values = [
      attempt.id,
      session.id,
      session.partnerId,
      attempt.gatewaySession,
      String(number),
      hop,
      session.payerWalletId,
    ];
    return {
      writes: [{ statement: sql.count, values }],
      result: ([pins]) => {
        const counted = guessIn(pins?.[0] as PinRow | undefined);
        return counted ? { kind: 'counted', number, ...counted } : { kind: 'locked', number };
      },
    };
  });
}

/**
 * Writes the outcome of an attempt. A second outcome changes nothing. A right PIN sets the count of wrong ones to
 * zero.
 * @returns whether this was the first.
 */
export async function decideAttempt(
  cell: Cell,
  session: Pick<UssdSession, 'payerWalletId'>,
  attemptId: string,
  outcome: PinOutcome,
): Promise<boolean> {
  const { decide } = statements(cell.schema);
  const values = [attemptId, outcome, session.payerWalletId];
  return (await inOneRound(cell.pool, { statement: decide, values })).length === 1;
}

/** The number and the outcome of an attempt; the outcome is null as long as the PIN is being checked. */
export async function findAttempt(
  cell: Cell,
  attemptId: string,
): Promise<{ number: number; outcome: PinOutcome } | null> {
  const { rows } = await cell.pool.query<{ number: number; outcome: PinOutcome }>(
    `SELECT number, outcome FROM ${cell.schema}.ussd_pin_attempts WHERE id = $1 AND outcome IS NOT NULL`,
    [attemptId],
  );
  return rows[0] ?? null;
}

/**
 * The attempt that decides what a payer sees who dials again: one that was accepted, or else one that is being checked. Null
 * where there is none, so that a PIN may be asked for.
 */
export async function findPinUnderWay(
  cell: Cell,
  sessionId: string,
): Promise<{ id: string; number: number; outcome: 'pin_accepted' | null } | null> {
  const { rows } = await cell.pool.query<{ id: string; number: number; outcome: 'pin_accepted' | null }>(
    `SELECT id, number, outcome FROM ${cell.schema}.ussd_pin_attempts
      WHERE session_id = $1 AND (outcome = 'pin_accepted'
         OR (outcome IS NULL AND counted_at >= now() - ${String(VERIFYING_MS)} * interval '1 millisecond'))
      ORDER BY outcome NULLS LAST, number LIMIT 1`,
    [sessionId],
  );
  return rows[0] ?? null;
}

interface Takes {
  takes_pin: boolean;
  pin_attempts: number;
  accepted_id: string | null;
}

const statements = perSchema((schema) => {
  const attempts = `${schema}.ussd_pin_attempts`;
  return {
    fence: { text: fence(schema) },
    lock: {
      text: `SELECT FROM ${schema}.ussd_sessions WHERE id = $1 AND partner_id = $2 FOR NO KEY UPDATE`,
    },
    /**
     * The clock is read when the lock is held, so an attempt that waited for the lock until after the deadline is
     * too late.
     */
    session: {
      text: `SELECT status = 'pin_entry' AND expires_at > clock_timestamp()
                AND pin_attempts < ${PIN_ATTEMPTS_MAX} AS takes_pin,
              pin_attempts,
              (SELECT id FROM ${attempts}
                WHERE session_id = $1 AND outcome = 'pin_accepted' ORDER BY number LIMIT 1) AS accepted_id
         FROM ${schema}.ussd_sessions WHERE id = $1 AND partner_id = $2`,
    },
    before: {
      text: `SELECT id FROM ${attempts} WHERE session_id = $1 AND gateway_session = $2 AND hop = $3`,
    },
    count: {
      text: `WITH guess AS (${guess(schema, '$7', '$3')}),
       session AS (UPDATE ${schema}.ussd_sessions SET pin_attempts = $5, updated_at = now() WHERE id = $2),
       attempt AS (
         INSERT INTO ${attempts}
           (id, session_id, partner_id, gateway_session, number, hop, outcome, decided_at)
         VALUES ($1, $2, $3, $4, $5, $6,
           CASE WHEN NOT EXISTS (SELECT FROM guess) THEN 'pin_locked' END,
           CASE WHEN NOT EXISTS (SELECT FROM guess) THEN now() END))
       SELECT * FROM guess`,
    },
    decide: {
      text: `WITH decided AS (
         UPDATE ${attempts} SET outcome = $2, decided_at = now() WHERE id = $1 AND outcome IS NULL
         RETURNING outcome),
       forgotten AS (
         UPDATE ${schema}.wallet_pins SET wrong_in_a_row = 0, updated_at = now()
          WHERE wallet_id = $3 AND EXISTS (SELECT FROM decided WHERE outcome = 'pin_accepted'))
       SELECT outcome FROM decided`,
    },
  };
});
