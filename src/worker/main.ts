/** The worker process: the workflows and activities of both environments. */
import { Runtime } from '@temporalio/worker';
import { readWorkerConfig } from '../runtime/config';
import { guardLogins } from '../db/upkeep/login-check';
import { openEnvironments } from '../runtime/environment';
import { createMetrics } from '../monitoring/metrics';
import { createProbes, serveProbes } from '../monitoring/probes';
import { runProcess } from '../runtime/process';
import { workflowBundle } from './bundle';
import { startMailSender } from './mail-sender';
import { temporalLog } from './temporal-log';
import { startWorkers } from './worker';

void runProcess('worker', readWorkerConfig, async (config, logger) => {
  // This process handles signals itself: the workers drain first, and the connections close after them.
  Runtime.install({ logger: temporalLog(logger), shutdownSignals: [] });
  await guardLogins(config, 'worker', logger, () => process.exit(1));
  const environments = openEnvironments(config, logger, 'worker');
  const metrics = createMetrics();
  const probes = createProbes(Object.values(environments), metrics, { needsTemporal: true });
  // Mails need no Temporal, so they are sent before it is there.
  const mails = startMailSender(config, environments.live.sealing, logger, metrics);
  // The probes are served first: while the workers wait for Temporal, the process is live and not ready.
  const server = await serveProbes(probes, config.OPERATOR_HOST, config.WORKER_OPERATOR_PORT);
  const workers = await startWorkers(
    Object.values(environments),
    config,
    logger,
    await workflowBundle(),
    metrics,
  );
  workers.finished.catch(() => process.exit(1));
  return {
    ready: { operatorPort: server.port },
    async stop() {
      probes.readiness.drain();
      await workers.stop();
      await mails.stop();
      await server.stop();
      await Promise.all(Object.values(environments).map((environment) => environment.close()));
    },
  };
});
