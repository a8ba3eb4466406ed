/** Webhook endpoints: register, delete, test (interface: Webhook endpoints; D21, D85-D87, D143). */
import type { Endpoint } from '../../domain/endpoints';
import { done, map, refuse, type Outcome } from '../../domain/outcome';
import { insertTestDelivery } from '../../db/events/deliveries';
import { deleteEndpoint as writeDeletion, insertEndpoint, replaceSecret } from '../../db/events/endpoints';
import { newId } from '../../db/pg/ids';
import { endpointSecretPlace } from '../../secrets/sealing';
import { samplePayload } from '../../wire/webhook-samples';
import { newWebhookSecret } from '../../wire/webhook-signature';
import type { Tenant } from '../tenant';

/** The largest number of endpoints of one partner in one environment (interface: Limits). */
export const ENDPOINTS_MAX = 20;

/**
 * Registers an endpoint. Every call makes another one; only its caller learns the secret, which is kept sealed.
 * @returns the endpoint with its secret, or LIMIT_EXCEEDED.
 */
export async function registerEndpoint(
  { environment, cell, partner }: Tenant,
  request: { url: string; events: string[] },
): Promise<Outcome<{ endpoint: Endpoint; secret: string }>> {
  const id = newId();
  const secret = newWebhookSecret();
  const secretSealed = environment.sealing.seal(secret, endpointSecretPlace(partner.id, id));
  const written = await insertEndpoint(
    cell,
    { id, partnerId: partner.id, ...request, secretSealed },
    ENDPOINTS_MAX,
  );
  return map(written, (endpoint) => ({ endpoint, secret }));
}

/** How many earlier secrets of an endpoint may be in force beside the newest one. */
const EARLIER_SECRETS_MAX = 4;

/**
 * Gives an endpoint a new secret. Deliveries are signed with it and with the earlier ones that are in force, so that the
 * receiver can change over at any moment. A repeat of the call makes one more secret; a receiver that has any of them
 * still verifies.
 * @param keepMs how long the secret before it stays in force; 0 when it has leaked.
 * @returns the endpoint with the new secret, which only its caller learns; or NOT_FOUND, LIMIT_EXCEEDED.
 */
export async function rotateSecret(
  { environment, cell, partner }: Tenant,
  endpointId: string,
  keepMs: number,
): Promise<Outcome<{ endpoint: Endpoint; secret: string; previousUntil: Date }>> {
  const secret = newWebhookSecret();
  const secretSealed = environment.sealing.seal(secret, endpointSecretPlace(partner.id, endpointId));
  const replaced = await replaceSecret(cell, partner.id, endpointId, {
    retiringId: newId(),
    secretSealed,
    keepMs,
    max: EARLIER_SECRETS_MAX,
  });
  return map(replaced, (value) => ({ ...value, secret }));
}

/** Deletes an endpoint with the deliveries that still wait for it. @returns done, or NOT_FOUND. */
export async function deleteEndpoint({ cell, partner }: Tenant, endpointId: string): Promise<Outcome<null>> {
  const deleted = await writeDeletion(cell, partner.id, endpointId);
  return deleted ? done(null) : refuse('NOT_FOUND');
}

/**
 * Sends an event to this endpoint alone, in the same way as every event: signed, repeated, counted (D143).
 * @returns the id of the delivery, or refused: NOT_FOUND, VALIDATION_ERROR for a disabled endpoint.
 */
export async function testEndpoint(
  { environment, cell, partner, requestId }: Tenant,
  endpointId: string,
  eventName: string,
): Promise<Outcome<{ webhookId: string }>> {
  const event = { name: eventName, data: samplePayload(eventName, endpointId), requestId };
  const sent = await insertTestDelivery(cell, partner.id, endpointId, event);
  if (sent.ok) environment.relay.afterCommit(cell, { intentions: [], endpointIds: [endpointId] });
  return sent;
}
