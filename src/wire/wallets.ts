/** Wallets and their ledger entries as the interface shows them (D6, D50, D147). */
import { z } from 'zod';
import { CURRENCY, nairaText } from '../domain/money';
import { ACCOUNT_STATUS_OF, type Wallet } from '../domain/wallets';
import { ENTRY_DIRECTIONS, ENTRY_STATUSES, type WalletEntry } from '../domain/entries';
import { done, type Outcome } from '../domain/outcome';
import { accountStatus, freeForm, kobo, naira, timestamp, uuid, walletStatus } from './answers';
import { currency, metadata, optional, userRef } from './fields';
import type { Form } from './forms';
import { publishedBody, readBody, type Alias } from './read';

const createSchema = z.object({
  user_ref: userRef,
  currency: optional(currency),
  metadata: optional(metadata),
});

const CREATE_ALIASES: readonly Alias[] = [['user_ref', 'userRef']];

export const walletCreation = publishedBody('WalletCreation', createSchema, {
  form: 'Quickstart',
  aliases: CREATE_ALIASES,
});

/** Reads a request to create a wallet; the quickstart's `userRef` is the same field (D49). */
export function readWalletCreation(
  body: unknown,
): Outcome<{ userRef: string; metadata: Wallet['metadata'] }> {
  const read = readBody(createSchema, body, CREATE_ALIASES);
  if (!read.ok) return read;
  return done({ userRef: read.value.user_ref, metadata: read.value.metadata ?? {} });
}

const whenIssued = (what: string) => z.string().meta({ description: `${what}; empty until it is issued` });

const walletSchema = z
  .object({
    id: uuid,
    partner_id: uuid,
    user_ref: userRef,
    currency,
    status: walletStatus,
    account_number: whenIssued('The NUBAN that the MFB issued'),
    account_name: whenIssued('The name of the account'),
    bank_code: whenIssued("The MFB's code"),
    bank_name: whenIssued("The MFB's name"),
    mfb_reference: whenIssued("The MFB's own reference of the account"),
    account_status: accountStatus,
    metadata: freeForm,
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Wallet' });

/** The account under a wallet: empty strings while it is not issued. */
export const writeAccount = ({ account }: Pick<Wallet, 'account'>) => ({
  account_number: account?.accountNumber ?? '',
  account_name: account?.accountName ?? '',
  bank_code: account?.bankCode ?? '',
  bank_name: account?.bankName ?? '',
});

/** The wallet: empty strings while its account is not issued. */
export function writeWallet(wallet: Wallet, form: Form): Record<string, unknown> {
  const fields: z.infer<typeof walletSchema> = {
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

/** The PascalCase form of the quickstart has the same fields (D6). */
const quickstartWallet = z
  .object(
    Object.fromEntries(
      Object.entries(walletSchema.shape).map(([name, schema]) => [
        QUICKSTART_NAMES[name as keyof typeof QUICKSTART_NAMES],
        schema,
      ]),
    ),
  )
  .meta({ id: 'QuickstartWallet' });

export const walletInAnyForm = z.union([walletSchema, quickstartWallet]);

export const walletWithBalance = z
  .object({ wallet: walletInAnyForm, balance_kobo: kobo, balance_naira: naira })
  .meta({ id: 'WalletWithBalance' });

export function writeWalletWithBalance(wallet: Wallet, form: Form) {
  return {
    wallet: writeWallet(wallet, form),
    balance_kobo: wallet.balanceKobo,
    balance_naira: nairaText(wallet.balanceKobo),
  };
}

export const entrySchema = z
  .object({
    id: uuid,
    wallet_id: uuid,
    transaction_id: uuid,
    direction: z.enum(ENTRY_DIRECTIONS),
    amount: kobo,
    currency,
    balance_after: kobo,
    sequence: z.int().min(1).meta({ description: "The wallet's own running number of its entries" }),
    status: z.enum(ENTRY_STATUSES),
    description: z.string(),
    metadata: freeForm,
    created_at: timestamp,
  })
  .meta({ id: 'LedgerEntry' });

/** A ledger entry; the amount is positive, its direction says which way it went. */
export function writeEntry(entry: WalletEntry): z.infer<typeof entrySchema> {
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
