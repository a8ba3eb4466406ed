/**
 * A USSD session's moves: decided by the machine under the rows' locks and written with what they mean to the
 * transaction and to the partner, in one commit. Whoever locks first decides every race (R18, D31, D113).
 */
import type { EventDraft } from '../domain/events';
import { next, sources } from '../domain/machine';
import { PIN_WRONG_IN_A_ROW_MAX, type PinOutcome } from '../domain/pins';
import { USSD_PAYMENT_MACHINE, type Transaction, type TransactionStatus } from '../domain/transactions';
import {
  decideUssd,
  obstacleOf,
  TRANSACTION_TRIGGER,
  USSD_MACHINE,
  type CountedAttempt,
  type Payer,
  type UssdMove,
  type UssdSession,
  type UssdStatus,
  type UssdTrigger,
} from '../domain/ussd';
import type { WalletStatus } from '../domain/wallets';
import { assert } from '../domain/assert';
import { insertEvent } from './events';
import { inTransaction, type Cell, type Queryable } from './postgres';
import { toTransaction, type TransactionRow } from './transactions';
import { sessionColumns, toUssdSession, type UssdSessionRow } from './ussd-sessions';
import { effectiveStatus } from './wallet-status';

/** A gateway gives up after five seconds, so whoever verifies a PIN for longer has gone. */
const VERIFYING_MS = 10_000;

export interface UssdRules {
  /** A wallet without a PIN of its own has the sandbox's (D74). */
  hasSandboxPin: boolean;
  /** PINs stored under another pepper cannot be checked: as good as none. */
  pepperKid: string;
  /** The event of a transaction that ended without a debit. */
  announce: (transaction: Transaction, session: UssdSession) => EventDraft;
}

/**
 * Moves a session as asked, as far as its machine allows; asking again finds it moved and changes nothing.
 * @returns the session as it is now, with the endpoints to wake; null when there is none (any more).
 */
export async function moveUssdSession(
  cell: Cell,
  partnerId: string,
  sessionId: string,
  asked: UssdMove,
  rules: UssdRules,
): Promise<{ session: UssdSession; endpointIds: string[] } | null> {
  return inTransaction(cell.pool, async (trx) => {
    const locked = await lock(trx, cell.schema, partnerId, sessionId);
    if (!locked) return null;
    const { session, transactionStatus } = locked;
    const { triggers, failureReason } = decideUssd(
      {
        status: session.status,
        overdue: session.overdue,
        // In no other status is one counted.
        attempts: session.status === 'pin_entry' ? await attemptsOf(trx, cell.schema, sessionId) : [],
        obstacle:
          asked.kind === 'dial'
            ? obstacleOf(await payerOf(trx, cell.schema, session, rules), session.amountKobo)
            : null,
      },
      asked,
    );
    if (triggers.length === 0) return { session, endpointIds: [] };

    const status = triggers.reduce(walk, session.status);
    const moved = { ...session, status, failureReason };
    const transaction = await write(trx, cell.schema, {
      before: session,
      moved,
      transactionStatus,
      triggers,
    });
    if (!transaction || transaction.status === 'processing') return { session: moved, endpointIds: [] };
    const event = rules.announce(transaction, moved);
    return { session: moved, endpointIds: await insertEvent(trx, cell.schema, partnerId, event) };
  });
}

function walk(status: UssdStatus, trigger: UssdTrigger): UssdStatus {
  const after = next(USSD_MACHINE, status, trigger);
  assert(after, `${trigger} is possible in ${status}`);
  return after;
}

/**
 * The transaction first, as the ledger's writer has it, so that the two never wait for each other in a circle: the
 * session is found through it.
 */
async function lock(
  trx: Queryable,
  schema: string,
  partnerId: string,
  sessionId: string,
): Promise<{ session: UssdSession; transactionStatus: TransactionStatus } | null> {
  const { rows } = await trx.query<UssdSessionRow & { transaction_status: TransactionStatus }>(
    `WITH t AS MATERIALIZED (
       SELECT id, status, amount_kobo, reference FROM ${schema}.transactions
        WHERE id = (SELECT transaction_id FROM ${schema}.ussd_sessions WHERE id = $1 AND partner_id = $2)
          FOR NO KEY UPDATE)
     SELECT ${sessionColumns}, t.status AS transaction_status
       FROM t JOIN ${schema}.ussd_sessions s ON s.id = $1 AND s.transaction_id = t.id
        FOR NO KEY UPDATE OF s`,
    [sessionId, partnerId],
  );
  const [row] = rows;
  return row ? { session: toUssdSession(row), transactionStatus: row.transaction_status } : null;
}

/** Read by a statement after the lock: what was counted before it is seen. */
async function attemptsOf(trx: Queryable, schema: string, sessionId: string): Promise<CountedAttempt[]> {
  const { rows } = await trx.query<{ id: string; outcome: PinOutcome | null; abandoned: boolean }>(
    `SELECT id, outcome, counted_at < now() - ${VERIFYING_MS} * interval '1 millisecond' AS abandoned
       FROM ${schema}.ussd_pin_attempts WHERE session_id = $1 ORDER BY number`,
    [sessionId],
  );
  return rows;
}

async function payerOf(
  trx: Queryable,
  schema: string,
  session: UssdSession,
  rules: UssdRules,
): Promise<Payer> {
  const { rows } = await trx.query<{
    status: WalletStatus;
    balance_kobo: number;
    pin_hash: string | null;
    pepper_kid: string | null;
    wrong_in_a_row: number | null;
  }>(
    `SELECT ${effectiveStatus('a')} AS status, a.balance_kobo, p.pin_hash, p.pepper_kid, p.wrong_in_a_row
       FROM ${schema}.accounts a LEFT JOIN ${schema}.wallet_pins p ON p.wallet_id = a.id WHERE a.id = $1`,
    [session.payerWalletId],
  );
  const [row] = rows;
  assert(row, 'a payer has a wallet');
  const isSet = row.pin_hash === null ? rules.hasSandboxPin : row.pepper_kid === rules.pepperKid;
  const isLocked = (row.wrong_in_a_row ?? 0) >= PIN_WRONG_IN_A_ROW_MAX;
  const pin = isLocked ? 'locked' : isSet ? 'set' : 'not_set';
  return { status: row.status, balanceKobo: row.balance_kobo, pin };
}

/** @returns the transaction where the moves mean something to it; null where it stays as it is. */
async function write(
  trx: Queryable,
  schema: string,
  change: {
    before: UssdSession;
    moved: UssdSession;
    transactionStatus: TransactionStatus;
    triggers: readonly UssdTrigger[];
  },
): Promise<Transaction | null> {
  const { before, moved, transactionStatus } = change;
  const moveSession = `UPDATE ${schema}.ussd_sessions SET status = $3, failure_reason = $4, updated_at = now()
      WHERE id = $1 AND status = $2`;
  const values = [before.id, before.status, moved.status, moved.failureReason];
  const trigger = change.triggers.map((one) => TRANSACTION_TRIGGER[one]).find((one) => one !== undefined);
  if (!trigger) {
    await trx.query(moveSession, values);
    return null;
  }
  const { rows } = await trx.query<TransactionRow>(
    `WITH session AS (${moveSession})
     UPDATE ${schema}.transactions SET status = $7, failed_reason = $4, updated_at = now()
      WHERE id = $5 AND status = ANY($6) RETURNING *`,
    [
      ...values,
      before.transactionId,
      sources(USSD_PAYMENT_MACHINE, trigger),
      next(USSD_PAYMENT_MACHINE, transactionStatus, trigger),
    ],
  );
  assert(rows[0], `a ${transactionStatus} transaction of a session goes along with it`);
  return toTransaction(rows[0]);
}
