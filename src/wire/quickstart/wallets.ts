/** The quickstart's wallet: the same fields under names of its own (D6). */
import { z } from 'zod';
import { walletSchema, type WalletFields } from '../wallet-fields';

const NAMES: Readonly<Record<keyof WalletFields, string>> = {
  id: 'ID',
  partner_id: 'PartnerID',
  user_ref: 'UserRef',
  currency: 'Currency',
  status: 'Status',
  account_number: 'AccountNumber',
  account_name: 'AccountName',
  bank_code: 'BankCode',
  bank_name: 'BankName',
  mfb_reference: 'MFBReference',
  account_status: 'AccountStatus',
  metadata: 'Metadata',
  created_at: 'CreatedAt',
  updated_at: 'UpdatedAt',
};

export const quickstartWallet = z
  .object(
    Object.fromEntries(
      Object.entries(walletSchema.shape).map(([name, schema]) => [NAMES[name as keyof WalletFields], schema]),
    ),
  )
  .meta({ id: 'QuickstartWallet' });

export const writeQuickstartWallet = (fields: WalletFields): object =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [NAMES[name as keyof WalletFields], value]),
  );
