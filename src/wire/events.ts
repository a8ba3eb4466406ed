/** Events, deliveries and their attempts as partners look them up, and how they ask for them again (D191, D192). */
import { z } from 'zod';
import {
  DELIVERY_STATUSES,
  type DeliveryRecord,
  type DeliveryTry,
  type EventRecord,
  type PollPlace,
} from '../domain/deliveries';
import { EVENT_KINDS, SUBSCRIBABLE_KINDS } from '../domain/events';
import { done, refuseFields, type Outcome } from '../domain/outcome';
import { firstIdOf, madeAtMs } from '../domain/time-ordered-ids';
import { timestamp, uuid } from './answers';
import { TEST_EVENT } from './event-payloads';
import { instant, optional, PERSONAL } from './fields';
import { canonicalId } from './ids';
import { pageQuery } from './pages';
import { publishedBody, readBody } from './read';
import { webhookHeaders } from './webhook-signature';
import { writeDelivery, writePayload } from './webhooks';

const KINDS = [...EVENT_KINDS, TEST_EVENT] as const;
const NAMES = [...SUBSCRIBABLE_KINDS, TEST_EVENT];
const id = z.uuid('must be a uuid');
const WAIT_MAX_SECONDS = 20;
/** By so much the clock that made an id may be ahead of ours. */
const AHEAD_MAX_MS = 60_000;
const NOT_A_WAIT = `must be an integer from 0 to ${String(WAIT_MAX_SECONDS)}`;
const NOT_AN_AFTER = 'must be an id of an event, a time, now, or the next_after of an answer';

export const eventsQuery = pageQuery.extend({
  event: z.enum(KINDS, `must be of: ${KINDS.join(', ')}`).optional(),
  resource_id: id.optional().meta({ description: 'The id of the transaction, wallet or verification' }),
  undelivered: z
    .literal('true', 'must be true, or absent')
    .optional()
    .meta({ description: 'Only events that have not arrived at every endpoint' }),
  after: z
    .string()
    .optional()
    .meta({
      description:
        'Asks for what came later, oldest first: the id of an event, a time, `now`, or the `meta.next_after` of the last answer',
      examples: ['now'],
    }),
  wait: z.int(NOT_A_WAIT).max(WAIT_MAX_SECONDS, NOT_A_WAIT).optional().meta({
    description: 'With `after`: for so many seconds the answer waits for an event when there is none',
  }),
});

/** What a poll asks for. */
export interface Poll {
  place: PollPlace;
  waitMs: number;
}

/**
 * Reads what a list of events asks for behind a place; null for a list without one.
 * @param open reads the place that an answer has told; null for another text.
 * @returns VALIDATION_ERROR for a place that is none, and for what cannot be asked together.
 */
export function readPoll(
  query: z.infer<typeof eventsQuery>,
  open: (text: string) => PollPlace | null,
  nowMs: number,
): Outcome<Poll | null> {
  const { after, wait = 0, event, resource_id: resourceId, undelivered, cursor } = query;
  if (after === undefined) {
    return query.wait === undefined ? done(null) : refuseFields({ field: 'wait', message: 'needs after' });
  }
  const place = readPlace(after, open, nowMs);
  if (!place) return refuseFields({ field: 'after', message: NOT_AN_AFTER });
  const [wrong] = Object.entries({ event, resource_id: resourceId, undelivered, cursor }).find(
    ([, value]) => value !== undefined,
  ) ?? [null];
  return wrong === null
    ? done({ place, waitMs: wait * 1_000 })
    : refuseFields({ field: wrong, message: 'cannot be given with after' });
}

function readPlace(text: string, open: (text: string) => PollPlace | null, nowMs: number): PollPlace | null {
  if (text === 'now') return { afterId: firstIdOf(nowMs), seen: null };
  const id = canonicalId(text, 'other');
  // Behind a place that is to come, everything until then would be left out.
  if (id !== null) {
    const madeMs = madeAtMs(id);
    return madeMs === null || madeMs > nowMs + AHEAD_MAX_MS ? null : { afterId: id, seen: null };
  }
  const time = instant.safeParse(text);
  if (!time.success) return open(text);
  const timeMs = Date.parse(time.data);
  return timeMs > nowMs ? null : { afterId: firstIdOf(Math.max(0, timeMs)), seen: null };
}

export const deliveriesQuery = pageQuery.extend({
  status: z.enum(DELIVERY_STATUSES, `must be of: ${DELIVERY_STATUSES.join(', ')}`).optional(),
  event: z.enum(NAMES, `must be of: ${NAMES.join(', ')}`).optional(),
});

export const eventSchema = z
  .object({
    id: uuid,
    webhook_id: z
      .string()
      .regex(/^wh_[0-9a-f]{32}$/)
      .meta({ description: 'The same on every stream of events; each delivery has its own' }),
    event: z.enum(KINDS),
    resource_id: uuid,
    data: z
      .record(z.string(), z.unknown())
      .meta({ ...PERSONAL, description: 'What deliveries carry as their `data`, by the kind of the event' }),
    created_at: timestamp,
    deliveries: z
      .object({ pending: z.int().min(0), delivered: z.int().min(0), failed: z.int().min(0) })
      .meta({ description: 'How many deliveries wait, have arrived, and are not tried any more' }),
  })
  .meta({ id: 'Event' });

export const writeEvent = (event: EventRecord) => ({
  id: event.id,
  webhook_id: event.webhookId,
  event: event.kind,
  resource_id: event.resourceId,
  data: JSON.parse(writePayload(event.payload)) as Record<string, unknown>,
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
    body: z.string().meta({ ...PERSONAL, description: 'The bytes that every attempt sends' }),
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
  const body = writeDelivery({ eventName, data: writePayload(payload), createdAt, webhookId });
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
