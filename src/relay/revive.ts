/**
 * Workflows that should be at work and are not: somebody ended them, Temporal or the ledger was restored from an
 * earlier time, or their tasks keep failing (R16).
 */
import {
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  type Client,
  type WorkflowExecutionDescription,
} from '@temporalio/client';
import type { Intention } from '../domain/intentions';
import { within } from '../runtime/temporal-connection';
import { startOptions } from './start-options';

const CALL_MS = 5_000;
const AT_ONCE = 20;

/** Temporal's number of this behaviour: the enum is in a package of the protocol, which production does not have. */
const PINNED = 1;

/** How many of the newest events of a history are read. */
const EVENTS_READ = 200;

export interface BrokenWorkflow {
  intention: Intention;
  /**
   * What is wrong: there is no open run (`closed`), the tasks of the open run keep failing (`failing`), it is pinned to
   * a build of which no worker is at work (`abandoned`), or it began before the database was restored, so it may
   * remember what the database has forgotten (`stale`).
   */
  wrong: 'closed' | 'failing' | 'abandoned' | 'stale';
  /** What Temporal says about it: the status with which it closed, or `NOT_FOUND`; `RUNNING` for an open run. */
  was: string;
  /** The open run that is to be replaced; null where there is none. */
  runId: string | null;
}

export interface BrokenWhen {
  /** A task that fails is given this time before its workflow counts as failing. */
  failingForMs: number;
  /** When the database was restored; null if it never was. */
  restoredAt: Date | null;
  /** The builds whose workers are at work. */
  builds: ReadonlySet<string>;
}

/** Gives the workflows among these that are broken. @throws while Temporal is away. */
export async function brokenWorkflows(
  temporal: Client,
  intentions: readonly Intention[],
  when: BrokenWhen,
): Promise<BrokenWorkflow[]> {
  const broken: BrokenWorkflow[] = [];
  for (let begin = 0; begin < intentions.length; begin += AT_ONCE) {
    const some = intentions.slice(begin, begin + AT_ONCE);
    const found = await Promise.all(some.map((intention) => lookAt(temporal, intention, when)));
    broken.push(...found.filter((one) => one !== null));
  }
  return broken;
}

async function lookAt(
  temporal: Client,
  intention: Intention,
  when: BrokenWhen,
): Promise<BrokenWorkflow | null> {
  let described: WorkflowExecutionDescription;
  try {
    described = await within(CALL_MS, () => temporal.workflow.getHandle(intention.workflowId).describe());
  } catch (error) {
    if (error instanceof WorkflowNotFoundError)
      return { intention, wrong: 'closed', was: 'NOT_FOUND', runId: null };
    throw error;
  }
  const was = described.status.name;
  if (!OPEN.includes(was)) return { intention, wrong: 'closed', was, runId: null };
  const open = { intention, was, runId: described.runId };
  if (await keepsFailing(temporal, described, when.failingForMs)) return { ...open, wrong: 'failing' };
  if (isAbandoned(described, when.builds)) return { ...open, wrong: 'abandoned' };
  const isStale = when.restoredAt !== null && described.startTime < when.restoredAt;
  return isStale ? { ...open, wrong: 'stale' } : null;
}

/** Workers that are not of the build to which a run is pinned are not given its tasks. */
function isAbandoned({ raw }: WorkflowExecutionDescription, builds: ReadonlySet<string>): boolean {
  const { versioningInfo } = raw.workflowExecutionInfo ?? {};
  const build = versioningInfo?.deploymentVersion?.buildId ?? '';
  return Number(versioningInfo?.behavior) === PINNED && !builds.has(build);
}

const OPEN = ['RUNNING', 'PAUSED', 'CONTINUED_AS_NEW'];

/**
 * Whether the tasks of a run have failed for so long, and none has completed since. That ends by itself when the code
 * was wrong and is repaired. It never ends when the history itself is wrong, as after a restore of Temporal under
 * workers that went on. The count of tries says nothing, because each signal begins it anew.
 */
async function keepsFailing(
  { workflow, options: { namespace } }: Client,
  { raw, workflowId, runId }: WorkflowExecutionDescription,
  failingForMs: number,
): Promise<boolean> {
  // A run whose task has failed has a task that waits, or is at work.
  if (!raw.pendingWorkflowTask) return false;
  const { history } = await within(CALL_MS, () =>
    workflow.workflowService.getWorkflowExecutionHistoryReverse({
      namespace,
      execution: { workflowId, runId },
      maximumPageSize: EVENTS_READ,
    }),
  );
  const events = history?.events ?? [];
  const done = events.findIndex((event) => event.workflowTaskCompletedEventAttributes);
  const failed = events
    .slice(0, done === -1 ? undefined : done)
    .findLast((event) => event.workflowTaskFailedEventAttributes);
  return failed !== undefined && Date.now() - Number(failed.eventTime?.seconds ?? 0) * 1_000 > failingForMs;
}

/**
 * Ends the open run of a broken workflow, and starts the workflow anew. The new run reads its row first, so it is
 * harmless where the resource has ended meanwhile, where it is started twice, and while a step of the old run is still
 * under way. A crash between the two leaves a workflow without an open run, which the next reconciliation starts.
 */
export async function replaceWorkflow(
  temporal: Client,
  taskQueue: string,
  broken: BrokenWorkflow,
): Promise<void> {
  await endRun(temporal, broken);
  const { intention } = broken;
  try {
    await within(CALL_MS, () =>
      temporal.workflow.start(intention.workflowType, {
        ...startOptions(intention, taskQueue),
        // After a restore of the ledger the resource is open again, and Temporal calls its workflow completed.
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      }),
    );
  } catch (error) {
    // Somebody else has started it meanwhile.
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}

/** Ends the open run of a broken workflow, if there is one. A second call finds it ended. */
export async function endRun(
  temporal: Client,
  { intention: { workflowId }, wrong, runId }: BrokenWorkflow,
): Promise<void> {
  if (runId === null) return;
  try {
    await within(CALL_MS, () => temporal.workflow.getHandle(workflowId, runId).terminate(REASONS[wrong]));
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}

/** What the Temporal UI shows as the reason of the end. */
const REASONS = {
  closed: '',
  abandoned: 'No worker of the build of this run is at work. The reconciliation starts the workflow anew.',
  failing: 'The tasks of this run keep failing. The reconciliation starts the workflow anew from its row.',
  stale: 'The database was restored after this run had begun. The workflow starts anew from its row.',
} as const;
