/** What a poll of events reads: what is new behind a place, oldest first, with what was committed late (D212). */
import type { EventRecord, PollPlace } from '../../domain/deliveries';
import { firstIdOf, madeAtMs } from '../../domain/time-ordered-ids';
import { LAST_UUID } from '../pg/ids';
import type { SealedCell } from '../pg/postgres';
import { TOLD, toldBy } from './deliveries';
import { countsOf, toEvent, type EventRow } from './event-list';

/** A write ends within ten seconds of the time of its ids; the rest is for clocks. */
const LATE_MAX_MS = 30_000;

/** When a row was written, as a number that never begins again. Its own one is the lower half of it. */
const WRITTEN = `(SELECT (full_xid - CASE WHEN full_xid >= newest THEN 4294967296 ELSE 0 END)::text::xid8
  FROM (SELECT newest, (newest >> 32 << 32) + e.xmin::text::bigint AS full_xid
          FROM (SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS newest) AS now) AS halves)`;

/**
 * A partner's events behind a place, oldest first. Ids are made before the commit, so an event with a smaller id may appear
 * later: a snapshot tells such an event from those that were there.
 * @returns the events, the place behind them, and whether more are there.
 */
export async function listEventsBehind(
  { pool, schema, sealing }: SealedCell,
  partnerId: string,
  { afterId, seen }: PollPlace,
  limit: number,
): Promise<{ events: EventRecord[]; place: PollPlace; hasMore: boolean }> {
  const fromId = seen === null ? afterId : firstIdOf((madeAtMs(afterId) ?? 0) - LATE_MAX_MS);
  const { rows } = await pool.query<Omit<EventRow, 'id'> & { id: string | null; seen_now: string }>(
    `SELECT pg_current_snapshot()::text AS seen_now, found.*
       FROM (SELECT 1) AS one LEFT JOIN (
         SELECT e.*, ${TOLD}, counted.* FROM (
           SELECT e.id FROM ${schema}.events e
            WHERE (e.partner_id, e.id) > ($1, $2) AND (e.partner_id, e.id) <= ($1, '${LAST_UUID}')
              AND (e.id > $3 OR NOT pg_visible_in_snapshot(${WRITTEN}, $4::pg_snapshot))
            ORDER BY e.partner_id, e.id LIMIT $5) AS behind
         JOIN ${schema}.events e ON e.id = behind.id ${toldBy(schema)} ${countsOf(schema)}) AS found ON true
      ORDER BY found.id`,
    [partnerId, fromId, afterId, seen, limit + 1],
  );
  const found = rows.flatMap(({ id, ...row }) => (id === null ? [] : [toEvent(sealing, { ...row, id })]));
  const hasMore = found.length > limit;
  const events = found.slice(0, limit);
  const lastId = events.at(-1)?.id ?? afterId;
  return {
    events,
    // What is left of a long page comes next, also where it was committed late.
    place: { afterId: hasMore || lastId > afterId ? lastId : afterId, seen: rows[0]?.seen_now ?? seen },
    hasMore,
  };
}
