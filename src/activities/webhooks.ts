/**
 * The work of `webhook/{endpoint id}`: send what is due, record each attempt, stay for what becomes due next, and say when to
 * look again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { activityInfo, cancellationSignal, heartbeat } from '@temporalio/activity';
import {
  claimDue,
  deliveriesWaiting,
  findTarget,
  giveBackClaims,
  nextDueMs,
  parkDeliveries,
  recordAttempts,
  type AttemptResult,
  type DeliveryTarget,
  type DueDelivery,
} from '../db/events/deliveries';
import { markAsleep, markHeard } from '../db/events/dispatchers';
import { BYTES_PER_TRY } from '../domain/storage';
import { isOutage, type Cell, type SealedCell } from '../db/pg/postgres';
import { untilItWorks } from '../runtime/patience';
import type { WebhookDispatcherInput } from '../contract/messages';
import type { Dependencies } from './dependencies';
import { createAttempts, faultNow, shownUrl } from './webhook-attempts';
import { createPlaces } from './webhook-places';
import { createPace } from './webhook-pace';
import { createStays } from './webhook-stays';
import { createCharge } from './storage-charges';

const BATCH = 50;
const AT_ONCE = 10;
/**
 * How long one activity sends and stays before it reports to Temporal, and how long it takes deliveries out of one batch. The
 * last attempt, which a fault may make twice, takes 20 s more: together less than the two minutes of the activity.
 */
const SHIFT_MS = 40_000;
const BATCH_MS = 50_000;
/** How long it stays with nothing due. An endpoint with an event in less time than this costs Temporal next to nothing. */
const QUIET_MS = 5_000;
/** Longer than the activity: a claim that is over belongs to nobody any more. */
const CLAIM_MS = 130_000;
const BEAT_MS = 1_000;

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

/** What one activity works on, and what tells it to end: its own end, or that of its worker. */
interface Shift {
  cell: SealedCell;
  input: WebhookDispatcherInput;
  untilMs: number;
  end: AbortSignal;
}

export function webhookActivities(dependencies: Dependencies) {
  const { environment, config, logger, ending } = dependencies;
  const places = createPlaces();
  const pace = createPace(dependencies);
  const stays = createStays();
  const attemptsAt = createAttempts(dependencies);
  const charge = createCharge(dependencies);

  return {
    /**
     * Delivers what is due now and what becomes due while it stays. After a lost answer, or when a worker is killed, a
     * delivery is sent again with the same id and body: the receiver may get it twice, and never misses it (D110). A try
     * that follows a failed one takes over its claims. A worker that ends is not kept waiting.
     * @returns when to look again, and what operators see of the endpoint.
     */
    async deliverDue(input: WebhookDispatcherInput): Promise<Delivered> {
      const { cell } = await environment.partner(input.partnerId);
      const beating = setInterval(() => heartbeat(), BEAT_MS);
      const end = new AbortController();
      const abort = (): void => end.abort();
      const reasons = [cancellationSignal(), ending];
      for (const reason of reasons) reason.addEventListener('abort', abort);
      if (reasons.some(({ aborted }) => aborted)) abort();
      try {
        if (activityInfo().attempt > 1) await giveBackClaims(cell, input.endpointId);
        await markHeard(cell, input.endpointId);
        return await work({ cell, input, untilMs: Date.now() + SHIFT_MS, end: end.signal });
      } finally {
        for (const reason of reasons) reason.removeEventListener('abort', abort);
        clearInterval(beating);
      }
    },
  };

  /** Sends and stays in turns. Who stays has no place among those that send. */
  async function work(shift: Shift): Promise<Delivered> {
    const { cell, input, untilMs, end } = shift;
    for (;;) {
      const sent = await sendDue(shift);
      if ('report' in sent) return sent.report;
      const forMs = sent.quiet.isOnTrial ? 0 : Math.min(QUIET_MS, untilMs - Date.now());
      if (await stays.untilDue(cell, input.endpointId, forMs, end)) continue;
      return sight(cell, input.endpointId, sent.quiet, await fallAsleep(cell, input.endpointId));
    }
  }

  /** @returns the report with which the activity ends; or where it would send, when nothing is due. */
  async function sendDue(shift: Shift): Promise<{ report: Delivered } | { quiet: DeliveryTarget }> {
    const { cell, input } = shift;
    const target = await findTarget(cell, input.endpointId);
    if (!target) return { report: await disabled(cell, input.endpointId) };
    if (target.trialInMs > 0) return report(shift, target, target.trialInMs);
    const leave = places.take(target.url, target.isOnTrial);
    if (!leave) return report(shift, target, noPlaceMs(target));
    try {
      return await sendBatches(shift, target);
    } finally {
      leave();
    }
  }

  async function sendBatches(shift: Shift, first: DeliveryTarget): ReturnType<typeof sendDue> {
    const { cell, input, untilMs, end } = shift;
    const { endpointId } = input;
    let target: DeliveryTarget | null = first;
    while (target) {
      if (target.trialInMs > 0) return report(shift, target, target.trialInMs);
      if (end.aborted) return { quiet: target };
      if (Date.now() >= untilMs) return report(shift, target, 0);
      const fault = faultNow(target);
      if (fault === 'delay') return report(shift, target, target.fault?.leftMs ?? 0);
      // Time for more than one delivery, without which nothing can be out of order.
      if (fault === 'reorder') {
        await sleep(COLLECTING_MS, undefined, { signal: end }).catch(unlessEnded);
        target = await findTarget(cell, endpointId);
        if (!target || faultNow(target) !== 'reorder') continue;
      }
      const limit = target.isOnTrial ? 1 : BATCH;
      const due = await claimDue(cell, endpointId, { limit, forMs: CLAIM_MS });
      if (due.length === 0) return { quiet: target };
      const granted = await pace(target, due.length);
      if (granted.posts > 0) await deliver(shift, target, due.slice(0, granted.posts));
      if (granted.posts < due.length) {
        await giveBackClaims(cell, endpointId);
        return report(shift, target, granted.waitMs * (1 + Math.random()));
      }
      target = await findTarget(cell, endpointId);
    }
    return { report: await disabled(cell, endpointId) };
  }

  async function report(
    { cell, input }: Shift,
    target: DeliveryTarget,
    nextDueMs: number,
  ): Promise<{ report: Delivered }> {
    return { report: await sight(cell, input.endpointId, target, nextDueMs) };
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

  /** What is not sent in time, or before the worker ends, is given back, so that another shift sends it at once. */
  async function deliver(
    { cell, input, end }: Shift,
    target: DeliveryTarget,
    due: readonly DueDelivery[],
  ): Promise<void> {
    const { make } = attemptsAt(input, target);
    const isReversed = faultNow(target) === 'reorder';
    const waiting = isReversed ? [...due].reverse() : [...due];
    const results: AttemptResult[] = [];
    const untilMs = Date.now() + BATCH_MS;
    let gone = false;
    const worker = async (): Promise<void> => {
      while (!end.aborted && Date.now() < untilMs) {
        const next = waiting.shift();
        if (!next) return;
        const { result, isGone } = await make(next);
        gone ||= isGone;
        results.push(result);
        heartbeat();
      }
    };
    await Promise.all(Array.from({ length: isReversed ? 1 : AT_ONCE }, worker));
    const disable = { now: gone, afterMs: config.WEBHOOK_DISABLE_AFTER_MS };
    await noted(() =>
      recordAttempts(cell, input.endpointId, results, disable, config.WEBHOOK_TRIAL_EVERY_MS),
    );
    if (waiting.length > 0) await giveBackClaims(cell, input.endpointId);
    const failed = results.filter(({ delivered }) => !delivered).length;
    await charge(cell, input.partnerId, failed * BYTES_PER_TRY);
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
        logger.warn(
          { err: error, waitMs },
          'The worker could not note the attempts of webhooks; it tries again',
        );
      },
      cancellationSignal(),
    );
  }
}

function unlessEnded(error: unknown): void {
  if (!(error instanceof Error) || error.name !== 'AbortError') throw error;
}
