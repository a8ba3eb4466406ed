/** While the sandbox runs: two lines for each webhook that goes out, the event and what its receiver said. */
import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { z } from 'zod';

const LOOK_EVERY_MS = 300;

/** What the worker logs of an attempt. */
const attemptSchema = z.object({
  msg: z.literal('The worker attempted a webhook'),
  event: z.string(),
  webhookId: z.string(),
  url: z.string(),
  answer: z.union([z.number(), z.string()]),
});

/** The lines of a log entry that tells of an attempt; null for every other entry. */
export function attemptLines(entry: string): string[] | null {
  try {
    const { event, webhookId, url, answer } = attemptSchema.parse(JSON.parse(entry));
    return [`--> ${event} [${webhookId}]`, `<--  [${String(answer)}] POST ${url}`];
  } catch {
    return null;
  }
}

/**
 * Calls `onLine` for each whole line that a growing log gets from now on; a log that is begun anew, because its
 * program was started again, is read from its beginning.
 */
export function follow(file: string, onLine: (line: string) => void): void {
  let descriptor = openSync(file, 'r');
  let read = fstatSync(descriptor).size;
  let rest = Buffer.alloc(0);
  const readFresh = (): void => {
    const fresh = Buffer.alloc(Math.max(0, fstatSync(descriptor).size - read));
    read += readSync(descriptor, fresh, 0, fresh.length, read);
    const all = Buffer.concat([rest, fresh]);
    // Cut at bytes: a character may have been written in two halves.
    const end = all.lastIndexOf('\n') + 1;
    rest = all.subarray(end);
    all.subarray(0, end).toString('utf8').split('\n').slice(0, -1).forEach(onLine);
  };
  setInterval(() => {
    readFresh();
    const current = statSync(file, { throwIfNoEntry: false });
    if (current === undefined || current.ino === fstatSync(descriptor).ino) return;
    closeSync(descriptor);
    descriptor = openSync(file, 'r');
    read = 0;
    rest = Buffer.alloc(0);
  }, LOOK_EVERY_MS).unref();
}
