/**
 * The moves of a USSD session. The machine decides a move under the locks of the rows. The move is written in one
 * commit with its effect on the transaction and with its event. The first to lock the rows wins every race (R18,
 * D31, D113). A move takes two rounds, because the bench rows `ussd-dial` and `ussd-confirm` demand it.
 */
import type { EventDraft } from '../../domain/events';
import { handOrderRefusal } from '../../domain/hand-orders';
import { next } from '../../domain/machine';
import { PIN_WRONG_IN_A_ROW_MAX } from '../../domain/pins';
import { USSD_PAYMENT_MACHINE, type Transaction } from '../../domain/transactions';
import {
  decideUssd,
  isOpen,
  obstacleOf,
  TRANSACTION_TRIGGER,
  USSD_MACHINE,
  type CountedAttempt,
  type Payer,
  type UssdFacts,
  type UssdMove,
  type UssdSession,
  type UssdStatus,
  type UssdTrigger,
} from '../../domain/ussd';
import type { WalletStatus } from '../../domain/wallets';
import { assert } from '../../domain/assert';
import { endpointsDue, eventSteps } from '../events/events';
import { inTwoRounds, perSchema } from '../pg/in-rounds';
import type { SealedCell } from '../pg/postgres';
import type { Row, Step } from '../pg/round';
import type { Sealing } from '../../secrets/sealing';
import { toTransaction, type TransactionRow } from '../ledger/transaction-row';
import { toHandOrder, type HandOrderRow } from './hand-orders';
import { VERIFYING_MS } from './ussd-attempts';
import { findUssdSession, toUssdSession, type UssdSessionRow } from './ussd-sessions';
import { setAsideNow } from '../wallets/set-aside';
import { effectiveStatus } from '../wallets/wallet-status';

export interface UssdRules {
  /** A wallet for which no PIN was set has the sandbox's PIN (D74). */
  hasSandboxPin: boolean;
  /** The event of a transaction that ended without a debit. */
  announce: (transaction: Transaction, session: UssdSession) => EventDraft;
}

/**
 * Moves a session as far as its state machine allows. A second call finds it moved and changes nothing.
 * @returns the session as it is now, with the endpoints to wake; null when there is none (any more).
 */
export function moveUssdSession(
  cell: SealedCell,
  partnerId: string,
  sessionId: string,
  asked: UssdMove,
  rules: UssdRules,
): Promise<{ session: UssdSession; endpointIds: string[] } | null> {
  const { schema } = cell;
  const sql = statements(schema);
  const named: [string, string] = [sessionId, partnerId];
  const reads: Step[] = [
    ...locking(schema, named),
    ...(asked.kind === 'dial' ? [{ statement: sql.payer, values: named }] : []),
    ...(asked.kind === 'simulate' ? [{ statement: sql.order, values: [asked.orderId] }] : []),
  ];
  return inTwoRounds(cell.pool, reads, ([transactions, sessions, attempts, more]) => {
    const locked = lockedIn(cell.sealing, transactions, sessions);
    if (!locked) return { writes: [], result: () => null };
    const { row, session, transactionRow } = locked;
    const transaction = toTransaction(transactionRow, cell.sealing);
    const facts = {
      ...factsOf(session, attempts),
      ...(asked.kind === 'dial' && { obstacle: obstacleOf(payerIn(more ?? [], rules), session.amountKobo) }),
      ...(asked.kind === 'simulate' && { isOrdered: isOrdered(session, more ?? [], transactionRow.now) }),
    };
    const { triggers, failureReason } = decideUssd(facts, asked);
    if (triggers.length === 0) return { writes: [], result: () => ({ session, endpointIds: [] }) };

    const status = triggers.reduce(walk, session.status);
    const moved = toUssdSession(cell.sealing, { ...row, status, failure_reason: failureReason });
    const after = follow(transaction, triggers, failureReason, transactionRow.now);
    const told = after && after.status !== 'processing' ? rules.announce(after, moved) : null;
    const writes: Step[] = [
      { statement: sql.moveSession, values: [session.id, session.status, moved.status, failureReason] },
    ];
    if (after) {
      const values = [after.id, transaction.status, after.status, failureReason];
      writes.push({ statement: sql.moveTransaction, values });
    }
    if (asked.kind === 'simulate' && !session.overdue) {
      writes.push({ statement: sql.useOrder, values: [asked.orderId] });
    }
    if (told) writes.push(...eventSteps(schema, partnerId, told));
    return {
      writes,
      result: (written) => ({ session: moved, endpointIds: told ? endpointsDue(written.at(-1) ?? []) : [] }),
    };
  });
}

/** A session of this partner in the form that callers are shown, or null. */
export async function findSessionAsTold(
  cell: SealedCell,
  partnerId: string,
  sessionId: string,
): Promise<UssdSession | null> {
  const session = await findUssdSession(cell, partnerId, sessionId);
  return session && asTold(cell, session);
}

/**
 * The session as it is shown to a reader. It is `expired` once its time is over and no counted PIN can complete it
 * any more, also while its workflow has not written that yet, for example because no worker runs (R18, R38).
 * Nothing is written here. The locks make the answer last: a PIN that was counted in time is seen, a later one is
 * too late, and one whose outcome is missing may still get it.
 * @param session the session as it was read without locks.
 */
async function asTold(cell: SealedCell, session: UssdSession): Promise<UssdSession> {
  if (!session.overdue || !isOpen(session.status)) return session;
  const reads = locking(cell.schema, [session.id, session.partnerId]);
  return inTwoRounds(cell.pool, reads, ([transactions, sessions, attempts]) => {
    const now = lockedIn(cell.sealing, transactions, sessions)?.session ?? session;
    const facts = factsOf(now, attempts);
    const undecided = facts.attempts.map((attempt) => ({ ...attempt, abandoned: false }));
    const { triggers } = decideUssd({ ...facts, attempts: undecided }, { kind: 'expire' });
    const told = triggers.includes('expire') ? { ...now, status: 'expired' as const } : now;
    return { writes: [], result: () => told };
  });
}

/** Transaction and session are locked in this order, and the attempts are read after the locks. */
function locking(schema: string, named: [sessionId: string, partnerId: string]): Step[] {
  const { lockTransaction, lockSession, attempts } = statements(schema);
  return [
    { statement: lockTransaction, values: named },
    { statement: lockSession, values: named },
    { statement: attempts, values: [named[0]] },
  ];
}

function lockedIn(sealing: Sealing, transactions?: readonly Row[], sessions?: readonly Row[]) {
  const transactionRow = transactions?.[0] as LockedTransaction | undefined;
  const sessionRow = sessions?.[0] as SessionRow | undefined;
  if (!transactionRow || !sessionRow) return null;
  const row = { ...transactionRow, ...sessionRow };
  return { transactionRow, row, session: toUssdSession(sealing, row) };
}

const factsOf = ({ status, overdue }: UssdSession, attempts: readonly Row[] = []): UssdFacts => ({
  status,
  overdue,
  attempts: attempts as unknown as CountedAttempt[],
  obstacle: null,
  isOrdered: false,
});

/** Whether this order allows to pay the session without a PIN. It is read under the lock of the session. */
function isOrdered({ id: resourceId, partnerId }: UssdSession, [row]: readonly Row[], now: Date): boolean {
  const order = row && toHandOrder(row as unknown as HandOrderRow);
  const asked = { kind: 'pay_ussd', verdict: 'confirmed', partnerId, resourceId } as const;
  return handOrderRefusal(order, asked, now) === null;
}

function walk(status: UssdStatus, trigger: UssdTrigger): UssdStatus {
  const after = next(USSD_MACHINE, status, trigger);
  assert(after, `${trigger} is possible in ${status}`);
  return after;
}

/**
 * The transaction as the session's triggers leave it; null where they do not change it.
 * @param now the time of the commit in the database, which its row will have.
 */
function follow(
  transaction: Transaction,
  triggers: readonly UssdTrigger[],
  failedReason: string | null,
  now: Date,
): Transaction | null {
  const trigger = triggers.map((one) => TRANSACTION_TRIGGER[one]).find((one) => one !== undefined);
  if (!trigger) return null;
  const status = next(USSD_PAYMENT_MACHINE, transaction.status, trigger);
  assert(status, `a ${transaction.status} transaction can follow its session`);
  return { ...transaction, status, failedReason, updatedAt: now };
}

function payerIn([row]: readonly Row[], rules: UssdRules): Payer {
  assert(row, 'a payer has a wallet');
  const { status, available_kobo, pin_hash, wrong_in_a_row } = row as unknown as PayerRow;
  const isSet = pin_hash !== null || rules.hasSandboxPin;
  const isLocked = (wrong_in_a_row ?? 0) >= PIN_WRONG_IN_A_ROW_MAX;
  const pin = isLocked ? 'locked' : isSet ? 'set' : 'not_set';
  return { status, availableKobo: available_kobo, pin };
}

type LockedTransaction = TransactionRow & Row & { now: Date };
type SessionRow = Omit<UssdSessionRow, 'amount_kobo' | 'reference'> & Row;

interface PayerRow {
  status: WalletStatus;
  available_kobo: number;
  pin_hash: string | null;
  wrong_in_a_row: number | null;
}

/**
 * The transaction is found through the session and locked first, as the ledger's writer does it, so that the two
 * cannot deadlock. The attempts are read after the locks, so all that were counted before are seen. The clock is
 * read after the first lock. Otherwise a move could begin to wait before the deadline and be made after a reader
 * was told that the session has expired.
 */
const statements = perSchema((schema) => {
  const sessions = `${schema}.ussd_sessions`;
  return {
    lockTransaction: {
      text: `SELECT *, now()::timestamptz(3) AS now FROM ${schema}.transactions
        WHERE id = (SELECT transaction_id FROM ${sessions} WHERE id = $1 AND partner_id = $2)
          FOR NO KEY UPDATE`,
    },
    lockSession: {
      text: `SELECT *, expires_at <= clock_timestamp() AS overdue FROM ${sessions} WHERE id = $1 AND partner_id = $2
          FOR NO KEY UPDATE`,
    },
    attempts: {
      text: `SELECT id, outcome, counted_at < now() - ${VERIFYING_MS} * interval '1 millisecond' AS abandoned
         FROM ${schema}.ussd_pin_attempts WHERE session_id = $1 ORDER BY number`,
    },
    payer: {
      text: `SELECT ${effectiveStatus('a')} AS status, a.balance_kobo - ${setAsideNow(schema, 'a')} AS available_kobo, p.pin_hash, p.wrong_in_a_row
         FROM ${schema}.accounts a LEFT JOIN ${schema}.wallet_pins p ON p.wallet_id = a.id
        WHERE a.id = (SELECT payer_wallet FROM ${sessions} WHERE id = $1 AND partner_id = $2)`,
    },
    order: { text: `SELECT * FROM ${schema}.hand_orders WHERE id = $1` },
    useOrder: { text: `UPDATE ${schema}.hand_orders SET used_at = now() WHERE id = $1` },
    moveSession: {
      text: `UPDATE ${sessions} SET status = $3, failure_reason = $4, updated_at = now()
        WHERE id = $1 AND status = $2`,
    },
    moveTransaction: {
      text: `UPDATE ${schema}.transactions SET status = $3, failed_reason = $4, updated_at = now()
        WHERE id = $1 AND status = $2`,
    },
  };
});
