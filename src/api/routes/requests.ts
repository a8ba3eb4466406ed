/** The log of requests: what a partner's programs asked for, and what they were answered (D209). */
import { z } from 'zod';
import { findRequest, listRequests } from '../../db/partners/requests';
import { done, refuse } from '../../domain/outcome';
import { isAmong } from '../../domain/request-log';
import { dataOf, pageOf } from '../../wire/answers';
import {
  readRequestId,
  requestSchema,
  requestsQuery,
  requestWithBodies,
  toRequestFilter,
  writeRequest,
  writeRequestWithBodies,
} from '../../wire/requests';
import { requestStreamQuery, streamHeaders } from '../../wire/streams';
import { BY_ID, pageAnswer } from '../page';
import { dataAnswer, reading, type Route } from '../route';
import { answerWithStream, EVENT_STREAM } from '../stream-answers';

const list = reading({
  method: 'GET',
  path: '/v1/requests',
  operation: 'listRequests',
  needs: 'look',
  doc: {
    section: 'Requests',
    sdk: 'requests.list',
    summary: 'List the requests',
    description:
      'What the keys and users of the partner asked for, newest first, a moment after each was answered. Kept for 7 days in ' +
      'the sandbox and for 30 in live, without paths. Under an overload, or in a crash, some may be left out. With a ' +
      'filter a page may be short, or empty, and still have a next one.',
    query: requestsQuery,
    answer: { status: 200, description: 'A page of requests', body: pageOf(requestSchema) },
    refusals: [],
  },
  handle(call) {
    const filter = toRequestFilter(call.query);
    return pageAnswer(call, {
      name: `requests/${call.environment.name}/${call.partner.id}/${JSON.stringify(filter)}`,
      order: BY_ID,
      find: ({ after, limit }) =>
        listRequests(call.cell, call.partner.id, filter, { beforeId: after, limit }),
      write: writeRequest,
    });
  },
});

const stream = reading({
  method: 'GET',
  path: '/v1/requests/stream',
  operation: 'streamRequests',
  needs: 'look',
  doc: {
    section: 'Requests',
    sdk: 'requests.stream',
    summary: 'Watch the requests',
    description:
      'Server-Sent Events: each `request` is a request as the list shows it, a moment after it was answered. It begins, goes ' +
      'on and ends as the stream of events does, and a partner may have five of them as well. A request that took longer ' +
      'than thirty seconds may be missing here; the list has it.',
    query: requestStreamQuery,
    headers: streamHeaders,
    answer: { status: 200, description: 'The stream', body: z.string(), type: EVENT_STREAM },
    refusals: ['LIMIT_EXCEEDED'],
  },
  handle(call) {
    const filter = toRequestFilter(call.query);
    const { requestStreams } = call.services;
    return Promise.resolve(answerWithStream(call, requestStreams, (request) => isAmong(filter, request)));
  },
});

const get: Route = {
  method: 'GET',
  path: '/v1/requests/:request_id',
  operation: 'getRequest',
  needs: 'look',
  doc: {
    section: 'Requests',
    sdk: 'requests.get',
    summary: 'Get a request',
    description:
      'By the `X-Request-Id` of its answer, with the first 4 KB of both bodies in the sandbox. `[hidden]` stands there for what ' +
      'is secret or says something about a person, and for fields that the operation does not know.',
    answer: { status: 200, description: 'The request', body: dataOf(requestWithBodies) },
    refusals: [],
  },
  async handle(call) {
    const id = readRequestId(call.params.request_id ?? '');
    const request = id && (await findRequest(call.cell, call.partner.id, id));
    return request ? done(dataAnswer(call, 200, writeRequestWithBodies(request))) : refuse('NOT_FOUND');
  },
};

export const requestRoutes: readonly Route[] = [list, stream, get];
