/** Wallets and their ledger entries as the interface shows them (D6, D50, D147). */
import { z } from 'zod';
import type { WalletEntry } from '../domain/entries';
import { CURRENCY, nairaText } from '../domain/money';
import { ACCOUNT_STATUS_OF, type Wallet } from '../domain/wallets';
import { currency, metadata, optional, userRef } from './fields';
import type { Form } from './forms';
import { readBody, type Read } from './read';

const createSchema = z.object({
  user_ref: userRef,
  currency: optional(currency),
  metadata: optional(metadata),
});

/** Reads a request to create a wallet; the quickstart's `userRef` is the same field (D49). */
export function readWalletCreation(body: unknown): Read<{ userRef: string; metadata: Wallet['metadata'] }> {
  const read = readBody(createSchema, body, [['user_ref', 'userRef']]);
  if (!read.ok) return read;
  return { ok: true, value: { userRef: read.value.user_ref, metadata: read.value.metadata ?? {} } };
}

/** The wallet: empty strings while its account is not issued. */
export function writeWallet(wallet: Wallet, form: Form): Record<string, unknown> {
  const fields = {
    id: wallet.id,
    partner_id: wallet.partnerId,
    user_ref: wallet.userRef,
    currency: CURRENCY,
    status: wallet.status,
    account_number: wallet.account?.accountNumber ?? '',
    account_name: wallet.account?.accountName ?? '',
    bank_code: wallet.account?.bankCode ?? '',
    bank_name: wallet.account?.bankName ?? '',
    mfb_reference: wallet.account?.mfbReference ?? '',
    account_status: ACCOUNT_STATUS_OF[wallet.status],
    metadata: wallet.metadata,
    created_at: wallet.createdAt.toISOString(),
    updated_at: wallet.updatedAt.toISOString(),
  };
  if (form !== 'quickstart') return fields;
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [QUICKSTART_NAMES[name as keyof typeof fields], value]),
  );
}

const QUICKSTART_NAMES = {
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

export function writeWalletWithBalance(wallet: Wallet, form: Form) {
  return {
    wallet: writeWallet(wallet, form),
    balance_kobo: wallet.balanceKobo,
    balance_naira: nairaText(wallet.balanceKobo),
  };
}

/** A ledger entry; the amount is positive, its direction says which way it went. */
export function writeEntry(entry: WalletEntry) {
  return {
    id: entry.id,
    wallet_id: entry.walletId,
    transaction_id: entry.transactionId,
    direction: entry.amountKobo > 0 ? 'credit' : 'debit',
    amount: Math.abs(entry.amountKobo),
    currency: CURRENCY,
    balance_after: entry.balanceAfterKobo,
    sequence: entry.sequence,
    status: 'posted',
    description: entry.description,
    metadata: {},
    created_at: entry.createdAt.toISOString(),
  };
}
