/**
 * `/live`, `/ready` and `/metrics` of a process, on its operator port. They need no token, because they name no
 * partner and no person.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Queryable } from '../db/pg/postgres';
import type { Environment } from '../runtime/environment';
import { thisVersion } from '../runtime/version';
import { Gauge } from 'prom-client';
import type { Config } from '../runtime/config';
import { countBatches } from './batches';
import { watchCertificates } from './certificates';
import { watchCompanies } from './companies';
import { countIdentityRefusals } from './identity-companies';
import { countKeyRefusals } from './key-refusals';
import { countShippedMovements } from './movements';
import { countLateDays } from './provider-days';
import type { Metrics } from './metrics';
import { createReadinessCheck, type ReadinessCheck } from './readiness';
import { countUnopened } from './seals';
import { registerTaskQueues } from './task-queues';
import { createSamples, registerSamples } from './samples';
import { watchWaiting } from './waiting';

interface ProbeAnswer {
  status: number;
  contentType: string;
  body: string;
}

export interface Probes {
  readiness: ReadinessCheck;
  /** Gives the answer to a path with its query, or null if the path is not a probe. */
  answer(target: string): Promise<ProbeAnswer | null>;
}

const json = (status: number, value: object): ProbeAnswer => ({
  status,
  contentType: 'application/json; charset=utf-8',
  body: JSON.stringify(value),
});

export const PROBE_PATHS = ['/live', '/ready', '/metrics'];

/** A probe has no parameters, and answering as if it had obeyed one would be worse than a refusal (D170). */
const NO_QUERY = { error: 'VALIDATION_ERROR', message: 'a probe has no query parameters' };

interface ProbeOptions {
  /** True for a process that can do nothing without it: the worker. */
  needsTemporal: boolean;
  /** Gives further metrics as Prometheus text. */
  more?: () => Promise<string>;
  /** Is told of what stands still because this process lacks the keys of a company. */
  logger?: { error(fields: object, message: string): void };
  /** What the process has beside its environments. */
  watch: {
    config: Config;
    program: 'api' | 'worker';
    /** The schema `platform` under the operators' login; null in a process that has none. */
    platform: Queryable | null;
  };
}

export function createProbes(
  environments: readonly Environment[],
  metrics: Metrics,
  { needsTemporal, more, logger, watch }: ProbeOptions,
): Probes {
  const samples = createSamples(environments);
  const readiness = createReadinessCheck(environments, samples, needsTemporal, (one) => {
    logger?.error(one, 'Orders are open with a company that cannot be asked: its keys are missing');
  });
  // A start says at once what is missing, and does not wait until somebody asks.
  if (logger) void readiness.look().catch(() => undefined);
  registerSamples(metrics, environments, samples);
  registerTaskQueues(metrics, environments);
  new Gauge({
    name: 'process_ready',
    help: '1 when /ready is 200, 0 when it is 503',
    registers: [metrics.registry],
    async collect() {
      this.set((await readiness.look()).ready ? 1 : 0);
    },
  });
  countBatches(environments, metrics);
  countUnopened(environments, metrics);
  countIdentityRefusals(environments, metrics);
  countKeyRefusals(environments, metrics);
  countLateDays(environments, metrics);
  countShippedMovements(environments, metrics);
  watchCompanies(environments, metrics);
  watchWaiting(environments, metrics, watch.platform);
  watchCertificates(environments, metrics, watch.config, watch.program);
  return {
    readiness,
    async answer(target) {
      const [path = '', query = ''] = target.split('?', 2);
      if (!PROBE_PATHS.includes(path)) return null;
      if (query !== '') return json(422, NO_QUERY);
      // It depends on nothing else: a supervisor must not restart a process because Postgres is away.
      if (path === '/live') return json(200, { status: 'ok', ...thisVersion() });
      if (path === '/ready') {
        const { ready, checks, why, outboxOldestSeconds } = await readiness.look();
        const status = ready ? 'ready' : 'not_ready';
        return json(ready ? 200 : 503, {
          status,
          ...thisVersion(),
          why,
          checks,
          outbox_oldest_seconds: outboxOldestSeconds,
        });
      }
      const { registry } = metrics;
      const [own, others = ''] = await Promise.all([registry.metrics(), more?.()]);
      return { status: 200, contentType: registry.contentType, body: own + others };
    },
  };
}

export interface ProbeServer {
  port: number;
  stop(): Promise<void>;
}

/** Supervisors and collectors are few, and they ask quickly. */
const BOUNDS = { requestTimeout: 10_000, headersTimeout: 5_000 };
const CONNECTIONS_MAX = 100;

/** Serves only the probes, for a process that has no other server. */
export async function serveProbes(probes: Probes, host: string, port: number): Promise<ProbeServer> {
  const server = createServer(BOUNDS, (request, response) => {
    const asked = request.method === 'GET' ? probes.answer(request.url ?? '') : Promise.resolve(null);
    asked.then(
      (answer) => {
        if (!answer) response.writeHead(404).end();
        else response.writeHead(answer.status, { 'Content-Type': answer.contentType }).end(answer.body);
      },
      () => response.writeHead(500).end(),
    );
  });
  server.maxConnections = CONNECTIONS_MAX;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
