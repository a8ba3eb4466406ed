/**
 * Whether Temporal serves and whether workers take its tasks, as Temporal itself sees it. API and worker show both, so an
 * alarm does not depend on the processes that have stopped.
 */
import { Gauge } from 'prom-client';
import type { Environment } from '../runtime/environment';
import { lookAtTaskQueue, TASK_KINDS, type TaskKind, type TaskQueueSight } from '../runtime/temporal-health';
import type { Metrics } from './metrics';

const ANSWERS_WITHIN_MS = 2_000;
const ASK_EVERY_MS = 5_000;
const KINDS = Object.keys(TASK_KINDS) as TaskKind[];

/** The sight is null while Temporal does not answer. */
interface Looked {
  environment: string;
  kind: TaskKind;
  sight: TaskQueueSight | null;
}

/** Adds the gauges. Temporal is asked at most once in five seconds. */
export function registerTaskQueues(metrics: Metrics, environments: readonly Environment[]): void {
  const ask = (): Promise<Looked[]> =>
    Promise.all(
      environments.flatMap(({ name, namespace, taskQueue, temporal: { connection } }) =>
        KINDS.map(async (kind) => ({
          environment: name,
          kind,
          sight: await lookAtTaskQueue(connection, { namespace, taskQueue, kind }, ANSWERS_WITHIN_MS).catch(
            () => null,
          ),
        })),
      ),
    );
  let last: { at: number; looked: Promise<Looked[]> } | null = null;
  const looked = (): Promise<Looked[]> => {
    const now = Date.now();
    if (!last || now - last.at > ASK_EVERY_MS) last = { at: now, looked: ask() };
    return last.looked;
  };
  const registers = [metrics.registry];
  new Gauge({
    name: 'temporal_reachable',
    help: '1 when Temporal serves the namespace of the environment, 0 when it does not',
    labelNames: ['environment'],
    registers,
    async collect() {
      for (const { environment, sight } of await looked()) this.set({ environment }, sight ? 1 : 0);
    },
  });
  new Gauge({
    name: 'task_queue_backlog_seconds',
    help: 'Age of the oldest task that no worker has taken; no value while Temporal is away',
    labelNames: ['environment', 'kind'],
    registers,
    async collect() {
      this.reset();
      for (const { environment, kind, sight } of await looked()) {
        if (sight) this.set({ environment, kind }, sight.backlogSeconds);
      }
    },
  });
  new Gauge({
    name: 'workers_seen',
    help: 'Workers that asked Temporal for tasks within 90 seconds; no value while Temporal is away',
    labelNames: ['environment', 'kind'],
    registers,
    async collect() {
      this.reset();
      for (const { environment, kind, sight } of await looked()) {
        if (sight) this.set({ environment, kind }, sight.workers);
      }
    },
  });
}
