/** What answers are made of, as schemas: the shared kinds of value, and the envelopes around them (D5, D42). */
import { z } from 'zod';
import { kindOf } from '../domain/kinds';
import { PUBLISHED_TYPES } from '../domain/transaction-types';
import { TRANSACTION_STATUSES } from '../domain/transactions';
import { FAILURE_REASONS, VERIFICATION_TYPES } from '../domain/verifications';
import { ACCOUNT_STATUSES, WALLET_STATUSES } from '../domain/wallets';
import { PERSONAL } from './fields';

export const uuid = z.uuid().meta({ examples: ['0198c0de-0000-7000-8000-000000000001'] });
export const timestamp = z.iso.datetime().meta({ examples: ['2026-01-15T09:30:00.000Z'] });
export const kobo = z.int().meta({ description: 'In kobo (100 kobo = 1 naira)', examples: [150_000] });
export const naira = z
  .string()
  .regex(/^-?[0-9]+\.[0-9]{2}$/)
  .meta({ description: 'In naira: two decimal places, no separators', examples: ['1500.00'] });
export const transactionType = z.enum(PUBLISHED_TYPES).meta({
  id: 'TransactionType',
  description: PUBLISHED_TYPES.map((type) => `- \`${type}\`: ${kindOf(type).summary}`).join('\n'),
});
export const transactionStatus = z.enum(TRANSACTION_STATUSES).meta({ id: 'TransactionStatus' });
export const walletStatus = z.enum(WALLET_STATUSES).meta({ id: 'WalletStatus' });
export const accountStatus = z.enum(ACCOUNT_STATUSES).meta({ id: 'AccountStatus' });
export const verificationType = z.enum(VERIFICATION_TYPES).meta({ id: 'VerificationType' });
export const failureReason = z.enum(FAILURE_REASONS).meta({ id: 'VerificationFailure' });

/** A free-form object, as it was sent. */
export const freeForm = z
  .record(z.string(), z.unknown())
  .meta({ ...PERSONAL, description: 'As it was sent' });

const requestId = z
  .string()
  .regex(/^req_[0-9a-f]{32}$/)
  .meta({
    description: 'The same as the header X-Request-Id. Support finds the request by it',
    examples: ['req_0198c0de000070008000000000000001'],
  });
const ignored = z
  .array(z.string())
  .optional()
  .meta({
    description:
      'Of a call that moves money, and only where there are any: the fields of its body that are none of the operation and had no ' +
      'effect, by their paths, a hundred at most; a name that is none of a programmer is `[hidden]`. `X-Strict: true` refuses them instead',
    examples: [['amout', 'transfers[3].narration']],
  });
export const meta = z.object({ request_id: requestId, ignored_fields: ignored }).meta({ id: 'Meta' });
const pageMeta = z
  .object({
    request_id: requestId,
    next_cursor: z
      .string()
      .nullable()
      .meta({ description: 'The `cursor` of the next page; null on the last' }),
    has_more: z.boolean(),
    next_after: z
      .string()
      .optional()
      .meta({ description: 'Only of events behind `after`: the `after` of the next call' }),
  })
  .meta({ id: 'PageMeta' });

/** `{ data, meta }`. */
export const dataOf = (schema: z.ZodType) => z.object({ data: schema, meta });
/** `{ data: [...], meta }`, a page of a list. */
export const pageOf = (schema: z.ZodType) => z.object({ data: z.array(schema), meta: pageMeta });
/** `{ data: [...], meta }`, a list that comes whole. */
export const listOf = (schema: z.ZodType) => z.object({ data: z.array(schema), meta });
