/** What payments cost: the table of fees, and a quote of one payment before it is made (D190). */
import { z } from 'zod';
import type { FeeBreakdown, FeeRules } from '../domain/fees';
import { done, type Outcome } from '../domain/outcome';
import type { Refusal } from '../domain/refusals';
import type { TransactionType } from '../domain/transaction-types';
import { kobo, transactionType } from './answers';
import { code, detail, errorFields, message } from './error-fields';
import * as field from './fields';
import { namesFor } from './forms';
import { publishedBody, readBody } from './read';
import { feeBreakdown, writeFees } from './transaction-fields';
import { toOneDestination } from './transfers';

const ALIASES = namesFor('source_wallet', 'dest_wallet', 'amount');

const quoteSchema = toOneDestination(
  z.object({
    source_wallet: field.walletId,
    dest_wallet: field.optional(field.destWalletId).meta({ description: 'Of a transfer between wallets' }),
    dest_account: field
      .optional(
        z.object({ bank_code: field.bankCode, account_number: field.accountNumber }, 'must be an object'),
      )
      .meta({ description: 'Of a transfer to a bank account' }),
    amount: field.amountKobo,
  }),
);

export const quoteBody = publishedBody('QuoteRequest', quoteSchema, { form: 'Guide', aliases: ALIASES });

interface Asked {
  sourceWalletId: string;
  amountKobo: number;
}

/** A payment that is only asked about: to a wallet, or to a bank account. */
export type QuoteRequest = Asked & ({ destWalletId: string } | { bankCode: string; accountNumber: string });

/** Reads what is to be quoted: the body of the transfer. Its other fields are not looked at. */
export function readQuote(body: unknown): Outcome<QuoteRequest> {
  const read = readBody(quoteSchema, body, ALIASES);
  if (!read.ok) return read;
  const { source_wallet: sourceWalletId, dest_wallet, dest_account, amount: amountKobo } = read.value;
  const asked = { sourceWalletId, amountKobo };
  if (dest_wallet !== undefined) return done({ ...asked, destWalletId: dest_wallet });
  const { bank_code: bankCode = '', account_number: accountNumber = '' } = dest_account ?? {};
  return done({ ...asked, bankCode, accountNumber });
}

/** What a payment would cost and do, made as it is made for the payment itself. */
export interface Quote {
  type: TransactionType;
  amountKobo: number;
  fees: FeeBreakdown;
  /** The stamp duty that the source bears beside it. */
  dutyKobo: number;
  /** Why the payment would be refused now; null when it would happen. */
  refusal: Refusal | null;
}

export const quoteSchemaOfAnswer = z
  .object({
    type: transactionType,
    amount: kobo,
    fee_breakdown: feeBreakdown,
    stamp_duty: kobo.meta({
      description:
        'What the source would bear as stamp duty, as a `fee_deduction` of its own; 0 where none is charged',
    }),
    total_debit: kobo.meta({
      description: 'What the source would be debited: the amount, the fee and the stamp duty',
    }),
    refusal: z.object({ error: code, message, detail }).meta({ id: 'QuoteRefusal' }).nullable().meta({
      description: 'With what the payment would be refused at this moment; null when it would happen',
    }),
  })
  .meta({ id: 'Quote' });

export const writeQuote = ({ type, amountKobo, fees, dutyKobo, refusal }: Quote) => ({
  type,
  amount: amountKobo,
  fee_breakdown: writeFees(fees),
  stamp_duty: dutyKobo,
  total_debit: amountKobo + fees.customerFeeKobo + dutyKobo,
  refusal: refusal && { error: refusal.code, ...errorFields(refusal) },
});

export const feeRuleSchema = z
  .object({
    type: transactionType,
    flat_kobo: kobo.meta({ description: 'In kobo, whatever the amount is' }),
    basis_points: z.int().meta({ description: 'Of the amount, in hundredths of a percent, rounded down' }),
    cap_kobo: kobo.nullable().meta({ description: 'The most that the rate comes to, in kobo' }),
  })
  .meta({ id: 'FeeRule' });

const BASIS_POINTS_PER_MILLE = 10;

/** The fee that the source of a payment pays on top of the amount. */
export function writeFeeRule(type: TransactionType, { customer }: FeeRules) {
  const { flat_kobo = 0, basis_points = 0, cap_kobo = null } = partsOf(customer);
  return { type, flat_kobo, basis_points, cap_kobo };
}

function partsOf(rule: FeeRules['customer']): {
  flat_kobo?: number;
  basis_points?: number;
  cap_kobo?: number;
} {
  switch (rule.kind) {
    case 'none':
      return {};
    case 'flat':
      return { flat_kobo: rule.feeKobo };
    case 'rate':
      return { basis_points: rule.perMille * BASIS_POINTS_PER_MILLE, cap_kobo: rule.capKobo };
  }
}
