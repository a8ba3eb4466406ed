/**
 * The only way from an HTTP request to a workflow. A message also starts its workflow if nothing else has started
 * it yet, so it may come before the relay.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  isGrpcServiceError,
  WithStartWorkflowOperation,
  WorkflowExecutionAlreadyStartedError,
  WorkflowFailedError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import {
  ActivityFailure,
  ApplicationFailure,
  NamespaceNotFoundError,
  type UpdateDefinition,
} from '@temporalio/common';
import type { Intention } from '../domain/intentions';
import { done, refuse, type Outcome, type Refused } from '../domain/outcome';
import { REFUSALS, type Refusal, type RefusalCode } from '../domain/refusals';
import { RESET } from '../domain/resets';
import type { Transaction, TransactionStatus } from '../domain/transactions';
import type { Environment } from '../runtime/environment';
import { bankTransferIntention, resetIntention, walletIntention } from '../contract/intentions';
import { startOptions, type StartOptions } from './start-options';
import { NoAnswerError, within } from '../runtime/temporal-connection';
import { createTurnsByName } from '../runtime/turns';
import { retryNow, settle, type SandboxResetInput } from '../contract/messages';

/**
 * How a message ended: answered, refused by the workflow, too late (`ended`), or not known now (`unavailable`).
 */
export type Told<Result> = Outcome<{ kind: 'answered'; result: Result } | Unanswered>;
type Unanswered = { kind: 'ended' } | { kind: 'unavailable' };

/**
 * Without a deadline a stopped Temporal or a missing worker would hold the caller for ever. It is longer than a worker
 * that ends takes to leave its workflows to another one, so that a rolling restart refuses nothing (G39).
 */
const TELL_MS = 10_000;
/** A message that came between two workers is sent again after this time. */
const TELL_AGAIN_MS = 200;

/**
 * How many messages of this process to one workflow are under way at once; the others wait for their turn. By
 * default Temporal refuses an eleventh; our configurations of the server allow more.
 */
const AT_ONCE = 8;
/**
 * How long a message may wait for its turn. When many callers come at once, a late answer is better than a 503.
 */
const TURN_MS = 15_000;
const inTurn = createTurnsByName(AT_ONCE);

export interface Message<Result, Args extends unknown[]> {
  /** The workflow, started by this message when nothing else has started it yet. */
  intention: Intention;
  update: UpdateDefinition<Result, Args>;
  args: Args;
  /** Names this message. When a lost call is repeated with it, Temporal takes both as one call. */
  updateId: string;
  /**
   * The workflow has answered a message before, so the update goes to it directly first. That costs the server
   * less than a message that may have to start the workflow (decision 0039).
   */
  isUnderWay?: boolean;
  /** What happens if the workflow has already finished. By default it is not started again. */
  workflowIdReusePolicy?: NonNullable<StartOptions['workflowIdReusePolicy']>;
}

/**
 * Sends an update and waits for its answer: at most 15 seconds for its turn, and 10 seconds for the answer.
 * @throws every error that is neither a refusal nor an outage: a bug in the workflow.
 */
export async function tell<Result, Args extends unknown[]>(
  environment: Environment,
  message: Message<Result, Args>,
): Promise<Told<Result>> {
  const { intention, update, args, updateId, isUnderWay = false, workflowIdReusePolicy } = message;
  const { workflow } = environment.temporal;
  const startAndTell = (): Promise<Result> =>
    workflow.executeUpdateWithStart(update, {
      updateId,
      args,
      startWorkflowOperation: new WithStartWorkflowOperation(intention.workflowType, {
        ...startOptions(intention, environment.taskQueue),
        ...(workflowIdReusePolicy && { workflowIdReusePolicy }),
        workflowIdConflictPolicy: 'USE_EXISTING',
      }),
    });
  const tellDirectly = (): Promise<Result> =>
    workflow
      .getHandle(intention.workflowId)
      // The client's types do not allow a list of arguments whose length is not known.
      .executeUpdate(update as unknown as UpdateDefinition<Result>, {
        updateId,
        args: args as unknown as [],
      });
  try {
    const giveUpAt = performance.now() + TURN_MS;
    const result = await within(TURN_MS + TELL_MS, () =>
      inTurn(`${environment.namespace}/${intention.workflowId}`, () => {
        // The turn came too late: the caller gets 503, and the next message gets the turn.
        if (performance.now() > giveUpAt) throw new NoAnswerError('no turn came');
        return betweenWorkers(() =>
          isUnderWay ? tellDirectly().catch(unlessItIsThere(startAndTell)) : startAndTell(),
        );
      }),
    );
    return done({ kind: 'answered', result });
  } catch (error) {
    return toldBy(error);
  }
}

/**
 * Sends a message again while a worker ends and another one has not taken over: no worker asks for tasks, or the one
 * that ended gave the task back. The same holds for a run that is replaced by another one. The message has an id of its own, so it is carried out once.
 * @throws NoAnswerError when the time of the caller is up.
 */
async function betweenWorkers<Result>(send: () => Promise<Result>): Promise<Result> {
  const giveUpAt = performance.now() + TELL_MS;
  for (;;) {
    const leftMs = giveUpAt - performance.now();
    try {
      return await within(leftMs, send);
    } catch (error) {
      if (!isBetweenWorkers(error) || leftMs < TELL_AGAIN_MS) throw error;
      await sleep(TELL_AGAIN_MS);
    }
  }
}

/** Does something else if no such workflow runs. Every other error is thrown again. */
const unlessItIsThere =
  <Result>(otherwise: () => Promise<Result>) =>
  (error: unknown): Promise<Result> => {
    if (error instanceof WorkflowNotFoundError) return otherwise();
    throw error;
  };

/** Tells a transfer's workflow of a hand order to end it. @returns the status that really holds (D96). */
export const tellSettle = (
  environment: Environment,
  transfer: Transaction,
  orderId: string,
): Promise<Told<TransactionStatus>> =>
  tell(environment, {
    intention: bankTransferIntention(transfer),
    update: settle,
    args: [orderId],
    updateId: orderId,
    // The transfer is still processing, so a workflow that has ended is started again. It reads its row first.
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
  });

/** Lets a parked provisioning go on. A provisioning that is not parked goes on anyway (D27). */
export const tellRetryNow = (
  environment: Environment,
  input: Parameters<typeof walletIntention>[0],
  updateId: string,
): Promise<Told<undefined>> =>
  tell(environment, { intention: walletIntention(input), update: retryNow, args: [], updateId });

/**
 * Enough for the deletions of a usual sandbox. A large one takes longer; a repeated request then joins its reset.
 */
const RESET_MS = 8_000;

/**
 * Resets a partner's sandbox and waits for the end; a reset that is under way is joined, and the order is not used.
 * @returns when the sandbox was empty, as ISO text.
 */
export async function runReset(environment: Environment, input: SandboxResetInput): Promise<Told<string>> {
  const intention = resetIntention(input);
  try {
    const result = await within(RESET_MS, () =>
      environment.temporal.workflow.execute<(input: unknown) => Promise<string>>(intention.workflowType, {
        ...startOptions(intention, environment.taskQueue),
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        workflowIdConflictPolicy: 'USE_EXISTING',
      }),
    );
    return done({ kind: 'answered', result });
  } catch (error) {
    // Somebody ended the workflow from outside, or its order was too old. A repeated request begins another reset.
    if (error instanceof WorkflowFailedError) return ENDED;
    return toldBy(error);
  }
}

const ENDED = done({ kind: 'ended' } as const);
const UNAVAILABLE = done({ kind: 'unavailable' } as const);

function toldBy(error: unknown): Outcome<Unanswered> {
  if (error instanceof WorkflowUpdateFailedError) {
    const refused = refusalIn(error.cause);
    if (refused) return refused;
    if (isUnprocessed(error)) return UNAVAILABLE;
    if (isReset(error.cause)) return ENDED;
    throw error;
  }
  if (error instanceof WorkflowExecutionAlreadyStartedError || error instanceof WorkflowNotFoundError) {
    return ENDED;
  }
  if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError || error instanceof NoAnswerError) {
    return UNAVAILABLE;
  }
  if (isUnavailable(error)) return UNAVAILABLE;
  throw error;
}

/** The refusal in a failure, as `workflows/refusing.ts` writes it: the type of the failure is the code. */
function refusalIn(cause: unknown): Refused | null {
  if (!(cause instanceof ApplicationFailure) || !isCode(cause.type)) return null;
  const detail = cause.details?.[0] as Refusal['detail'] | null;
  return refuse(cause.type, { message: cause.message, ...(detail && { detail }) });
}

/** Whether a step failed because a sandbox reset has deleted its resource. */
const isReset = (cause: unknown): boolean =>
  cause instanceof ActivityFailure && cause.cause instanceof ApplicationFailure && cause.cause.type === RESET;

const isCode = (type: string | null | undefined): type is RefusalCode =>
  typeof type === 'string' && Object.hasOwn(REFUSALS, type);

const isUnprocessed = ({ cause }: WorkflowUpdateFailedError): boolean =>
  cause instanceof ApplicationFailure && UNPROCESSED.includes(cause.type ?? '');

/** FAILED_PRECONDITION (no poller) and ABORTED, a task that was given back, or a run that was ended. */
const isBetweenWorkers = (error: unknown): boolean =>
  error instanceof WorkflowUpdateFailedError ? isUnprocessed(error) : hasCode(error, [9, 10]);

/**
 * The types of the failures that the server reports when a worker gave a task back without its update, and when the run
 * that had taken the update was ended, as reconciliation does with one that is broken (relay/revive.ts). The step of the
 * ended run may still commit; each step is decided by the id of its request, so the next run does it no second time.
 */
const UNPROCESSED = ['UnprocessedUpdate', 'AcceptedUpdateCompletedWorkflow'];

/**
 * CANCELLED, UNKNOWN, DEADLINE_EXCEEDED, NOT_FOUND (the namespace or its task queue, because a missing workflow
 * has an error of its own), RESOURCE_EXHAUSTED, FAILED_PRECONDITION (no poller), ABORTED, INTERNAL (also a call whose
 * stream was reset), UNAVAILABLE.
 */
const UNAVAILABLE_CODES = [1, 2, 4, 5, 8, 9, 10, 13, 14];

function isUnavailable(error: unknown): boolean {
  // The server was replaced or is not set up yet. For the caller this is the same as an absent Temporal.
  if (error instanceof NamespaceNotFoundError) return true;
  return hasCode(error, UNAVAILABLE_CODES);
}

function hasCode(error: unknown, codes: readonly number[]): boolean {
  const cause = error instanceof Error && 'cause' in error ? error.cause : error;
  return [error, cause].some((one) => isGrpcServiceError(one) && codes.includes(one.code));
}
