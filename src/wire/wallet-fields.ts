/** What the forms of a wallet share: its fields, under the names of the reference. */
import { z } from 'zod';
import { CURRENCY } from '../domain/money';
import { ACCOUNT_STATUS_OF, type IssuedAccount, type Wallet } from '../domain/wallets';
import { accountStatus, freeForm, timestamp, uuid, walletStatus } from './answers';
import { currency, PERSONAL, userRef } from './fields';

const whenIssued = (what: string) => z.string().meta({ description: `${what}; empty until it is issued` });

export const walletSchema = z
  .object({
    id: uuid,
    partner_id: uuid,
    user_ref: userRef,
    currency,
    status: walletStatus,
    account_number: whenIssued('The NUBAN that the MFB issued').meta(PERSONAL),
    account_name: whenIssued('The name of the account').meta(PERSONAL),
    bank_code: whenIssued("The MFB's code"),
    bank_name: whenIssued("The MFB's name"),
    // It may contain the number.
    mfb_reference: whenIssued("The MFB's own reference of the account").meta(PERSONAL),
    account_status: accountStatus,
    metadata: freeForm,
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Wallet' });

/** The account under a wallet: empty strings while it is not issued. */
export const writeAccount = ({ account }: { account: Omit<IssuedAccount, 'mfbReference'> | null }) => ({
  account_number: account?.accountNumber ?? '',
  account_name: account?.accountName ?? '',
  bank_code: account?.bankCode ?? '',
  bank_name: account?.bankName ?? '',
});

export type WalletFields = z.infer<typeof walletSchema>;

/** The wallet: empty strings while its account is not issued. */
export const walletFields = (wallet: Wallet): WalletFields => ({
  id: wallet.id,
  partner_id: wallet.partnerId,
  user_ref: wallet.userRef,
  currency: CURRENCY,
  status: wallet.status,
  ...writeAccount(wallet),
  mfb_reference: wallet.account?.mfbReference ?? '',
  account_status: ACCOUNT_STATUS_OF[wallet.status],
  metadata: wallet.metadata,
  created_at: wallet.createdAt.toISOString(),
  updated_at: wallet.updatedAt.toISOString(),
});
