/** The API process. It needs neither Postgres nor Temporal to start: requests say what is missing. */
import { openEnvironments } from '../environment';
import { runProcess } from '../process';
import { createApp } from './app';
import { listen } from './server';
import { createServices } from './services';

void runProcess('api', async (config, logger) => {
  const environments = openEnvironments(config, logger);
  const services = createServices(environments, config, logger);
  const server = await listen(createApp(services), config.HOST, config.PORT);
  return {
    ready: { port: server.port },
    async stop() {
      await server.stop();
      await Promise.all([services, ...Object.values(environments)].map((one) => one.close()));
    },
  };
});
