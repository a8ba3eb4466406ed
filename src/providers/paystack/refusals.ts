/**
 * The refusals of Paystack: its answers 400 and 422, which say that a request was not fulfilled. The rows come from its
 * public pages (list of errors; "How transfers work") and, for codes that the pages do not give, from integrators. They hold
 * for an order, for the recipient that is made before it, and for the name of an account.
 */
import type { RefusalCause } from '../../domain/payouts';
import { folded } from '../../domain/plain-text';
import type { PaystackReply } from './client';

type Answered = Extract<PaystackReply, { kind: 'answered' }>;

export type RefusedOrder =
  | { outcome: 'exists' }
  | { outcome: 'refused'; cause: Exclude<RefusalCause, 'beneficiary'> }
  /** The reason is what the partner reads. */
  | { outcome: 'refused'; cause: 'beneficiary'; reason: string };

/** The statuses of HTTP with which Paystack says that it has not fulfilled a request. */
const NOT_FULFILLED: readonly number[] = [400, 422];

const TOO_LITTLE_FLOAT: RefusedOrder = { outcome: 'refused', cause: 'float' };
const NO_ACCESS: RefusedOrder = { outcome: 'refused', cause: 'access' };
const OVER_LIMIT: RefusedOrder = { outcome: 'refused', cause: 'limit' };
const beneficiary = (reason: string): RefusedOrder => ({ outcome: 'refused', cause: 'beneficiary', reason });

const NO_SUCH_BANK = beneficiary('The bank code of the destination is not valid');
const NO_SUCH_NUMBER = beneficiary('The account number of the destination is not valid');
const NO_SUCH_RECIPIENT = beneficiary('The destination account is not valid');

const BY_CODE: ReadonlyMap<string, RefusedOrder> = new Map([
  ['duplicate_transfer_reference', { outcome: 'exists' }],
  ['insufficient_balance', TOO_LITTLE_FLOAT],
  ['invalid_transfer_recipient', NO_SUCH_RECIPIENT],
  ['invalid_bank_code', NO_SUCH_BANK],
  ['invalid_account_number', NO_SUCH_NUMBER],
]);

/** By the whole message, as `plain` writes it. Where its pages have several spellings, all of them are here. */
const BY_MESSAGE: ReadonlyMap<string, RefusedOrder> = new Map<string, RefusedOrder>([
  ['please provide a unique reference. reference already exists on a transfer', { outcome: 'exists' }],
  ['your balance is not enough to fulfill this request', TOO_LITTLE_FLOAT],
  ['your balance is not enough to fulfil this request', TOO_LITTLE_FLOAT],
  ['you cannot initiate third party payouts as a starter business', NO_ACCESS],
  ['you cannot initiate third party payouts at this time', NO_ACCESS],
]);

/** By the beginning of the message: its pages write what follows in several ways. */
const BY_BEGINNING: readonly (readonly [beginning: RegExp, row: RefusedOrder])[] = [
  [
    /^(sorry, )?(we )?can('t| ?not) make (the|this) transfer to this recipient/,
    beneficiary('The payment provider makes no transfers to this recipient'),
  ],
  [/^account (is |has been )?closed/, beneficiary('The destination account is closed')],
  [/^(could not|cannot|unable to) resolve account/, beneficiary('The destination account was not found')],
  [/^account number is (invalid|required)/, NO_SUCH_NUMBER],
  [/^invalid account number/, NO_SUCH_NUMBER],
  [/^(bank|bank[ _]code) is (invalid|required)/, NO_SUCH_BANK],
  [/^(unknown|invalid) bank code/, NO_SUCH_BANK],
  [/^(transfer )?recipient (specified )?is invalid/, NO_SUCH_RECIPIENT],
  [/^(sorry, )?the (maximum|minimum) amount you (may|can) (send|transfer)/, OVER_LIMIT],
];

const plain = (message: string): string => folded(message).trim().toLowerCase();

/** Whether Paystack itself says, in its own form, that it has not fulfilled the request. */
export const saysNo = ({ status, body }: Answered): boolean =>
  NOT_FULFILLED.includes(status) && body?.status === false;

/** What a refusal means; undefined for one that is in no row, and for every other answer. */
export function refusalIn(reply: Answered): RefusedOrder | undefined {
  if (!saysNo(reply)) return undefined;
  const { code, message } = { code: reply.body?.code ?? '', message: plain(reply.body?.message ?? '') };
  // The words say more than the code: "could not resolve" has the code of a bank that is not known.
  return (
    BY_MESSAGE.get(message) ??
    BY_BEGINNING.find(([beginning]) => beginning.test(message))?.[1] ??
    BY_CODE.get(code)
  );
}

/** Whether Paystack does not know the recipient that it has given for an account: somebody may have deleted it. */
export const refusesRecipient = (reply: PaystackReply): boolean =>
  reply.kind === 'answered' && refusalIn(reply) === NO_SUCH_RECIPIENT;

/** Whether a refusal says that there is no such account, or none that takes money. */
export const refusesBeneficiary = (
  row: RefusedOrder | undefined,
): row is Extract<RefusedOrder, { cause: 'beneficiary' }> =>
  row?.outcome === 'refused' && row.cause === 'beneficiary';
