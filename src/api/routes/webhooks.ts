/** Webhook endpoints: list, create, change, delete, test (interface: Webhook endpoints; D21, D85-D87, D143). */
import { done, map, refuse } from '../../domain/outcome';
import {
  changeEndpoint,
  deleteEndpoint,
  registerEndpoint,
  rotateSecret,
  testEndpoint,
} from '../../operations/webhooks/endpoints';
import { isInForce } from '../../db/partners/credentials';
import { findEndpoint, listEndpoints } from '../../db/events/endpoints';
import { judgeWebhookUrl } from '../../providers/webhooks/address-guard';
import { dataOf, listOf } from '../../wire/answers';
import { unauthenticated } from '../../wire/errors';
import { canonicalId } from '../../wire/ids';
import { readWebhookTest, webhookTestBody, webhookTestResult } from '../../wire/webhook-samples';
import {
  endpointBody,
  endpointChangeBody,
  endpointInfo,
  readEndpoint,
  readEndpointChange,
  readRotation,
  registeredEndpoint,
  rotatedEndpoint,
  rotationBody,
  writeEndpoint,
} from '../../wire/webhooks';
import { dataAnswer, type Call, type Route } from '../route';

const actingOf = ({ session, remoteAddress }: Call) => ({
  userId: session?.userId ?? null,
  address: remoteAddress,
});

/**
 * A credential that has ended is known for good for some seconds yet. What it makes in that time would outlive a first proof
 * of the mailbox, which ends the endpoints that it finds.
 */
const isStillInForce = ({ services, partner, key, session }: Call): Promise<boolean> =>
  isInForce(services.access, {
    partnerId: partner.id,
    keyId: key?.id ?? null,
    sessionId: session?.sessionId ?? null,
  });

/** Why an address may not be called from the environment of the call, or null. */
const judgeFor =
  ({ environment }: Call) =>
  (url: string): string | null => {
    const judgement = judgeWebhookUrl(url, environment.webhookRules);
    return judgement.ok ? null : judgement.reason;
  };

const list: Route = {
  method: 'GET',
  path: '/v1/webhooks',
  operation: 'listWebhooks',
  needs: 'look',
  doc: {
    section: 'Webhook endpoints',
    sdk: 'webhooks.list',
    summary: 'List the webhook endpoints',
    answer: { status: 200, description: 'All endpoints, without their secrets', body: listOf(endpointInfo) },
    refusals: [],
  },
  async handle(call) {
    const endpoints = await listEndpoints(call.cell, call.partner.id);
    return done(dataAnswer(call, 200, endpoints.map(writeEndpoint)));
  },
};

/** The secret is shown in this answer and never again. */
const create: Route = {
  method: 'POST',
  path: '/v1/webhooks',
  operation: 'createWebhook',
  needs: 'webhooks',
  outlivesReset: true,
  doc: {
    section: 'Webhook endpoints',
    sdk: 'webhooks.create',
    summary: 'Register a webhook endpoint',
    description:
      'The `secret` of the answer verifies the signatures of deliveries and is shown only here. In live the ' +
      'address must be https and public, and is registered once. At most 20 endpoints.',
    body: endpointBody,
    answer: { status: 201, description: 'The endpoint with its secret', body: dataOf(registeredEndpoint) },
    refusals: ['LIMIT_EXCEEDED'],
  },
  async handle(call) {
    const read = readEndpoint(call.body, judgeFor(call));
    if (!read.ok) return read;
    const registered = await registerEndpoint(call, read.value, actingOf(call));
    if (registered.ok && !(await isStillInForce(call))) {
      await deleteEndpoint(call, registered.value.endpoint.id, actingOf(call));
      return unauthenticated('unknown');
    }
    return map(registered, ({ endpoint, secret }) =>
      dataAnswer(call, 201, { ...writeEndpoint(endpoint), secret }),
    );
  },
};

const get: Route = {
  method: 'GET',
  path: '/v1/webhooks/:id',
  operation: 'getWebhook',
  needs: 'look',
  doc: {
    section: 'Webhook endpoints',
    sdk: 'webhooks.get',
    summary: 'Get a webhook endpoint',
    answer: { status: 200, description: 'The endpoint, without its secret', body: dataOf(endpointInfo) },
    refusals: [],
  },
  async handle(call) {
    const id = canonicalId(call.params.id ?? '', 'other');
    const endpoint = id && (await findEndpoint(call.cell, call.partner.id, id));
    return endpoint ? done(dataAnswer(call, 200, writeEndpoint(endpoint))) : refuse('NOT_FOUND');
  },
};

const change: Route = {
  method: 'PATCH',
  path: '/v1/webhooks/:id',
  operation: 'changeWebhook',
  needs: 'webhooks',
  outlivesReset: true,
  doc: {
    section: 'Webhook endpoints',
    sdk: 'webhooks.update',
    summary: 'Change a webhook endpoint',
    description:
      'Another address or other events, or off and on again; what is left out stays, and so does the secret. What an ' +
      'endpoint misses while it is off is kept, and sent by `recover`.',
    body: endpointChangeBody,
    answer: { status: 200, description: 'The endpoint as it is now', body: dataOf(endpointInfo) },
    refusals: ['NOT_FOUND'],
  },
  async handle(call) {
    const id = canonicalId(call.params.id ?? '', 'other');
    if (id === null) return refuse('NOT_FOUND');
    const read = readEndpointChange(call.body, judgeFor(call));
    if (!read.ok) return read;
    const changed = await changeEndpoint(call, id, read.value, actingOf(call));
    return map(changed, (endpoint) => dataAnswer(call, 200, writeEndpoint(endpoint)));
  },
};

const remove: Route = {
  method: 'DELETE',
  path: '/v1/webhooks/:id',
  operation: 'deleteWebhook',
  needs: 'webhooks',
  doc: {
    section: 'Webhook endpoints',
    sdk: 'webhooks.delete',
    summary: 'Delete a webhook endpoint',
    answer: { status: 204, description: 'Deleted', body: null },
    refusals: ['NOT_FOUND'],
  },
  async handle(call) {
    const id = canonicalId(call.params.id ?? '', 'other');
    if (id === null) return refuse('NOT_FOUND');
    return map(await deleteEndpoint(call, id, actingOf(call)), () => ({ status: 204, body: null }));
  },
};

/** The test goes to this endpoint alone, and like every event it is signed, repeated and counted (D143). */
const test: Route = {
  method: 'POST',
  path: '/v1/webhooks/:id/test',
  operation: 'testWebhook',
  needs: 'webhooks',
  bodyOptional: true,
  doc: {
    section: 'Webhook endpoints',
    sdk: 'webhooks.test',
    summary: 'Test a webhook endpoint',
    description:
      'Sends `webhook.test`, or a sample of the named event, to this endpoint alone: signed and repeated as ' +
      'every delivery is. A disabled endpoint is refused, because nothing would be sent to it.',
    body: webhookTestBody,
    answer: { status: 202, description: 'On its way', body: dataOf(webhookTestResult) },
    refusals: [],
  },
  async handle(call) {
    const id = canonicalId(call.params.id ?? '', 'other');
    if (!id) return refuse('NOT_FOUND');
    const read = readWebhookTest(call.body);
    if (!read.ok) return read;
    const sent = await testEndpoint(call, id, read.value.event);
    return map(sent, ({ webhookId }) => dataAnswer(call, 202, { webhook_id: webhookId }));
  },
};

/** The new secret is shown in this answer and never again. */
const rotate: Route = {
  method: 'POST',
  path: '/v1/webhooks/:id/rotate-secret',
  operation: 'rotateWebhookSecret',
  needs: 'webhooks',
  bodyOptional: true,
  outlivesReset: true,
  doc: {
    section: 'Webhook endpoints',
    sdk: 'webhooks.rotateSecret',
    summary: 'Replace the secret of a webhook endpoint',
    description:
      'The `secret` of the answer is shown only here. For a day, or as long as the body asks for, deliveries are ' +
      'signed with the secret before as well, so `webhook-signature` has several items. Ask for 0 seconds when the ' +
      'secret before has leaked. At most four earlier secrets are in force at once.',
    body: rotationBody,
    answer: { status: 200, description: 'The endpoint with its new secret', body: dataOf(rotatedEndpoint) },
    refusals: ['NOT_FOUND', 'LIMIT_EXCEEDED'],
  },
  async handle(call) {
    const id = canonicalId(call.params.id ?? '', 'other');
    if (!id) return refuse('NOT_FOUND');
    const read = readRotation(call.body);
    if (!read.ok) return read;
    const rotated = await rotateSecret(call, id, read.value.keepMs, actingOf(call));
    return map(rotated, ({ endpoint, secret, previousUntil }) =>
      dataAnswer(call, 200, {
        ...writeEndpoint(endpoint),
        secret,
        previous_secret_valid_until: previousUntil.toISOString(),
      }),
    );
  },
};

export const webhookRoutes: readonly Route[] = [list, create, get, change, remove, test, rotate];
