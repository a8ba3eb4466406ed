/** Transactions as the interface shows them: reference fields, or the guide's kobo and naira (D3, D7, D134). */
import { nairaText, CURRENCY } from '../domain/money';
import type { BankAccount, Transaction } from '../domain/transactions';
import type { Form } from './forms';

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
    split_config: null,
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

const writeBankAccount = (account: BankAccount) => ({
  bank_code: account.bankCode,
  bank_name: account.bankName,
  account_number: account.accountNumber,
  account_name: account.accountName,
  resolved_name: account.resolvedName,
});
