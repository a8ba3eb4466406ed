/**
 * A row of `transactions`, as it is written and as it is read. The names of an account that is paid are in columns of
 * their own, sealed.
 */
import { present } from '../../domain/assert';
import { unusual } from '../../domain/payout-instructions';
import type { BankAccount, ProviderFacts, SplitShare, Transaction } from '../../domain/transactions';
import { paidAccountPlace, type Sealing } from '../../secrets/sealing';
import type { Column } from '../pg/bulk';

/** The account without its names. */
type StoredAccount = Omit<BankAccount, 'accountName' | 'resolvedName'>;

const storedAccount = (account: BankAccount): StoredAccount => ({
  bankCode: account.bankCode,
  bankName: account.bankName,
  accountNumber: account.accountNumber,
  ...unusual(account),
  ...(account.nameMatches !== undefined && { nameMatches: account.nameMatches }),
});

export const TRANSACTION_COLUMNS: readonly Column<Transaction>[] = [
  ['id', 'uuid', (row) => row.id],
  ['partner_id', 'uuid', (row) => row.partnerId],
  ['reference', 'text', (row) => row.reference],
  ['type', 'text', (row) => row.type],
  ['status', 'text', (row) => row.status],
  ['amount_kobo', 'bigint', (row) => row.amountKobo],
  ['source_wallet', 'uuid', (row) => row.sourceWalletId],
  ['dest_wallet', 'uuid', (row) => row.destWalletId],
  ['dest_account', 'json', (row) => row.destAccount && JSON.stringify(storedAccount(row.destAccount))],
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

/** The column of the name as the partner sent it. The bank tells the other one later (`changeAttempt`). */
export const accountNameColumn = (sealing: Sealing): Column<Transaction> => [
  'account_name_sealed',
  'text',
  ({ id, destAccount }) =>
    destAccount && sealing.seal(destAccount.accountName, namePlace('account_name', id, destAccount)),
];

const namePlace = (
  column: 'account_name' | 'resolved_name',
  id: string,
  account: Pick<BankAccount, 'bankCode' | 'accountNumber'>,
): string => paidAccountPlace(`transactions.${column}`, id, account);

/** The name that the bank has told for the account of a transfer, as its row keeps it. */
export const sealResolvedName = (
  sealing: Sealing,
  { id, destAccount }: Pick<Transaction, 'id' | 'destAccount'>,
  name: string,
): string =>
  sealing.seal(
    name,
    namePlace('resolved_name', id, present<BankAccount>(destAccount, 'the account of a transfer')),
  );

export interface TransactionRow {
  id: string;
  partner_id: string;
  reference: string;
  type: Transaction['type'];
  status: Transaction['status'];
  amount_kobo: number;
  source_wallet: string | null;
  dest_wallet: string | null;
  dest_account: StoredAccount | null;
  account_name_sealed: string | null;
  resolved_name_sealed: string | null;
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

/** @param sealing opens the names of the account that is paid, when somebody looks at them. */
export function toTransaction(row: TransactionRow, sealing: Sealing): Transaction {
  return {
    id: row.id,
    partnerId: row.partner_id,
    reference: row.reference,
    type: row.type,
    status: row.status,
    amountKobo: row.amount_kobo,
    sourceWalletId: row.source_wallet,
    destWalletId: row.dest_wallet,
    destAccount: toPaidAccount(row, sealing),
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

/** What of a row says which account at a bank was paid. */
export type PaidRow = Pick<
  TransactionRow,
  'id' | 'dest_account' | 'account_name_sealed' | 'resolved_name_sealed'
>;

/** The account at a bank that a transaction pays; null where it pays none. */
export const toPaidAccount = (row: PaidRow, sealing: Sealing): BankAccount | null =>
  row.dest_account && toBankAccount(row, row.dest_account, sealing);

/**
 * A name is opened when somebody looks at it. So whoever moves the money or reads the status does not pay for that, and
 * needs no key: a transfer ends also while the key of its name is missing. Whoever shows the name is told that it does not open.
 */
function toBankAccount(row: PaidRow, account: StoredAccount, sealing: Sealing): BankAccount {
  const open = (column: 'account_name' | 'resolved_name', sealed: string): string =>
    sealing.open(sealed, namePlace(column, row.id, account));
  return {
    ...account,
    get accountName() {
      return open('account_name', present(row.account_name_sealed, 'the name of an account that is paid'));
    },
    get resolvedName() {
      return row.resolved_name_sealed === null ? null : open('resolved_name', row.resolved_name_sealed);
    },
  };
}
