/**
 * What follows from the answers of the company that pays a bank transfer out. Two tables decide it: one for the
 * answer to an order, one for the answer to a question about it. No other code decides about a payout.
 *
 * The rule behind both: money is given back only while no order of ours can still be paid. An order whose answer
 * was lost is asked about, and is sent again, under the same reference, only after the company has said that it
 * knows no such reference (D57).
 */

import { present } from './assert';
import type { Kobo } from './money';
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

/** An answer to an order; a refusal always says why. */
export type SubmitAnswer =
  { outcome: Exclude<SubmitOutcome, 'refused'> } | { outcome: 'refused'; cause: RefusalCause };

/**
 * What the platform knows about the order of a transfer.
 * - `unsent`: the company provably has no order.
 * - `unsure`: an order was sent and its answer was lost, so it may be paid.
 * - `accepted`: the company has said that it has the order.
 */
type Standing = 'unsent' | 'unsure' | 'accepted';
/** The standings in which an order may be sent. In `unsure` it is sent again only after `not_found`. */
export type SendingStanding = Exclude<Standing, 'accepted'>;
/** The standings in which there is something to ask about. */
export type AskingStanding = Exclude<Standing, 'unsent'>;

/** What is done next about a transfer. */
export type PayoutStep =
  | { next: 'submit'; standing: SendingStanding }
  | { next: 'query'; standing: AskingStanding }
  | { next: 'complete' }
  | { next: 'fail' };

const SEND_LATER: PayoutStep = { next: 'submit', standing: 'unsent' };
const SEND_AGAIN: PayoutStep = { next: 'submit', standing: 'unsure' };
const ASK_WHETHER_IT_ARRIVED: PayoutStep = { next: 'query', standing: 'unsure' };
const ASK_HOW_IT_ENDED: PayoutStep = { next: 'query', standing: 'accepted' };
const COMPLETE: PayoutStep = { next: 'complete' };
const FAIL: PayoutStep = { next: 'fail' };

/**
 * After an order was answered. A refusal and a `not_sent` are about this order alone. They say nothing about an
 * earlier order whose answer was lost, so the standing stays `unsure`. A problem with our own float, limit or
 * access never fails the customer's transfer: the order waits until people have solved the problem.
 */
const AFTER_SUBMIT: Record<
  Exclude<SubmitOutcome, 'refused'> | `refused: ${RefusalCause}`,
  Record<SendingStanding, PayoutStep>
> = {
  accepted: { unsent: ASK_HOW_IT_ENDED, unsure: ASK_HOW_IT_ENDED },
  exists: { unsent: ASK_HOW_IT_ENDED, unsure: ASK_HOW_IT_ENDED },
  unknown: { unsent: ASK_WHETHER_IT_ARRIVED, unsure: ASK_WHETHER_IT_ARRIVED },
  not_sent: { unsent: SEND_LATER, unsure: ASK_WHETHER_IT_ARRIVED },
  'refused: beneficiary': { unsent: FAIL, unsure: ASK_WHETHER_IT_ARRIVED },
  'refused: float': { unsent: SEND_LATER, unsure: ASK_WHETHER_IT_ARRIVED },
  'refused: limit': { unsent: SEND_LATER, unsure: ASK_WHETHER_IT_ARRIVED },
  'refused: access': { unsent: SEND_LATER, unsure: ASK_WHETHER_IT_ARRIVED },
};

/**
 * After a question was answered. `reversed` before we booked the end of the transfer is a failure: the
 * money is back. `not_found` about an accepted order proves nothing, because companies answer it while they are
 * still checking the order.
 */
const AFTER_QUERY: Record<QueryOutcome, Record<AskingStanding, PayoutStep>> = {
  success: { unsure: COMPLETE, accepted: COMPLETE },
  failed: { unsure: FAIL, accepted: FAIL },
  reversed: { unsure: FAIL, accepted: FAIL },
  pending: { unsure: ASK_HOW_IT_ENDED, accepted: ASK_HOW_IT_ENDED },
  not_found: { unsure: SEND_AGAIN, accepted: ASK_HOW_IT_ENDED },
  unknown: { unsure: ASK_WHETHER_IT_ARRIVED, accepted: ASK_HOW_IT_ENDED },
};

/** What is done after the company's answer to an order that was sent in this standing. */
export function afterSubmit(standing: SendingStanding, answer: SubmitAnswer): PayoutStep {
  const row = answer.outcome === 'refused' ? (`refused: ${answer.cause}` as const) : answer.outcome;
  return AFTER_SUBMIT[row][standing];
}

/** What is done after the company's answer to a question that was asked in this standing. */
export const afterQuery = (standing: AskingStanding, outcome: QueryOutcome): PayoutStep =>
  AFTER_QUERY[outcome][standing];

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

const PREFIX = 'tx-';

/** Under this reference the company knows a transfer; an order under it is paid once, however often it is sent. */
export const payoutReference = (transactionId: string): string => PREFIX + transactionId;

/** The transfer that a payout's reference names; null for a reference that is none of ours. */
export const transferOfPayout = (reference: string): string | null =>
  reference.startsWith(PREFIX) ? reference.slice(PREFIX.length) : null;

/** A payout to a bank account. */
export interface PayoutOrder {
  /** Our reference: 39 characters of a-z, 0-9 and `-`. */
  reference: string;
  /** The company's own id of the payout; null until the company has told us one. */
  providerRef: string | null;
  amountKobo: Kobo;
  bankCode: string;
  accountNumber: string;
  /** The beneficiary's name as the sender wrote it. */
  accountName: string;
  /** Never empty; the adapter shortens it to what its company takes. */
  narration: string;
  senderName: string;
}

/** The order of a bank transfer. @param senderName the owner of the wallet that pays. */
export function payoutOrder(transfer: Transaction, senderName: string): PayoutOrder {
  const { bankCode, accountNumber, accountName } = present<BankAccount>(
    transfer.destAccount,
    'the destination of a bank transfer',
  );
  return {
    reference: payoutReference(transfer.id),
    providerRef: transfer.pspReference,
    amountKobo: transfer.amountKobo,
    bankCode,
    accountNumber,
    accountName,
    narration: transfer.description || `Transfer from ${senderName}`,
    senderName,
  };
}

/** Whether a person may not fail a transfer after this answer: its money has gone out, or may still go out. */
export const forbidsFailing = (said: QueryOutcome): boolean => said === 'success' || said === 'pending';
