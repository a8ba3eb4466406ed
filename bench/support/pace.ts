/** A steady load: a fixed number of requests a second, whether the earlier ones have been answered or not. */
import { setTimeout as sleep } from 'node:timers/promises';

/** How long the loop sleeps. Everything that has become due meanwhile is sent at once. */
const TICK_MS = 5;

/**
 * Calls `send` `perSecond` times a second.
 * @returns how many were sent, once all are answered. @throws what a call throws.
 */
export async function pace(
  perSecond: number,
  seconds: number,
  send: () => Promise<unknown>,
): Promise<number> {
  const startedAt = performance.now();
  const endAt = startedAt + seconds * 1_000;
  const underWay: Promise<unknown>[] = [];
  for (let now = startedAt; now < endAt; now = performance.now()) {
    const due = Math.ceil(((now - startedAt) / 1_000) * perSecond);
    while (underWay.length < due) underWay.push(send());
    await sleep(TICK_MS);
  }
  await Promise.all(underWay);
  return underWay.length;
}
