/**
 * `/live`, `/ready` and `/metrics` of a process, on its operator port. They need no token, because they name no
 * partner and no person.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Environment } from '../runtime/environment';
import { thisVersion } from '../runtime/version';
import { Gauge } from 'prom-client';
import { countBatches } from './batches';
import { watchCompanies } from './companies';
import { countIdentityRefusals } from './identity-companies';
import { countShippedMovements } from './movements';
import { countLateDays } from './provider-days';
import type { Metrics } from './metrics';
import { createReadinessCheck, type ReadinessCheck } from './readiness';
import { countUnopened } from './seals';
import { registerTaskQueues } from './task-queues';
import { createSamples, registerSamples } from './samples';

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

/**
 * @param options.needsTemporal true for a process that can do nothing without it: the worker.
 * @param options.more gives further metrics as Prometheus text.
 */
export function createProbes(
  environments: readonly Environment[],
  metrics: Metrics,
  { needsTemporal, more }: { needsTemporal: boolean; more?: () => Promise<string> },
): Probes {
  const samples = createSamples(environments);
  const readiness = createReadinessCheck(environments, samples, needsTemporal);
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
  countLateDays(environments, metrics);
  countShippedMovements(environments, metrics);
  watchCompanies(environments, metrics);
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
