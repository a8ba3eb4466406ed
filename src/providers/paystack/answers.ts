/**
 * What Paystack's answers mean. An answer that is in no row is `unknown`, which is never a failure (D57). The rows come
 * from Paystack's public pages (API reference; "How transfers work"; "Rate limits"; its list of errors). An order is
 * called refused only by a row, because only then has Paystack certainly not taken it.
 */
import { z } from 'zod';
import type { NameAnswer, PayoutOrder, QueryOutcome } from '../../domain/payouts';
import { NOTHING_TOLD, type Facts, type Queried, type Submitted } from '../port';
import type { PaystackReply } from './client';

/** The money of which world an answer is about. A key of one world must never hear of the other. */
export type Domain = 'live' | 'test';

/** How Paystack knows the destination of an order. */
export interface Destination {
  bankCode: string;
  accountNumber: string;
}

/** The states of a transfer. All but the pending ones are final for Paystack. */
const TRANSFER_STATES: ReadonlyMap<string, { outcome: QueryOutcome; reason: string | null }> = new Map([
  ['success', { outcome: 'success', reason: null }],
  ['pending', { outcome: 'pending', reason: null }],
  ['received', { outcome: 'pending', reason: null }],
  ['otp', { outcome: 'pending', reason: null }],
  ['failed', { outcome: 'failed', reason: 'The payment provider could not pay the transfer' }],
  ['abandoned', { outcome: 'failed', reason: 'The payment provider did not get a confirmation in time' }],
  ['blocked', { outcome: 'failed', reason: 'The payment provider did not get an approval in time' }],
  ['rejected', { outcome: 'failed', reason: 'The transfer was not approved at the payment provider' }],
  ['reversed', { outcome: 'reversed', reason: 'Returned by the bank' }],
]);

/** The transfer waits until a person of ours has typed the code that Paystack has sent (its setting "Confirm transfers"). */
const NEEDS_AUTHORIZATION = 'otp';

/** Statuses of HTTP with which Paystack turns a request away before it looks at it. */
export const TURNED_AWAY: ReadonlyMap<number, string> = new Map([
  [401, 'Paystack does not take the secret key'],
  [403, 'Paystack does not allow the request'],
  [429, 'Paystack gets too many requests'],
]);

type RefusedOrder = { outcome: 'exists' } | { outcome: 'refused'; cause: 'float' | 'access' };
const TOO_LITTLE_FLOAT: RefusedOrder = { outcome: 'refused', cause: 'float' };

/** The codes of a 400 to an order. */
const REFUSED_BY_CODE: ReadonlyMap<string, RefusedOrder> = new Map([
  ['duplicate_transfer_reference', { outcome: 'exists' }],
]);

/** The same by the message, where the public pages give no code. Both spellings are in Paystack's list of errors. */
const REFUSED_BY_MESSAGE: ReadonlyMap<string, RefusedOrder> = new Map<string, RefusedOrder>([
  ['Please provide a unique reference. Reference already exists on a transfer', { outcome: 'exists' }],
  ['Your balance is not enough to fulfill this request', TOO_LITTLE_FLOAT],
  ['Your balance is not enough to fulfil this request', TOO_LITTLE_FLOAT],
  ['You cannot initiate third party payouts as a starter business', { outcome: 'refused', cause: 'access' }],
]);

const NO_SUCH_ACCOUNT = 'Could not resolve account name';

const resolvedSchema = z.object({ account_number: z.string(), account_name: z.string().trim().min(1) });

const recipientSchema = z.object({
  recipient_code: z.string().min(1),
  details: z.object({ account_number: z.string(), bank_code: z.string() }),
});

/** The examples of Paystack's pages differ in what they have. What is there must be ours. */
const orderedSchema = z.object({
  transfer_code: z.string().min(1).nullish(),
  status: z.string(),
  reference: z.string().nullish(),
  amount: z.int().nullish(),
  domain: z.string().nullish(),
});

const transferSchema = z.object({
  transfer_code: z.string().min(1),
  status: z.string(),
  reference: z.string(),
  amount: z.int(),
  currency: z.literal('NGN'),
  domain: z.string(),
  recipient: z.object({ details: recipientSchema.shape.details }),
  session: z.object({ id: z.string().min(1).nullish() }).nullish(),
  fee_charged: z.int().min(0).nullish(),
});

const balancesSchema = z.array(z.unknown());
/** A row in another currency may have any form, and says nothing of our naira. */
const nairaBalance = z.object({ currency: z.literal('NGN'), balance: z.int().min(0) });
const inNaira = z.object({ currency: z.literal('NGN') });

type Answered = Extract<PaystackReply, { kind: 'answered' }>;

/** The data of an answer that says that all went well; undefined for every other answer, and for other data. */
export function dataOf<Data>(
  reply: PaystackReply,
  statuses: readonly number[],
  schema: z.ZodType<Data>,
): Data | undefined {
  if (reply.kind !== 'answered' || !statuses.includes(reply.status) || reply.body?.status !== true) {
    return undefined;
  }
  return schema.safeParse(reply.body.data).data;
}

const facts = (more: Partial<Facts>): Facts => ({ ...NOTHING_TOLD, ...more });
/** Why nothing is known, for the people who run the platform. It holds no text of Paystack's. */
const inShort = ({ status, body }: Answered): string =>
  `Paystack answered HTTP ${status}${body ? '' : ' without its JSON'}`;

/** When Paystack takes requests again, where it gets too many. Nothing of anybody is sent before. */
const whenOpen = ({ resetsAfterMs }: Answered) => ({
  pollAfterMs: resetsAfterMs,
  closedForMs: resetsAfterMs,
});

const noConnection = ({ cause }: Exclude<PaystackReply, Answered>): string =>
  `There is no connection to Paystack: ${cause}`;
const ANOTHER_TRANSFER = 'Paystack answered about another transfer';

/** What the answer to a name enquiry means. @param asked the account that was asked about. */
export function readName(reply: PaystackReply, asked: Destination): NameAnswer {
  const resolved = dataOf(reply, [200], resolvedSchema);
  if (resolved?.account_number === asked.accountNumber) return { found: resolved.account_name };
  const isMissing =
    reply.kind === 'answered' && reply.status === 422 && reply.body?.message.startsWith(NO_SUCH_ACCOUNT);
  return isMissing ? 'not_found' : 'unknown';
}

/**
 * Our balance in naira, as kobo.
 * @throws Error for every other answer.
 */
export function readBalance(reply: PaystackReply): number {
  const rows = dataOf(reply, [200], balancesSchema)?.filter((row) => inNaira.safeParse(row).success) ?? [];
  const told = rows.length === 1 ? nairaBalance.safeParse(rows[0]).data : undefined;
  if (told) return told.balance;
  throw new Error(
    reply.kind === 'answered' ? `${inShort(reply)}, and no balance in naira` : noConnection(reply),
  );
}

/**
 * The recipient that stands for a destination; null where Paystack has not given one, or has given another one. No
 * money moves by that, so an order that needs it is provably not sent.
 */
export function readRecipient(reply: PaystackReply, to: Destination): string | null {
  const recipient = dataOf(reply, [200, 201], recipientSchema);
  return recipient && isSame(recipient.details, to) ? recipient.recipient_code : null;
}

/**
 * The account behind a recipient's code; null where Paystack knows no such recipient.
 * @throws Error for every other answer.
 */
export function readRecipientAccount(reply: PaystackReply, code: string): Destination | null {
  const found = dataOf(reply, [200], recipientSchema);
  if (found?.recipient_code === code) {
    return { bankCode: found.details.bank_code, accountNumber: found.details.account_number };
  }
  if (reply.kind === 'answered' && reply.status === 404 && reply.body?.status === false) return null;
  throw new Error(reply.kind === 'answered' ? `${inShort(reply)}, and no recipient` : noConnection(reply));
}

/**
 * What is told of an order that Paystack has certainly not taken.
 * @param reply to the order, or to the request that must come before it; null where there was none.
 */
export function notSentBecause(reply: PaystackReply | null): Submitted {
  if (reply?.kind !== 'answered') {
    const reason = reply ? noConnection(reply) : 'Paystack has not answered before the order';
    return { ...facts({ reason }), outcome: 'not_sent' };
  }
  const reason = TURNED_AWAY.get(reply.status) ?? inShort(reply);
  return { ...facts({ reason, ...whenOpen(reply) }), outcome: 'not_sent' };
}

/** What the answer to an order means. */
export function readSubmitted(reply: PaystackReply, order: PayoutOrder, domain: Domain): Submitted {
  if (reply.kind === 'not connected' || TURNED_AWAY.has(reply.status)) return notSentBecause(reply);
  const taken = dataOf(reply, [200], orderedSchema);
  if (taken) {
    const isOurs =
      (taken.reference ?? order.reference) === order.reference &&
      (taken.amount ?? order.amountKobo) === order.amountKobo &&
      (taken.domain ?? domain) === domain;
    if (!isOurs) return { ...facts({ reason: ANOTHER_TRANSFER }), outcome: 'unknown' };
    // In test mode the end is known at once.
    const pollAfterMs = taken.status === 'success' ? 0 : null;
    const needsAuthorization = taken.status === NEEDS_AUTHORIZATION;
    const told = { providerRef: taken.transfer_code ?? null, pollAfterMs, needsAuthorization };
    return { ...facts(told), outcome: 'accepted' };
  }
  const row = reply.status === 400 ? rowOf(reply) : undefined;
  return { ...facts({ reason: inShort(reply), ...whenOpen(reply) }), ...(row ?? { outcome: 'unknown' }) };
}

function rowOf({ body }: Answered): RefusedOrder | undefined {
  if (body?.status !== false) return undefined;
  return REFUSED_BY_CODE.get(body.code ?? '') ?? REFUSED_BY_MESSAGE.get(body.message.trim());
}

/**
 * What the answer to a question about an order means. An answer about another amount, another destination, or the other
 * world is `unknown`: it may not end the transfer.
 */
export function readQueried(
  reply: PaystackReply,
  order: PayoutOrder,
  to: Destination,
  domain: Domain,
): Queried {
  if (reply.kind === 'not connected') {
    return { ...facts({ reason: noConnection(reply) }), outcome: 'unknown' };
  }
  const found = dataOf(reply, [200], transferSchema);
  if (!found) {
    // While Paystack is still checking an order, it says that there is none.
    const isMissing = reply.status === 404 && reply.body?.status === false;
    const told = facts({ reason: inShort(reply), ...whenOpen(reply) });
    return { ...told, outcome: isMissing ? 'not_found' : 'unknown' };
  }
  const isOurs =
    found.reference === order.reference &&
    found.amount === order.amountKobo &&
    found.domain === domain &&
    isSame(found.recipient.details, to);
  const state = TRANSFER_STATES.get(found.status);
  if (!isOurs) return { ...facts({ reason: ANOTHER_TRANSFER }), outcome: 'unknown' };
  const told = facts({
    providerRef: found.transfer_code,
    sessionId: found.session?.id ?? null,
    feeKobo: found.fee_charged ?? null,
    needsAuthorization: found.status === NEEDS_AUTHORIZATION,
  });
  return { ...told, ...(state ?? { outcome: 'unknown', reason: 'Paystack told a new kind of status' }) };
}

const isSame = (details: { account_number: string; bank_code: string }, to: Destination): boolean =>
  details.account_number === to.accountNumber && details.bank_code === to.bankCode;
