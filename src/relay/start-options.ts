/**
 * The one place that builds start options: relay, sweep and API start a workflow with the same input,
 * whoever comes first.
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
    // A finished resource's workflow is never begun again by a late relay.
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    staticSummary: intention.title,
    typedSearchAttributes: new TypedSearchAttributes([
      { key: searchAttributes.partnerId, value: intention.partnerId },
      { key: searchAttributes.resourceId, value: intention.resourceId },
    ]),
  };
}
