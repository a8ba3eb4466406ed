/**
 * Retention deletes rows that nobody needs any more. It works in small pieces, so that no request waits for it.
 */
import { heartbeat } from '@temporalio/activity';
import {
  forgetCallbackBodies,
  forgetEvents,
  forgetIntentions,
  forgetKeys,
  forgetRateWindows,
  forgetRetiredSecrets,
  forgetSubmissions,
} from '../db/upkeep/retention';
import type { Dependencies } from './dependencies';

const PAGE = 1_000;
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
      for (const cell of environment.cells.values()) {
        await pages('keys', () => forgetKeys(cell, config.IDEMPOTENCY_WINDOW_MS, PAGE));
        await pages('intentions', () => forgetIntentions(cell, config.RETENTION_MS, PAGE));
        await pages('callback bodies', () => forgetCallbackBodies(cell, config.RETENTION_MS, PAGE));
        await pages('rate windows', () => forgetRateWindows(cell, RATE_WINDOWS_MS, PAGE));
        await pages('webhook secrets', () => forgetRetiredSecrets(cell, 0, PAGE));
        let afterId: string | null = null;
        do {
          heartbeat();
          const page = await forgetEvents(cell, config.RETENTION_MS, { afterId, limit: PAGE });
          count('deliveries', page.deliveries);
          count('events', page.events);
          afterId = page.next;
        } while (afterId !== null && !isOver());
      }
      const { pool, directory } = environment;
      await pages('submissions', () => forgetSubmissions(pool, directory, config.RETENTION_MS, PAGE));
      return gone;
    },
  };
}
