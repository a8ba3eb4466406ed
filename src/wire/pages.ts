/** Paging: `limit`, and a signed cursor that belongs to the list it came from (D42, D154). */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { beginningOf, dayAfter, dayOf, isDay, type Day } from '../domain/days';
import { done, refuseFields, type Outcome } from '../domain/outcome';
import { PUBLISHED_TYPES } from '../domain/transaction-types';
import { TRANSACTION_STATUSES } from '../domain/transactions';
import { WALLET_STATUSES } from '../domain/wallets';
import { askedUserRef, DAY_EXAMPLE, instant, INSTANT_EXAMPLE, reference, walletId } from './fields';

export const LIMIT_DEFAULT = 20;
export const LIMIT_MAX = 100;
const SIGNATURE_LENGTH = 22;

const NOT_A_LIMIT = `must be an integer from 1 to ${String(LIMIT_MAX)}`;
const NOT_A_CURSOR = 'is not a cursor of this list';

const limit = z
  .int(NOT_A_LIMIT)
  .min(1, NOT_A_LIMIT)
  .max(LIMIT_MAX, NOT_A_LIMIT)
  .default(LIMIT_DEFAULT)
  .meta({ description: 'How many at most' });

/** Only the shape is checked here. `createCursors` checks that a cursor belongs to the list with its filters. */
const cursor = z
  .string()
  .min(1, { error: NOT_A_CURSOR, abort: true })
  .refine((text) => parse(text) !== null, NOT_A_CURSOR)
  .optional()
  .meta({ description: '`meta.next_cursor` of the page before; it belongs to its list and filter' });

/** The query of a GET without parameters. */
export const noQuery = z.object({});

/** The parameters of every list. */
export const pageQuery = z.object({ cursor, limit });

/** The same with the filter by the partner's reference. */
export const transactionsQuery = pageQuery.extend({ reference: reference.optional() });

/** A moment, or a day as it is in Lagos. */
const dayOrInstant = z
  .string()
  .refine(
    (text) => isDay(text) || instant.safeParse(text).success,
    `must be a date, such as ${DAY_EXAMPLE}, or a date and time with its zone, such as ${INSTANT_EXAMPLE}`,
  );

/** The parameters of a time from which and before which something is listed. */
export const period = {
  from: dayOrInstant.optional().meta({
    description: 'At this time or later; of a plain date the beginning, as it is in Lagos',
    examples: ['2026-11-01T00:00:00Z', DAY_EXAMPLE],
  }),
  to: dayOrInstant.optional().meta({
    description: 'Before this time; of a plain date its end, so the day is included, and of today until now',
    examples: ['2026-12-01T00:00:00Z', '2026-11-30'],
  }),
};

/** The moment before which a period ends that ends with this day. Today is not over. */
function endOf(day: Day, now: Date): Date {
  const end = beginningOf(dayAfter(day));
  return day === dayOf(now) ? now : end;
}

/**
 * Reads a period; null is open. Both ends may be days of Lagos, which are included.
 * @returns VALIDATION_ERROR for one that ends before it begins.
 */
export function readPeriod(
  query: {
    from?: string | undefined;
    to?: string | undefined;
  },
  now = new Date(),
): Outcome<{ from: Date | null; to: Date | null }> {
  const read = (text: string | undefined, ofDay: (day: Day) => Date): Date | null =>
    text === undefined ? null : isDay(text) ? ofDay(text) : new Date(text);
  const from = read(query.from, beginningOf);
  const to = read(query.to, (day) => endOf(day, now));
  if (from && to && from >= to) return refuseFields({ field: 'to', message: 'must be later than from' });
  return done({ from, to });
}

/** The parameters of the list of all transactions. A wallet that the partner does not have finds nothing. */
export const allTransactionsQuery = transactionsQuery.extend({
  type: z.enum(PUBLISHED_TYPES, `must be of: ${PUBLISHED_TYPES.join(', ')}`).optional(),
  status: z.enum(TRANSACTION_STATUSES, `must be of: ${TRANSACTION_STATUSES.join(', ')}`).optional(),
  wallet_id: walletId.optional(),
  ...period,
});

/** The page with the filters by the owner of a wallet and by its status. A name that no owner has finds nothing. */
export const walletsQuery = pageQuery.extend({
  user_ref: askedUserRef.optional(),
  status: z.enum(WALLET_STATUSES, `must be of: ${WALLET_STATUSES.join(', ')}`).optional(),
  include: z
    .literal('balance', 'must be balance, or absent')
    .optional()
    .meta({ description: 'Shows each wallet with its `balance_kobo`, `balance_naira` and `available_kobo`' }),
});

/** The page of API keys. A key is shown as the interface publishes it, unless more is asked for (interface: Authentication, rule 5). */
export const keysQuery = pageQuery.extend({
  include: z
    .literal('used_by_day', 'must be used_by_day, or absent')
    .optional()
    .meta({ description: 'Shows for each key on which days it was used' }),
});

/**
 * Makes and reads cursors. `list` names the list with its filters; a cursor of another list is refused.
 * @param newest the key of new cursors: 32 bytes in base64.
 * @param accepted further keys whose cursors are read.
 */
export function createCursors(newest: string, accepted: readonly string[] = []) {
  const sign = (key: string, list: string, place: string): string =>
    createHmac('sha256', Buffer.from(key, 'base64'))
      .update(`${list}\n${place}`)
      .digest('base64url')
      .slice(0, SIGNATURE_LENGTH);
  return {
    write(list: string, place: string): string {
      return Buffer.from(`${place}.${sign(newest, list, place)}`).toString('base64url');
    },
    /** @returns the place that the cursor names; null before the first row. */
    read(text: string | undefined, list: string): Outcome<string | null> {
      if (text === undefined) return done(null);
      const given = parse(text);
      const isOurs = (key: string): boolean =>
        given !== null && timingSafeEqual(given.signature, Buffer.from(sign(key, list, given.place)));
      if (given && [newest, ...accepted].some(isOurs)) return done(given.place);
      return refuseFields({ field: 'cursor', message: NOT_A_CURSOR });
    },
  };
}

export type Cursors = ReturnType<typeof createCursors>;

/** A cursor's two parts, or null for a text that cannot be one. */
function parse(cursorText: string): { place: string; signature: Buffer } | null {
  const text = Buffer.from(cursorText, 'base64url').toString();
  const dot = text.lastIndexOf('.');
  const signature = Buffer.from(text.slice(dot + 1));
  return dot > 0 && signature.length === SIGNATURE_LENGTH ? { place: text.slice(0, dot), signature } : null;
}

/** `meta` of a list: the cursor of the next page, if there is one (D42). */
export const writePageMeta = (next: string | undefined) => ({
  next_cursor: next ?? null,
  has_more: next !== undefined,
});
