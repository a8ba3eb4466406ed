/**
 * Starts the workflows that a commit intended, and wakes the dispatchers of endpoints that have deliveries due.
 * The relay runs after the commit, and no request waits for it. The sweep later does what the relay could not do
 * because of a crash or a stopped Temporal. To start or wake a workflow twice is harmless.
 */
import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError, type Client } from '@temporalio/client';
import { markTold, type UntoldCallback } from '../db/payments/callbacks';
import { markNewsTold, type OwnerNews } from '../db/wallets/owner-news';
import { markNoticesTold, type Directory, type UntoldNotice } from '../db/payments/inbound-credits';
import { takeSleepers } from '../db/events/dispatchers';
import { countFailedStarts, markStarted } from '../db/events/intentions';
import { bringSecurityNotices, noteExpiringKeys } from '../db/partners/security-events';
import type { Cell, Queryable } from '../db/pg/postgres';
import type { Intention } from '../domain/intentions';
import type { SecurityEvent } from '../domain/security-events';
import type { Transaction } from '../domain/transactions';
import { within } from '../runtime/temporal-connection';
import type { Traces } from '../runtime/traces';
import { createTurns } from '../runtime/turns';
import {
  lookAgain,
  providerOutcome,
  timeForwarded,
  wake,
  workflowIds,
  type InboundPaymentInput,
  type WebhookDispatcherInput,
} from '../contract/messages';
import {
  bankReturnIntention,
  bankTransferIntention,
  dispatcherIntention,
  inboundIntention,
} from '../contract/intentions';
import { makeSchedule } from './schedules';
import { startOptions, type StartOptions } from './start-options';
import { createStarts } from './starts';

const CALL_MS = 3_000;
const LOOK_EVERY_MS = 20;
/** How long the start of a workflow may take after its commit, and how often it is looked for meanwhile. */
const BEGINS_WITHIN_MS = 10_000;
const LOOK_FOR_BEGIN_MS = 100;
/**
 * How many calls are under way at once, besides the starts of what was just accepted. They are few, so that they
 * do not overload Temporal after an outage.
 */
const CALLS_AT_ONCE = 20;

export interface RelayOptions {
  temporal: Client;
  taskQueue: string;
  traces: Traces | null;
  /** The login with which events of cells are brought to the list of security events. */
  partners: Queryable;
  /** Writes a security event that has happened into the log. */
  logSecurityEvent: (event: SecurityEvent) => void;
  /** Is told what could not be done now; the sweep tries it again. */
  onError: (error: unknown, what: string) => void;
}

/** A workflow that waits: for the time of its row, for a payment company, for an identity bureau, or as the simulated bank. */
interface Waiting {
  workflowId: string;
  by: 'time' | 'provider' | 'bureau' | 'simulator';
}

export interface Relay {
  /** Takes the work that a commit has left, and returns at once. */
  afterCommit(cell: Cell, done: { intentions: Intention[]; endpointIds: string[] }): void;
  /** Starts these workflows and marks them as started. @returns how many of them run now. */
  start(cell: Cell, intentions: readonly Intention[]): Promise<number>;
  /** Wakes these dispatchers, whether they sleep or not. */
  wake(endpoints: readonly WebhookDispatcherInput[]): Promise<number>;
  /** Tells workflows that a provider has called back, and returns at once. */
  tellLater(cell: Cell, callbacks: readonly UntoldCallback[]): void;
  /** Does the same, waits for it, and marks the callbacks whose workflow was told. @returns how many. */
  tell(cell: Cell, callbacks: readonly UntoldCallback[]): Promise<number>;
  /** Has companies asked about payments that came in, and returns at once. */
  tellOfPaymentsLater(at: Directory, notices: readonly UntoldNotice[]): void;
  /** Does the same, waits for it, and marks the notices whose workflow was told. @returns how many. */
  tellOfPayments(at: Directory, notices: readonly UntoldNotice[]): Promise<number>;
  /** Has a company asked about payments of which no notice came. @returns of how many. */
  askAboutPayments(payments: readonly InboundPaymentInput[]): Promise<number>;
  /** There is news of a refund: has its workflow look at once. Returns at once; untold it looks later. */
  tellOfRefundLater(refundId: string): void;
  /** There is news of wallets that wait for their account: has their workflows look at once. Returns at once. */
  tellOfNewsLater(cell: Cell, news: readonly OwnerNews[]): void;
  /** Does the same, waits for it, and marks the news as told. @returns how many. */
  tellOfNews(cell: Cell, news: readonly OwnerNews[]): Promise<number>;
  /** A partner has decided about a transfer: has its workflow look at once. Returns at once; untold it looks within a minute. */
  tellOfTransferLater(transactionId: string): void;
  /** Tells workflows that their sandbox has moved its deadlines earlier, and returns at once. Untold they look later. */
  forwardLater(waiting: readonly Waiting[], forwardedMs: number): void;
  /** Brings the security events that wait in a cell to their list, and returns at once. */
  bringNoticesLater(cell: Cell): void;
  /** Does the same and waits for it. @returns how many are in the list now that were not before. */
  bringNotices(cell: Cell): Promise<number>;
  /** Notes the keys that end soon. @returns how many notices are new. */
  noteExpiringKeys(): Promise<number>;
  /** Waits for the work that it was given. What has not been done by then is left to the sweep. */
  close(): Promise<void>;
}

export function createRelay(options: RelayOptions): Relay {
  const { temporal, taskQueue, traces, partners, logSecurityEvent, onError } = options;
  const atOnce = createTurns(CALLS_AT_ONCE);
  const open = new Set<Promise<unknown>>();
  let closed = false;

  const track = (work: Promise<unknown>, what: string): void => {
    const tracked = work.catch((error: unknown) => onError(error, what)).finally(() => open.delete(tracked));
    open.add(tracked);
  };

  async function startOne(intention: Intention): Promise<boolean> {
    if (closed) return false;
    const since = performance.now();
    const isStarted = await tryToStart(intention);
    const { requestId, workflowType, workflowId } = intention;
    if (requestId !== undefined)
      traces?.add({
        requestId,
        name: `start ${workflowType}`,
        kind: 'client',
        durationMs: performance.now() - since,
        attributes: { workflow: workflowType, workflow_id: workflowId, partner_id: intention.partnerId },
        hasFailed: !isStarted,
      });
    return isStarted;
  }

  /**
   * A workflow that may go on after its end is begun again, or woken where it has not ended: no order is lost (R13). The
   * workflow of a scheduled transfer is begun by its Schedule.
   */
  const begin = (intention: Intention): Promise<unknown> => {
    if (intention.workflowType === 'scheduledTransfer') return makeSchedule(temporal, intention, taskQueue);
    const options = startOptions(intention, taskQueue);
    const signal = goesOnBy(intention);
    if (!signal) return temporal.workflow.start(intention.workflowType, options);
    return temporal.workflow.signalWithStart(intention.workflowType, {
      ...options,
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      signal,
    });
  };

  async function tryToStart(intention: Intention): Promise<boolean> {
    try {
      await within(CALL_MS, () => begin(intention));
      return true;
    } catch (error) {
      // Somebody else has started it already, which is a success.
      if (error instanceof WorkflowExecutionAlreadyStartedError) return true;
      onError(error, `start ${intention.workflowId}`);
      return false;
    }
  }

  const starts = createStarts({ startOne, onError });

  async function start(cell: Cell, intentions: readonly Intention[]): Promise<number> {
    const started = await Promise.all(intentions.map((intention) => atOnce(() => startOne(intention))));
    const idsOf = (asked: boolean) =>
      intentions.filter((_, index) => started[index] === asked).map(({ workflowId }) => workflowId);
    const [ids, failed] = [idsOf(true), idsOf(false)];
    if (ids.length > 0) await markStarted(cell, ids);
    if (failed.length > 0) await countFailedStarts(cell, failed);
    return ids.length;
  }

  async function wakeOne(endpoint: WebhookDispatcherInput): Promise<boolean> {
    if (closed) return false;
    try {
      await within(CALL_MS, () =>
        temporal.workflow.signalWithStart('webhookDispatcher', {
          ...startOptions(dispatcherIntention(endpoint), taskQueue),
          // An endpoint's dispatcher ends when it is idle and begins again with the next event.
          workflowIdReusePolicy: 'ALLOW_DUPLICATE',
          signal: wake,
        }),
      );
      return true;
    } catch (error) {
      onError(error, `wake ${endpoint.endpointId}`);
      return false;
    }
  }

  const wakeAll = async (endpoints: readonly WebhookDispatcherInput[]): Promise<number> =>
    (await Promise.all(endpoints.map((endpoint) => atOnce(() => wakeOne(endpoint))))).filter(Boolean).length;

  /** The endpoints with deliveries due, collected until the next look-up of the dispatchers that sleep. */
  const due = new Map<Cell, Set<string>>();

  /**
   * The look-up runs now if the last one is some time ago, and otherwise a little later: under load one look-up
   * serves many commits.
   */
  function wakeSleepers(cell: Cell, endpointIds: readonly string[]): void {
    const soon = due.get(cell);
    if (soon) {
      for (const id of endpointIds) soon.add(id);
      return;
    }
    due.set(cell, new Set());
    track(takeSleepers(cell, endpointIds).then(wakeAll), 'wake dispatchers');
    setTimeout(() => {
      const ids = [...(due.get(cell) ?? [])];
      due.delete(cell);
      if (ids.length > 0 && !closed) wakeSleepers(cell, ids);
    }, LOOK_EVERY_MS).unref();
  }

  function tellOne({ receiver, transfer }: UntoldCallback): Promise<boolean> {
    const { intention, reuse } = RECEIVERS[receiver];
    return signal(intention(transfer), reuse);
  }

  async function signal(intended: Intention, reuse: Reuse): Promise<boolean> {
    if (closed) return false;
    try {
      await within(CALL_MS, () =>
        temporal.workflow.signalWithStart(intended.workflowType, {
          ...startOptions(intended, taskQueue),
          workflowIdReusePolicy: reuse,
          signal: providerOutcome,
        }),
      );
      return true;
    } catch (error) {
      // The workflow has ended by itself, so there is nothing left to ask the provider about.
      if (error instanceof WorkflowExecutionAlreadyStartedError) return true;
      onError(error, `tell ${intended.workflowId}`);
      return false;
    }
  }

  /** @returns false where there is no such workflow. */
  async function forwardOne({ workflowId, by }: Waiting, forwardedMs: number): Promise<boolean> {
    const handle = temporal.workflow.getHandle(workflowId);
    try {
      await within(CALL_MS, () => {
        if (by === 'time') return handle.signal(timeForwarded, forwardedMs);
        return handle.signal(by === 'provider' ? providerOutcome : lookAgain);
      });
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return false;
      onError(error, `tell ${workflowId} of another time`);
    }
    return true;
  }

  /** A workflow whose commit is a moment old begins with the deadline that held then. One that has ended needs nothing. */
  async function forwardOnceBegun(waiting: Waiting, forwardedMs: number): Promise<void> {
    const giveUpAt = performance.now() + BEGINS_WITHIN_MS;
    while (!closed && performance.now() < giveUpAt) {
      if (await atOnce(() => forwardOne(waiting, forwardedMs))) return;
      await new Promise((resolve) => setTimeout(resolve, LOOK_FOR_BEGIN_MS).unref());
    }
  }

  async function tell(cell: Cell, callbacks: readonly UntoldCallback[]): Promise<number> {
    const told = await Promise.all(callbacks.map((callback) => atOnce(() => tellOne(callback))));
    const ids = callbacks.filter((_, index) => told[index]).map(({ id }) => id);
    if (ids.length > 0) await markTold(cell, ids);
    return ids.length;
  }

  /** A workflow that has not begun reads the news when it begins, and one that has ended needs none. */
  async function tellOfNews(cell: Cell, news: readonly OwnerNews[]): Promise<number> {
    const tellOne = async ({ walletId }: OwnerNews): Promise<boolean> => {
      if (closed) return false;
      const workflowId = workflowIds.walletProvisioning(walletId);
      try {
        await within(CALL_MS, () => temporal.workflow.getHandle(workflowId).signal(lookAgain));
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return true;
        onError(error, `tell ${workflowId} of its owner`);
        return false;
      }
      return true;
    };
    const told = await Promise.all(news.map((one) => atOnce(() => tellOne(one))));
    const heard = news.filter((_, index) => told[index]);
    if (heard.length > 0) await markNewsTold(cell, heard);
    return heard.length;
  }

  /** A payment that was booked before is found booked, so it does not matter how often its workflow runs. */
  const askAbout = (payment: InboundPaymentInput): Promise<boolean> =>
    atOnce(() => signal(inboundIntention(payment), 'ALLOW_DUPLICATE'));

  async function tellOfPayments(at: Directory, notices: readonly UntoldNotice[]): Promise<number> {
    const told = await Promise.all(
      notices.map(({ provider, reference, about }) =>
        askAbout({ provider, reference, ...(about === 'return' && { about }) }),
      ),
    );
    const ids = notices.filter((_, index) => told[index]).map(({ id }) => id);
    if (ids.length > 0) await markNoticesTold(at, ids);
    return ids.length;
  }

  async function bringNotices(cell: Cell): Promise<number> {
    const brought = await bringSecurityNotices(cell, partners);
    for (const event of brought) logSecurityEvent(event);
    return brought.length;
  }

  async function noteKeys(): Promise<number> {
    const noted = await noteExpiringKeys(partners);
    for (const event of noted) logSecurityEvent(event);
    return noted.length;
  }

  return {
    afterCommit(cell, { intentions, endpointIds }) {
      if (closed) return;
      if (intentions.length > 0) starts.add(cell, intentions);
      if (endpointIds.length > 0) wakeSleepers(cell, endpointIds);
    },
    start,
    wake: wakeAll,
    tellLater(cell, callbacks) {
      if (!closed) track(tell(cell, callbacks), 'tell of a callback');
    },
    tell,
    tellOfPaymentsLater(at, notices) {
      if (!closed) track(tellOfPayments(at, notices), 'tell of a payment');
    },
    tellOfPayments,
    askAboutPayments: async (payments) => (await Promise.all(payments.map(askAbout))).filter(Boolean).length,
    tellOfRefundLater(refundId) {
      const workflowId = workflowIds.inboundRefund(refundId);
      if (!closed) track(forwardOne({ workflowId, by: 'provider' }, 0), 'tell of a refund');
    },
    tellOfNewsLater(cell, news) {
      if (!closed && news.length > 0) track(tellOfNews(cell, news), 'tell of an owner');
    },
    tellOfTransferLater(transactionId) {
      const workflowId = workflowIds.bankTransfer(transactionId);
      if (!closed) track(forwardOne({ workflowId, by: 'provider' }, 0), 'tell of a decision');
    },
    tellOfNews,
    forwardLater(waiting, forwardedMs) {
      const told = waiting.map((one) => forwardOnceBegun(one, forwardedMs));
      track(Promise.all(told), 'tell of another time');
    },
    bringNoticesLater(cell) {
      if (!closed) track(bringNotices(cell), 'bring security events to their list');
    },
    bringNotices,
    noteExpiringKeys: noteKeys,
    async close() {
      const grace = new Promise((resolve) => setTimeout(resolve, CALL_MS).unref());
      await Promise.race([Promise.all([...open, starts.idle()]), grace]);
      closed = true;
    },
  };
}

type Reuse = NonNullable<StartOptions['workflowIdReusePolicy']>;

/**
 * The message by which a workflow goes on whose intention was written again (`intendAgain`); null for one that begins once. The
 * run of a wallet that was closed may be about to end: the message makes it look once more.
 */
function goesOnBy({ workflowType, input }: Intention): typeof wake | typeof lookAgain | null {
  if (workflowType === 'bulkTransfer') return wake;
  return workflowType === 'walletProvisioning' && input['isAgain'] === true ? lookAgain : null;
}

/**
 * Which workflow is told of a callback. A workflow that was terminated is started again. The workflow that looks
 * into a return may run more than once.
 */
const RECEIVERS: Record<
  UntoldCallback['receiver'],
  {
    intention: (transfer: Transaction) => Intention;
    reuse: Reuse;
  }
> = {
  bankTransfer: { intention: bankTransferIntention, reuse: 'ALLOW_DUPLICATE_FAILED_ONLY' },
  bankReturn: { intention: bankReturnIntention, reuse: 'ALLOW_DUPLICATE' },
};
