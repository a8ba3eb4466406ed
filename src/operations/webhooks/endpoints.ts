/** Webhook endpoints: register, change, delete, test, and send again what did not arrive (interface: Webhook endpoints; D21, D85-D87, D143). */
import type { Endpoint } from '../../domain/endpoints';
import { CELL_ACTS } from '../../domain/security-events';
import { done, map, refuse, type Outcome } from '../../domain/outcome';
import type { WebhookFault } from '../../domain/webhook-faults';
import { insertTestDelivery } from '../../db/events/deliveries';
import {
  deleteEndpoint as writeDeletion,
  insertEndpoint,
  replaceSecret,
  setFault,
  updateEndpoint,
  type EndpointChange,
} from '../../db/events/endpoints';
import { recover, redeliver } from '../../db/events/event-list';
import { insertSecurityNotice } from '../../db/partners/security-events';
import { newId } from '../../db/pg/ids';
import type { Queryable } from '../../db/pg/postgres';
import { endpointSecretPlace } from '../../secrets/sealing';
import { samplePayload } from '../../wire/webhook-samples';
import { newWebhookSecret } from '../../wire/webhook-signature';
import type { Tenant } from '../tenant';

/** The largest number of endpoints of one partner in one environment (interface: Limits). */
export const ENDPOINTS_MAX = 20;

/** Who changes an endpoint. */
interface Acting {
  /** Null where a program calls with an API key. */
  userId: string | null;
  /** The network address of the caller. */
  address: string;
}

/**
 * The security event of an act, written in its commit. It names the host of the endpoint alone, because the rest of an
 * address may hold a secret of the receiver.
 */
const notice =
  ({ environment, cell, partner }: Tenant, act: keyof typeof CELL_ACTS, by: Acting) =>
  (trx: Queryable, { id, url }: Endpoint): Promise<void> =>
    insertSecurityNotice(trx, cell.schema, {
      ...by,
      partnerId: partner.id,
      kind: CELL_ACTS[act][environment.name],
      detail: { endpoint_id: id, host: new URL(url).host },
    });

/**
 * Registers an endpoint. A repeat of the call finds its address taken; only the caller learns the secret, which is kept sealed.
 * @returns the endpoint with its secret; or refused: VALIDATION_ERROR for an address that another endpoint has, LIMIT_EXCEEDED.
 */
export async function registerEndpoint(
  tenant: Tenant,
  request: { url: string; events: string[] },
  by: Acting,
): Promise<Outcome<{ endpoint: Endpoint; secret: string }>> {
  const { environment, cell, partner } = tenant;
  const id = newId();
  const secret = newWebhookSecret();
  const secretSealed = environment.sealing.seal(secret, endpointSecretPlace(partner.id, id));
  const written = await insertEndpoint(
    cell,
    { id, partnerId: partner.id, ...request, secretSealed },
    ENDPOINTS_MAX,
    notice(tenant, 'endpoint_added', by),
  );
  if (written.ok) environment.relay.bringNoticesLater(cell);
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
  tenant: Tenant,
  endpointId: string,
  keepMs: number,
  by: Acting,
): Promise<Outcome<{ endpoint: Endpoint; secret: string; previousUntil: Date }>> {
  const { environment, cell, partner } = tenant;
  const secret = newWebhookSecret();
  const secretSealed = environment.sealing.seal(secret, endpointSecretPlace(partner.id, endpointId));
  const change = { retiringId: newId(), secretSealed, keepMs, max: EARLIER_SECRETS_MAX };
  const told = notice(tenant, 'secret_replaced', by);
  const replaced = await replaceSecret(cell, partner.id, endpointId, change, told);
  if (replaced.ok) environment.relay.bringNoticesLater(cell);
  return map(replaced, (value) => ({ ...value, secret }));
}

/**
 * Changes where and of what an endpoint is told, or switches it on or off. The secret stays.
 * @returns the endpoint as it is then; or refused: NOT_FOUND, VALIDATION_ERROR for an address that another endpoint has.
 */
export async function changeEndpoint(
  tenant: Tenant,
  endpointId: string,
  change: EndpointChange,
  by: Acting,
): Promise<Outcome<Endpoint>> {
  const { environment, cell, partner } = tenant;
  const told = notice(tenant, 'endpoint_changed', by);
  const changed = await updateEndpoint(cell, partner.id, endpointId, change, told);
  if (changed.ok) environment.relay.bringNoticesLater(cell);
  return changed;
}

/** Deletes an endpoint with the deliveries that still wait for it. @returns done, or NOT_FOUND. */
export async function deleteEndpoint(tenant: Tenant, endpointId: string, by: Acting): Promise<Outcome<null>> {
  const { environment, cell, partner } = tenant;
  const told = notice(tenant, 'endpoint_deleted', by);
  const deleted = await writeDeletion(cell, partner.id, endpointId, told);
  if (deleted) environment.relay.bringNoticesLater(cell);
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

/**
 * Sends an event again: to one endpoint, or to every active one that it was meant for.
 * @returns how many deliveries are on their way; or NOT_FOUND, or VALIDATION_ERROR for a disabled endpoint.
 */
export async function redeliverEvent(
  { environment, cell, partner }: Tenant,
  eventId: string,
  endpointId: string | null,
): Promise<Outcome<{ deliveries: number }>> {
  const due = await redeliver(cell, partner.id, eventId, endpointId);
  if (due.ok) environment.relay.afterCommit(cell, { intentions: [], endpointIds: due.value });
  return map(due, (endpointIds) => ({ deliveries: endpointIds.length }));
}

/**
 * Sends an endpoint what it did not get.
 * @returns how many deliveries are on their way, and whether more are left; or NOT_FOUND, or VALIDATION_ERROR for a
 *   disabled endpoint.
 */
export async function recoverEndpoint(
  { environment, cell, partner }: Tenant,
  endpointId: string,
  during: { since: Date; until: Date | null },
): Promise<Outcome<{ deliveries: number; hasMore: boolean }>> {
  const recovered = await recover(cell, partner.id, endpointId, during);
  if (recovered.ok) environment.relay.afterCommit(cell, { intentions: [], endpointIds: [endpointId] });
  return recovered;
}

/**
 * Has the deliveries to an endpoint go wrong on its partner's wish, and has its dispatcher look again (D207).
 * @param fault `mode` null ends it.
 * @returns until when, or NOT_FOUND.
 */
export async function rehearseFault(
  { environment, cell, partner }: Tenant,
  endpointId: string,
  fault: { mode: WebhookFault | null; seconds: number },
): Promise<Outcome<Date>> {
  const until = await setFault(cell, partner.id, endpointId, fault);
  if (!until) return refuse('NOT_FOUND');
  // Deliveries that a fault has delayed are due now. A dispatcher that cannot be woken looks at the end of its wait.
  await environment.relay.wake([{ partnerId: partner.id, endpointId }]);
  return done(until);
}
