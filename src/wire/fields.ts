/** The fields that requests share, as zod schemas: all formats and greatest lengths (D11, D20, D142, D152). */
import { z } from 'zod';
import { CURRENCY, KOBO_MAX } from '../domain/money';
import type { Metadata } from '../domain/wallets';
import { canonicalId, kindByPrefix } from './ids';
import { isFreeText, isName, isPlain, isTrimmed, lengthOf } from './text';

export const METADATA_MAX_BYTES = 16_384;
export const METADATA_MAX_DEPTH = 20;
export const ID_EXAMPLE = '0198c0de-0000-7000-8000-000000000001';
export const OTHER_ID_EXAMPLE = '0198c0de-0000-7000-8000-000000000002';

/** The meta of a field that holds a secret: no log and no view of a request may show what was sent in it. */
export const SECRET = { 'x-sensitive': true } as const;

/** The meta of a field that may name a person or say something about one: no view of a request shows it either. */
export const PERSONAL = { ...SECRET, 'x-personal': true } as const;

/** An optional field: null means absent (D152). */
export const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => value ?? undefined, schema.optional());

/** How days and moments are written where people read what they must look like. */
export const DAY_EXAMPLE = '2026-11-01';
export const INSTANT_EXAMPLE = '2026-11-01T09:30:00+01:00';

/** A moment, with its zone. */
export const instant = z.iso.datetime({
  offset: true,
  error: `must be a date and time with its zone, such as ${INSTANT_EXAMPLE}`,
});

const idOf = (kind: 'wallet' | 'transaction', example = ID_EXAMPLE) =>
  z
    .string()
    .meta({
      description: `The id of a ${kind}; upper case and the prefix of the guides are accepted`,
      examples: [example],
    })
    .transform((text, context) => {
      const canonical = canonicalId(text, kind);
      if (canonical) return canonical;
      const named = kindByPrefix(text);
      const isOther = named !== null && named !== kind;
      const message = isOther ? `must be the id of a ${kind}, not of a ${named}` : 'must be a uuid';
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    });

export const walletId = idOf('wallet');
/** The wallet that is paid, with another example than the one that pays. */
export const destWalletId = idOf('wallet', OTHER_ID_EXAMPLE);
export const transactionId = idOf('transaction');

/** Whole kobo; an integer below 1 is refused later, with its own code (D53, D135). */
const NOT_KOBO = 'must be an integer number of kobo';
export const amountKobo = z
  .number(NOT_KOBO)
  // A refinement, because after a wrong `z.int` the checks of the list around it would not run (D169).
  .refine(Number.isSafeInteger, NOT_KOBO)
  .meta({ description: 'In kobo', type: 'integer', minimum: 1, maximum: KOBO_MAX, examples: [150_000] });

/** A text of the wrong length is not checked further: only its length is reported. */
const named = (max: number, text = z.string()) =>
  text
    .refine((text) => lengthOf(text) >= 1 && lengthOf(text) <= max, {
      error: `must have 1 to ${String(max)} characters`,
      abort: true,
    })
    .refine(isName, 'must not contain control or invisible characters')
    .refine(isTrimmed, 'must not begin or end with a space')
    .refine((text) => text !== '.' && text !== '..', 'must not be "." or "..", which no address can name');
const lengths = (max: number) => ({ minLength: 1, maxLength: max });

/** Two spellings of a letter are one: it is kept, and looked for, in NFC. */
export const reference = named(128, z.string().normalize('NFC')).meta({
  ...lengths(128),
  description:
    "The partner's own name for this transfer. It finds the transfer again, and is used for one transfer only",
  examples: ['order-1001'],
});

/** The same with another example, so that the examples of all operations work one after the other. */
export const referenceLike = (example: string) =>
  reference.meta({ ...reference.meta(), examples: [example] });

const ownersName = { ...PERSONAL, ...lengths(128), description: "The partner's own name of the owner" };

/** A `user_ref` that somebody looks for. */
export const askedUserRef = named(128).meta(ownersName);

export const userRef = named(128)
  .refine((text) => !text.startsWith('__'), 'must not begin with "__"')
  .meta({ ...ownersName, examples: ['ada'] });

/** Text that people write: newline and tab are allowed. */
export const freeText = (max: number) =>
  z
    .string()
    .refine((text) => lengthOf(text) <= max, {
      error: `must have at most ${String(max)} characters`,
      abort: true,
    })
    .refine(isFreeText, 'must not contain control characters')
    .meta({ maxLength: max });

/** One line of text. @param least how many characters it must have. @param text changes it before it is judged. */
export const plainText = (max: number, least = 1, text = z.string()) =>
  text
    .refine((text) => lengthOf(text) >= least && lengthOf(text) <= max, {
      error: `must have ${String(least)} to ${String(max)} characters`,
      abort: true,
    })
    .refine(isPlain, 'must not contain control characters')
    .meta({ minLength: least, maxLength: max });

export const description = freeText(500).meta(PERSONAL);
export const currency = z.literal(CURRENCY, { error: `only ${CURRENCY} is supported` });
export const bankCode = z
  .string()
  .regex(/^[A-Za-z0-9]{3,8}$/, 'must be 3 to 8 letters or digits')
  .meta({ examples: ['058'] });
export const accountNumber = z
  .string()
  .regex(/^[0-9]{10}$/, 'must be 10 digits')
  .meta({ ...PERSONAL, examples: ['0123456789'] });

/**
 * A list of at most `max` items. For a longer list only its length is reported. Its items are not checked, so that
 * no answer names more problems than a list of `max` items can have.
 */
export const atMost = <Item extends z.ZodType>(max: number, tooLong: string, items: z.ZodArray<Item>) =>
  z.preprocess((value, context) => {
    if (!Array.isArray(value) || value.length <= max) return value;
    context.addIssue({ code: 'custom', message: tooLong, input: value });
    return z.NEVER;
  }, items.max(max));

/** A free-form object: at most 16,384 bytes as compact JSON, 20 levels deep, clean strings throughout (D142). */
export const metadata = z
  .custom<Metadata>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'must be an object',
  )
  .superRefine((value, context) => {
    const problem = metadataProblem(value);
    if (problem) context.addIssue({ code: 'custom', message: problem });
  })
  .meta({
    ...PERSONAL,
    type: 'object',
    additionalProperties: true,
    description: 'A free-form object, given back as it was sent; at most 16,384 bytes and 20 levels',
    examples: [{ order: 'A-1001' }],
  });

/** Why an object is no metadata; null where it is. */
export function metadataProblem(root: Metadata): string | null {
  let level: unknown[] = [root];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > METADATA_MAX_DEPTH) return `must be at most ${String(METADATA_MAX_DEPTH)} levels deep`;
    const below: unknown[] = [];
    for (const value of level) {
      for (const [key, inner] of Object.entries(value as object)) {
        if (!isFreeText(key) || (typeof inner === 'string' && !isFreeText(inner))) {
          return 'must not contain control characters';
        }
        if (typeof inner === 'number' && !Number.isFinite(inner))
          return 'must not contain numbers beyond a double';
        if (typeof inner === 'object' && inner !== null) below.push(inner);
      }
    }
    level = below;
  }
  const bytes = Buffer.byteLength(JSON.stringify(root));
  return bytes > METADATA_MAX_BYTES ? `must have at most ${String(METADATA_MAX_BYTES)} bytes` : null;
}
