/** The API process. It starts without Postgres and Temporal. Requests that need them are answered 503. */
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '../runtime/config';
import { guardLogins } from '../db/upkeep/login-check';
import { openEnvironments } from '../runtime/environment';
import { runProcess } from '../runtime/process';
import { createApp } from './app';
import { openOperatorPort } from './operator/port';
import { connectionLimits, listen } from './server';
import { createServices } from './services';

void runProcess('api', readConfig, async (config, logger) => {
  await guardLogins(config, 'api', logger, () => process.exit(1));
  const environments = openEnvironments(config, logger, 'api');
  const services = createServices(environments, config, logger);
  const operators = await openOperatorPort(services);
  const server = await listen(createApp(services), {
    host: config.HOST,
    port: config.PORT,
    ...connectionLimits(config, config.TRUST_PROXY),
    accessLog: services.accessLog,
  });
  return {
    ready: { port: server.port, operatorPort: operators.port },
    async stop() {
      // The load balancer is told first, while requests are still answered.
      operators.drain();
      server.drain();
      await sleep(config.DRAIN_NOTICE_MS);
      // They would not end by themselves, and the server waits for them.
      services.eventStreams.drain();
      services.requestStreams.drain();
      await Promise.all([server.stop(), operators.stop()]);
      await services.close();
      await Promise.all(Object.values(environments).map((one) => one.close()));
    },
  };
});
