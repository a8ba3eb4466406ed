/**
 * The builds of our workers, as Temporal knows them. Temporal gives what is new to the workers of the current build. A
 * workflow that is pinned stays with the build that began it, which drains meanwhile (docs/decisions/0030).
 */
import type { ConnectionLike } from '@temporalio/client';
import { TASK_KINDS } from './temporal-health';
import { within } from './temporal-connection';

/** The name of all our workers together, in each namespace. */
export const DEPLOYMENT = 'partner-wallet';

const CALL_MS = 10_000;
const NOT_FOUND = 5;
/** A worker without tasks asks once a minute. */
const SEEN_WITHIN_SECONDS = 90;

/** In the order of Temporal's numbers (WorkerDeploymentVersionStatus). */
const STANDINGS = ['unknown', 'inactive', 'current', 'ramping', 'draining', 'drained'] as const;

export interface Build {
  build: string;
  /** `draining`: it is not current any more and has pinned workflows; `drained`: it has none and may be stopped. */
  standing: (typeof STANDINGS)[number];
}

/** A queue of a namespace. */
export interface Queue {
  namespace: string;
  taskQueue: string;
}

/** Gives the builds that Temporal remembers, or none while no versioned worker has ever asked for tasks. */
export async function knownBuilds(connection: ConnectionLike, { namespace }: Queue): Promise<Build[]> {
  try {
    const { workerDeploymentInfo } = await within(CALL_MS, () =>
      connection.workflowService.describeWorkerDeployment({ namespace, deploymentName: DEPLOYMENT }),
    );
    return (workerDeploymentInfo?.versionSummaries ?? []).map(({ deploymentVersion, status }) => ({
      build: deploymentVersion?.buildId ?? '',
      standing: STANDINGS[Number(status)] ?? 'unknown',
    }));
  } catch (error) {
    if ((error as { code?: number }).code === NOT_FOUND) return [];
    throw error;
  }
}

/** Gives the builds whose workers have asked for workflow tasks and for activities within a minute and a half. */
export async function buildsAtWork(
  connection: ConnectionLike,
  { namespace, taskQueue }: Queue,
): Promise<Set<string>> {
  const since = Date.now() / 1_000 - SEEN_WITHIN_SECONDS;
  const [workflow, activity] = await Promise.all(
    Object.values(TASK_KINDS).map(async (taskQueueType) => {
      const asked: object = { namespace, taskQueue: { name: taskQueue }, taskQueueType };
      const { pollers } = await within(CALL_MS, () => connection.workflowService.describeTaskQueue(asked));
      return pollers
        .filter(({ lastAccessTime }) => Number(lastAccessTime?.seconds ?? 0) > since)
        .flatMap(({ deploymentOptions }) => deploymentOptions?.buildId ?? []);
    }),
  );
  return new Set(workflow?.filter((build) => activity?.includes(build)));
}

/**
 * Lets the workers of a build have what is new from now on. A second call changes nothing.
 * @throws ServiceError when Temporal has never seen a worker of this build.
 */
export async function makeCurrent(
  connection: ConnectionLike,
  { namespace }: Queue,
  build: string,
): Promise<void> {
  await within(CALL_MS, () =>
    connection.workflowService.setWorkerDeploymentCurrentVersion({
      namespace,
      deploymentName: DEPLOYMENT,
      buildId: build,
    }),
  );
}

/**
 * Makes our build current where none is whose workers are at work: in a new Temporal, or when the workers of the
 * current build are gone. Nothing would be done there until somebody comes.
 * @returns whether it did.
 */
export async function takeOver(connection: ConnectionLike, queue: Queue, own: string): Promise<boolean> {
  const [known, atWork] = await Promise.all([
    knownBuilds(connection, queue),
    buildsAtWork(connection, queue),
  ]);
  const current = known.find(({ standing }) => standing === 'current');
  if (current && (current.build === own || atWork.has(current.build))) return false;
  await makeCurrent(connection, queue, own);
  return true;
}
