/**
 * The one place that builds the options of a start, so that relay, sweep and API start a workflow with the same
 * input.
 */
import type { WorkflowStartOptions } from '@temporalio/client';
import { TypedSearchAttributes } from '@temporalio/common';
import type { Intention } from '../domain/intentions';
import { searchAttributes } from '../contract/messages';

export type StartOptions = Pick<
  WorkflowStartOptions,
  'workflowId' | 'taskQueue' | 'args' | 'workflowIdReusePolicy' | 'staticSummary' | 'typedSearchAttributes'
> & { args: [unknown] };

export function startOptions(intention: Intention, taskQueue: string): StartOptions {
  return {
    workflowId: intention.workflowId,
    taskQueue,
    args: [intention.input],
    // A late start must not run the workflow a second time when its resource has already finished.
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    staticSummary: intention.title,
    typedSearchAttributes: new TypedSearchAttributes([
      { key: searchAttributes.partnerId, value: intention.partnerId },
      { key: searchAttributes.resourceId, value: intention.resourceId },
      ...(intention.requestId === undefined
        ? []
        : [{ key: searchAttributes.requestId, value: intention.requestId }]),
    ]),
  };
}
