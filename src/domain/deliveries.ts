/** Events as partners look them up again, and their deliveries to an endpoint (D191, D192). */

import type { ToldRow } from './events';

/**
 * - `pending`: it will be tried, or is being tried.
 * - `delivered`: it was answered with a 2xx.
 * - `failed`: it was tried, and is not tried any more until it is recovered.
 * - `parked`: it was never tried, because its endpoint was switched off.
 */
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'parked'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** An event as it was written, with what became of its deliveries. */
export interface EventRecord {
  id: string;
  /** The same on every stream of the partner. */
  webhookId: string;
  kind: string;
  resourceId: string;
  /** The payload, as JSON text; or what it is made from. */
  payload: string | ToldRow;
  createdAt: Date;
  deliveries: { pending: number; delivered: number; failed: number };
}

/**
 * Where a poll of events goes on: everything up to this id that this snapshot of Postgres sees was given. Without a snapshot,
 * all up to the id was.
 */
export interface PollPlace {
  afterId: string;
  seen: string | null;
}

export interface DeliveryRecord {
  webhookId: string;
  eventId: string;
  /** The name under which the endpoint gets it. */
  eventName: string;
  status: DeliveryStatus;
  /** How often it was tried since it was last begun. */
  attempts: number;
  nextAttemptAt: Date | null;
  deliveredAt: Date | null;
  lastStatus: number | null;
  lastError: string | null;
  lastDurationMs: number | null;
  /** When the event was written. */
  createdAt: Date;
}

/** One attempt. */
export interface DeliveryTry {
  at: Date;
  status: number | null;
  error: string | null;
  durationMs: number;
}

/** An event as streams tell it. */
export interface StreamedEvent {
  id: string;
  partnerId: string;
  kind: string;
  /** The same on every stream of the partner. */
  webhookId: string;
  /** The payload, as JSON text; or what it is made from. */
  payload: string | ToldRow;
  createdAt: Date;
}
