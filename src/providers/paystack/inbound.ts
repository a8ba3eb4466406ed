/**
 * What Paystack says of payments to dedicated accounts. The fields come from its public pages (Dedicated virtual accounts;
 * API reference, Transaction). A state that is in no row is `unknown`, which is never taken for a no (D57).
 */
import { z } from 'zod';
import { bankWritten, type Bank } from '../../domain/banks';
import type { ConfirmOutcome } from '../../domain/inbound';
import type { Confirmed } from '../port';
import { dataOf, type Domain } from './answers';
import type { PaystackReply } from './client';

/** The way in which money comes to an account number. */
const DEDICATED_NUBAN = 'dedicated_nuban';

/** The states of a transaction. A reversed one has gone back to who has paid it. */
const TRANSACTION_STATES: ReadonlyMap<string, ConfirmOutcome> = new Map([
  ['success', 'received'],
  ['pending', 'pending'],
  ['processing', 'pending'],
  ['ongoing', 'pending'],
  ['queued', 'pending'],
  ['failed', 'failed'],
  ['abandoned', 'failed'],
  ['reversed', 'failed'],
]);

const NO_SUCH_TRANSACTION = 'Transaction reference not found';

const text = z.string().trim().min(1).nullish().catch(null);

const transactionSchema = z.object({
  id: z.int(),
  status: z.string(),
  reference: z.string(),
  amount: z.int().min(1),
  currency: z.string(),
  domain: z.string(),
  channel: z.string(),
  fees: z.int().min(0).nullish(),
  customer: z
    .object({ customer_code: z.string().min(1) })
    .nullish()
    .catch(null),
  authorization: z.object({
    receiver_bank_account_number: z.string().regex(/^[0-9]{10}$/),
    receiver_bank: text,
    sender_name: text,
    sender_bank: text,
    sender_bank_account_number: text,
    narration: text,
  }),
});

/** The states and the ways of payments that have no account of ours. */
const otherSchema = z.object({
  reference: z.string(),
  status: z.string(),
  channel: z.string(),
  domain: z.string(),
});

const NOTHING_SAID = { pollAfterMs: null } as const;

/**
 * What the answer to a question about a payment means. A payment of the other world, in another currency, or that came to
 * no account number is none of ours.
 * @param banks by whose names Paystack tells the bank of the account.
 */
export function readConfirmed(
  reply: PaystackReply,
  reference: string,
  domain: Domain,
  banks: readonly Bank[],
): Confirmed {
  if (reply.kind === 'not connected') return { outcome: 'unknown', ...NOTHING_SAID };
  const other = dataOf(reply, [200], otherSchema);
  if (other?.reference !== reference) {
    // Paystack answers 404, and earlier 400, where it has no such transaction.
    const isMissing =
      [400, 404].includes(reply.status) && reply.body?.message.startsWith(NO_SUCH_TRANSACTION);
    return { outcome: isMissing ? 'not_found' : 'unknown', pollAfterMs: reply.resetsAfterMs };
  }
  const outcome = TRANSACTION_STATES.get(other.status) ?? 'unknown';
  const isOurs = other.domain === domain && other.channel === DEDICATED_NUBAN;
  if (!isOurs) return { outcome: 'failed', ...NOTHING_SAID };
  if (outcome !== 'received') return { outcome, ...NOTHING_SAID };
  const found = dataOf(reply, [200], transactionSchema);
  if (!found) return { outcome: 'unknown', ...NOTHING_SAID };
  if (found.currency !== 'NGN') return { outcome: 'failed', ...NOTHING_SAID };
  const { authorization: paid } = found;
  return {
    outcome: 'received',
    payment: {
      providerRef: String(found.id),
      amountKobo: found.amount,
      feeKobo: found.fees ?? null,
      bankCode: bankWritten(banks, paid.receiver_bank ?? '')?.code ?? null,
      accountNumber: paid.receiver_bank_account_number,
      customerRef: found.customer?.customer_code ?? null,
      sender: {
        name: paid.sender_name ?? null,
        bankName: paid.sender_bank ?? null,
        accountNumber: paid.sender_bank_account_number ?? null,
        narration: paid.narration ?? null,
      },
    },
  };
}

/** The rows of a page of Paystack's transactions, which has charges of every kind. @throws where the answer is not such a page. */
export function readPage(reply: PaystackReply): unknown[] {
  const rows = dataOf(reply, [200], z.array(z.unknown()));
  if (!rows) throw new Error('Paystack has not given its list of transactions');
  return rows;
}

const listedSchema = z.object({
  reference: z.string().min(1),
  channel: z.string().nullish().catch(null),
  domain: z.string().nullish().catch(null),
});

/**
 * The payments to account numbers among such rows. A row that is not understood whole is asked about, and one without a
 * reference names nothing to ask about.
 */
export const paymentsAmong = (rows: readonly unknown[], domain: Domain): string[] =>
  rows
    .flatMap((row) => listedSchema.safeParse(row).data ?? [])
    .filter(
      (one) => (one.channel ?? DEDICATED_NUBAN) === DEDICATED_NUBAN && (one.domain ?? domain) === domain,
    )
    .map(({ reference }) => reference);
