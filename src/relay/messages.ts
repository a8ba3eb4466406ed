/** The only door from HTTP to a workflow: messages as update-with-start, so that it does not matter who comes first. */
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
import { retryNow, settle, type SettleRequest } from '../contract/messages';

/** What a message came to: its answer, the workflow's refusal, "too late", or "not known now". */
export type Told<Result> = Outcome<{ kind: 'answered'; result: Result } | Unanswered>;
type Unanswered = { kind: 'ended' } | { kind: 'unavailable' };

/** Without a deadline a stopped Temporal or a missing worker would hold the caller for ever. */
const TELL_MS = 4_000;

/**
 * How many messages of this process to one workflow are under way at once; the others wait for their turn. Temporal
 * refuses an eleventh where its limit is not raised, as it is where we start the server.
 */
const AT_ONCE = 8;
/** How long a message may wait for its turn: many callers at once are served late rather than refused. */
const TURN_MS = 15_000;
const inTurn = createTurnsByName(AT_ONCE);

export interface Message<Result, Args extends unknown[]> {
  /** The workflow, started by this message when nothing else has started it yet. */
  intention: Intention;
  update: UpdateDefinition<Result, Args>;
  args: Args;
  /** Names this telling, so that a repeat of a lost call is the same call. */
  updateId: string;
  /**
   * It has answered a message before, so it is asked directly first: that costs the server less than a message that may
   * have to start it (docs/performance.md).
   */
  isUnderWay?: boolean;
  /** What happens where the workflow has been before; a finished one is not begun again unless it is said. */
  workflowIdReusePolicy?: NonNullable<StartOptions['workflowIdReusePolicy']>;
}

/**
 * Sends an update and waits for its answer: four seconds at most, and as long for its turn where many are told.
 * @throws what is neither a refusal nor an outage: a bug in the workflow.
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
      // The client's types know of none or of some arguments, not of any.
      .executeUpdate(update as unknown as UpdateDefinition<Result>, {
        updateId,
        args: args as unknown as [],
      });
  try {
    const giveUpAt = performance.now() + TURN_MS;
    const result = await within(TURN_MS + TELL_MS, () =>
      inTurn(`${environment.namespace}/${intention.workflowId}`, () => {
        // Whoever asked has its 503 by now, or nearly: the next in the queue is told instead.
        if (performance.now() > giveUpAt) throw new NoAnswerError('no turn came');
        return within(TELL_MS, () =>
          isUnderWay ? tellDirectly().catch(unlessItIsThere(startAndTell)) : startAndTell(),
        );
      }),
    );
    return done({ kind: 'answered', result });
  } catch (error) {
    return toldBy(error);
  }
}

/** Does something else where no such workflow runs; every other error stays what it is. */
const unlessItIsThere =
  <Result>(otherwise: () => Promise<Result>) =>
  (error: unknown): Promise<Result> => {
    if (error instanceof WorkflowNotFoundError) return otherwise();
    throw error;
  };

/** Ends a transfer by hand through its workflow. @returns the status that really holds (D96). */
export const tellSettle = (
  environment: Environment,
  transfer: Transaction,
  request: SettleRequest,
  updateId: string,
): Promise<Told<TransactionStatus>> =>
  tell(environment, {
    intention: bankTransferIntention(transfer),
    update: settle,
    args: [request],
    updateId,
    // One that was terminated begins again at once; it looks at its row first.
    workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
  });

/** Lets a parked provisioning go on; one that is not parked goes on anyway (D27). */
export const tellRetryNow = (
  environment: Environment,
  input: Parameters<typeof walletIntention>[0],
  updateId: string,
): Promise<Told<undefined>> =>
  tell(environment, { intention: walletIntention(input), update: retryNow, args: [], updateId });

/** A reset is some deletions; a large sandbox takes longer, and whoever asks again joins it. */
const RESET_MS = 8_000;

/**
 * Resets a partner's sandbox and waits for the end; a reset that is under way is joined.
 * @returns when the sandbox was empty, as ISO text.
 */
export async function runReset(environment: Environment, partnerId: string): Promise<Told<string>> {
  const intention = resetIntention({ partnerId });
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
    // Somebody ended it from outside: asking again begins another.
    if (error instanceof WorkflowFailedError) return UNAVAILABLE;
    return toldBy(error);
  }
}

const ENDED = done({ kind: 'ended' } as const);
const UNAVAILABLE = done({ kind: 'unavailable' } as const);

function toldBy(error: unknown): Outcome<Unanswered> {
  if (error instanceof WorkflowUpdateFailedError) {
    const refused = refusalIn(error.cause);
    if (refused) return refused;
    if (error.cause instanceof ApplicationFailure && error.cause.type === UNPROCESSED) return UNAVAILABLE;

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

/** A workflow refuses as `workflows/refusing.ts` says it: the code is the failure's type. */
function refusalIn(cause: unknown): Refused | null {
  if (!(cause instanceof ApplicationFailure) || !isCode(cause.type)) return null;
  const detail = cause.details?.[0] as Refusal['detail'] | null;
  return refuse(cause.type, { message: cause.message, ...(detail && { detail }) });
}

/** The step found its resource gone with a sandbox reset. */
const isReset = (cause: unknown): boolean =>
  cause instanceof ActivityFailure && cause.cause instanceof ApplicationFailure && cause.cause.type === RESET;

const isCode = (type: string | null | undefined): type is RefusalCode =>
  typeof type === 'string' && Object.hasOwn(REFUSALS, type);

/** Said by the server when a worker gave a task back without its update. */
const UNPROCESSED = 'UnprocessedUpdate';

/**
 * CANCELLED, UNKNOWN, DEADLINE_EXCEEDED, NOT_FOUND (the namespace or its task queue: a missing workflow has an error of
 * its own), RESOURCE_EXHAUSTED, FAILED_PRECONDITION (no poller), ABORTED, UNAVAILABLE.
 */
const UNAVAILABLE_CODES = [1, 2, 4, 5, 8, 9, 10, 14];

function isUnavailable(error: unknown): boolean {
  // A server that was replaced, or is not set up yet: for the caller that is Temporal being away.
  if (error instanceof NamespaceNotFoundError) return true;
  const cause = error instanceof Error && 'cause' in error ? error.cause : error;
  return [error, cause].some((one) => isGrpcServiceError(one) && UNAVAILABLE_CODES.includes(one.code));
}
