/** Webhook endpoints: list, create, delete (interface: Webhook endpoints; D21, D85-D87, D143). */
import { refuse } from '../../domain/refusals';
import { deleteEndpoint, insertEndpoint, listEndpoints } from '../../db/endpoints';
import { newId } from '../../db/ids';
import { judgeWebhookUrl } from '../../providers/webhooks/address-guard';
import { endpointSecretPlace } from '../../sealing';
import { canonicalId } from '../../wire/fields';
import { newWebhookSecret } from '../../wire/webhook-signature';
import { readEndpoint, writeEndpoint } from '../../wire/webhooks';
import { dataAnswer, type Route } from '../route';

const ENDPOINTS_MAX = 20;

const list: Route = {
  method: 'GET',
  path: '/v1/webhooks',
  operation: 'listWebhooks',
  async handle(call) {
    const endpoints = await listEndpoints(call.cell, call.partner.id);
    return dataAnswer(call, 200, endpoints.map(writeEndpoint));
  },
};

/** The secret is shown in this answer and never again. */
const create: Route = {
  method: 'POST',
  path: '/v1/webhooks',
  operation: 'createWebhook',
  async handle(call) {
    const read = readEndpoint(call.body);
    if (!read.ok) return read.refusal;
    const judgement = judgeWebhookUrl(read.value.url, call.environment.webhookRules);
    if (!judgement.ok) return refuse('VALIDATION_ERROR', { message: `url: ${judgement.reason}` });
    const id = newId();
    const secret = newWebhookSecret();
    const secretSealed = call.services.sealing.seal(secret, endpointSecretPlace(call.partner.id, id));
    const endpoint = await insertEndpoint(
      call.cell,
      { id, partnerId: call.partner.id, ...read.value, secretSealed },
      ENDPOINTS_MAX,
    );
    if (!endpoint) return refuse('LIMIT_EXCEEDED', { detail: { limit: ENDPOINTS_MAX } });
    return dataAnswer(call, 201, { ...writeEndpoint(endpoint), secret });
  },
};

const remove: Route = {
  method: 'DELETE',
  path: '/v1/webhooks/:id',
  operation: 'deleteWebhook',
  async handle(call) {
    const id = canonicalId(call.params.id ?? '');
    const deleted = id !== null && (await deleteEndpoint(call.cell, call.partner.id, id));
    return deleted ? { status: 204, body: null } : refuse('NOT_FOUND');
  },
};

export const webhookRoutes: readonly Route[] = [list, create, remove];
