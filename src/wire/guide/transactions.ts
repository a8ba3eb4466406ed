/**
 * Transactions in the guide's form: amounts in kobo and naira, and in the answer to a transfer its wallets with
 * their balances (D3, D134).
 */
import { z } from 'zod';
import { nairaText } from '../../domain/money';
import type { Transaction } from '../../domain/transactions';
import { kobo, naira, uuid } from '../answers';
import { currency } from '../fields';
import { accounts, head, tail, transactionFields, type BalancesAfter } from '../transaction-fields';

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

const walletOrId = z
  .union([uuid, walletAfterwards])
  .nullable()
  .meta({ description: 'With its balance in the answer to the transfer itself, else its id' });

export const guideTransaction = z
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

/** Without balances the wallets are plain ids. */
export function writeGuideTransaction(transaction: Transaction, balances?: BalancesAfter): object {
  const wallet = (id: string | null, balanceKobo: number | null | undefined) =>
    id !== null && balances ? walletAfter(id, balanceKobo ?? null) : id;
  const { amountKobo, fees } = transaction;
  return transactionFields(transaction, {
    amount: { amount_kobo: amountKobo, amount_naira: nairaText(amountKobo) },
    sourceWallet: wallet(transaction.sourceWalletId, balances?.sourceKobo),
    destWallet: wallet(transaction.destWalletId, balances?.destKobo),
    fees: {
      customer_fee_kobo: fees.customerFeeKobo,
      customer_fee_naira: nairaText(fees.customerFeeKobo),
      merchant_fee_kobo: fees.merchantFeeKobo,
      platform_fee_kobo: fees.platformFeeKobo,
      mfb_cost_kobo: fees.mfbCostKobo,
      net_amount_kobo: fees.netAmountKobo,
    },
    noReason: null,
  });
}

const walletAfter = (id: string, balanceKobo: number | null) => ({
  id,
  balance_after_kobo: balanceKobo,
  balance_after_naira: balanceKobo === null ? null : nairaText(balanceKobo),
});
