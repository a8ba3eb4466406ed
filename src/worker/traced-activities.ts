/**
 * The spans of the activities of a workflow that a request began. It is used only where traces are switched on. A workflow
 * tells its activities nothing of the request, so that histories stay as they are; the intention of the workflow knows it.
 */
import type { Info } from '@temporalio/activity';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { requestOfWorkflow } from '../db/events/intentions';
import type { Environment } from '../runtime/environment';

/** The span is added after the activity has ended, and the activity does not wait for it. A failure costs the span alone. */
export function tracedActivities(environment: Environment): ActivityInterceptorsFactory {
  return ({ info }) => ({
    inbound: {
      async execute(input, next) {
        const since = performance.now();
        const tell = (hasFailed: boolean): void => {
          const took = { durationMs: performance.now() - since, endedAtMs: Date.now(), hasFailed };
          addSpan(environment, info, input.args[0], took).catch(() => undefined);
        };
        try {
          const result = await next(input);
          tell(false);
          return result;
        } catch (error) {
          tell(true);
          throw error;
        }
      },
    },
  });
}

async function addSpan(
  environment: Environment,
  { activityType, attempt, workflowType, workflowExecution }: Info,
  input: unknown,
  took: { durationMs: number; endedAtMs: number; hasFailed: boolean },
): Promise<void> {
  const partnerId = partnerOf(input);
  if (partnerId === null || workflowExecution === undefined) return;
  const { workflowId } = workflowExecution;
  const { cell } = await environment.partner(partnerId);
  const requestId = await requestOfWorkflow(cell, workflowId);
  if (requestId === null) return;
  environment.traces?.add({
    requestId,
    name: activityType,
    kind: 'internal',
    ...took,
    attributes: {
      workflow: workflowType,
      workflow_id: workflowId,
      partner_id: partnerId,
      environment: environment.name,
      attempt,
    },
  });
}

/** The partner for whom an activity works; null for one that works for all, which no request began. */
function partnerOf(input: unknown): string | null {
  const partnerId = (input as { partnerId?: unknown } | null | undefined)?.partnerId;
  return typeof partnerId === 'string' ? partnerId : null;
}
