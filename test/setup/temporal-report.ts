/** The workflows of a Temporal server that have not completed, each with what it failed at last. */
import { Client, Connection } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { NAMESPACES } from './cells';

const WORKFLOWS_MAX = 10;
/** A server that is away, as in tests of an outage, must not hold the report up. */
const ANSWER_WITHIN_MS = 3_000;

type Described = temporal.api.workflowservice.v1.IDescribeWorkflowExecutionResponse;
type Failure = temporal.api.failure.v1.IFailure | null | undefined;

/** @param since only workflows that were started after it. */
export async function reportOfTemporal(address: string, since: Date): Promise<string[]> {
  try {
    const connection = await Connection.connect({ address, connectTimeout: ANSWER_WITHIN_MS });
    try {
      return await connection.withDeadline(Date.now() + ANSWER_WITHIN_MS, async () => {
        const found = await Promise.all(
          NAMESPACES.map((namespace) => unfinished(new Client({ connection, namespace }), since)),
        );
        return found.flat();
      });
    } finally {
      await connection.close();
    }
  } catch (error) {
    return [`Temporal at ${address} does not say what its workflows do: ${(error as Error).message}`];
  }
}

async function unfinished(client: Client, since: Date): Promise<string[]> {
  const query = `StartTime >= '${since.toISOString()}' AND ExecutionStatus != 'Completed'`;
  const told: string[] = [];
  for await (const { workflowId, runId } of client.workflow.list({ query })) {
    if (told.length >= WORKFLOWS_MAX) {
      told.push('and more');
      break;
    }
    const handle = client.workflow.getHandle(workflowId, runId);
    const description = await handle.describe();
    const ended = description.status.name === 'FAILED' ? await handle.result().then(String, causes) : null;
    told.push(
      [
        `${client.options.namespace} ${workflowId}: ${summaryOf(description.raw)}`,
        ...(ended === null ? [] : [`  ${ended}`]),
      ].join('\n'),
    );
  }
  return told;
}

/** @returns a workflow's status, and the last failure of each activity that is being repeated. */
export function summaryOf({ workflowExecutionInfo, pendingActivities }: Described): string {
  const status = temporal.api.enums.v1.WorkflowExecutionStatus[workflowExecutionInfo?.status ?? 0] ?? '';
  const activities = (pendingActivities ?? []).map(
    ({ activityType, attempt, lastFailure }) =>
      `${activityType?.name ?? ''} is at attempt ${String(attempt)}${lastFailure ? `: ${failures(lastFailure)}` : ''}`,
  );
  return [status.replace('WORKFLOW_EXECUTION_STATUS_', ''), ...activities].join('; ');
}

function failures(failure: Failure): string {
  if (!failure) return '';
  const cause = failures(failure.cause);
  return `${failure.message ?? ''}${cause === '' ? '' : `, because of ${cause}`}`;
}

function causes(error: unknown): string {
  const { message, cause } = error as Error;
  return cause === undefined ? message : `${message}, because of ${causes(cause)}`;
}
