/**
 * What follows from the answers of the companies that pay bank transfers out. A transfer is paid by attempts, each
 * through one company and under one reference. Two tables decide about an attempt: one for the answer to an order,
 * one for the answer to a question about it. No other code decides about a payout.
 *
 * The rule behind both: money is given back, and another company is used, only while no order of ours can still be
 * paid. An order whose answer was lost is asked about. It is sent again, to the same company and under the same
 * reference, only after the company has said that it knows no such reference (D57).
 */

import { present } from './assert';
import type { Kobo } from './money';
import { PURPOSES } from './payout-instructions';
import { asciiOf } from './plain-text';
import type { BankAccount, Transaction } from './transactions';

/** Why a company refuses an order that it has not accepted. Only the first is about the customer's transfer. */
export const REFUSAL_CAUSES = ['beneficiary', 'float', 'limit', 'access'] as const;
export type RefusalCause = (typeof REFUSAL_CAUSES)[number];

/**
 * What a company answers to an order. `exists`: the company had this reference before. `not_sent`: the company has
 * provably not taken the order.
 */
export const SUBMIT_OUTCOMES = ['accepted', 'exists', 'not_sent', 'refused', 'unknown'] as const;
export type SubmitOutcome = (typeof SUBMIT_OUTCOMES)[number];

/** What a company answers when it is asked about an order. */
export const QUERY_OUTCOMES = ['success', 'failed', 'reversed', 'pending', 'not_found', 'unknown'] as const;
export type QueryOutcome = (typeof QUERY_OUTCOMES)[number];

/**
 * An answer to an order; a refusal always says why. `saysNo`: the company itself has answered that it does not do it, for a
 * reason that no table of ours has. That alone proves nothing (`declined`).
 */
export type SubmitAnswer =
  | { outcome: Exclude<SubmitOutcome, 'refused'>; saysNo?: true }
  | { outcome: 'refused'; cause: RefusalCause };

/**
 * The states of an attempt to pay a transfer through one company.
 * - `sending`: no company has said that it has the order. It may have it all the same while a POST is open.
 * - `accepted`: the company has the order.
 * - `refused`: the company provably has no order, and gets none any more. Another attempt may follow.
 * - `released`: an order may have arrived, and the company will not pay it: it asks us before it pays, and is told no;
 *   or people have its statement. Another attempt may follow. Final.
 * - `failed`: the company has the order and will not pay it. Final, and so is the transfer.
 * - `failed_over`: the same, and another attempt may follow, through another company (R47). Final.
 * - `succeeded`: the company has paid. Final.
 */
export const ATTEMPT_STATES = [
  'sending',
  'accepted',
  'refused',
  'released',
  'failed',
  'failed_over',
  'succeeded',
] as const;
type AttemptState = (typeof ATTEMPT_STATES)[number];
/** Another attempt may follow one in these states. */
export const FOLLOWED: readonly AttemptState[] = ['refused', 'released', 'failed_over'];
/** Those of them whose company has had an order, or may have had one: it is asked later whether it has paid all the same. */
export const GIVEN_UP: readonly AttemptState[] = FOLLOWED.filter((state) => state !== 'refused');
/** A transfer has at most one attempt in any of these states, which Postgres keeps as well. */
export const STATES_OF_ONE: readonly AttemptState[] = ATTEMPT_STATES.filter(
  (state) => !FOLLOWED.includes(state),
);

/**
 * Why an attempt has ended as refused: the company's words, or that nobody took the order in time, or (`declined`) that the
 * company has said no for a reason that we do not know, and then that it has no such order.
 */
export const ATTEMPT_CAUSES = [...REFUSAL_CAUSES, 'hold', 'declined'] as const;
type AttemptCause = (typeof ATTEMPT_CAUSES)[number];

/** What a company has told about a payout; null where it has not told it. */
export interface PayoutFacts {
  /** The company's own id of the payout. */
  providerRef: string | null;
  sessionId: string | null;
  /** The response code in the rail's own words. */
  code: string | null;
  /** What the company charges us for the payout. */
  feeKobo: Kobo | null;
  /** The stamp duty that the company has taken from our balance for the payout. */
  dutyKobo: Kobo | null;
  /** The company has the order, and pays it only when a person of ours has confirmed it there. */
  needsAuthorization: boolean | null;
}

/** An answer of a company as an attempt keeps it. */
export interface Told extends PayoutFacts {
  outcome: SubmitOutcome | QueryOutcome;
  /** In our own fixed words; never the company's text, which may name people. */
  reason: string | null;
  /** The company's code of the answer, as it stands. */
  saidCode: string | null;
}

/** One attempt to pay a transfer. It stays with the company that it was begun with. */
export interface Attempt extends PayoutFacts {
  /** 1 for the first attempt of a transfer. */
  n: number;
  provider: string;
  state: AttemptState;
  begunAt: Date;
  /**
   * How many orders were sent whose answer was lost, or proves nothing: the company may have them, or they may be on their
   * way. An order that was answered with a no is not one of them.
   */
  openPosts: number;
  /** When the last of these orders was sent. One that was answered does not count, however often it is sent. */
  sentAt: Date;
  /** When the company last answered an order with a no that is in no table; null where it did not. */
  declinedAt: Date | null;
  /** The cause of the last refusal; null where the last answer was no refusal. */
  cause: AttemptCause | null;
  /** When the company first said that the payout had failed, if it has said nothing else since. */
  failedAt: Date | null;
  /** False until the company has said so. */
  needsAuthorization: boolean;
  /** The last answer, with the company's code and our words for it; null before the first one. */
  said: Told['outcome'] | null;
  saidCode: string | null;
  saidReason: string | null;
}

/** An attempt as operators read it. */
export interface AttemptRecord extends Attempt {
  transactionId: string;
  /** When the company asked before it paid, and was told to pay. */
  approvedAt: Date | null;
  updatedAt: Date;
}

/** An attempt that has not ended, wherever it is. */
export interface OpenAttempt extends Pick<
  Attempt,
  'n' | 'provider' | 'state' | 'openPosts' | 'cause' | 'begunAt' | 'needsAuthorization'
> {
  partnerId: string;
  transactionId: string;
  amountKobo: Kobo;
}

/** What is open with one company in one cell. */
export interface OpenWithCompany {
  provider: string;
  /** Attempts of which the company provably has no order; they are sent later. */
  waiting: number;
  /** Attempts with an order of unknown fate. */
  unknown: number;
  /** Attempts that the company has accepted. */
  accepted: number;
  /** Accepted attempts that a person of ours has to confirm there. */
  toAuthorize: number;
  /** When the oldest of these attempts was begun, and the oldest one of unknown fate. */
  oldestAt: Date;
  unknownOldestAt: Date | null;
  toAuthorizeOldestAt: Date | null;
}

/** A bank transfer of which provably no company has an order. */
export interface UntakenTransfer {
  partnerId: string;
  transactionId: string;
  amountKobo: Kobo;
  createdAt: Date;
  /** The company of its last attempt, and why that was refused; null where there is none. */
  provider: string | null;
  cause: Attempt['cause'];
}

/** So long after a company has said `failed` for the first time, the same answer is the second key. */
export const SECOND_KEY_AFTER_MS = 60_000;

/** A further order is about to be sent. Only an attempt that is `sending` may send one. */
export const withOpenPost = (attempt: Attempt, now: Date): Attempt =>
  attempt.state === 'sending' ? { ...attempt, openPosts: attempt.openPosts + 1, sentAt: now } : attempt;

/**
 * An attempt one of whose orders was answered, so that it is not on its way any more.
 * @param order that order: what was sent before it counts again, unless another one was sent since.
 */
const withAnswered = (attempt: Attempt, order: Sending | undefined): Attempt => ({
  ...attempt,
  openPosts: attempt.openPosts - 1,
  sentAt: order && attempt.sentAt.getTime() === order.at.getTime() ? order.before : attempt.sentAt,
});

/** An order under way: when it was noted, and what `sentAt` was before. */
interface Sending {
  at: Date;
  before: Date;
}

type AnswerRow = 'accepts' | 'proves nothing' | 'was not taken';
/**
 * What an answer says about the order that it answers. It says nothing about an earlier order whose answer was
 * lost, which stays open.
 */
const AFTER_SUBMIT: Record<SubmitOutcome, AnswerRow> = {
  accepted: 'accepts',
  exists: 'accepts',
  unknown: 'proves nothing',
  not_sent: 'was not taken',
  refused: 'was not taken',
};

/**
 * An attempt after one of its orders was answered. It is `refused` at once only where the company does not take the
 * beneficiary, and no other order of the attempt is open. A problem with our own float, limit or access never fails
 * the customer's transfer.
 * @param isDoubtful the database may have forgotten an order of the attempt (see `nextStep`).
 * @param order the order that was answered; absent where it was noted with the attempt.
 * @param now when it was answered.
 */
export function afterSubmit(
  attempt: Attempt,
  answer: SubmitAnswer,
  isDoubtful: boolean,
  { order, now }: { order?: Sending; now: Date },
): Attempt {
  if (attempt.state !== 'sending') return attempt;
  switch (AFTER_SUBMIT[answer.outcome]) {
    case 'accepts':
      return { ...attempt, state: 'accepted', cause: null };
    case 'proves nothing':
      return answer.outcome === 'unknown' && answer.saysNo === true
        ? { ...withAnswered(attempt, order), declinedAt: now }
        : attempt;
    case 'was not taken': {
      const answered = withAnswered(attempt, order);
      const cause = answer.outcome === 'refused' ? answer.cause : null;
      const isOver = cause === 'beneficiary' && isUnsent(answered, isDoubtful);
      return { ...answered, cause, state: isOver ? 'refused' : 'sending' };
    }
  }
}

type QueryRow = 'has succeeded' | 'has failed' | 'is there' | 'proves nothing';
/**
 * What the answer to a question says about an attempt that is not final. `reversed` before we have booked the end of
 * the transfer is a failure: the money is back. `not_found` proves nothing at all, because companies answer it while
 * they are still checking an order.
 */
const AFTER_QUERY: Record<QueryOutcome, QueryRow> = {
  success: 'has succeeded',
  failed: 'has failed',
  reversed: 'has failed',
  pending: 'is there',
  not_found: 'proves nothing',
  unknown: 'proves nothing',
};

/**
 * An attempt after the company was asked about it. A failure has two keys: a company may say `failed` while the bank
 * has given no definite answer. So a second question must get the same answer a minute later, or a callback of the
 * company must have said it too.
 * @param asked.at when the question was asked: the answer may be heard much later.
 * @param asked.hasSecondKey there is a callback that says so, or the company's `failed` is always final.
 * @param asked.failsOver another company is to try, once this one has failed for good. It is decided in the same change, so
 *   that nobody gives the money back meanwhile.
 */
export function afterQuery(
  attempt: Attempt,
  outcome: QueryOutcome,
  asked: { at: Date; now: Date; hasSecondKey: boolean; failsOver: boolean },
): Attempt {
  if (isFinal(attempt)) return attempt;
  switch (AFTER_QUERY[outcome]) {
    case 'has succeeded':
      return { ...attempt, state: 'succeeded' };
    case 'has failed': {
      const { failedAt } = attempt;
      const isLater = failedAt && asked.at.getTime() - failedAt.getTime() >= SECOND_KEY_AFTER_MS;
      if (isLater || asked.hasSecondKey) {
        return { ...attempt, state: asked.failsOver ? 'failed_over' : 'failed' };
      }
      return { ...attempt, state: 'accepted', failedAt: failedAt ?? asked.now };
    }
    case 'is there':
      return { ...attempt, state: 'accepted', failedAt: null };
    case 'proves nothing':
      return attempt;
  }
}

/**
 * Whether the company provably has no order of an attempt that it has answered with a no of its own: every order of it was
 * answered, and afterwards the company says that it knows no such reference.
 * @param asked.at when the question was asked, which must be after the last no.
 */
const isDeclined = (
  { state, openPosts, declinedAt }: Attempt,
  asked: { outcome: QueryOutcome; at: Date; isDoubtful: boolean },
): boolean =>
  state === 'sending' &&
  openPosts === 0 &&
  declinedAt !== null &&
  asked.outcome === 'not_found' &&
  asked.at >= declinedAt &&
  !asked.isDoubtful;

/**
 * An attempt that its company has declined; the same attempt where that is not proved.
 * @param isFollowed whether another company tries. Otherwise the money is given back.
 */
export const declined = (
  attempt: Attempt,
  asked: { outcome: QueryOutcome; at: Date; isDoubtful: boolean; isFollowed: boolean },
): Attempt =>
  isDeclined(attempt, asked)
    ? { ...attempt, state: 'refused', cause: asked.isFollowed ? null : 'declined' }
    : attempt;

/** Whether the company may get the order of this attempt again, under the same reference (D57). */
export const maySendAgain = ({ state }: Attempt, outcome: QueryOutcome): boolean =>
  state === 'sending' && outcome === 'not_found';

/**
 * An attempt that is given up because its company provably has no order; the same attempt where that is not proved.
 * From then on the attempt sends nothing more.
 * @param cause `hold` where no other attempt may follow.
 */
export function withoutOrder(attempt: Attempt, isDoubtful: boolean, cause = attempt.cause): Attempt {
  return isUnsent(attempt, isDoubtful) ? { ...attempt, state: 'refused', cause } : attempt;
}

/**
 * An order is sent within this time after its open POST was noted, or not at all. So a process that slept sends nothing
 * after its attempt was released.
 */
export const SENT_WITHIN_MS = 5 * 60_000;

/**
 * An attempt of which nothing is known is released when it is as old as this: by then every order that was sent has
 * long arrived or been lost, and the company has finished its checks.
 */
export const RELEASED_AFTER_MS = 15 * 60_000;

/**
 * Whether people must find out what became of a transfer, because the database was restored after one of its attempts
 * could have been released. It may have forgotten the release, and the attempt that followed. Only an attempt that a
 * company had accepted before cannot have been followed.
 * @param hasForgotten the transfer was that old when the database was restored.
 */
export const mayBeFollowed = (attempts: readonly Attempt[], hasForgotten: boolean): boolean => {
  const last = attempts.at(-1);
  return (
    hasForgotten &&
    (!last || last.state === 'sending' || (FOLLOWED.includes(last.state) && !endsTransfer(last)))
  );
};

/**
 * Whether an attempt may be released, where its company says `not_found`. After a restore the database may have
 * forgotten that the company was told to pay, so nothing is released then.
 */
export const mayBeReleased = ({ state, begunAt }: Attempt, isDoubtful: boolean, now: Date): boolean =>
  state === 'sending' && !isDoubtful && now.getTime() - begunAt.getTime() >= RELEASED_AFTER_MS;

/** Whether no order of an attempt can be on its way any more: none was sent lately whose answer is not known. */
export const isQuiet = ({ sentAt }: Attempt, now: Date): boolean =>
  now.getTime() - sentAt.getTime() >= RELEASED_AFTER_MS;

/** An attempt that is given up although an order of it may arrive; the same attempt where its company has the order. */
export const released = (attempt: Attempt): Attempt =>
  attempt.state === 'sending' ? { ...attempt, state: 'released' } : attempt;

/** Whether the attempt goes on, and the company provably has no order of it. */
export const isUnsent = (
  { state, openPosts, declinedAt }: Pick<Attempt, 'state' | 'openPosts' | 'declinedAt'>,
  isDoubtful: boolean,
): boolean => state === 'sending' && openPosts === 0 && declinedAt === null && !isDoubtful;

/**
 * The last answer of a company. That it knows no order which it has declined says less than why it has declined it.
 */
const saidIn = (attempt: Attempt, told: Told): Pick<Attempt, 'said' | 'saidCode' | 'saidReason'> =>
  attempt.declinedAt !== null && told.outcome === 'not_found'
    ? attempt
    : { said: told.outcome, saidCode: told.saidCode ?? told.code, saidReason: told.reason };

/** An attempt with what its company has told in addition. The first id of a payout stays. */
export const withFacts = (attempt: Attempt, told: Told): Attempt =>
  isFinal(attempt)
    ? attempt
    : {
        ...attempt,
        providerRef: attempt.providerRef ?? told.providerRef,
        sessionId: told.sessionId ?? attempt.sessionId,
        code: told.code ?? attempt.code,
        feeKobo: told.feeKobo ?? attempt.feeKobo,
        dutyKobo: told.dutyKobo ?? attempt.dutyKobo,
        needsAuthorization: told.needsAuthorization ?? attempt.needsAuthorization,
        ...pickSaid(saidIn(attempt, told)),
      };

const pickSaid = ({ said, saidCode, saidReason }: Pick<Attempt, 'said' | 'saidCode' | 'saidReason'>) => ({
  said,
  saidCode,
  saidReason,
});

const isFinal = ({ state }: Attempt): boolean => state !== 'sending' && state !== 'accepted';

/** What is done next about a transfer. */
export type PayoutStep =
  /** A new attempt is begun. */
  { next: 'open'; n: number } | { next: 'send' | 'ask' | 'complete' | 'fail'; attempt: Attempt };

/** Which refusals end the transfer. After the others another attempt may follow. */
const ENDS_TRANSFER: Record<AttemptCause, boolean> = {
  beneficiary: true,
  float: false,
  limit: false,
  access: false,
  hold: true,
  declined: true,
};

/** Whether no other attempt may follow a refused one. */
export const endsTransfer = ({ state, cause }: Attempt): boolean =>
  state === 'refused' && cause !== null && ENDS_TRANSFER[cause];

/**
 * @param attempts those of one transfer, the first one first.
 * @param isDoubtful the database was restored after the transfer was made. So it may have forgotten orders, and a
 *   company is asked before anything is sent.
 */
export function nextStep(attempts: readonly Attempt[], isDoubtful: boolean): PayoutStep {
  const attempt = attempts.at(-1);
  if (!attempt) return { next: 'open', n: 1 };
  switch (attempt.state) {
    case 'sending':
      return { next: isUnsent(attempt, isDoubtful) ? 'send' : 'ask', attempt };
    case 'accepted':
      return { next: 'ask', attempt };
    case 'refused':
      return endsTransfer(attempt) ? { next: 'fail', attempt } : { next: 'open', n: attempt.n + 1 };
    case 'released':
    case 'failed_over':
      return { next: 'open', n: attempt.n + 1 };
    case 'failed':
      return { next: 'fail', attempt };
    case 'succeeded':
      return { next: 'complete', attempt };
  }
}

/**
 * Whether people must find out which company has an order: the database may have forgotten an attempt through one of
 * several companies.
 * @param configured all companies that pay out, whether they can be used now or not.
 */
export const isSomewhere = (configured: readonly string[], isDoubtful: boolean): boolean =>
  isDoubtful && configured.length > 1;

/**
 * The company of the next attempt: the one after the company of the last attempt, in turn.
 * @param companies those that can pay the transfer now, the preferred one first.
 * @returns null where none can.
 */
export function nextCompany(
  companies: readonly string[],
  attempts: readonly Pick<Attempt, 'provider'>[],
): string | null {
  const last = companies.indexOf(attempts.at(-1)?.provider ?? '');
  return companies[(last + 1) % companies.length] ?? null;
}

/** Whether only people can remove the cause of a refusal: our float, our limit, or our access to the company. */
export const needsPeople = (answer: SubmitAnswer): boolean =>
  answer.outcome === 'refused' && answer.cause !== 'beneficiary';

/** What the answer about a completed transfer means, after the company had said that it came back (D30). */
export const RETURN_MEANINGS: Record<QueryOutcome, 'returned' | 'contradicted' | 'not known'> = {
  reversed: 'returned',
  success: 'contradicted',
  failed: 'contradicted',
  pending: 'not known',
  not_found: 'not known',
  unknown: 'not known',
};

/**
 * Under this reference a company knows an attempt: 41 or more characters of a-z, 0-9 and `-`. However often an order
 * is sent under it, it is paid once.
 */
export const payoutReference = (transactionId: string, n: number): string =>
  `tx-${transactionId}-${String(n)}`;

const REFERENCE = /^tx-([0-9a-f-]{36})-([1-9][0-9]{0,8})$/;

/** The attempt that a payout's reference names; null for a reference that is none of ours. */
export function attemptOfPayout(reference: string): { transactionId: string; n: number } | null {
  const [, transactionId, n] = REFERENCE.exec(reference) ?? [];
  return transactionId === undefined ? null : { transactionId, n: Number(n) };
}

/** The transfer that a payout's reference names; null for a reference that is none of ours. */
export const transferOfPayout = (reference: string): string | null =>
  attemptOfPayout(reference)?.transactionId ?? null;

/** A payout to a bank account. */
export interface PayoutOrder {
  /** Our reference (`payoutReference`). */
  reference: string;
  /** The company's own id of the payout; null until the company has told us one. */
  providerRef: string | null;
  amountKobo: Kobo;
  bankCode: string;
  accountNumber: string;
  /** The beneficiary's name as its bank has told it; as the partner wrote it where the bank has told none. */
  accountName: string;
  /** One line of plain letters, never empty; the adapter shortens it to what its company takes. */
  narration: string;
  originator: Originator;
  /** What the transfer is for, as a code of ISO 20022. */
  purposeCode: string;
  /** The same for every attempt of one transfer, so that the banks know it as one: 32 characters of 0-9 and a-f. */
  endToEndId: string;
}

/** Who pays: the wallet of our customer, as its bank knows it. */
export interface Originator {
  name: string;
  /** Null where the wallet has no account number. */
  accountNumber: string | null;
  bankCode: string | null;
}

/** @param sender the wallet; its name is null once its owner was erased, and the partner stands for it. */
export const originatorOf = (
  { name, accountNumber, bankCode }: { name: string | null } & Omit<Originator, 'name'>,
  businessName: string,
): Originator => ({ name: name ?? businessName, accountNumber, bankCode });

/** Parts of an order beside amount, account and narration. A company says which of them it carries. */
export const ORDER_PARTS = ['originator', 'purpose', 'end_to_end_id'] as const;
export type OrderPart = (typeof ORDER_PARTS)[number];

/**
 * The order of a bank transfer.
 * @param told the name that the bank has told for the account; null where the transfer has it already, or nobody has.
 */
export function payoutOrder(
  transfer: Transaction,
  originator: Originator,
  { n, providerRef }: Pick<Attempt, 'n' | 'providerRef'>,
  told: string | null = null,
): PayoutOrder {
  const account = present<BankAccount>(transfer.destAccount, 'the destination of a bank transfer');
  return {
    reference: payoutReference(transfer.id, n),
    providerRef,
    amountKobo: transfer.amountKobo,
    bankCode: account.bankCode,
    accountNumber: account.accountNumber,
    accountName: told ?? account.resolvedName ?? account.accountName,
    narration:
      narrationOf(transfer.description) || `Transfer from ${narrationOf(originator.name) || 'a wallet'}`,
    originator,
    purposeCode: PURPOSES[account.purpose ?? 'other'],
    endToEndId: transfer.id.replaceAll('-', ''),
  };
}

/** One line in letters that every bank prints; empty where none of it has a letter or a digit then. */
function narrationOf(text: string): string {
  // A blank without width parts two words all the same.
  const plain = asciiOf(text.replaceAll('\u200b', ' '), ' ').replace(/ +/g, ' ').trim();
  return /[A-Za-z0-9]/.test(plain) ? plain : '';
}

/** The attempt of a transfer of which no attempt is noted: the first one, through the preferred company. */
export const UNKNOWN_ATTEMPT = { n: 1, provider: null, providerRef: null } as const;

/** What the bank of an account answers when it is asked for its holder's name. */
export type NameAnswer = { found: string } | 'not_found' | 'unknown';

/** Whether a person may not fail a transfer after this answer: its money has gone out, or may still go out. */
export const forbidsFailing = (said: QueryOutcome): boolean => said === 'success' || said === 'pending';
