/**
 * The one place that builds the options of a start, so that relay, sweep and API start a workflow with the same
 * input.
 */
import type { WorkflowStartOptions } from '@temporalio/client';
import { TypedSearchAttributes } from '@temporalio/common';
import type { Intention } from '../domain/intentions';
import { FIRST_STATE, searchAttributes } from '../contract/messages';

export type StartOptions = Pick<
  WorkflowStartOptions,
  | 'workflowId'
  | 'taskQueue'
  | 'args'
  | 'workflowIdReusePolicy'
  | 'workflowTaskTimeout'
  | 'staticSummary'
  | 'typedSearchAttributes'
  | 'priority'
> & { args: [unknown]; priority: { fairnessKey: string } };

/**
 * A task that a worker had in hand when it was killed goes to another worker after this time. Where a caller waits for the
 * answer of a workflow it is less than the caller has (relay/messages.ts), and more than the longest step within a task takes
 * (workflows/steps.ts). Where nobody waits it is so long that no replay meets it, however busy the machine is.
 */
const TASK_MS = { awaited: 5_000, others: 10_000 };
const AWAITED: readonly string[] = [
  'bankTransfer',
  'kybProgression',
  'sandboxReset',
  'ussdSession',
  'walletProvisioning',
];

export function startOptions(intention: Intention, taskQueue: string): StartOptions {
  const state = (FIRST_STATE as Partial<Record<string, string>>)[intention.workflowType];
  return {
    workflowId: intention.workflowId,
    taskQueue,
    args: [intention.input],
    // A late start must not run the workflow a second time when its resource has already finished.
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    workflowTaskTimeout: AWAITED.includes(intention.workflowType) ? TASK_MS.awaited : TASK_MS.others,
    staticSummary: intention.title,
    // While tasks wait for a worker, each partner gets its turn: the flood of one delays no other. Activities inherit it.
    priority: { fairnessKey: intention.partnerId },
    typedSearchAttributes: new TypedSearchAttributes([
      { key: searchAttributes.partnerId, value: intention.partnerId },
      { key: searchAttributes.resourceId, value: intention.resourceId },
      ...(intention.requestId === undefined
        ? []
        : [{ key: searchAttributes.requestId, value: intention.requestId }]),
      ...(state === undefined ? [] : [{ key: searchAttributes.businessState, value: state }]),
    ]),
  };
}
