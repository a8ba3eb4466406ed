/**
 * Callbacks: what a provider reports without being asked (D115), compared with our books. A callback never moves
 * money. It is a reason to ask the provider now, or a contradiction that people look at (D57).
 */
import type { Finding } from './findings';
import { kindOf } from './kinds';
import { CURRENCY, type Kobo } from './money';
import { keptCallbackOf } from './sandbox-scenarios';
import type { Transaction, TransactionStatus } from './transactions';

export const CALLBACK_OUTCOMES = ['success', 'failed', 'reversed'] as const;
export type CallbackOutcome = (typeof CALLBACK_OUTCOMES)[number];

/** A callback as it was signed, with the outcome that the provider reports. */
export interface CallbackNotice {
  eventId: string;
  /** What the provider calls our transfer: the id that we gave it. */
  transferName: string;
  /** Which attempt of the transfer it is about (`Attempt.n`); null where the provider knows only transfers. */
  attemptNumber: number | null;
  providerReference: string;
  outcome: string;
  amountKobo: Kobo;
  currency: string;
  occurredAt: Date;
}

/** The workflow that a callback is for: the one that ends a transfer, or the one that takes it back. */
export type CallbackReceiver = 'bankTransfer' | 'bankReturn';

type Meaning = 'ask' | 'ask whether it came back' | 'agrees' | 'contradicts';

/**
 * What an outcome means for a transfer in each state. "failed" and "reversed" both agree with a failed transfer:
 * the money is with its sender. A success after that is a contradiction, and never a second debit.
 */
const MEANINGS: Record<CallbackOutcome, Partial<Record<TransactionStatus, Meaning>>> = {
  success: { processing: 'ask', completed: 'agrees', failed: 'contradicts', reversed: 'agrees' },
  failed: { processing: 'ask', completed: 'contradicts', failed: 'agrees', reversed: 'agrees' },
  reversed: {
    processing: 'ask',
    completed: 'ask whether it came back',
    failed: 'agrees',
    reversed: 'agrees',
  },
};

type Said = Pick<
  CallbackNotice,
  'attemptNumber' | 'providerReference' | 'outcome' | 'amountKobo' | 'currency'
>;

/** The attempt that a callback names. */
export interface ReportedAttempt {
  /** The company's own id of the payout, as far as we know it. */
  providerRef: string | null;
  /** False where another attempt came after it, so this one had provably no order and is not to be paid. */
  isLast: boolean;
}

/**
 * The workflow that should ask the provider because of this callback; null if there is nothing to ask.
 * @param attempt the one that the callback names; null if it names none, or one that we do not have.
 */
export function receiverOf(
  said: Said,
  transfer: Transaction,
  attempt: ReportedAttempt | null,
): CallbackReceiver | null {
  if (mismatchOf(said, transfer, attempt)) return null;
  const meaning = meaningOf(said, transfer, attempt);
  if (meaning === 'ask') return 'bankTransfer';
  return meaning === 'ask whether it came back' ? 'bankReturn' : null;
}

/**
 * Compares a callback with its transfer, and with the attempt that it names: a late callback about an earlier attempt is
 * not compared with the one that came after it.
 * @returns what is wrong; null if nothing is wrong; `open` if the two can only be compared when the transfer has
 * ended; `late` if the provider says that it has paid an order that was given up, about which it is asked.
 */
export function compareCallback(
  callback: Said & { id: string; eventId: string; provider: string },
  transfer: Transaction | null,
  attempt: ReportedAttempt | null,
): Finding | 'open' | 'late' | null {
  // What people ask the company about: it knows its own reference, and none of our ids.
  const detail = {
    event_id: callback.eventId,
    outcome: callback.outcome,
    provider: callback.provider,
    provider_reference: callback.providerReference,
    kobo: callback.amountKobo,
  };
  if (!transfer) return { class: 'provider_unknown', resource: callback.id, detail };
  const mismatch = mismatchOf(callback, transfer, attempt);
  const meaning = meaningOf(callback, transfer, attempt);
  if (!mismatch && meaning === 'agrees') return null;
  if (!mismatch && meaning !== 'contradicts') return 'open';
  if (!mismatch && attempt && callback.outcome === 'success') return 'late';
  const asksForIt = !mismatch && callback.outcome === keptCallbackOf(transfer.scenario)?.outcome;
  return {
    class: 'provider_contradiction',
    resource: transfer.id,
    detail: {
      ...detail,
      about: mismatch ?? 'outcome',
      status: transfer.status,
      ...(asksForIt && { rehearsed: transfer.scenario }),
    },
  };
}

/** Whether a partner has asked in its sandbox for what was found, so that nobody has to look at it. */
export const isRehearsed = ({ detail }: Finding): boolean => 'rehearsed' in detail;

const isKnown = (outcome: string): outcome is CallbackOutcome =>
  (CALLBACK_OUTCOMES as readonly string[]).includes(outcome);

function meaningOf(said: Said, transfer: Transaction, attempt: ReportedAttempt | null): Meaning {
  if (!isKnown(said.outcome)) return 'contradicts';
  if (attempt?.isLast === false) return said.outcome === 'success' ? 'contradicts' : 'agrees';
  return MEANINGS[said.outcome][transfer.status] ?? 'contradicts';
}

/** What shows that the callback cannot be about this transfer, however the transfer ended. */
function mismatchOf(said: Said, transfer: Transaction, attempt: ReportedAttempt | null): string | null {
  if (kindOf(transfer.type).life.endedBy !== 'provider') return 'type';
  if (!isKnown(said.outcome)) return 'outcome';
  if (said.amountKobo !== transfer.amountKobo) return 'amount';
  if (said.currency !== CURRENCY) return 'currency';
  if (said.attemptNumber !== null && !attempt) return 'attempt';
  const reference = attempt ? attempt.providerRef : transfer.pspReference;
  return reference !== null && reference !== said.providerReference ? 'reference' : null;
}
