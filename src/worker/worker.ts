/**
 * The worker process's work: one Temporal Worker per environment, each on its own namespace with its own
 * activities and the same workflow bundle, and the Schedules of each namespace.
 */
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { NativeConnection, Worker, type WorkerDeploymentOptions } from '@temporalio/worker';
import type { Logger } from 'pino';
import { createActivities } from '../activities';
import type { WorkConfig } from '../runtime/config';
import type { Environment } from '../runtime/environment';
import { temporalTransport } from '../runtime/temporal-transport';
import { DEPLOYMENT, takeOver } from '../runtime/worker-deployment';
import { untilItWorks } from '../runtime/patience';
import { createMetrics, type Metrics } from '../monitoring/metrics';
import { guardSelfTest } from '../providers/webhooks/self-test';
import { createWebhookSender, type WebhookSender } from '../providers/webhooks/sender';
import type { WorkflowBundle } from './bundle';
import { workerOfOneThread } from './one-thread';
import { bringSchedules, keepSchedules } from './schedules';
import { tracedActivities } from './traced-activities';

/**
 * In each environment: eighty dispatchers that send, eighty that stay for what comes next (activities/webhook-places.ts and
 * webhook-stays.ts), and forty for everything else.
 */
const ACTIVITIES_AT_ONCE = 200;
/**
 * How long a task waits for the worker that has its workflow in memory, before another one replays its history. A busy worker
 * begins a task in less. A task for a worker that was killed waits for so long, so it is less than what the caller of a
 * message has (relay/messages.ts).
 */
const STICKY = '5s';

/**
 * A task that Temporal gives to a worker that has just stopped asking is lost until its time is over. So those that stay stay
 * for a moment longer, because what they leave becomes tasks again.
 */
const UNTIL_NOBODY_ASKS_MS = 500;

export interface RunningWorker {
  /** Ends when the workers have stopped; rejects when one of them failed. */
  finished: Promise<void>;
  /** Drains what is under way, then stops. */
  stop(): Promise<void>;
}

/**
 * Starts one Worker per environment and returns when they are ready. It waits for a Temporal that is away or
 * slow to start.
 * @param build of which these workers are; null for workers that take every task, of whatever build it is.
 */
export async function startWorkers(
  environments: readonly Environment[],
  config: WorkConfig,
  logger: Logger,
  bundle: WorkflowBundle,
  metrics: Metrics = createMetrics(),
  build: string | null = null,
): Promise<RunningWorker> {
  await guardSelfTest();
  const waitFor = <Result>(what: string, work: () => Promise<Result>): Promise<Result> =>
    untilItWorks(work, (error, waitMs) => {
      logger.warn({ err: error, waitMs }, `The worker waits for ${what}`);
    });
  const connection = await waitFor('Temporal', () => NativeConnection.connect(temporalTransport(config)));
  const senders = environments.map(({ webhookRules: rules }) =>
    counted(createWebhookSender({ rules, timeoutMs: config.WEBHOOK_TIMEOUT_MS }), metrics),
  );
  const end = new AbortController();
  // Each activity at work may listen to it.
  setMaxListeners(ACTIVITIES_AT_ONCE * environments.length, end.signal);
  const kind = config.NODE_ENV === 'development' ? workerOfOneThread() : Worker;
  const workers = await Promise.all(
    environments.map((environment, index) =>
      waitFor(`the namespace ${environment.namespace}`, () =>
        kind.create({
          connection,
          namespace: environment.namespace,
          taskQueue: config.TEMPORAL_TASK_QUEUE,
          workflowBundle: bundle,
          activities: createActivities({
            environment,
            config,
            logger,
            sender: senders[index] as ReturnType<typeof createWebhookSender>,
            ending: end.signal,
          }),
          ...(environment.traces && { interceptors: { activity: [tracedActivities(environment)] } }),
          shutdownGraceTime: '10s',
          shutdownForceTime: '20s',
          maxConcurrentActivityTaskExecutions: ACTIVITIES_AT_ONCE,
          // A step that beats is taken from a worker that was killed after five seconds of silence.
          maxHeartbeatThrottleInterval: '2s',
          stickyQueueScheduleToStartTimeout: STICKY,
          ...(build !== null && { workerDeploymentOptions: versionedAs(build) }),
          workflowTaskPollerBehavior: { type: 'autoscaling' },
          activityTaskPollerBehavior: { type: 'autoscaling' },
        }),
      ),
    ),
  );
  // The workers serve first: callers wait for them already, and the Schedules need a Temporal that has time.
  const runs = workers.map((worker) => worker.run());
  const finished = Promise.all(runs).then(() => undefined);
  finished.catch((error: unknown) => logger.error({ err: error }, 'A worker failed, so its process ends'));
  const keepCurrent = async (environment: Environment): Promise<void> => {
    if (build === null) return;
    const { namespace, name } = environment;
    if (await takeOver(environment.temporal.connection, environment, build))
      logger.warn(
        { environment: name, namespace, build },
        'This build is current now, because no other one is at work',
      );
  };
  await Promise.all(
    environments.map(async (environment) => {
      const { temporal, name } = environment;
      await waitFor(`its place among the builds of ${name}`, () => keepCurrent(environment));
      await waitFor(`the Schedules of ${name}`, () => bringSchedules(temporal, config));
    }),
  );
  const keeping = setInterval(() => {
    for (const environment of environments) {
      const { temporal, name } = environment;
      Promise.all([keepSchedules(temporal, config), keepCurrent(environment)]).catch((error: unknown) => {
        logger.warn(
          { err: error, environment: name },
          'The worker could not look after the Schedules and the builds now; it tries again later',
        );
      });
    }
  }, config.RECONCILE_EVERY_MS);

  return {
    finished,
    async stop() {
      clearInterval(keeping);
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
      await Promise.race([sleep(UNTIL_NOBODY_ASKS_MS), Promise.allSettled(runs)]);
      end.abort();
      await Promise.allSettled(runs);
      await Promise.all(senders.map((sender) => sender.close()));
      await connection.close();
      metrics.close();
    },
  };
}

/** What does not say otherwise (workflows/versioning.ts) stays with the build that began it. */
const versionedAs = (buildId: string): WorkerDeploymentOptions => ({
  version: { deploymentName: DEPLOYMENT, buildId },
  useWorkerVersioning: true,
  defaultVersioningBehavior: 'PINNED',
});

/** Counts the outcome of each attempt. */
function counted(sender: WebhookSender, metrics: Metrics): WebhookSender {
  return {
    ...sender,
    async post(...attempt) {
      const outcome = await sender.post(...attempt);
      if (outcome.kind !== 'answered') metrics.webhookAttempt(outcome.kind);
      else metrics.webhookAttempt(outcome.status >= 200 && outcome.status < 300 ? 'delivered' : 'refused');
      return outcome;
    },
  };
}
