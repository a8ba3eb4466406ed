/** Wallets and their ledger entries as the interface shows them (D6, D50, D147). */
import { z } from 'zod';
import { CURRENCY, nairaText } from '../domain/money';
import { ENTRY_DIRECTIONS, ENTRY_STATUSES, type WalletEntry } from '../domain/entries';
import { done, map, refuseFields, type Outcome } from '../domain/outcome';
import { availableKobo } from '../domain/holds';
import type { Metadata, Wallet } from '../domain/wallets';
import { freeForm, kobo, naira, timestamp, uuid } from './answers';
import { currency, instant, metadata, metadataProblem, optional, PERSONAL, userRef } from './fields';
import { DIALECTS, inAnyForm, namesFor, type Form } from './forms';
import { publishedBody, readBody } from './read';
import { walletFields } from './wallet-fields';

const createSchema = z.object({
  user_ref: userRef,
  currency: optional(currency),
  metadata: optional(metadata),
});

const ALIASES = namesFor('user_ref');

export const walletCreation = publishedBody('WalletCreation', createSchema, {
  form: 'Quickstart',
  aliases: ALIASES,
});

/** Reads a request to create a wallet; the quickstart's `userRef` is the same field (D49). */
export function readWalletCreation(
  body: unknown,
): Outcome<{ userRef: string; metadata: Wallet['metadata'] }> {
  const read = readBody(createSchema, body, ALIASES);
  if (!read.ok) return read;
  return done({ userRef: read.value.user_ref, metadata: read.value.metadata ?? {} });
}

const changeSchema = z
  .object({
    metadata: metadata.meta({
      ...metadata.meta(),
      description:
        'What becomes another (JSON Merge Patch, RFC 7396): null takes a key away, an object is merged key by key, and ' +
        'keys that are left out stay. The whole has at most 16,384 bytes and 20 levels afterwards',
      examples: [{ email: 'ada@example.com' }],
    }),
  })
  .transform((body) => body.metadata);

const reopeningSchema = z.object({
  metadata: optional(metadata).meta({
    description: 'Merged into what is there, as by a change of the wallet',
  }),
});

export const walletReopening = publishedBody('WalletReopening', reopeningSchema);

/** Reads what of the metadata is another when a wallet is opened again; a request without a body changes nothing. */
export const readWalletReopening = (body: unknown): Outcome<Metadata> =>
  map(readBody(reopeningSchema, body ?? {}), (read) => read.metadata ?? {});

export const walletChange = publishedBody('WalletChange', changeSchema);

/** Reads what of a wallet's metadata is to be another. */
export const readWalletChange = (body: unknown): Outcome<Metadata> => readBody(changeSchema, body);

/** The metadata after a change, by the same rules as at the creation of a wallet. */
export function readMergedMetadata(merged: Metadata): Outcome<Metadata> {
  const message = metadataProblem(merged);
  return message === null ? done(merged) : refuseFields({ field: 'metadata', message });
}

export const walletInAnyForm = inAnyForm((dialect) => dialect.wallet.schema);

export const writeWallet = (wallet: Wallet, form: Form): object =>
  DIALECTS[form].wallet.write(walletFields(wallet));

/** The balance as it is booked. */
const bookedFields = ({ balanceKobo }: Pick<Wallet, 'balanceKobo'>) => ({
  balance_kobo: balanceKobo,
  balance_naira: nairaText(balanceKobo),
});

const available = kobo.meta({
  description: 'What can be spent: the balance without what open holds set aside',
});

const balanceFields = (wallet: Wallet) => ({
  ...bookedFields(wallet),
  available_kobo: availableKobo(wallet),
});

export const walletWithBalance = z
  .object({ wallet: walletInAnyForm, balance_kobo: kobo, balance_naira: naira, available_kobo: available })
  .meta({ id: 'WalletWithBalance' });

export function writeWalletWithBalance(wallet: Wallet, form: Form) {
  return {
    wallet: writeWallet(wallet, form),
    ...balanceFields(wallet),
  };
}

export const listedWallet = inAnyForm(
  (dialect) => dialect.wallet.schema,
  (schema) =>
    schema
      .extend({
        balance_kobo: kobo.optional(),
        balance_naira: naira.optional(),
        available_kobo: available.optional(),
      })
      .meta({ id: `${String(schema.meta()?.id)}InList` }),
);

/** A wallet in a list; with its balance where the request has asked for it. */
export const writeListedWallet = (wallet: Wallet, form: Form, withBalance: boolean): object => ({
  ...writeWallet(wallet, form),
  ...(withBalance ? balanceFields(wallet) : {}),
});

export const balanceQuery = z.object({
  at: instant.optional().meta({
    description: 'The time of the balance, to the millisecond; without it, now',
    examples: ['2026-11-23T09:00:00Z'],
  }),
});

export const walletBalance = z
  .object({ wallet_id: uuid, at: timestamp, balance_kobo: kobo, balance_naira: naira })
  .meta({ id: 'WalletBalance' });

/** The balance of a wallet after everything that was written until `at`. */
export const writeBalance = (
  walletId: string,
  at: Date,
  balanceKobo: number,
): z.infer<typeof walletBalance> => ({
  wallet_id: walletId,
  at: at.toISOString(),
  ...bookedFields({ balanceKobo }),
});

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
    description: z.string().meta(PERSONAL),
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
