/** Paging: `limit`, and a signed cursor that belongs to the list it came from (D42, D154). */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { done, type Outcome } from '../domain/outcome';
import { reference } from './fields';
import { invalid } from './read';
import { isName, lengthOf } from './text';

export const LIMIT_DEFAULT = 20;
export const LIMIT_MAX = 100;

/** The parameters of every list, as the reference page shows them. */
export const pageQuery = z.object({
  cursor: z
    .string()
    .min(1)
    .optional()
    .meta({ description: '`meta.next_cursor` of the page before; it belongs to its list and filter' }),
  limit: z.int().min(1).max(LIMIT_MAX).default(LIMIT_DEFAULT).meta({ description: 'How many at most' }),
});

/** The same with the filter by the partner's reference. */
export const transactionsQuery = pageQuery.extend({ reference: reference.optional() });

/** The same with the filter by the owner of a wallet. */
export const walletsQuery = pageQuery.extend({ user_ref: reference.optional() });

export type Query = Record<string, string | string[] | undefined>;

/** One value of a query string; repeated or bracketed parameters are refused (D152). */
function readParameter(query: Query, name: string): Outcome<string | undefined> {
  const value = query[name];
  const bracketed = Object.keys(query).some((key) => key.startsWith(`${name}[`));
  if (Array.isArray(value) || bracketed) return invalid(`${name}: must be given once`);
  return done(value);
}

/** @returns the page size: an integer from 1 to 100, 20 when absent. */
export function readLimit(query: Query): Outcome<number> {
  const read = readParameter(query, 'limit');
  if (!read.ok) return read;
  if (read.value === undefined) return done(LIMIT_DEFAULT);
  const limit = /^[0-9]{1,3}$/.test(read.value) ? Number(read.value) : 0;
  if (limit < 1 || limit > LIMIT_MAX)
    return invalid(`limit: must be an integer from 1 to ${String(LIMIT_MAX)}`);
  return done(limit);
}

/** A filter by a partner's own name for something: any name there could be; one that never was finds nothing. */
export function readNameFilter(query: Query, name: 'reference' | 'user_ref'): Outcome<string | undefined> {
  const read = readParameter(query, name);
  if (!read.ok || read.value === undefined) return read;
  const fits = read.value !== '' && lengthOf(read.value) <= 128 && isName(read.value);
  return fits ? read : invalid(`${name}: must have 1 to 128 characters`);
}

/** Makes and reads cursors. `list` names the list with its filters; a cursor of another list is refused. */
export function createCursors(key: Buffer) {
  const sign = (list: string, place: string): string =>
    createHmac('sha256', key).update(`${list}\n${place}`).digest('base64url').slice(0, 22);
  return {
    write(list: string, place: string): string {
      return Buffer.from(`${place}.${sign(list, place)}`).toString('base64url');
    },
    read(query: Query, list: string): Outcome<string | null> {
      const read = readParameter(query, 'cursor');
      if (!read.ok) return read;
      if (read.value === undefined) return done(null);
      const text = Buffer.from(read.value, 'base64url').toString();
      const dot = text.lastIndexOf('.');
      const place = text.slice(0, Math.max(0, dot));
      const given = Buffer.from(text.slice(dot + 1));
      const right = Buffer.from(sign(list, place));
      const good = dot > 0 && given.length === right.length && timingSafeEqual(given, right);
      return good ? done(place) : invalid('cursor: is not a cursor of this list');
    },
  };
}

export type Cursors = ReturnType<typeof createCursors>;

/** `meta` of a list: the cursor of the next page, if there is one (D42). */
export const writePageMeta = (cursor: string | undefined) => ({
  next_cursor: cursor ?? null,
  has_more: cursor !== undefined,
});
