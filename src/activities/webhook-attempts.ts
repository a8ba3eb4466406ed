/** One attempt to deliver an event: it is signed, posted, told to the log and to the traces, and its outcome is judged. */
import type { AttemptResult, DeliveryTarget, DueDelivery } from '../db/events/deliveries';
import { faultText, type WebhookFault } from '../domain/webhook-faults';
import type { PostOutcome } from '../providers/webhooks/sender';
import { frequentLines } from '../runtime/process';
import { endpointSecretPlace } from '../secrets/sealing';
import { webhookHeaders } from '../wire/webhook-signature';
import { writeDelivery, writePayload } from '../wire/webhooks';
import type { WebhookDispatcherInput } from '../contract/messages';
import type { Dependencies } from './dependencies';

const RETRY_AFTER_MAX_MS = 24 * 3_600_000;
const JITTER = 0.1;

/** The fault that the deliveries of an endpoint meet now; null for none. */
export const faultNow = ({ fault }: DeliveryTarget): WebhookFault | null =>
  fault && fault.leftMs > 0 ? fault.mode : null;

/** A partner may keep a secret in the user, the query or the fragment of its URL: these are not shown. */
export function shownUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

/** The fault that an attempt has met, as its record names it; null for none. */
function metFault(target: DeliveryTarget, { createdAt }: DueDelivery): string | null {
  const { fault } = target;
  const mode = faultNow(target);
  if (mode !== null) return faultText(mode);
  return fault?.mode === 'delay' && createdAt < fault.until ? faultText('delay') : null;
}

/** Makes an attempt as a fault has it. @returns what counts as its outcome. */
async function attemptWith(
  fault: WebhookFault | null,
  attempt: () => Promise<PostOutcome>,
): Promise<PostOutcome> {
  if (fault === 'drop') return { kind: 'failed', reason: faultText(fault), durationMs: 0 };
  if (fault === 'twice') await attempt();
  const outcome = await attempt();
  if (fault !== 'answer_500' || outcome.kind !== 'answered') return outcome;
  return { ...outcome, status: 500, retryAfterSeconds: null };
}

/** Attempts at one endpoint, with the secrets that are in force. */
export interface Attempts {
  /** Makes an attempt. @returns how it ended, and whether the receiver said that it is gone for good (410). */
  make(delivery: DueDelivery): Promise<{ result: AttemptResult; isGone: boolean }>;
}

/** @returns what opens the attempts at an endpoint. */
export function createAttempts({ environment, config, sender, logger }: Dependencies) {
  const lines = frequentLines(logger);

  return (input: WebhookDispatcherInput, target: DeliveryTarget): Attempts => {
    const place = endpointSecretPlace(input.partnerId, input.endpointId);
    const secrets = target.secretsSealed.map((sealed) => environment.sealing.open(sealed, place));
    const fault = faultNow(target);
    return {
      async make(delivery) {
        const outcome = await attemptWith(fault, () => post(input, target.url, secrets, delivery));
        const result = resultOf(delivery, outcome);
        return {
          result: { ...result, error: result.error ?? metFault(target, delivery) },
          isGone: outcome.kind === 'answered' && outcome.status === 410,
        };
      },
    };
  };

  async function post(
    input: WebhookDispatcherInput,
    url: string,
    secrets: readonly string[],
    delivery: DueDelivery,
  ): Promise<PostOutcome> {
    const body = writeDelivery({ ...delivery, data: writePayload(delivery.payload) });
    const timestampSeconds = Math.floor(Date.now() / 1_000);
    const headers = webhookHeaders({ secrets, id: delivery.webhookId, timestampSeconds, body });
    const outcome = await sender.post(url, headers, body);
    tell(input, url, delivery, outcome);
    return outcome;
  }

  function tell(
    { partnerId, endpointId }: WebhookDispatcherInput,
    url: string,
    delivery: DueDelivery,
    outcome: PostOutcome,
  ): void {
    const { webhookId, eventName: event, requestId } = delivery;
    const { durationMs } = outcome;
    const attempt = delivery.attempts + 1;
    lines.info(
      {
        requestId,
        partnerId,
        environment: environment.name,
        endpointId,
        webhookId,
        event,
        attempt,
        url: shownUrl(url),
        answer: outcome.kind === 'answered' ? outcome.status : outcome.reason,
        durationMs,
      },
      'The worker attempted a webhook',
    );
    if (requestId === null) return;
    environment.traces?.add({
      requestId,
      name: `deliver ${event}`,
      kind: 'client',
      durationMs,
      attributes: {
        webhook_id: webhookId,
        endpoint_id: endpointId,
        partner_id: partnerId,
        environment: environment.name,
        attempt,
        ...(outcome.kind === 'answered' && { 'http.response.status_code': outcome.status }),
      },
      hasFailed: outcome.kind !== 'answered' || outcome.status >= 300,
    });
  }

  function resultOf({ eventId, attempts }: DueDelivery, outcome: PostOutcome): AttemptResult {
    const { durationMs } = outcome;
    const status = outcome.kind === 'answered' ? outcome.status : null;
    const delivered = status !== null && status >= 200 && status < 300;
    return {
      eventId,
      attempts,
      delivered,
      status,
      error: outcome.kind === 'answered' ? null : outcome.reason,
      durationMs,
      retryAfterMs: delivered ? null : retryAfter(attempts + 1, outcome),
    };
  }

  /** The wait before attempt number `made` + 1, with jitter, or the receiver's own wish if later (D109, D161). */
  function retryAfter(made: number, outcome: PostOutcome): number | null {
    const scheduledMs = config.WEBHOOK_RETRY_MS[made];
    if (scheduledMs === undefined) return null;
    const jitteredMs = scheduledMs * (1 + JITTER * (2 * Math.random() - 1));
    const wishedMs = outcome.kind === 'answered' ? (outcome.retryAfterSeconds ?? 0) * 1_000 : 0;
    return Math.round(Math.max(jitteredMs, Math.min(wishedMs, RETRY_AFTER_MAX_MS)));
  }
}
