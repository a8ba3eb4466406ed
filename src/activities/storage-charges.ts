/**
 * What the worker writes by itself for a partner of the sandbox counts as what its requests have stored (D175): runs that a
 * forward makes due, failed attempts at webhooks, ends of what nobody has ended.
 */
import { addToStorage } from '../db/partners/storage';
import type { Cell } from '../db/pg/postgres';
import type { Dependencies } from './dependencies';

/**
 * Counts bytes. It is told after the commit, so a step that is repeated may count twice, which makes the room of the partner
 * smaller and harms no data; and an outage, in which nothing is counted, ends no step.
 */
export type Charge = (cell: Cell, partnerId: string, bytes: number) => Promise<void>;

export function createCharge({ environment, logger }: Pick<Dependencies, 'environment' | 'logger'>): Charge {
  return async (cell, partnerId, bytes) => {
    if (!environment.allowsSimulation || bytes === 0) return;
    try {
      await addToStorage(cell, new Map([[partnerId, { erasableBytes: bytes, keptBytes: 0 }]]));
    } catch (error) {
      logger.warn({ err: error, partnerId }, 'The worker could not count what it has stored for a partner');
    }
  };
}
