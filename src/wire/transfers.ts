/** The requests that move money, in both forms of their keys (interface: Transfers; D2, D52). */
import { z } from 'zod';
import * as field from './fields';
import { publishedBody, readBody, type Alias, type Read } from './read';

const WALLET_ALIASES: readonly Alias[] = [
  ['source_wallet', 'source_wallet_id'],
  ['dest_wallet', 'dest_wallet_id'],
  ['amount', 'amount_kobo'],
];

/** What every transfer carries beside its wallets. */
const common = {
  amount: field.amountKobo,
  reference: field.reference,
  description: field.optional(field.description),
  metadata: field.optional(field.metadata),
};

const commonOf = (body: z.infer<z.ZodObject<typeof common>>) => ({
  amountKobo: body.amount,
  reference: body.reference,
  description: body.description ?? '',
  metadata: body.metadata ?? {},
});

const p2pSchema = z
  .object({
    source_wallet: field.id,
    dest_wallet: field.id,
    ...common,
  })
  .transform((body) => ({
    sourceWalletId: body.source_wallet,
    destWalletId: body.dest_wallet,
    ...commonOf(body),
  }));

export const p2pBody = publishedBody('P2pTransferRequest', p2pSchema, {
  form: 'Guide',
  aliases: WALLET_ALIASES,
});

export type P2pRequest = z.infer<typeof p2pSchema>;

export const readP2p = (body: unknown): Read<P2pRequest> => readBody(p2pSchema, body, WALLET_ALIASES);

const bankSchema = z
  .object({
    source_wallet: field.id,
    dest_account: z.object(
      {
        bank_code: field.bankCode,
        account_number: field.accountNumber,
        account_name: field.plainText(200),
      },
      { error: (issue) => (issue.input === undefined ? undefined : 'must be an object') },
    ),
    ...common,
  })
  .transform((body) => ({
    sourceWalletId: body.source_wallet,
    bankCode: body.dest_account.bank_code,
    accountNumber: body.dest_account.account_number,
    accountName: body.dest_account.account_name,
    ...commonOf(body),
  }));

export const bankTransferBody = publishedBody('BankTransferRequest', bankSchema, {
  form: 'Guide',
  aliases: WALLET_ALIASES,
});

/** Sandbox: the provider's clock stands still until complete or fail is called (D96). */
export const holdHeader = z.object({
  'X-Sandbox-Hold': z.literal('true').optional().meta({
    description: 'Sandbox: the transfer stays `processing` until it is completed or failed by hand',
  }),
});

export type BankTransferRequest = z.infer<typeof bankSchema>;

export const readBankTransfer = (body: unknown): Read<BankTransferRequest> =>
  readBody(bankSchema, body, WALLET_ALIASES);

export const resolveQuery = z.object({ bank_code: field.bankCode, account_number: field.accountNumber });
const resolveSchema = resolveQuery.transform((query) => ({
  bankCode: query.bank_code,
  accountNumber: query.account_number,
}));

export const readResolveQuery = (query: unknown): Read<z.infer<typeof resolveSchema>> =>
  readBody(resolveSchema, query);
