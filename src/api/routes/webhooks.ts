/** Webhook endpoints: list, create, delete, test (interface: Webhook endpoints; D21, D85-D87, D143). */
import { done, refuse } from '../../domain/outcome';
import { insertTestDelivery } from '../../db/events/deliveries';
import { deleteEndpoint, insertEndpoint, listEndpoints } from '../../db/events/endpoints';
import { newId } from '../../db/pg/ids';
import { judgeWebhookUrl } from '../../providers/webhooks/address-guard';
import { endpointSecretPlace } from '../../secrets/sealing';
import { dataOf, listOf } from '../../wire/answers';
import { canonicalId } from '../../wire/ids';
import {
  readWebhookTest,
  samplePayload,
  webhookTestBody,
  webhookTestResult,
} from '../../wire/webhook-samples';
import { newWebhookSecret } from '../../wire/webhook-signature';
import {
  endpointBody,
  endpointInfo,
  readEndpoint,
  registeredEndpoint,
  writeEndpoint,
} from '../../wire/webhooks';
import { dataAnswer, type Route } from '../route';

export const ENDPOINTS_MAX = 20;

const list: Route = {
  method: 'GET',
  path: '/v1/webhooks',
  operation: 'listWebhooks',
  doc: {
    section: 'Webhook endpoints',
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
  doc: {
    section: 'Webhook endpoints',
    summary: 'Register a webhook endpoint',
    description:
      'The `secret` of the answer verifies the signatures of deliveries and is shown only here. In live the ' +
      'address must be https and public. At most 20 endpoints.',
    body: endpointBody,
    answer: { status: 201, description: 'The endpoint with its secret', body: dataOf(registeredEndpoint) },
    refusals: ['LIMIT_EXCEEDED'],
  },
  async handle(call) {
    const read = readEndpoint(call.body, (url) => {
      const judgement = judgeWebhookUrl(url, call.environment.webhookRules);
      return judgement.ok ? null : judgement.reason;
    });
    if (!read.ok) return read;
    const id = newId();
    const secret = newWebhookSecret();
    const secretSealed = call.services.sealing.seal(secret, endpointSecretPlace(call.partner.id, id));
    const endpoint = await insertEndpoint(
      call.cell,
      { id, partnerId: call.partner.id, ...read.value, secretSealed },
      ENDPOINTS_MAX,
    );
    if (!endpoint) return refuse('LIMIT_EXCEEDED', { detail: { limit: ENDPOINTS_MAX } });
    return done(dataAnswer(call, 201, { ...writeEndpoint(endpoint), secret }));
  },
};

const remove: Route = {
  method: 'DELETE',
  path: '/v1/webhooks/:id',
  operation: 'deleteWebhook',
  doc: {
    section: 'Webhook endpoints',
    summary: 'Delete a webhook endpoint',
    answer: { status: 204, description: 'Deleted', body: null },
    refusals: ['NOT_FOUND'],
  },
  async handle(call) {
    const id = canonicalId(call.params.id ?? '', 'other');
    const deleted = id !== null && (await deleteEndpoint(call.cell, call.partner.id, id));
    return deleted ? done({ status: 204, body: null }) : refuse('NOT_FOUND');
  },
};

/** Sent to this endpoint alone, and by the way that every event takes: signed, repeated, counted (D143). */
const test: Route = {
  method: 'POST',
  path: '/v1/webhooks/:id/test',
  operation: 'testWebhook',
  bodyOptional: true,
  doc: {
    section: 'Webhook endpoints',
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
    const { event: name } = read.value;
    const sent = await insertTestDelivery(call.cell, call.partner.id, id, {
      name,
      data: samplePayload(name, id),
    });
    if (sent === 'absent') return refuse('NOT_FOUND');
    if (sent === 'disabled') return refuse('VALIDATION_ERROR', { message: 'The endpoint is disabled' });
    call.environment.relay.afterCommit(call.cell, { intentions: [], endpointIds: [id] });
    return done(dataAnswer(call, 202, { webhook_id: sent.webhookId }));
  },
};

export const webhookRoutes: readonly Route[] = [list, create, remove, test];
