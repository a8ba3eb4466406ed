/**
 * What Prembly's answers mean. The rows come from its public pages ("Response Codes and Verification Status"; BVN; NIN).
 * An answer that is in no row, or that contradicts itself, is an outage: nothing is known, and it is asked again.
 */
import { z } from 'zod';
import type { IdentityAnswer, IdentityOrder } from '../port';
import type { Reply } from '../http';

const NO_ACCESS: IdentityAnswer = { outcome: 'refused', cause: 'access' };
const NO_FLOAT: IdentityAnswer = { outcome: 'refused', cause: 'float' };
const WATCHED: IdentityAnswer = {
  outcome: 'found',
  record: { name: null, nameFits: null, watchListed: true },
};

/** The statuses of HTTP with which Prembly turns a request away before it looks at it. */
const TURNED_AWAY: readonly number[] = [401, 403];

const answerSchema = z.object({
  response_code: z.string(),
  verification: z.object({ status: z.string().nullish() }).nullish(),
});

const name = z.string().trim().nullish();
/** The record of a BVN and that of a NIN are spelt differently, and lie in `data` or in a field of their own. */
const recordSchema = z
  .object({
    bvn: z.string().nullish(),
    nin: z.string().nullish(),
    firstName: name,
    middleName: name,
    lastName: name,
    firstname: name,
    middlename: name,
    surname: name,
    watchListed: z.union([z.boolean(), z.string()]).nullish(),
  })
  .transform((record) => ({
    bvn: record.bvn,
    nin: record.nin,
    first: record.firstName || record.firstname,
    middle: record.middleName || record.middlename,
    last: record.lastName || record.surname,
    watchListed: record.watchListed,
  }));
const recordsSchema = z.object({ data: z.unknown(), bvn_data: z.unknown(), nin_data: z.unknown() }).partial();

/** The words for the watch list, in lower case. An empty text says nothing. */
const WATCH_LISTED: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['yes', true],
  ['false', false],
  ['no', false],
  ['', null],
]);

/**
 * What the answer to a look-up means.
 * @throws Error, as an outage, for an answer that says nothing certain about this number. It repeats no text of Prembly's.
 */
export function readLookUp(reply: Reply, order: Pick<IdentityOrder, 'type' | 'number'>): IdentityAnswer {
  if (reply.kind === 'not connected') throw new Error(`There is no connection to Prembly: ${reply.cause}`);
  if (TURNED_AWAY.includes(reply.status)) return NO_ACCESS;
  const told = answerSchema.safeParse(reply.json).data;
  if (told?.response_code === '03') return NO_FLOAT;
  if (reply.status !== 200 || !told) return unknown(reply.status);
  const { response_code: code, verification } = told;
  /** The status is not in every answer. Where it is there, it must say the same. */
  const isSaid = (status: string): boolean => (verification?.status ?? status) === status;
  if (code === '01' && isSaid('NOT-VERIFIED')) return { outcome: 'not_found' };
  if (code === '07') return WATCHED;
  const found = code === '00' && isSaid('VERIFIED') ? readRecord(reply.json, order) : null;
  return found ?? unknown(reply.status);
}

/** The record in an answer; null where it is another number's, or has no whole name. */
function readRecord(
  json: unknown,
  { type, number }: Pick<IdentityOrder, 'type' | 'number'>,
): IdentityAnswer | null {
  const records = recordsSchema.safeParse(json).data;
  const own = type === 'bvn' ? records?.bvn_data : records?.nin_data;
  const record = recordSchema.safeParse(own ?? records?.data).data;
  if (!record?.first || !record.last) return null;
  if ((record[type] || number) !== number) return null;
  const watchListed = WATCH_LISTED.get(
    String(record.watchListed ?? '')
      .trim()
      .toLowerCase(),
  );
  if (watchListed === undefined) return null;
  const fullName = [record.first, record.middle, record.last].filter(Boolean).join(' ');
  return { outcome: 'found', record: { name: fullName, nameFits: null, watchListed } };
}

function unknown(status: number): never {
  throw new Error(`Prembly answered HTTP ${status} without an answer that is known`);
}
