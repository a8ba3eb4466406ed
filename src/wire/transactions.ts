/** Transactions as the interface shows them: reference fields, or the guide's kobo and naira (D3, D7, D134). */
import { z } from 'zod';
import { nairaText, CURRENCY } from '../domain/money';
import type { BankAccount, SplitShare, Transaction } from '../domain/transactions';
import { freeForm, kobo, naira, timestamp, transactionStatus, transactionType, uuid } from './answers';
import { currency } from './fields';
import type { Form } from './forms';

const feeBreakdown = z
  .object({
    customerFee: kobo.meta({ description: 'Charged to the source on top of the amount' }),
    merchantFee: kobo.meta({ description: 'Charged to the partner' }),
    platformFee: kobo.meta({ description: 'Both fees: our gross revenue' }),
    mfbCost: kobo.meta({ description: 'What the bank charges us; it never changes the debit' }),
    netAmount: kobo.meta({ description: 'What the destination receives' }),
  })
  .meta({ id: 'FeeBreakdown', description: 'All in kobo' });

const guideFeeBreakdown = z
  .object({
    customer_fee_kobo: kobo,
    customer_fee_naira: naira,
    merchant_fee_kobo: kobo,
    platform_fee_kobo: kobo,
    mfb_cost_kobo: kobo,
    net_amount_kobo: kobo,
  })
  .meta({ id: 'GuideFeeBreakdown' });

const walletAfterwards = z
  .object({ id: uuid, balance_after_kobo: kobo.nullable(), balance_after_naira: naira.nullable() })
  .meta({ id: 'WalletAfterwards', description: 'A wallet with its balance right after the transfer' });

const bankAccount = z
  .object({
    bank_code: z.string(),
    bank_name: z.string(),
    account_number: z.string(),
    account_name: z.string().meta({ description: 'As it was sent' }),
    resolved_name: z.string().nullable().meta({ description: "What the bank's name enquiry answered" }),
  })
  .meta({ id: 'DestinationAccount' });

const pspMeta = z
  .object({ provider: z.string(), session_id: z.string().nullable(), response_code: z.string().nullable() })
  .meta({ id: 'PspMeta' });

const head = {
  id: uuid,
  partner_id: uuid,
  reference: z.string(),
  type: transactionType,
  status: transactionStatus,
};
const tail = {
  mfb_reference: z.string().nullable(),
  psp_reference: z.string().nullable().meta({ description: 'null until the provider has accepted' }),
  psp_meta: pspMeta.nullable(),
  idempotency_key: z.string().nullable(),
  description: z.string(),
  metadata: freeForm,
  failed_reason: z.string().nullable(),
  completed_at: timestamp.nullable(),
  created_at: timestamp,
  updated_at: timestamp,
};
const splitConfig = z
  .object({
    splits: z.array(
      z
        .object({ wallet_id: uuid, amount: kobo, percentage: z.number().optional() })
        .meta({ id: 'SplitEntry' }),
    ),
  })
  .meta({ id: 'SplitConfig', description: 'All shares of the split that this is a leg of' });
const accounts = {
  source_account: z.null(),
  dest_account: bankAccount.nullable(),
  split_config: splitConfig.nullable(),
};

const transactionSchema = z
  .object({
    ...head,
    amount: kobo,
    currency,
    source_wallet: uuid.nullable(),
    dest_wallet: uuid.nullable(),
    ...accounts,
    fee_breakdown: feeBreakdown,
    ...tail,
  })
  .meta({ id: 'Transaction' });

const walletOrId = z
  .union([uuid, walletAfterwards])
  .nullable()
  .meta({ description: 'With its balance in the answer to the transfer itself, else its id' });

const guideTransaction = z
  .object({
    ...head,
    amount_kobo: kobo,
    amount_naira: naira,
    currency,
    source_wallet: walletOrId,
    dest_wallet: walletOrId,
    ...accounts,
    fee_breakdown: guideFeeBreakdown,
    ...tail,
  })
  .meta({ id: 'GuideTransaction' });

export const transactionInAnyForm = z.union([transactionSchema, guideTransaction]);

/** Balances right after the transaction; present in the guide's answers to a transfer only. */
export interface BalancesAfter {
  sourceKobo: number | null;
  destKobo: number | null;
}

/** One transaction in the form that was asked. Without balances the wallets stay plain ids. */
export function writeTransaction(transaction: Transaction, form: Form, balances?: BalancesAfter) {
  const guide = form === 'guide';
  const wallet = (id: string | null, balanceKobo: number | null | undefined) =>
    id !== null && guide && balances ? walletAfter(id, balanceKobo ?? null) : id;
  return {
    id: transaction.id,
    partner_id: transaction.partnerId,
    reference: transaction.reference,
    type: transaction.type,
    status: transaction.status,
    ...(guide
      ? { amount_kobo: transaction.amountKobo, amount_naira: nairaText(transaction.amountKobo) }
      : { amount: transaction.amountKobo }),
    currency: CURRENCY,
    source_wallet: wallet(transaction.sourceWalletId, balances?.sourceKobo),
    dest_wallet: wallet(transaction.destWalletId, balances?.destKobo),
    source_account: null,
    dest_account: transaction.destAccount && writeBankAccount(transaction.destAccount),
    split_config: transaction.splitConfig && { splits: transaction.splitConfig.map(writeShare) },
    fee_breakdown: writeFees(transaction, guide),
    // The NIP session is the bank's own posting id of a transfer (D15).
    mfb_reference: transaction.pspMeta?.sessionId ?? null,
    psp_reference: transaction.pspReference,
    psp_meta: transaction.pspMeta && {
      provider: transaction.pspMeta.provider,
      session_id: transaction.pspMeta.sessionId,
      response_code: transaction.pspMeta.responseCode,
    },
    idempotency_key: transaction.idempotencyKey,
    description: transaction.description,
    metadata: transaction.metadata,
    failed_reason: transaction.failedReason ?? (form === 'quickstart' ? '' : null),
    completed_at: transaction.completedAt?.toISOString() ?? null,
    created_at: transaction.createdAt.toISOString(),
    updated_at: transaction.updatedAt.toISOString(),
  };
}

function writeFees({ fees }: Transaction, guide: boolean) {
  if (!guide) {
    return {
      customerFee: fees.customerFeeKobo,
      merchantFee: fees.merchantFeeKobo,
      platformFee: fees.platformFeeKobo,
      mfbCost: fees.mfbCostKobo,
      netAmount: fees.netAmountKobo,
    };
  }
  return {
    customer_fee_kobo: fees.customerFeeKobo,
    customer_fee_naira: nairaText(fees.customerFeeKobo),
    merchant_fee_kobo: fees.merchantFeeKobo,
    platform_fee_kobo: fees.platformFeeKobo,
    mfb_cost_kobo: fees.mfbCostKobo,
    net_amount_kobo: fees.netAmountKobo,
  };
}

const walletAfter = (id: string, balanceKobo: number | null) => ({
  id,
  balance_after_kobo: balanceKobo,
  balance_after_naira: balanceKobo === null ? null : nairaText(balanceKobo),
});

const writeShare = ({ walletId, amountKobo, percentage }: SplitShare) => ({
  wallet_id: walletId,
  amount: amountKobo,
  ...(percentage !== null && { percentage }),
});

const writeBankAccount = (account: BankAccount) => ({
  bank_code: account.bankCode,
  bank_name: account.bankName,
  account_number: account.accountNumber,
  account_name: account.accountName,
  resolved_name: account.resolvedName,
});
