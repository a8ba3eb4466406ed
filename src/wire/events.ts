/** Events, deliveries and their attempts as partners look them up, and how they ask for them again (D191, D192). */
import { z } from 'zod';
import {
  DELIVERY_STATUSES,
  type DeliveryRecord,
  type DeliveryTry,
  type EventRecord,
} from '../domain/deliveries';
import { EVENT_KINDS, SUBSCRIBABLE_KINDS } from '../domain/events';
import type { Outcome } from '../domain/outcome';
import { timestamp, uuid } from './answers';
import { TEST_EVENT } from './event-payloads';
import { instant, optional } from './fields';
import { pageQuery } from './pages';
import { publishedBody, readBody } from './read';
import { webhookHeaders } from './webhook-signature';
import { writeDelivery, writeMoneyMoved } from './webhooks';

const KINDS = [...EVENT_KINDS, TEST_EVENT] as const;
const NAMES = [...SUBSCRIBABLE_KINDS, TEST_EVENT];
const id = z.uuid('must be a uuid');

export const eventsQuery = pageQuery.extend({
  event: z.enum(KINDS, `must be of: ${KINDS.join(', ')}`).optional(),
  resource_id: id.optional().meta({ description: 'The id of the transaction, wallet or verification' }),
  undelivered: z
    .literal('true', 'must be true, or absent')
    .optional()
    .meta({ description: 'Only events that have not arrived at every endpoint' }),
});

export const deliveriesQuery = pageQuery.extend({
  status: z.enum(DELIVERY_STATUSES, `must be of: ${DELIVERY_STATUSES.join(', ')}`).optional(),
  event: z.enum(NAMES, `must be of: ${NAMES.join(', ')}`).optional(),
});

export const eventSchema = z
  .object({
    id: uuid,
    event: z.enum(KINDS),
    resource_id: uuid,
    data: z
      .record(z.string(), z.unknown())
      .meta({ description: 'What deliveries carry as their `data`, by the kind of the event' }),
    created_at: timestamp,
    deliveries: z
      .object({ pending: z.int().min(0), delivered: z.int().min(0), failed: z.int().min(0) })
      .meta({ description: 'How many deliveries wait, have arrived, and are not tried any more' }),
  })
  .meta({ id: 'Event' });

export const textOf = (payload: EventRecord['payload']): string =>
  typeof payload === 'string' ? payload : writeMoneyMoved(payload);

export const writeEvent = (event: EventRecord) => ({
  id: event.id,
  event: event.kind,
  resource_id: event.resourceId,
  data: JSON.parse(textOf(event.payload)) as Record<string, unknown>,
  created_at: event.createdAt.toISOString(),
  deliveries: event.deliveries,
});

const redelivery = z
  .object({ endpoint_id: optional(id).meta({ description: 'Only to this endpoint, subscribed or not' }) })
  .transform((body) => ({ endpointId: body.endpoint_id ?? null }));

export const redeliveryBody = publishedBody('EventRedelivery', redelivery);
export const readRedelivery = (body: unknown): Outcome<{ endpointId: string | null }> =>
  readBody(redelivery, body);

export const redeliveryResult = z
  .object({ deliveries: z.int().min(0).meta({ description: 'How many are on their way' }) })
  .meta({ id: 'EventRedelivered' });

const recovery = z
  .object({
    since: instant.meta({
      description: 'Of the events: what was written before it stays as it is',
      examples: ['2026-11-23T09:00:00Z'],
    }),
    until: optional(instant),
  })
  .transform((body) => ({
    since: new Date(body.since),
    until: body.until === undefined ? null : new Date(body.until),
  }));

export const recoveryBody = publishedBody('WebhookRecovery', recovery);
export const readRecovery = (body: unknown): Outcome<{ since: Date; until: Date | null }> =>
  readBody(recovery, body);

export const recoveryResult = z
  .object({
    deliveries: z.int().min(0).meta({ description: 'How many are on their way; at most 10,000 by one call' }),
    has_more: z.boolean().meta({ description: 'Whether more are left for another call' }),
  })
  .meta({ id: 'WebhookRecovered' });

const delivery = {
  webhook_id: z.string().regex(/^wh_[0-9a-f]{32}$/),
  event_id: uuid,
  event: z.enum(NAMES).meta({ description: 'The name under which the endpoint gets it' }),
  status: z.enum(DELIVERY_STATUSES).meta({
    id: 'DeliveryStatus',
    description:
      '- `pending`: it will be tried\n- `delivered`: it was answered with a 2xx\n- `failed`: it is not tried any more\n- `parked`: it was never tried, because the endpoint was switched off',
  }),
  attempts: z.int().min(0).meta({ description: 'Since it was last begun' }),
  next_attempt_at: timestamp.nullable(),
  delivered_at: timestamp.nullable(),
  last_status: z.int().nullable().meta({ description: 'The HTTP status of the last answer' }),
  last_error: z.string().nullable().meta({
    description: 'Why there was no answer; or the fault of the sandbox that it met, as `fault: drop`',
  }),
  last_duration_ms: z.int().nullable(),
  created_at: timestamp,
};

export const deliverySchema = z.object(delivery).meta({ id: 'Delivery' });

export const writeDeliveryRecord = (one: DeliveryRecord) => ({
  webhook_id: one.webhookId,
  event_id: one.eventId,
  event: one.eventName,
  status: one.status,
  attempts: one.attempts,
  next_attempt_at: one.nextAttemptAt?.toISOString() ?? null,
  delivered_at: one.deliveredAt?.toISOString() ?? null,
  last_status: one.lastStatus,
  last_error: one.lastError,
  last_duration_ms: one.lastDurationMs,
  created_at: one.createdAt.toISOString(),
});

export const deliveryDetail = z
  .object({
    ...delivery,
    headers: z
      .record(z.string(), z.string())
      .meta({ description: 'Those that every attempt has; time and signature are new on each' }),
    body: z.string().meta({ description: 'The bytes that every attempt sends' }),
    tries: z.array(
      z
        .object({
          number: z.int().min(1),
          at: timestamp,
          status: z.int().nullable(),
          error: z.string().nullable(),
          duration_ms: z.int(),
        })
        .meta({ id: 'DeliveryTry' }),
    ),
  })
  .meta({ id: 'DeliveryDetail' });

/** The headers of an attempt without its time and its signatures. */
const headersOf = (webhookId: string, body: string): Record<string, string> => {
  const all = webhookHeaders({ secrets: [], id: webhookId, timestampSeconds: 0, body });
  const { 'webhook-timestamp': _time, 'webhook-signature': _signature, ...kept } = all;
  return kept;
};

export function writeDeliveryDetail(
  one: DeliveryRecord,
  payload: EventRecord['payload'],
  tries: readonly DeliveryTry[],
) {
  const { eventName, createdAt, webhookId } = one;
  const body = writeDelivery({ eventName, data: textOf(payload), createdAt, webhookId });
  return {
    ...writeDeliveryRecord(one),
    headers: headersOf(webhookId, body),
    body,
    tries: tries.map(({ at, status, error, durationMs }, place) => ({
      number: place + 1,
      at: at.toISOString(),
      status,
      error,
      duration_ms: durationMs,
    })),
  };
}
