/**
 * The worker process: the workflows and activities of the environments that it serves. Whichever it serves, it sends mails:
 * each is claimed by one process.
 */
import { readWorkerConfig } from '../runtime/config';
import { guardLogins } from '../db/upkeep/login-check';
import { openEnvironments, sealingOfPeople } from '../runtime/environment';
import { createMetrics } from '../monitoring/metrics';
import { createProbes, serveProbes } from '../monitoring/probes';
import { runProcess } from '../runtime/process';
import { thisVersion } from '../runtime/version';
import { workflowBundle } from './bundle';
import { startMailSender } from './mail-sender';
import { installRuntime } from './temporal-runtime';
import { startWorkers } from './worker';

void runProcess('worker', readWorkerConfig, async (config, logger) => {
  const { metrics: more } = await installRuntime(logger);
  await guardLogins(config, 'worker', logger, () => process.exit(1));
  const environments = openEnvironments(config, logger, 'worker');
  const metrics = createMetrics();
  const probes = createProbes(Object.values(environments), metrics, {
    needsTemporal: true,
    more,
    logger,
    watch: { config, program: 'worker', platform: null },
  });
  // Mails need no Temporal, so they are sent before it is there.
  const mails = startMailSender(config, sealingOfPeople(config), logger, metrics);
  // The probes are served first: while the workers wait for Temporal, the process is live and not ready.
  const server = await serveProbes(probes, config.OPERATOR_HOST, config.WORKER_OPERATOR_PORT);
  const workers = await startWorkers(
    Object.values(environments),
    config,
    logger,
    await workflowBundle(),
    metrics,
    config.WORKER_VERSIONING ? thisVersion().build : null,
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
