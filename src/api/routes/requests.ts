/** The log of requests: what a partner's programs asked for, and what they were answered (D209). */
import { findRequest, listRequests } from '../../db/partners/requests';
import { done, refuse } from '../../domain/outcome';
import { dataOf, pageOf } from '../../wire/answers';
import {
  readRequestId,
  requestSchema,
  requestsQuery,
  toRequestFilter,
  writeRequest,
} from '../../wire/requests';
import { BY_ID, pageAnswer } from '../page';
import { dataAnswer, reading, type Route } from '../route';

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
      'the sandbox and for 30 in live, without paths and bodies. Under an overload, or in a crash, some may be left out. With a ' +
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

const get: Route = {
  method: 'GET',
  path: '/v1/requests/:request_id',
  operation: 'getRequest',
  needs: 'look',
  doc: {
    section: 'Requests',
    sdk: 'requests.get',
    summary: 'Get a request',
    description: 'By the `X-Request-Id` of its answer.',
    answer: { status: 200, description: 'The request', body: dataOf(requestSchema) },
    refusals: [],
  },
  async handle(call) {
    const id = readRequestId(call.params.request_id ?? '');
    const request = id && (await findRequest(call.cell, call.partner.id, id));
    return request ? done(dataAnswer(call, 200, writeRequest(request))) : refuse('NOT_FOUND');
  },
};

export const requestRoutes: readonly Route[] = [list, get];
