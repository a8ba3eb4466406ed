/**
 * A USSD payment: the session in which a payer dials a code, confirms and enters the wallet PIN, and the
 * machine of its status (interface: States; D31, D33, D34; R18).
 */
import type { Kobo } from './money';
import { next, type Row } from './machine';
import { PIN_ATTEMPTS_MAX, type PinOutcome } from './pins';
import { refuse, type Refused } from './outcome';
import type { UssdPaymentTrigger } from './transactions';
import { PAYER_REFUSALS, type WalletStatus } from './wallets';

export const USSD_STATUSES = [
  'initiated',
  'menu_main',
  'pin_entry',
  'processing',
  'completed',
  'failed',
  'expired',
] as const;
export type UssdStatus = (typeof USSD_STATUSES)[number];

/** `obstruct`: at the menu it is already known that the debit would be refused (D73). */
export type UssdTrigger =
  | 'dial'
  | 'confirm'
  | PinOutcome
  | 'cancel'
  | 'obstruct'
  | 'expire'
  | 'debited'
  | 'refused';

/** In `processing` the debit has begun, so a cancel comes too late and is refused (D34). */
export const USSD_MACHINE: readonly Row<UssdStatus, UssdTrigger>[] = [
  ['initiated', 'dial', 'menu_main'],
  ['menu_main', 'confirm', 'pin_entry'],
  ['pin_entry', 'pin_rejected', 'pin_entry'],
  ['pin_entry', 'pin_accepted', 'processing'],
  ['pin_entry', 'pin_exhausted', 'failed'],
  ['pin_entry', 'pin_locked', 'failed'],
  ['initiated', 'obstruct', 'failed'],
  ['initiated', 'cancel', 'failed'],
  ['menu_main', 'cancel', 'failed'],
  ['pin_entry', 'cancel', 'failed'],
  ['initiated', 'expire', 'expired'],
  ['menu_main', 'expire', 'expired'],
  ['pin_entry', 'expire', 'expired'],
  ['processing', 'debited', 'completed'],
  ['processing', 'refused', 'failed'],
];

/** What a move of the session does to its transaction. Every other move leaves it `pending`. */
export const TRANSACTION_TRIGGER: Readonly<Partial<Record<UssdTrigger, UssdPaymentTrigger>>> = {
  pin_accepted: 'pin_accepted',
  pin_exhausted: 'ended',
  pin_locked: 'ended',
  obstruct: 'ended',
  cancel: 'ended',
  expire: 'expire',
};

/** The user may still act. */
export const isOpen = (status: UssdStatus): boolean =>
  status === 'initiated' || status === 'menu_main' || status === 'pin_entry';
export const isFinal = (status: UssdStatus): boolean => !isOpen(status) && status !== 'processing';

/** The refusal of a request to a session that is not open any more (D34, D73). */
export const notOpen = (status: UssdStatus): Refused =>
  refuse(status === 'expired' ? 'USSD_SESSION_EXPIRED' : 'USSD_SESSION_NOT_ACTIVE');

export interface UssdSession {
  id: string;
  partnerId: string;
  transactionId: string;
  payerWalletId: string;
  merchantWalletId: string;
  /** What the payer reads on the screen. */
  merchantName: string;
  /** The only phone that may dial; null if the partner named none (D70). */
  phone: string | null;
  /** The six digits after the service's own code (D25). */
  dialCode: string;
  status: UssdStatus;
  pinAttempts: number;
  failureReason: string | null;
  amountKobo: Kobo;
  reference: string;
  createdAt: Date;
  expiresAt: Date;
  /** Whether its three minutes are over by the clock of the database, whatever its status is. */
  overdue: boolean;
  completedAt: Date | null;
}

export const attemptsLeft = (session: Pick<UssdSession, 'pinAttempts'>): number =>
  PIN_ATTEMPTS_MAX - session.pinAttempts;

/** What makes two requests with one reference the same payment (D45). */
export const ussdTerms = (payment: {
  payerWalletId: string;
  merchantWalletId: string;
  amountKobo: Kobo;
}): string =>
  JSON.stringify(['ussd_payment', payment.payerWalletId, payment.merchantWalletId, payment.amountKobo]);

/** What the user, the sandbox or the clock asks of a session. */
export type UssdMove =
  | { kind: 'dial' | 'confirm' | 'cancel' | 'expire' }
  /** The sandbox's confirm, without a PIN (D34). What orders it is in its row, as with a PIN. */
  | { kind: 'simulate'; orderId: string }
  /** The attempt's outcome is in its row: neither digits nor outcome travel with the message (D75). */
  | { kind: 'pin'; attemptId: string };

/** A PIN attempt that was counted. While it has no outcome, the PIN is being checked. */
export interface CountedAttempt {
  id: string;
  outcome: PinOutcome | null;
  /** It has had no outcome for so long that the process which counted it must have ended. */
  abandoned: boolean;
}

/** The facts by which a move is decided, read under the lock of the session. */
export interface UssdFacts {
  status: UssdStatus;
  overdue: boolean;
  attempts: readonly CountedAttempt[];
  /** Why the debit would be refused at this moment. */
  obstacle: string | null;
  /** Whether a hand order of the sandbox allows to pay without a PIN. */
  isOrdered: boolean;
}

/** The triggers to follow, in order, and why the session fails, if it does. Without a trigger nothing changes. */
export interface UssdDecision {
  triggers: readonly UssdTrigger[];
  failureReason: string | null;
}

/** The sandbox goes through the same states as a payer (D34). */
const PAYING: readonly UssdTrigger[] = ['dial', 'confirm', 'pin_accepted'];

/**
 * Decides a move. If the same move is sent again, the session has moved on already and nothing changes. The window
 * cannot be extended, but a PIN that was counted within it is honoured after it (R18), and one that was accepted before
 * everything that is asked for later.
 */
export function decideUssd(facts: UssdFacts, asked: UssdMove): UssdDecision {
  if (!isOpen(facts.status)) return NOTHING;
  // The payer was told that the payment is being processed, whatever is asked for afterwards.
  const accepted = facts.attempts.find(({ outcome }) => outcome === 'pin_accepted');
  if (accepted) return byAttempt(facts, accepted.id);
  if (asked.kind === 'pin') return byAttempt(facts, asked.attemptId);
  if (facts.overdue) return expiry(facts);
  switch (asked.kind) {
    case 'expire':
      return NOTHING;
    case 'dial':
      return facts.status === 'initiated' && facts.obstacle !== null
        ? follow(facts, ['obstruct'], facts.obstacle)
        : follow(facts, ['dial']);
    case 'confirm':
      return follow(facts, ['confirm']);
    case 'cancel':
      return follow(facts, ['cancel'], 'CANCELLED');
    case 'simulate': {
      if (!facts.isOrdered) return NOTHING;
      const first = PAYING.findIndex((trigger) => next(USSD_MACHINE, facts.status, trigger) !== null);
      return follow(facts, PAYING.slice(first));
    }
  }
}

/** Why a session failed by its PIN. */
const PIN_FAILURES: Readonly<Partial<Record<PinOutcome, string>>> = {
  pin_exhausted: 'WRONG_PIN',
  pin_locked: 'PIN_LOCKED',
};

const NOTHING: UssdDecision = { triggers: [], failureReason: null };

function byAttempt(facts: UssdFacts, attemptId: string): UssdDecision {
  const outcome = facts.attempts.find(({ id }) => id === attemptId)?.outcome;
  return outcome ? follow(facts, [outcome], PIN_FAILURES[outcome] ?? null) : NOTHING;
}

/** An attempt that was counted in time decides: one that was accepted has done so already. As long as its PIN is being checked, the session waits. */
function expiry(facts: UssdFacts): UssdDecision {
  const decisive = facts.attempts.find(({ outcome }) => outcome !== null && outcome !== 'pin_rejected');
  if (decisive) return byAttempt(facts, decisive.id);
  const underWay = facts.attempts.some(({ outcome, abandoned }) => outcome === null && !abandoned);
  return underWay ? NOTHING : follow(facts, ['expire']);
}

/** The triggers, if the machine allows them from here. */
function follow(
  facts: UssdFacts,
  triggers: readonly UssdTrigger[],
  failureReason: string | null = null,
): UssdDecision {
  const [first] = triggers;
  return first && next(USSD_MACHINE, facts.status, first) ? { triggers, failureReason } : NOTHING;
}

/** What is checked before the menu offers to confirm (D73, D74). */
export interface Payer {
  status: WalletStatus;
  /** Without what holds have set aside. */
  availableKobo: Kobo;
  pin: 'set' | 'not_set' | 'locked';
}

/** The code of the refusal that this payer would get now; null if the payment would be accepted. */
export function obstacleOf(payer: Payer, amountKobo: Kobo): string | null {
  const state = PAYER_REFUSALS[payer.status];
  if (state) return state;
  if (payer.pin !== 'set') return payer.pin === 'locked' ? 'PIN_LOCKED' : 'PIN_NOT_SET';
  return payer.availableKobo < amountKobo ? 'INSUFFICIENT_FUNDS' : null;
}
