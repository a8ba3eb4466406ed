/** The requests that move money, in both forms of their keys (interface: Transfers; D2, D52). */
import { present } from '../domain/assert';
import type { AskedAccount, LineRequest } from '../domain/bulk-transfers';
import { done, refuseFields, type Outcome } from '../domain/outcome';
import { ON_NAME_MISMATCH, PURPOSE_NAMES, unusual } from '../domain/payout-instructions';
import { readScenario } from '../domain/sandbox-scenarios';
import { z } from 'zod';
import * as field from './fields';
import { namesFor } from './forms';
import { publishedBody, readBody } from './read';

const ALIASES = namesFor('source_wallet', 'dest_wallet', 'amount');

/** The partner's own words for a movement of money. @param example of the reference. */
export const words = (example: string) => ({
  reference: field.referenceLike(example),
  description: field.optional(field.description),
  metadata: field.optional(field.metadata),
});
export const wordsOf = (body: z.infer<z.ZodObject<ReturnType<typeof words>>>) => ({
  reference: body.reference,
  description: body.description ?? '',
  metadata: body.metadata ?? {},
});

const p2pSchema = z
  .object({
    source_wallet: field.walletId,
    dest_wallet: field.destWalletId,
    amount: field.amountKobo,
    ...words('order-1001'),
  })
  .transform((body) => ({
    sourceWalletId: body.source_wallet,
    destWalletId: body.dest_wallet,
    amountKobo: body.amount,
    ...wordsOf(body),
  }));

export const p2pBody = publishedBody('P2pTransferRequest', p2pSchema, {
  form: 'Guide',
  aliases: ALIASES,
});

export type P2pRequest = z.infer<typeof p2pSchema>;

export const readP2p = (body: unknown): Outcome<P2pRequest> => readBody(p2pSchema, body, ALIASES);

/** The account that a bank transfer pays, with the name that the partner has for it. */
export const bankAccountFields = {
  bank_code: field.bankCode,
  account_number: field.accountNumber,
  account_name: field.plainText(200).meta({ ...field.PERSONAL, examples: ['ADEYEMI NGOZI'] }),
};

/** How a bank transfer is paid. What is usual is left out, so that a body without it means the same. */
export const instructionFields = {
  purpose: field.optional(z.enum(PURPOSE_NAMES, `must be of: ${PURPOSE_NAMES.join(', ')}`)).meta({
    description:
      'What a bank transfer is for; `other` when absent. A bank gets it where the payment company carries it',
  }),
  on_name_mismatch: field
    .optional(z.enum(ON_NAME_MISMATCH, `must be of: ${ON_NAME_MISMATCH.join(', ')}`))
    .meta({
      description:
        'Of a bank transfer, where the bank has another name for the account: `continue`, the usual one, pays; `hold` ' +
        'sends nothing until you decide (`transaction.name_mismatch`); `fail` gives the money back',
    }),
};

/** The account that such a body pays. */
const askedAccount = (
  account: z.infer<z.ZodObject<typeof bankAccountFields>>,
  { purpose, on_name_mismatch: onNameMismatch }: z.infer<z.ZodObject<typeof instructionFields>>,
): AskedAccount => ({
  bankCode: account.bank_code,
  accountNumber: account.account_number,
  accountName: account.account_name,
  ...unusual({ ...(purpose && { purpose }), ...(onNameMismatch && { onNameMismatch }) }),
});

const isObject = ({ value }: { value: unknown }): boolean => typeof value === 'object' && value !== null;

/**
 * Adds the rule that a transfer goes either to a wallet or to a bank account. It is checked even when other fields are
 * wrong, so that one answer names every problem (D169).
 */
export const toOneDestination = <Schema extends z.ZodType<{ dest_wallet?: unknown; dest_account?: unknown }>>(
  schema: Schema,
): Schema =>
  schema
    .refine(({ dest_wallet, dest_account }) => dest_wallet === undefined || dest_account === undefined, {
      path: ['dest_account'],
      message: 'must be absent beside dest_wallet',
      when: isObject,
    })
    .refine(({ dest_wallet, dest_account }) => dest_wallet !== undefined || dest_account !== undefined, {
      path: ['dest_wallet'],
      message: 'is required where there is no dest_account',
      when: isObject,
    });

/** The one destination of a body that `toOneDestination` has checked. */
export const destinationOf = (
  destWalletId: string | undefined,
  account: z.infer<z.ZodObject<typeof bankAccountFields>> | undefined,
  instructions: z.infer<z.ZodObject<typeof instructionFields>>,
): LineRequest['to'] =>
  destWalletId === undefined
    ? askedAccount(present(account, 'the destination of a transfer'), instructions)
    : { destWalletId };

const bankSchema = z
  .object({
    source_wallet: field.walletId,
    dest_account: z.object(bankAccountFields, {
      error: (issue) => (issue.input === undefined ? undefined : 'must be an object'),
    }),
    amount: field.amountKobo,
    ...instructionFields,
    ...words('order-1002'),
  })
  .transform((body) => ({
    sourceWalletId: body.source_wallet,
    ...askedAccount(body.dest_account, body),
    amountKobo: body.amount,
    ...wordsOf(body),
  }));

export const bankTransferBody = publishedBody('BankTransferRequest', bankSchema, {
  form: 'Guide',
  aliases: ALIASES,
});

/** In the sandbox the transfer stays paused until one of the operations complete and fail ends it (D96). */
export const holdHeader = z.object({
  'X-Sandbox-Hold': z.literal('true').optional().meta({
    description: 'Sandbox: the transfer stays `processing` until it is completed or failed by hand',
  }),
  'X-Sandbox-Scenario': z
    .string()
    .optional()
    .meta({
      description:
        'Sandbox: how the transfer goes, as `success_after:30`. `GET /v1/sandbox/scenarios` lists the scenarios. ' +
        'With X-Sandbox-Hold the transfer waits for its end by hand all the same',
      examples: ['success_after:30'],
    }),
});

/**
 * Reads the header of a sandbox transfer. It is no part of what makes two requests the same.
 * @returns the text as it is kept; null without the header; VALIDATION_ERROR for what names no scenario.
 */
export function readScenarioHeader(header: string | string[] | undefined): Outcome<string | null> {
  if (header === undefined) return done(null);
  if (typeof header === 'string' && readScenario(header)) return done(header);
  return refuseFields({
    field: 'X-Sandbox-Scenario',
    message: 'must be a scenario of GET /v1/sandbox/scenarios',
  });
}

export type BankTransferRequest = z.infer<typeof bankSchema>;

export const readBankTransfer = (body: unknown): Outcome<BankTransferRequest> =>
  readBody(bankSchema, body, ALIASES);

export const resolveQuery = z.object({ bank_code: field.bankCode, account_number: field.accountNumber });
