/**
 * What Monnify's answers mean. An answer that is in no row is `unknown`, which is never a failure (D57). The rows come from
 * Monnify's public pages (disbursements, webhooks); those of the D-codes from integrators, so they are few, and a code is
 * believed only in a refusal with a status of 4xx.
 */
import { z } from 'zod';
import type { ListedBank } from '../../domain/bank-lists';
import { koboOfNaira, type Kobo } from '../../domain/money';
import type { NameAnswer, PayoutOrder, QueryOutcome } from '../../domain/payouts';
import { NoListError } from '../lists';
import { NOTHING_TOLD, saidCodeOf, type Facts, type Queried, type Submitted } from '../port';
import type { MonnifyReply } from './client';

const TRANSFER_STATES: ReadonlyMap<string, { outcome: QueryOutcome; reason: string | null }> = new Map([
  ['SUCCESS', { outcome: 'success', reason: null }],
  ['COMPLETED', { outcome: 'success', reason: null }],
  ['PENDING', { outcome: 'pending', reason: null }],
  ['AWAITING_PROCESSING', { outcome: 'pending', reason: null }],
  ['IN_PROGRESS', { outcome: 'pending', reason: null }],
  ['PENDING_AUTHORIZATION', { outcome: 'pending', reason: null }],
  ['OTP_EMAIL_DISPATCH_FAILED', { outcome: 'pending', reason: null }],
  ['FAILED', { outcome: 'failed', reason: 'The payment provider could not pay the transfer' }],
  ['EXPIRED', { outcome: 'failed', reason: 'The payment provider did not get a confirmation in time' }],
  ['REVERSED', { outcome: 'reversed', reason: 'Returned by the bank' }],
]);

/** The transfer waits until a person of ours has typed the code that Monnify sends by mail, or failed to send. */
const NEED_AUTHORIZATION: ReadonlySet<string> = new Set([
  'PENDING_AUTHORIZATION',
  'OTP_EMAIL_DISPATCH_FAILED',
]);

/** Monnify takes no second order with the same account and amount for two minutes. */
const TWIN_WAITS_MS = 130_000;

type RefusedOrder =
  | { outcome: 'exists' | 'not_sent'; pollAfterMs: number | null }
  | { outcome: 'refused'; cause: 'float' | 'access'; pollAfterMs: null };

const REFUSED_BY_CODE: ReadonlyMap<string, RefusedOrder> = new Map<string, RefusedOrder>([
  ['D01', { outcome: 'refused', cause: 'access', pollAfterMs: null }],
  ['D03', { outcome: 'refused', cause: 'access', pollAfterMs: null }],
  ['D04', { outcome: 'refused', cause: 'float', pollAfterMs: null }],
  ['D05', { outcome: 'exists', pollAfterMs: null }],
  ['D06', { outcome: 'not_sent', pollAfterMs: null }],
  ['D07', { outcome: 'not_sent', pollAfterMs: TWIN_WAITS_MS }],
]);
const NOT_FOUND = 'D02';

/** With these statuses Monnify says that it has looked at a request and does not do it. */
const NOT_FULFILLED: readonly number[] = [400, 422];

/**
 * Monnify compares the name of the destination with that of the account before it takes an order, and answers 400 where it is
 * missing or another one ("Account name now mandatory"). Its pages give no code for that, so the words are looked at.
 */
const ABOUT_THE_NAME = /\bname\b|accountname/i;
const NAME_REFUSED = {
  outcome: 'refused',
  cause: 'beneficiary',
  reason: 'The name of the destination account is missing or is another one',
} as const;

/** Monnify's words for an account that there is not, where the code says only that something went wrong. */
const NO_SUCH_ACCOUNT =
  /(could not|cannot|unable to) (find|resolve|validate) (the |this )?account|account (number )?(is )?(invalid|not found|does not exist)|invalid account/i;

/** Statuses of HTTP with which Monnify turns a request away before it looks at it. */
export const TURNED_AWAY: ReadonlyMap<number, string> = new Map([
  [401, 'Monnify does not take our token'],
  [403, 'Monnify does not allow the request'],
  [429, 'Monnify gets too many requests'],
]);

/** Monnify writes amounts as numbers or as texts, such as `"100.00"`. */
export const nairaSchema = z.union([z.number(), z.string().regex(/^[0-9]{1,13}(\.[0-9]{1,2})?$/)]);
export const koboIn = (naira: z.infer<typeof nairaSchema>): Kobo | null => koboOfNaira(Number(naira));

const orderedSchema = z.object({ status: z.string(), reference: z.string(), amount: z.number() });
const transferSchema = orderedSchema.extend({
  transactionReference: z.string().min(1).nullish(),
  currency: z.literal('NGN').nullish(),
  fee: z.number().nullish(),
  destinationAccountNumber: z.string(),
  destinationBankCode: z.string(),
});
const nameSchema = z.object({ accountNumber: z.string(), accountName: z.string().trim().min(1) });
const pageSchema = z.object({ content: z.array(z.unknown()) });
const balanceSchema = z.object({ availableBalance: nairaSchema });
/** The code by which Monnify takes a bank, and the one of NIP. It lists banks that lack one of them, which are passed over. */
const banksSchema = z.array(z.unknown());
const bankCode = z.union([z.string().trim().min(1), z.int().min(100).transform(String)]);
const bankSchema = z.object({
  code: bankCode,
  nipBankCode: bankCode.nullish().catch(null),
  name: z.string().trim().min(1).catch(''),
});

type Answered = Extract<MonnifyReply, { kind: 'answered' }>;

const facts = (more: Partial<Facts>): Facts => ({ ...NOTHING_TOLD, ...more });

/** The body of an answer that says that all went well; undefined for every other answer, and for another body. */
export function bodyOf<Data>(reply: MonnifyReply, schema: z.ZodType<Data>): Data | undefined {
  if (reply.kind !== 'answered' || reply.status !== 200 || reply.body?.requestSuccessful !== true) {
    return undefined;
  }
  return schema.safeParse(reply.body.responseBody).data;
}

/** Whether Monnify says by itself that there is no such thing; a 404 of something on the way is not that. */
export const saysThereIsNone = (reply: MonnifyReply): boolean =>
  reply.kind === 'answered' && reply.status === 404 && reply.body?.requestSuccessful === false;

/** The code of a refusal; null for every other answer. */
const refusalCode = ({ status, body }: Answered): string | null =>
  body?.requestSuccessful === false && status >= 400 && status < 500 ? body.responseCode : null;

/** When Monnify takes requests again, where it has said so. Nothing of anybody is sent before. */
const whenOpen = ({ resetsAfterMs }: MonnifyReply): Partial<Facts> =>
  resetsAfterMs === null ? {} : { pollAfterMs: resetsAfterMs, closedForMs: resetsAfterMs };

/** Why nothing is known. It holds no text of Monnify's. */
export const inShort = (reply: MonnifyReply): string =>
  reply.kind === 'answered'
    ? `Monnify answered HTTP ${String(reply.status)}${reply.body ? '' : ' without its JSON'}`
    : `Nothing was sent to Monnify: ${reply.cause}`;

/** The code of an answer, or its status where it has none. */
const codeOf = (reply: MonnifyReply): Pick<Facts, 'saidCode'> => ({
  saidCode: reply.kind === 'answered' ? saidCodeOf(reply.body?.responseCode, reply.status) : null,
});

/** Whether Monnify itself says, in its own form, that it does not do what was asked. */
const saysNo = ({ status, body }: Answered): boolean =>
  NOT_FULFILLED.includes(status) && body?.requestSuccessful === false;

const aboutAnother = (what: 'transfer' | 'amount', more: Partial<Facts> = {}) =>
  ({
    ...facts({ ...more, reason: `Monnify answered about another ${what}`, isAboutAnother: true }),
    outcome: 'unknown',
  }) as const;

/** What its refusal of an order means; undefined for an answer that is in no row. */
const refusalIn = (reply: Answered): RefusedOrder | typeof NAME_REFUSED | undefined =>
  REFUSED_BY_CODE.get(refusalCode(reply) ?? '') ??
  (reply.status === 400 && saysNo(reply) && ABOUT_THE_NAME.test(reply.body?.responseMessage ?? '')
    ? NAME_REFUSED
    : undefined);

/** What the answer to a name enquiry means. @param accountNumber the one that was asked about. */
export function readName(reply: MonnifyReply, accountNumber: string): NameAnswer {
  const found = bodyOf(reply, nameSchema);
  if (found?.accountNumber === accountNumber) return { found: found.accountName };
  if (reply.kind !== 'answered') return 'unknown';
  const code = refusalCode(reply);
  const isMissing =
    code === NOT_FOUND || (code !== null && NO_SUCH_ACCOUNT.test(reply.body?.responseMessage ?? ''));
  return isMissing ? 'not_found' : 'unknown';
}

/** What the answer to an order means. */
export function readSubmitted(reply: MonnifyReply, order: PayoutOrder): Submitted {
  const wait = whenOpen(reply);
  if (reply.kind !== 'answered') {
    return { ...facts({ reason: inShort(reply), ...wait }), outcome: 'not_sent' };
  }
  const away = TURNED_AWAY.get(reply.status);
  if (away !== undefined) {
    return { ...facts({ reason: away, ...codeOf(reply), ...wait }), outcome: 'not_sent' };
  }
  const taken = bodyOf(reply, orderedSchema);
  if (taken) {
    if (taken.reference !== order.reference) return aboutAnother('transfer');
    if (koboOfNaira(taken.amount) !== order.amountKobo) return aboutAnother('amount');
    const needsAuthorization = NEED_AUTHORIZATION.has(taken.status);
    return { ...facts({ needsAuthorization }), outcome: 'accepted' };
  }
  const row = refusalIn(reply);
  const told = facts({
    reason: inShort(reply),
    code: row ? refusalCode(reply) : null,
    ...codeOf(reply),
    ...wait,
  });
  if (row) return { ...told, ...row };
  return { ...told, outcome: 'unknown', ...(saysNo(reply) && { saysNo: true }) };
}

/**
 * What the answer to a question means. One about another amount or destination is `unknown`.
 * @param bankCodes the codes by which the bank of the order may be known.
 */
export function readQueried(reply: MonnifyReply, order: PayoutOrder, bankCodes: readonly string[]): Queried {
  const found = bodyOf(reply, transferSchema);
  if (!found) {
    const isMissing = reply.kind === 'answered' && refusalCode(reply) === NOT_FOUND;
    const away = reply.kind === 'answered' ? TURNED_AWAY.get(reply.status) : undefined;
    const told = facts({ reason: away ?? inShort(reply), ...codeOf(reply), ...whenOpen(reply) });
    return { ...told, outcome: isMissing ? 'not_found' : 'unknown' };
  }
  const saidCode = saidCodeOf(found.status, 200);
  const isSameTransfer =
    found.reference === order.reference &&
    found.destinationAccountNumber === order.accountNumber &&
    bankCodes.includes(found.destinationBankCode);
  if (!isSameTransfer) return aboutAnother('transfer', { saidCode });
  if (koboOfNaira(found.amount) !== order.amountKobo) return aboutAnother('amount', { saidCode });
  const told = facts({
    saidCode,
    providerRef: found.transactionReference ?? null,
    feeKobo: koboOfNaira(found.fee),
    needsAuthorization: NEED_AUTHORIZATION.has(found.status),
  });
  const state = TRANSFER_STATES.get(found.status);
  return { ...told, ...(state ?? { outcome: 'unknown', reason: 'Monnify told a new kind of status' }) };
}

/** Our balance in kobo. @throws Error for every answer that does not tell it. */
export function readBalance(reply: MonnifyReply): Kobo {
  const told = bodyOf(reply, balanceSchema);
  const kobo = told ? koboIn(told.availableBalance) : null;
  if (kobo === null) throw new Error(`${inShort(reply)}, and no balance`);
  return kobo;
}

/**
 * The banks that Monnify pays to: for each code of a bank, also its code of NIP, the code that Monnify takes. A row without its
 * own code names a bank that cannot be paid to.
 * @throws Error for every answer that is no list.
 */
export function readBanks(reply: MonnifyReply): ReadonlyMap<string, string> {
  const banks = readBankRows(reply);
  const own = banks.map(({ code }): [string, string] => [code, code]);
  const byNip = banks.flatMap(({ code, nipBankCode }): [string, string][] =>
    nipBankCode == null ? [] : [[nipBankCode, code]],
  );
  // Where two rows share a code, Monnify's own code of a bank says which one is meant.
  return new Map([...byNip, ...own]);
}

/** The rows of Monnify's list of banks. @throws Error for every answer that is no list. */
function readBankRows(reply: MonnifyReply) {
  const rows = bodyOf(reply, banksSchema);
  if (!rows) throw new Error(`${inShort(reply)}, and no banks`);
  return rows.flatMap((row) => bankSchema.safeParse(row).data ?? []);
}

/** The same list as a list of banks. @throws Error for every answer that is no list. */
export const readListedBanks = (reply: MonnifyReply): ListedBank[] =>
  readBankRows(reply).map(({ code, nipBankCode, name }) => ({ code, nipCode: nipBankCode ?? null, name }));

/** The rows of a page of one of Monnify's lists. @throws Error for every other answer. */
export function readPage(reply: MonnifyReply, what: string): readonly unknown[] {
  const page = bodyOf(reply, pageSchema);
  if (!page) throw new NoListError(`Monnify has not told ${what} (${inShort(reply)})`);
  return page.content;
}
