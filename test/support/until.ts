/**
 * Waits for something by looking again and again, never by sleeping for a guessed time. When time runs out, the
 * error says what the last look read: the answers, rows and workflows that the helpers of this folder report here.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { SECRET_FIELDS } from '../../src/runtime/process';

/**
 * A look costs a request or a query, which slows down what the test waits for. So the longer a wait has lasted, the
 * longer it is to the next look: this part of the time so far, within limits, and never less than twice the time that
 * the last look took, up to the longest rest. A look may start a program.
 */
const LATE_BY = 1 / 8;
const LOOK_EVERY_MS_MIN = 25;
const LOOK_EVERY_MS_MAX = 250;
const REST_MS_MAX = 2_000;
/** Far more than any wait takes, even on a busy machine: only a failing test waits so long. */
const WITHIN_MS = 90_000;
const READINGS_MAX = 5;
const READING_MAX = 1_000;

/** What the present look has read so far. */
const look = new AsyncLocalStorage<string[]>();

/** Reports what was read, so that `until` can name it when it gives up. Outside `until` it does nothing. */
export function sighted(what: string, seen: unknown): void {
  const readings = look.getStore();
  if (!readings) return;
  const text = typeof seen === 'string' ? seen : JSON.stringify(seen, withoutSecrets);
  readings.push(`${what}: ${text.length > READING_MAX ? `${text.slice(0, READING_MAX)} …` : text}`);
}

/**
 * Looks until there is something to see.
 * @param find gives undefined, null or false as long as there is nothing to see.
 * @throws Error naming `what`, and what the last look read, when `withinMs` have passed; whatever `find` throws.
 */
export async function until<Seen>(
  what: string,
  find: () => Seen | Promise<Seen>,
  withinMs = WITHIN_MS,
): Promise<Exclude<Seen, undefined | null | false>> {
  const startedAt = Date.now();
  for (;;) {
    const readings: string[] = [];
    const lookedAt = Date.now();
    const seen = await look.run(readings, async () => find());
    if (seen !== undefined && seen !== null && seen !== false) {
      return seen as Exclude<Seen, undefined | null | false>;
    }
    const waitedMs = Date.now() - startedAt;
    const tookMs = Date.now() - lookedAt;
    if (waitedMs > withinMs) {
      const last = readings.slice(-READINGS_MAX).map((reading) => `\n  last seen: ${reading}`);
      throw new Error(`not seen within ${withinMs / 1_000} s: ${what}${last.join('')}`);
    }
    const everyMs = Math.max(LOOK_EVERY_MS_MIN, Math.min(waitedMs * LATE_BY, LOOK_EVERY_MS_MAX));
    await sleep(Math.max(everyMs, Math.min(2 * tookMs, REST_MS_MAX)));
  }
}

/**
 * Sends a request again for as long as it is answered 503, as partners do: a busy platform turns away what it could not do
 * in time (G28).
 */
export const insist = <Reply extends { status: number }>(
  what: string,
  send: () => Promise<Reply>,
): Promise<Reply> =>
  until(what, async () => {
    const reply = await send();
    return reply.status === 503 ? undefined : reply;
  }) as Promise<Reply>;

const withoutSecrets = (name: string, value: unknown): unknown =>
  SECRET_FIELDS.includes(name) ? '[secret]' : value;
