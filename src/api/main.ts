/** The API process. It needs neither Postgres nor Temporal to start: requests say what is missing. */
import { openEnvironments } from '../environment';
import { runProcess } from '../process';
import { createApp } from './app';
import { listen } from './server';
import { createServices } from './services';

void runProcess('api', async (config, logger) => {
  const environments = openEnvironments(config, logger);
  const server = await listen(
    createApp(createServices(environments, config, logger)),
    config.HOST,
    config.PORT,
  );
  return {
    ready: { port: server.port },
    async stop() {
      await server.stop();
      await Promise.all(Object.values(environments).map((environment) => environment.close()));
    },
  };
});
