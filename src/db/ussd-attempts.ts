/** PIN attempts of USSD sessions: counted first, verified afterwards, decided once (D75, R18, G24). */
import { PIN_ATTEMPTS_MAX, type PinOutcome } from '../domain/pins';
import type { UssdSession } from '../domain/ussd';
import { assertNotResetting } from './epochs';
import { countGuess, forgetWrongGuesses, type CountedGuess } from './pins';
import { inTransaction, type Cell, type Queryable } from './postgres';

/** An attempt that was counted and is to be verified by whoever counted it. */
interface NewAttempt extends CountedGuess {
  kind: 'counted';
  /** Its place in the session, from 1. */
  number: number;
}

export type Counted =
  | NewAttempt
  /** The gateway sent this input before: it is that attempt, being verified still or with its outcome. */
  | { kind: 'repeated'; attemptId: string }
  /** Nothing is verified: the wallet's PIN is locked, and the attempt is its session's end. */
  | { kind: 'locked' }
  /** The session takes no PIN: over, overdue, or with three attempts counted. */
  | { kind: 'closed' };

/**
 * Counts an attempt in its session and in its wallet, in one commit. The database's time of it decides
 * whether it came within the session's window (R18).
 */
export async function countAttempt(
  cell: Cell,
  session: Pick<UssdSession, 'id' | 'partnerId' | 'payerWalletId'>,
  attempt: { id: string; gatewaySession: string; hop: number },
): Promise<Counted> {
  return inTransaction(cell.pool, async (trx): Promise<Counted> => {
    await assertNotResetting(trx, cell.schema, session.partnerId);
    const { rows: locked } = await trx.query<{ takes_pin: boolean; pin_attempts: number }>(
      `SELECT status = 'pin_entry' AND expires_at > now() AND pin_attempts < ${PIN_ATTEMPTS_MAX} AS takes_pin,
              pin_attempts
         FROM ${cell.schema}.ussd_sessions WHERE id = $1 AND partner_id = $2 FOR NO KEY UPDATE`,
      [session.id, session.partnerId],
    );
    const before = await trx.query<{ id: string }>(
      `SELECT id FROM ${cell.schema}.ussd_pin_attempts
        WHERE session_id = $1 AND gateway_session = $2 AND hop = $3`,
      [session.id, attempt.gatewaySession, attempt.hop],
    );
    if (before.rows[0]) return { kind: 'repeated', attemptId: before.rows[0].id };
    const row = locked[0];
    if (!row?.takes_pin) return { kind: 'closed' };
    const number = row.pin_attempts + 1;
    await trx.query(
      `WITH session AS (
         UPDATE ${cell.schema}.ussd_sessions SET pin_attempts = $5, updated_at = now() WHERE id = $2)
       INSERT INTO ${cell.schema}.ussd_pin_attempts
         (id, session_id, partner_id, gateway_session, number, hop) VALUES ($1, $2, $3, $4, $5, $6)`,
      [attempt.id, session.id, session.partnerId, attempt.gatewaySession, number, attempt.hop],
    );
    const guess = await countGuess(trx, cell.schema, {
      partnerId: session.partnerId,
      walletId: session.payerWalletId,
    });
    if (guess) return { kind: 'counted', number, ...guess };
    await record(trx, cell.schema, attempt.id, 'pin_locked');
    return { kind: 'locked' };
  });
}

/** Writes what an attempt came to, once: a second outcome changes nothing. */
export async function decideAttempt(
  cell: Cell,
  session: Pick<UssdSession, 'payerWalletId'>,
  attemptId: string,
  outcome: PinOutcome,
): Promise<void> {
  await inTransaction(cell.pool, async (trx) => {
    const recorded = await record(trx, cell.schema, attemptId, outcome);
    if (recorded && outcome === 'pin_accepted') {
      await forgetWrongGuesses(trx, cell.schema, session.payerWalletId);
    }
  });
}

async function record(
  db: Queryable,
  schema: string,
  attemptId: string,
  outcome: PinOutcome,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE ${schema}.ussd_pin_attempts SET outcome = $2, decided_at = now() WHERE id = $1 AND outcome IS NULL`,
    [attemptId, outcome],
  );
  return rowCount === 1;
}

/** An attempt's place and outcome; null as long as it is being verified. */
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
