/** Events and deliveries: looked up again, sent again, and recovered (D191, D192). */
import { z } from 'zod';
import { findDelivery, findEvent, listDeliveries, listEvents } from '../../db/events/event-list';
import { findEndpoint } from '../../db/events/endpoints';
import { done, map, refuse } from '../../domain/outcome';
import { recoverEndpoint, redeliverEvent } from '../../operations/webhooks/endpoints';
import { dataOf, pageOf } from '../../wire/answers';
import {
  deliveriesQuery,
  deliveryDetail,
  deliverySchema,
  eventSchema,
  eventsQuery,
  readPoll,
  readRecovery,
  readRedelivery,
  recoveryBody,
  recoveryResult,
  redeliveryBody,
  redeliveryResult,
  writeDeliveryDetail,
  writeDeliveryRecord,
  writeEvent,
} from '../../wire/events';
import { canonicalId } from '../../wire/ids';
import { eventStreamQuery, kindsAsked, streamHeaders } from '../../wire/streams';
import { BY_ID, pageAnswer } from '../page';
import { dataAnswer, reading, type Call, type Route } from '../route';
import { answerPoll, readPlace } from '../event-polls';
import { answerWithStream, EVENT_STREAM } from '../stream-answers';

const SHORT_PAGES = 'With a filter a page may be short, or empty, and still have a next one.';

const list = reading({
  method: 'GET',
  path: '/v1/events',
  operation: 'listEvents',
  needs: 'look',
  doc: {
    section: 'Webhook endpoints',
    sdk: 'events.list',
    summary: 'List the events',
    description:
      `Newest first, whether or not an endpoint was subscribed to them. Events are kept for 30 days, and what was never delivered for a year. ${SHORT_PAGES} ` +
      'With `after` it gives what came later, oldest first and each once, and `wait` has it answer as soon as there is ' +
      'something: go on with `meta.next_after`. With the id of the last event instead, one that was committed late may be ' +
      'left out. Waiting counts as a stream.',
    query: eventsQuery,
    answer: { status: 200, description: 'A page of events', body: pageOf(eventSchema) },
    refusals: ['LIMIT_EXCEEDED'],
  },
  async handle(call) {
    const poll = readPoll(call.query, (text) => readPlace(call, text), Date.now());
    if (!poll.ok) return poll;
    if (poll.value) return answerPoll(call, poll.value);
    const { event: kind = null, resource_id: resourceId = null, undelivered } = call.query;
    const filter = { kind, resourceId, undelivered: undelivered !== undefined };
    return pageAnswer(call, {
      name: `events/${call.environment.name}/${call.partner.id}/${JSON.stringify(filter)}`,
      order: BY_ID,
      find: ({ after, limit }) => listEvents(call.cell, call.partner.id, filter, { beforeId: after, limit }),
      write: writeEvent,
    });
  },
});

const stream = reading({
  method: 'GET',
  path: '/v1/events/stream',
  operation: 'streamEvents',
  needs: 'look',
  doc: {
    section: 'Webhook endpoints',
    sdk: 'events.stream',
    summary: 'Listen to the events',
    description:
      'Server-Sent Events, as they are committed, whether or not an endpoint was subscribed to them. The first is `ready`. ' +
      'The data of each event is the body of a delivery; one that comes again has the same `webhook_id`. After `bye`, or a ' +
      'broken connection, go on with the last id in `Last-Event-ID`: nothing is left out, and the last thirty seconds come ' +
      'again. `gap` says that older events are not kept. A partner may have five streams at once; each ends after half an hour.',
    query: eventStreamQuery,
    headers: streamHeaders,
    answer: { status: 200, description: 'The stream', body: z.string(), type: EVENT_STREAM },
    refusals: ['LIMIT_EXCEEDED'],
  },
  handle(call) {
    const kinds = kindsAsked(call.query);
    const wants = ({ kind }: { kind: string }): boolean => kinds?.includes(kind) ?? true;
    return Promise.resolve(answerWithStream(call, call.services.eventStreams, wants));
  },
});

const get: Route = {
  method: 'GET',
  path: '/v1/events/:id',
  operation: 'getEvent',
  needs: 'look',
  doc: {
    section: 'Webhook endpoints',
    sdk: 'events.get',
    summary: 'Get an event',
    answer: { status: 200, description: 'The event', body: dataOf(eventSchema) },
    refusals: [],
  },
  async handle(call) {
    const id = canonicalId(call.params.id ?? '', 'other');
    const event = id && (await findEvent(call.cell, call.partner.id, id));
    return event ? done(dataAnswer(call, 200, writeEvent(event))) : refuse('NOT_FOUND');
  },
};

const redelivery: Route = {
  method: 'POST',
  path: '/v1/events/:id/redeliver',
  operation: 'redeliverEvent',
  needs: 'webhooks',
  bodyOptional: true,
  doc: {
    section: 'Webhook endpoints',
    sdk: 'events.redeliver',
    summary: 'Send an event again',
    description:
      'To every active endpoint that it was meant for, or to the one that the body names, with the same id and the ' +
      'same bytes. Attempts begin anew.',
    body: redeliveryBody,
    answer: { status: 202, description: 'On its way', body: dataOf(redeliveryResult) },
    refusals: [],
  },
  async handle(call) {
    const id = canonicalId(call.params.id ?? '', 'other');
    if (!id) return refuse('NOT_FOUND');
    const read = readRedelivery(call.body);
    if (!read.ok) return read;
    const sent = await redeliverEvent(call, id, read.value.endpointId);
    return map(sent, (result) => dataAnswer(call, 202, result));
  },
};

/** The endpoint named in the path, or null: a malformed, foreign or unknown id gives the same answer (D132). */
async function endpointOfPath(call: Call) {
  const id = canonicalId(call.params.id ?? '', 'other');
  return id ? findEndpoint(call.cell, call.partner.id, id) : null;
}

const deliveries = reading({
  method: 'GET',
  path: '/v1/webhooks/:id/deliveries',
  operation: 'listDeliveries',
  needs: 'look',
  doc: {
    section: 'Webhook endpoints',
    sdk: 'webhooks.deliveries',
    summary: 'List the deliveries to an endpoint',
    description: `By event, newest first. A delivery is named by its endpoint and its event. ${SHORT_PAGES}`,
    query: deliveriesQuery,
    answer: { status: 200, description: 'A page of deliveries', body: pageOf(deliverySchema) },
    refusals: [],
  },
  async handle(call) {
    const endpoint = await endpointOfPath(call);
    if (!endpoint) return refuse('NOT_FOUND');
    const { status = null, event: eventName = null } = call.query;
    return pageAnswer(call, {
      name: `deliveries/${endpoint.id}/${JSON.stringify([status, eventName])}`,
      order: { read: BY_ID.read, write: ({ eventId }: { eventId: string }) => eventId },
      find: ({ after, limit }) =>
        listDeliveries(call.cell, endpoint, { status, eventName }, { beforeId: after, limit }),
      write: writeDeliveryRecord,
    });
  },
});

const delivery: Route = {
  method: 'GET',
  path: '/v1/webhooks/:id/deliveries/:event_id',
  operation: 'getDelivery',
  needs: 'look',
  doc: {
    section: 'Webhook endpoints',
    sdk: 'webhooks.delivery',
    summary: 'Get a delivery with its attempts',
    description:
      'What was sent, and what came of each attempt. Of those that succeeded the last one is kept.',
    answer: { status: 200, description: 'The delivery', body: dataOf(deliveryDetail) },
    refusals: [],
  },
  async handle(call) {
    const endpoint = await endpointOfPath(call);
    const eventId = canonicalId(call.params.event_id ?? '', 'other');
    const found = endpoint && eventId && (await findDelivery(call.cell, endpoint, eventId));
    if (!found) return refuse('NOT_FOUND');
    const { delivery: one, payload, tries } = found;
    return done(dataAnswer(call, 200, writeDeliveryDetail(one, payload, tries)));
  },
};

const recovery: Route = {
  method: 'POST',
  path: '/v1/webhooks/:id/recover',
  operation: 'recoverWebhook',
  needs: 'webhooks',
  doc: {
    section: 'Webhook endpoints',
    sdk: 'webhooks.recover',
    summary: 'Send an endpoint what it did not get',
    description:
      'Makes every `failed` and `parked` delivery due again whose event was written since then, oldest first. ' +
      'Switch a disabled endpoint on first.',
    body: recoveryBody,
    answer: { status: 202, description: 'On their way', body: dataOf(recoveryResult) },
    refusals: [],
  },
  async handle(call) {
    const id = canonicalId(call.params.id ?? '', 'other');
    if (!id) return refuse('NOT_FOUND');
    const read = readRecovery(call.body);
    if (!read.ok) return read;
    const recovered = await recoverEndpoint(call, id, read.value);
    return map(recovered, ({ deliveries: count, hasMore }) =>
      dataAnswer(call, 202, { deliveries: count, has_more: hasMore }),
    );
  },
};

// The stream comes before the operations whose paths have an id at its place.
export const eventRoutes: readonly Route[] = [list, stream, get, redelivery, deliveries, delivery, recovery];
