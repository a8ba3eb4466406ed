/** The worker process: the workflows and activities of both environments. */
import { DefaultLogger, Runtime } from '@temporalio/worker';
import { openEnvironments } from '../environment';
import { runProcess } from '../process';
import { startWorkers } from './worker';

void runProcess('worker', async (config, logger) => {
  // Signals are ours: workers drain first, connections close after them.
  Runtime.install({ logger: new DefaultLogger('WARN'), shutdownSignals: [] });
  const environments = openEnvironments(config, logger);
  const workers = await startWorkers(Object.values(environments), config, logger);
  workers.finished.catch(() => process.exit(1));
  return {
    ready: {},
    async stop() {
      await workers.stop();
      await Promise.all(Object.values(environments).map((environment) => environment.close()));
    },
  };
});
