/**
 * Gives one page of a list, for all lists of both ports: it reads the place from the cursor, the rows from there
 * on, and where the next page begins (D42, D43, D154).
 */
import { done, type Outcome } from '../domain/outcome';
import type { Place, Walked } from '../db/pg/walks';
import { writePageMeta, type Cursors } from '../wire/pages';
import { dataAnswer, type Answer } from './route';

/** The order of a list: how the text of a cursor gives a place in it, and how a row gives that text. */
interface Order<Row, At> {
  read: (text: string) => At;
  write: (row: Row) => string;
}

/** Newest first. Among rows with the same time the id decides. */
export const BY_TIME: Order<Place, Place> = {
  read(text) {
    const [createdAt = '', id = ''] = text.split('|');
    return { createdAt: new Date(createdAt), id };
  },
  write: ({ createdAt, id }) => `${createdAt.toISOString()}|${id}`,
};

/** The page of rows that are all at hand, newest first. */
export const behind = <Row extends Place>(
  { after, limit }: { after: Place | null; limit: number },
  rows: readonly Row[],
): Walked<Row, Place> => ({
  rows: rows.filter((one) => !after || newestFirst(after, one) < 0).slice(0, limit),
  stoppedAt: null,
});

/** The same order as a comparison of two rows, for `sort`. */
export const newestFirst = (one: Place, other: Place): number => {
  const byTime = other.createdAt.getTime() - one.createdAt.getTime();
  if (byTime !== 0 || one.id === other.id) return byTime;
  return other.id < one.id ? -1 : 1;
};

/** By the list's own running number, the highest first. */
export const BY_SEQUENCE: Order<{ sequence: number }, number> = {
  read: Number,
  write: ({ sequence }) => String(sequence),
};

/** By time-ordered ids, the newest first. */
export const BY_ID: Order<{ id: string }, string> = { read: (text) => text, write: ({ id }) => id };

/** What a list needs from a call of a partner or an operator. */
interface ListCall {
  services: { cursors: Cursors };
  query: { limit: number; cursor?: string | undefined };
  requestId: string;
}

interface List<Row, At> {
  /** Names the list with its filters. A cursor is good for this list only. */
  name: string;
  order: Order<Row, At>;
  /** Gives at most `limit` rows behind `after`; null is before the first row. */
  find: (page: { after: At | null; limit: number }) => Promise<Row[] | Walked<Row, string | Place>>;
  write: (row: Row) => unknown;
}

/** Answers with the page for the cursor of the call. A cursor of another list is refused. */
export async function pageAnswer<Row, At>(call: ListCall, list: List<Row, At>): Promise<Outcome<Answer>> {
  const { cursors } = call.services;
  const { limit, cursor } = call.query;
  const read = cursors.read(cursor, list.name);
  if (!read.ok) return read;
  const after = read.value === null ? null : list.order.read(read.value);
  // One row more than is shown is read, to know whether there is a next page.
  const found = await list.find({ after, limit: limit + 1 });
  const { rows, stoppedAt } = Array.isArray(found) ? { rows: found, stoppedAt: null } : found;
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  const end = typeof stoppedAt === 'object' ? stoppedAt && BY_TIME.write(stoppedAt) : stoppedAt;
  const place = last ? list.order.write(last) : end;
  const next = place === null ? undefined : cursors.write(list.name, place);
  return done(dataAnswer(call, 200, page.map(list.write), writePageMeta(next)));
}
