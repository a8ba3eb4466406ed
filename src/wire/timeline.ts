/** The timeline of a transaction as partners read it (D194). */
import { z } from 'zod';
import { TIMELINE_ACTORS, TIMELINE_KINDS, type TimelineItem, type TimelineKind } from '../domain/timeline';
import { requestIdOf } from '../domain/request-ids';
import { timestamp, uuid } from './answers';

const TITLES: Record<TimelineKind, string> = {
  request: 'A request made or named the transaction',
  ussd: 'The USSD session was opened, was given a PIN, or ended',
  operator: 'Somebody ordered the outcome by hand',
  ledger: 'Entries were written to the ledger',
  provider: 'The payout was handed to the payment company',
  callback: 'The payment company reported the outcome',
  reversal: 'The other transaction of the reversal was written',
  event: 'An event was written',
  delivery: 'A webhook endpoint was sent the event',
};

export const timelineItem = z
  .object({
    at: timestamp,
    kind: z.enum(TIMELINE_KINDS),
    title: z.string().meta({ description: 'What happened, as a sentence' }),
    what: z
      .string()
      .nullable()
      .meta({
        description:
          'The step of the entries (`accept`, `settle`, `return`), the name of the event or of the operation, the outcome that was ordered, ' +
          '`opened`, `pin` or `ended`, or `other_name` of an order to an account that has another name at its bank',
      }),
    actor: z.enum(TIMELINE_ACTORS).nullable().meta({ description: 'Who did it; null for the platform' }),
    status: z
      .string()
      .nullable()
      .meta({
        description:
          'Of a payout how it stands, of a callback or a PIN the outcome, of an order whether it is carried out, of a USSD ' +
          'session how it ended, of a request or a delivery the HTTP status',
      }),
    error: z.string().nullable().meta({
      description:
        'Why there was no answer to a delivery; or the fault of the sandbox that it met, as `fault: drop`',
    }),
    duration_ms: z.int().nullable(),
    request_id: z.string().nullable().meta({ description: 'Of a request, as in `X-Request-Id`' }),
    event_id: uuid.nullable(),
    endpoint_id: uuid.nullable(),
    transaction_id: uuid.nullable().meta({ description: 'The other transaction of a reversal' }),
    entry_ids: z.array(uuid),
  })
  .meta({ id: 'TimelineItem' });

export const writeTimelineItem = (item: TimelineItem): z.infer<typeof timelineItem> => ({
  at: item.at.toISOString(),
  kind: item.kind,
  title: TITLES[item.kind],
  what: item.what,
  actor: item.actor,
  status: item.status,
  error: item.error,
  duration_ms: item.durationMs,
  request_id: item.requestId === null ? null : requestIdOf(item.requestId),
  event_id: item.eventId,
  endpoint_id: item.endpointId,
  transaction_id: item.transactionId,
  entry_ids: item.entryIds,
});
