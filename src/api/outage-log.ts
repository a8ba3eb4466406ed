/**
 * Tells the log of requests that were answered 503. When something is away, every request is answered so, and a line
 * for each of them would fill the log and take time from those that are served.
 */
import type { Logger } from 'pino';
import { isOutage } from '../db/pg/postgres';
import { UnavailableError } from '../runtime/unavailable';

/** Whether the cause of an error is that something is away which requests need, and no bug. */
export const isAway = (error: unknown): boolean => error instanceof UnavailableError || isOutage(error);

/** Notes that a request was answered 503. `err` is why. */
export type OutageLog = (about: { err: unknown; requestId: string }) => void;

const ONE_LINE_IN_MS = 1_000;

/** The first request gets a line at once. Those of each later second share one line, with the last of them and their number. */
export function createOutageLog(logger: Logger): OutageLog {
  let requests = 0;
  let last: Parameters<OutageLog>[0] | undefined;
  let silent = false;

  function tell(): void {
    silent = requests > 0;
    if (!silent) return;
    logger.warn({ ...last, requests }, 'The API answered 503, because something that it needs is away');
    requests = 0;
    setTimeout(tell, ONE_LINE_IN_MS).unref();
  }

  return (about) => {
    requests += 1;
    last = about;
    if (!silent) tell();
  };
}
