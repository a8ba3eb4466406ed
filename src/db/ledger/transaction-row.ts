/** A row of `transactions`, as it is written and as it is read. */
import type { BankAccount, ProviderFacts, SplitShare, Transaction } from '../../domain/transactions';
import type { Column } from '../pg/bulk';

export const TRANSACTION_COLUMNS: readonly Column<Transaction>[] = [
  ['id', 'uuid', (row) => row.id],
  ['partner_id', 'uuid', (row) => row.partnerId],
  ['reference', 'text', (row) => row.reference],
  ['type', 'text', (row) => row.type],
  ['status', 'text', (row) => row.status],
  ['amount_kobo', 'bigint', (row) => row.amountKobo],
  ['source_wallet', 'uuid', (row) => row.sourceWalletId],
  ['dest_wallet', 'uuid', (row) => row.destWalletId],
  ['dest_account', 'json', (row) => (row.destAccount ? JSON.stringify(row.destAccount) : null)],
  ['split_config', 'json', (row) => (row.splitConfig ? JSON.stringify(row.splitConfig) : null)],
  ['customer_fee_kobo', 'bigint', (row) => row.fees.customerFeeKobo],
  ['merchant_fee_kobo', 'bigint', (row) => row.fees.merchantFeeKobo],
  ['mfb_cost_kobo', 'bigint', (row) => row.fees.mfbCostKobo],
  ['net_amount_kobo', 'bigint', (row) => row.fees.netAmountKobo],
  ['paused', 'boolean', (row) => row.paused],
  ['scenario', 'text', (row) => row.scenario],
  ['idempotency_key', 'text', (row) => row.idempotencyKey],
  ['description', 'text', (row) => row.description],
  ['metadata', 'json', (row) => JSON.stringify(row.metadata)],
  ['completed_at', 'timestamptz', (row) => row.completedAt],
];

export interface TransactionRow {
  id: string;
  partner_id: string;
  reference: string;
  type: Transaction['type'];
  status: Transaction['status'];
  amount_kobo: number;
  source_wallet: string | null;
  dest_wallet: string | null;
  dest_account: BankAccount | null;
  split_config: SplitShare[] | null;
  customer_fee_kobo: number;
  merchant_fee_kobo: number;
  mfb_cost_kobo: number;
  net_amount_kobo: number;
  psp_reference: string | null;
  psp_meta: ProviderFacts | null;
  paused: boolean;
  scenario: string | null;
  idempotency_key: string | null;
  description: string;
  metadata: Transaction['metadata'];
  failed_reason: string | null;
  created_at: Date;
  updated_at: Date;
  completed_at: Date | null;
  texts_erased_at: Date | null;
}

export function toTransaction(row: TransactionRow): Transaction {
  return {
    id: row.id,
    partnerId: row.partner_id,
    reference: row.reference,
    type: row.type,
    status: row.status,
    amountKobo: row.amount_kobo,
    sourceWalletId: row.source_wallet,
    destWalletId: row.dest_wallet,
    destAccount: row.dest_account,
    splitConfig: row.split_config,
    paused: row.paused,
    scenario: row.scenario,
    fees: {
      customerFeeKobo: row.customer_fee_kobo,
      merchantFeeKobo: row.merchant_fee_kobo,
      platformFeeKobo: row.customer_fee_kobo + row.merchant_fee_kobo,
      mfbCostKobo: row.mfb_cost_kobo,
      netAmountKobo: row.net_amount_kobo,
    },
    pspReference: row.psp_reference,
    pspMeta: row.psp_meta,
    idempotencyKey: row.idempotency_key,
    description: row.description,
    metadata: row.texts_erased_at ? { split_index: row.metadata['split_index'] } : row.metadata,
    failedReason: row.failed_reason,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    completedAt: row.completed_at,
  };
}
