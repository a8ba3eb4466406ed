/**
 * Retention deletes rows that nobody needs any more. It works in small pieces, so that no request waits for it.
 */
import { heartbeat } from '@temporalio/activity';
import { FIRST_UUID } from '../db/pg/ids';
import { erasePerson } from '../db/upkeep/erase-person';
import {
  CLASSES_OF_USERS,
  forgetCallbackBodies,
  forgetDialCodes,
  forgetDirectors,
  forgetEvents,
  forgetIntentions,
  forgetKeys,
  forgetLoneNumbers,
  forgetNoticeBodies,
  forgetOfUsers,
  forgetPhones,
  forgetRateWindows,
  forgetKeyDays,
  forgetRequests,
  forgetRetiredSecrets,
  forgetSubmissions,
  listLongClosed,
  listPartnersLongGone,
} from '../db/upkeep/retention';
import { KEY_DAYS_KEPT, REQUESTS_KEPT_DAYS } from '../domain/request-log';
import { keptMs } from '../domain/retention';
import type { Dependencies } from './dependencies';

const PAGE = 1_000;
const DAY_MS = 86_400_000;
/** To erase one person takes several statements. */
const PEOPLE_PAGE = 50;
/** After this time a run begins nothing new, and the next run goes on. */
const RUN_MS = 120_000;
/** Longer than any window of the rate limit, in milliseconds. */
const RATE_WINDOWS_MS = 3_600_000;

export function retentionActivities({ environment, config }: Dependencies) {
  return {
    /** Deletes what is old, kind by kind. After a crash the next run goes on. @returns how many rows went. */
    async forgetOld(): Promise<Record<string, number>> {
      const gone: Record<string, number> = {};
      const endsAt = Date.now() + RUN_MS;
      const isOver = (): boolean => Date.now() > endsAt;
      const count = (what: string, rows: number): void => {
        gone[what] = (gone[what] ?? 0) + rows;
      };
      const pages = async (what: string, forget: () => Promise<number>): Promise<void> => {
        for (let rows = PAGE; rows === PAGE && !isOver();) {
          heartbeat();
          rows = await forget();
          count(what, rows);
        }
      };
      /** Goes through pages from the lowest id on. @param look does one page, and gives where the next one begins. */
      const walk = async (look: (afterId: string) => Promise<string | null>): Promise<void> => {
        for (let afterId: string | null = FIRST_UUID; afterId !== null && !isOver();) {
          heartbeat();
          afterId = await look(afterId);
        }
      };
      const { pool, directory, partnersPool } = environment;
      const requestsMs = REQUESTS_KEPT_DAYS[environment.name] * DAY_MS;
      for (const cell of environment.cells.values()) {
        await pages('keys', () => forgetKeys(cell, config.IDEMPOTENCY_WINDOW_MS, PAGE));
        await pages('intentions', () => forgetIntentions(cell, config.RETENTION_MS, PAGE));
        await pages('callback bodies', () => forgetCallbackBodies(cell, config.RETENTION_MS, PAGE));
        await pages('rate windows', () => forgetRateWindows(cell, RATE_WINDOWS_MS, PAGE));
        await pages('key days', () => forgetKeyDays(cell, KEY_DAYS_KEPT * DAY_MS, PAGE));
        await pages('requests', () => forgetRequests(cell, requestsMs, PAGE));
        await pages('webhook secrets', () => forgetRetiredSecrets(cell, 0, PAGE));
        await pages('telephone numbers', () => forgetPhones(cell, config.RETENTION_MS, PAGE));
        await walk(async (afterId) => {
          const page = await forgetLoneNumbers(cell, { afterId, limit: PAGE });
          count('lone numbers', page.gone);
          return page.next;
        });
        await walk(async (afterId) => {
          const closed = await listLongClosed(cell, keptMs('people'), { afterId, limit: PEOPLE_PAGE });
          for (const wallet of closed) {
            heartbeat();
            // A person whose number is being checked is refused, and found again by a later run.
            const erased = await erasePerson(cell, environment.directory, wallet);
            count('people', erased.ok ? 1 : 0);
          }
          return closed[PEOPLE_PAGE - 1]?.walletId ?? null;
        });
        await walk(async (afterId) => {
          const gonePartners = await listPartnersLongGone(partnersPool, keptMs('directors'), {
            afterId,
            limit: PAGE,
          });
          for (const partnerId of gonePartners) count('directors', await forgetDirectors(cell, partnerId));
          return gonePartners[PAGE - 1] ?? null;
        });
        await walk(async (afterId) => {
          const periods = { deliveredMs: config.RETENTION_MS, undeliveredMs: keptMs('undelivered_events') };
          const page = await forgetEvents(cell, periods, { afterId, limit: PAGE });
          count('deliveries', page.deliveries);
          count('events', page.events);
          return page.next;
        });
      }
      await pages('notice bodies', () => forgetNoticeBodies(pool, directory, config.RETENTION_MS, PAGE));
      await pages('dial codes', () => forgetDialCodes(pool, directory, keptMs('dial_codes'), PAGE));
      // Both environments do it, because users belong to none; the second one finds nothing left.
      for (const name of CLASSES_OF_USERS) await pages(name, () => forgetOfUsers(partnersPool, name, PAGE));
      await pages('submissions', () => forgetSubmissions(pool, directory, config.RETENTION_MS, PAGE));
      return gone;
    },
  };
}
