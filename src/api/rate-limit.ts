/**
 * The rate limit, exact over all processes (D122, R26): a process adds its waiting requests to the partner's
 * window in one awaited statement, and the next one carries whatever came meanwhile.
 */
import { addToWindow } from '../db/rate';
import type { Cell } from '../db/postgres';
import type { Partner, Tier } from '../domain/partners';

interface Allowance {
  allowed: boolean;
  limit: number;
  remaining: number;
  resetSeconds: number;
}

export type RateLimiter = (cell: Cell, partner: Partner) => Promise<Allowance>;

interface Waiting {
  resolve: (allowance: Allowance) => void;
  reject: (error: unknown) => void;
  limit: number;
}

/** @param limits requests per minute of each tier (D121). */
export function createRateLimiter(limits: Record<Tier, number>): RateLimiter {
  const queues = new Map<string, Waiting[]>();

  async function count(cell: Cell, partnerId: string): Promise<void> {
    for (;;) {
      const waiting = queues.get(partnerId) ?? [];
      if (waiting.length === 0) {
        queues.delete(partnerId);
        return;
      }
      queues.set(partnerId, []);
      try {
        const window = await addToWindow(cell, partnerId, waiting.length);
        waiting.forEach(({ resolve, limit }, index) => {
          const place = window.usedBefore + index + 1;
          const remaining = Math.max(0, limit - place);
          resolve({ allowed: place <= limit, limit, remaining, resetSeconds: window.resetSeconds });
        });
      } catch (error) {
        waiting.forEach(({ reject }) => reject(error));
      }
    }
  }

  return (cell, partner) =>
    new Promise((resolve, reject) => {
      const place = { resolve, reject, limit: limits[partner.tier] };
      const queue = queues.get(partner.id);
      if (queue) {
        queue.push(place);
        return;
      }
      queues.set(partner.id, [place]);
      void count(cell, partner.id);
    });
}
