/** The work of `webhook/{endpoint id}`: send what is due, record each attempt, say when to look again. */
import { setTimeout as sleep } from 'node:timers/promises';
import { activityInfo, cancellationSignal, heartbeat } from '@temporalio/activity';
import {
  claimDue,
  deliveriesWaiting,
  findTarget,
  giveBackClaims,
  markAsleep,
  nextDueMs,
  parkDeliveries,
  recordAttempts,
  type AttemptResult,
  type DeliveryTarget,
  type DueDelivery,
} from '../db/events/deliveries';
import { faultText, type WebhookFault } from '../domain/webhook-faults';
import { isOutage, type Cell, type SealedCell } from '../db/pg/postgres';
import type { PostOutcome } from '../providers/webhooks/sender';
import { untilItWorks } from '../runtime/patience';
import { frequentLines } from '../runtime/process';
import { endpointSecretPlace } from '../secrets/sealing';
import { webhookHeaders } from '../wire/webhook-signature';
import { writeDelivery, writePayload } from '../wire/webhooks';
import type { WebhookDispatcherInput } from '../contract/messages';
import type { Dependencies } from './dependencies';
import { createPlaces } from './webhook-places';

/** A batch takes at most 50 / 10 x 10 s = 50 s, which is less than the two minutes of the activity. */
const BATCH = 50;
const AT_ONCE = 10;
/** How long one activity sends batch after batch before it reports to Temporal. */
const SHIFT_MS = 20_000;
const CLAIM_MS = 130_000;
const RETRY_AFTER_MAX_MS = 24 * 3_600_000;
const JITTER = 0.1;

/** When a dispatcher looks again for a place, and a little later, so that not all come at once. */
const NO_PLACE_MS = 2_000;
const NO_PLACE_ON_TRIAL_MS = 6_000;
const noPlaceMs = ({ isOnTrial }: DeliveryTarget): number =>
  (isOnTrial ? NO_PLACE_ON_TRIAL_MS : NO_PLACE_MS) * (1 + Math.random());

/** How long a dispatcher collects deliveries that it is to send in another order. */
const COLLECTING_MS = 2_000;

/** Counting a longer backlog would take longer than sending a batch of it. */
const COUNTED_MAX = 1_000;

export interface Delivered {
  /** Milliseconds until the next delivery is due: 0 for now, null when none waits. */
  nextDueMs: number | null;
  /**
   * The URL of the deliveries, without the parts that may hold a secret; null if the endpoint is disabled or
   * deleted.
   */
  url: string | null;
  /** How many deliveries wait, in words where there are too many to count. */
  waiting: string;
  /**
   * The error of the latest attempt of the first delivery that has failed and waits; null where none has failed.
   */
  lastError: string | null;
}

/** The fault that the deliveries of an endpoint meet now; null for none. */
const faultNow = ({ fault }: DeliveryTarget): WebhookFault | null =>
  fault && fault.leftMs > 0 ? fault.mode : null;

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

/** A partner may keep a secret in the user, the query or the fragment of its URL: these are not shown. */
function shownUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

export function webhookActivities({ environment, config, sender, logger }: Dependencies) {
  const places = createPlaces();
  const attempts = frequentLines(logger);
  return {
    /**
     * Delivers what is due now. After a lost answer, or when a worker is killed, a delivery is sent again with the
     * same id and body: the receiver may get it twice, and never misses it (D110). A try that follows a failed one
     * takes over its claims.
     * @returns when to look again, and what operators see of the endpoint.
     */
    async deliverDue(input: WebhookDispatcherInput): Promise<Delivered> {
      const { cell } = await environment.partner(input.partnerId);
      if (activityInfo().attempt > 1) await giveBackClaims(cell, input.endpointId);
      const target = await findTarget(cell, input.endpointId);
      if (!target) return disabled(cell, input.endpointId);
      if (target.trialInMs > 0) return sight(cell, input.endpointId, target, target.trialInMs);
      const leave = places.take(target.url, target.isOnTrial);
      if (!leave) return sight(cell, input.endpointId, target, noPlaceMs(target));
      try {
        return await shift(cell, input, target);
      } finally {
        leave();
      }
    },
  };

  async function shift(
    cell: SealedCell,
    input: WebhookDispatcherInput,
    first: DeliveryTarget,
  ): Promise<Delivered> {
    const { endpointId } = input;
    const until = Date.now() + SHIFT_MS;
    let target: DeliveryTarget | null = first;
    while (target) {
      if (target.trialInMs > 0) return sight(cell, endpointId, target, target.trialInMs);
      if (Date.now() >= until) return sight(cell, endpointId, target, 0);
      const fault = faultNow(target);
      if (fault === 'delay') return sight(cell, endpointId, target, target.fault?.leftMs ?? 0);
      // Time for more than one delivery, without which nothing can be out of order.
      if (fault === 'reorder') {
        await sleep(COLLECTING_MS, undefined, { signal: cancellationSignal() });
        target = await findTarget(cell, endpointId);
        if (!target || faultNow(target) !== 'reorder') continue;
      }
      const limit = target.isOnTrial ? 1 : BATCH;
      const due = await claimDue(cell, endpointId, { limit, forMs: CLAIM_MS });
      if (due.length === 0) return sight(cell, endpointId, target, await fallAsleep(cell, endpointId));
      await deliver(cell, input, target, due);
      target = await findTarget(cell, endpointId);
    }
    return disabled(cell, endpointId);
  }

  async function disabled(cell: Cell, endpointId: string): Promise<Delivered> {
    await parkDeliveries(cell, endpointId);
    await markAsleep(cell, endpointId);
    return { nextDueMs: null, url: null, waiting: '0', lastError: null };
  }

  async function sight(
    cell: Cell,
    endpointId: string,
    target: DeliveryTarget,
    nextDueMs: number | null,
  ): Promise<Delivered> {
    const url = shownUrl(target.url);
    if (nextDueMs === null) return { nextDueMs, url, waiting: '0', lastError: null };
    const { waiting, lastError } = await deliveriesWaiting(cell, endpointId, COUNTED_MAX);
    const counted = waiting > COUNTED_MAX ? `more than ${COUNTED_MAX}` : String(waiting);
    return { nextDueMs, url, waiting: counted, lastError };
  }

  /**
   * The dispatcher is marked as asleep first, and then it looks once more, so that no commit between the two is
   * missed.
   */
  async function fallAsleep(cell: Cell, endpointId: string): Promise<number | null> {
    await markAsleep(cell, endpointId);
    return nextDueMs(cell, endpointId);
  }

  async function deliver(
    cell: Cell,
    input: WebhookDispatcherInput,
    target: DeliveryTarget,
    due: readonly DueDelivery[],
  ): Promise<void> {
    const place = endpointSecretPlace(input.partnerId, input.endpointId);
    const secrets = target.secretsSealed.map((sealed) => environment.sealing.open(sealed, place));
    const fault = faultNow(target);
    const waiting = fault === 'reorder' ? [...due].reverse() : [...due];
    const results: AttemptResult[] = [];
    let gone = false;
    const worker = async (): Promise<void> => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const outcome = await attemptWith(fault, () => attempt(input, target.url, secrets, next));
        gone ||= outcome.kind === 'answered' && outcome.status === 410;
        const result = resultOf(next, outcome);
        results.push({ ...result, error: result.error ?? metFault(target, next) });
        heartbeat();
      }
    };
    await Promise.all(Array.from({ length: fault === 'reorder' ? 1 : AT_ONCE }, worker));
    const disable = { now: gone, afterMs: config.WEBHOOK_DISABLE_AFTER_MS };
    await noted(() =>
      recordAttempts(cell, input.endpointId, results, disable, config.WEBHOOK_TRIAL_EVERY_MS),
    );
  }

  /**
   * What was sent is noted as soon as Postgres answers again. Otherwise a receiver would get all of it a second time.
   * It ends with the time of the activity at the latest.
   */
  function noted(record: () => Promise<void>): Promise<void> {
    return untilItWorks(
      record,
      (error, waitMs) => {
        if (!isOutage(error)) throw error;
        heartbeat();
        logger.warn(
          { err: error, waitMs },
          'The worker could not note the attempts of webhooks; it tries again',
        );
      },
      cancellationSignal(),
    );
  }

  async function attempt(
    { partnerId, endpointId }: WebhookDispatcherInput,
    url: string,
    secrets: readonly string[],
    delivery: DueDelivery,
  ): Promise<PostOutcome> {
    const body = writeDelivery({ ...delivery, data: writePayload(delivery.payload) });
    const timestampSeconds = Math.floor(Date.now() / 1_000);
    const { webhookId, eventName: event, requestId } = delivery;
    const outcome = await sender.post(
      url,
      webhookHeaders({ secrets, id: webhookId, timestampSeconds, body }),
      body,
    );
    const answer = outcome.kind === 'answered' ? outcome.status : outcome.reason;
    attempts.info(
      {
        requestId,
        partnerId,
        environment: environment.name,
        endpointId,
        webhookId,
        event,
        attempt: delivery.attempts + 1,
        url: shownUrl(url),
        answer,
        durationMs: outcome.durationMs,
      },
      'The worker attempted a webhook',
    );
    if (requestId !== null)
      environment.traces?.add({
        requestId,
        name: `deliver ${event}`,
        kind: 'client',
        durationMs: outcome.durationMs,
        attributes: {
          webhook_id: webhookId,
          endpoint_id: endpointId,
          partner_id: partnerId,
          environment: environment.name,
          attempt: delivery.attempts + 1,
          ...(outcome.kind === 'answered' && { 'http.response.status_code': outcome.status }),
        },
        hasFailed: outcome.kind !== 'answered' || outcome.status >= 300,
      });
    return outcome;
  }

  function resultOf(delivery: DueDelivery, outcome: PostOutcome): AttemptResult {
    const { eventId, attempts: before } = delivery;
    const { durationMs } = outcome;
    const status = outcome.kind === 'answered' ? outcome.status : null;
    if (status !== null && status >= 200 && status < 300) {
      return {
        eventId,
        attempts: before,
        delivered: true,
        status,
        error: null,
        durationMs,
        retryAfterMs: null,
      };
    }
    const error = outcome.kind === 'answered' ? null : outcome.reason;
    return {
      eventId,
      attempts: before,
      delivered: false,
      status,
      error,
      durationMs,
      retryAfterMs: retryAfter(delivery.attempts + 1, outcome),
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
