/** Webhook endpoints and events as rows, for tests of what happens between an event and its delivery. */
import { valueOf } from './outcomes';
import { insertEndpoint } from '../../src/db/events/endpoints';
import { insertEvent } from '../../src/db/events/events';
import { newId } from '../../src/db/pg/ids';
import type { Cell } from '../../src/db/pg/postgres';
import { eventAlias, type EventDraft } from '../../src/domain/events';
import type { TransactionType } from '../../src/domain/transaction-types';

/** For changes of endpoints that are not reported as security events. */
export const andNothingElse = (): Promise<void> => Promise.resolve();

/** An endpoint of a partner, subscribed to `events`. @returns its id. */
export async function openEndpoint(cell: Cell, partnerId: string, events: string[]): Promise<string> {
  const id = newId();
  const endpoint = { id, partnerId, url: `https://shop.example/hook/${id}`, events, secretSealed: 'sealed' };
  valueOf(await insertEndpoint(cell, endpoint, 1_000, andNothingElse));
  return id;
}

/** A `transaction.completed` of a transaction of this type. */
export function completed(type: TransactionType = 'p2p_transfer', data = '{}'): EventDraft {
  const kind = 'transaction.completed';
  return { kind, alias: eventAlias(kind, type), resourceId: newId(), data };
}

/** Writes `number` events of a partner. @returns the endpoints with something due now. */
export async function happen(
  cell: Cell,
  partnerId: string,
  number = 1,
  draft: () => EventDraft = completed,
): Promise<string[]> {
  const endpointIds: string[] = [];
  for (let done = 0; done < number; done++) {
    endpointIds.push(...(await insertEvent(cell.pool, cell.schema, partnerId, draft())));
  }
  // Due times are rounded to the millisecond, so the last one may be up to half a millisecond in the future.
  await cell.pool.query('SELECT pg_sleep(0.001)');
  return endpointIds;
}
