/** The only door from HTTP to a workflow: messages as update-with-start, so that it does not matter who comes first. */
import {
  isGrpcServiceError,
  WithStartWorkflowOperation,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { Transaction, TransactionStatus } from '../domain/transactions';
import type { Environment } from '../environment';
import { bankTransferIntention } from '../relay/intentions';
import { startOptions } from '../relay/start-options';
import { NOT_PROCESSING, settle, type SettleRequest } from '../workflows/messages';

/** What a message came to: its answer, "too late", or "not known now". */
export type Told =
  { kind: 'answered'; status: TransactionStatus } | { kind: 'ended' } | { kind: 'unavailable' };

/** Without a deadline a stopped Temporal or a missing worker would hold the caller for ever. */
const TELL_MS = 4_000;

/**
 * Ends a transfer by hand through its workflow.
 * @param updateId names this telling, so that a repeat of a lost call is the same call.
 */
export async function tellSettle(
  environment: Environment,
  taskQueue: string,
  transfer: Transaction,
  request: SettleRequest,
  updateId: string,
): Promise<Told> {
  const intention = bankTransferIntention(transfer);
  const startWorkflowOperation = new WithStartWorkflowOperation(intention.workflowType, {
    ...startOptions(intention, taskQueue),
    workflowIdConflictPolicy: 'USE_EXISTING',
  });
  try {
    const status = await environment.temporal.withDeadline(Date.now() + TELL_MS, () =>
      environment.temporal.workflow.executeUpdateWithStart(settle, {
        updateId,
        args: [request],
        startWorkflowOperation,
      }),
    );
    return { kind: 'answered', status };
  } catch (error) {
    return toldBy(error);
  }
}

function toldBy(error: unknown): Told {
  if (error instanceof WorkflowUpdateFailedError) {
    if (error.cause instanceof ApplicationFailure && error.cause.type === NOT_PROCESSING)
      return { kind: 'ended' };
    throw error;
  }
  if (error instanceof WorkflowExecutionAlreadyStartedError || error instanceof WorkflowNotFoundError) {
    return { kind: 'ended' };
  }
  if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError || isUnavailable(error))
    return { kind: 'unavailable' };
  throw error;
}

/** CANCELLED, UNKNOWN, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, FAILED_PRECONDITION (no poller), ABORTED, UNAVAILABLE. */
const UNAVAILABLE_CODES = [1, 2, 4, 8, 9, 10, 14];

function isUnavailable(error: unknown): boolean {
  const cause = error instanceof Error && 'cause' in error ? error.cause : error;
  return [error, cause].some((one) => isGrpcServiceError(one) && UNAVAILABLE_CODES.includes(one.code));
}
