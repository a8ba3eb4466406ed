/** Opens the operator port of an API process: the application, its own connections to `platform`, the probes. */
import { openPool } from '../../db/pg/postgres';
import { createProbes } from '../../monitoring/probes';
import { databaseUrl } from '../../runtime/database-urls';
import { poolSize } from '../../runtime/logins';
import { connectionLimits, listen } from '../server';
import type { Services } from '../services';
import { createOperatorApp } from './app';

export interface OperatorPort {
  port: number;
  /** `/ready` says from now on that the process is about to end. */
  drain(): void;
  stop(): Promise<void>;
}

export async function openOperatorPort(services: Services): Promise<OperatorPort> {
  const { config, logger, environments, metrics } = services;
  const onError = (error: Error): void =>
    logger.warn(
      { err: error },
      'A connection to Postgres for operators broke; the next query opens another one',
    );
  const platform = openPool(
    databaseUrl(config, 'operator'),
    poolSize('operator', config),
    config.DATABASE_CONNECT_MS,
    onError,
  );
  const probes = createProbes(Object.values(environments), metrics, {
    needsTemporal: false,
    logger,
    watch: { config, program: 'api', platform },
  });
  const app = createOperatorApp({ services, platform, probes });
  const server = await listen(app, {
    host: config.OPERATOR_HOST,
    port: config.OPERATOR_PORT,
    // No header of a proxy is believed at this port.
    ...connectionLimits(config, 0),
    accessLog: services.accessLog,
  });
  return {
    port: server.port,
    drain: probes.readiness.drain,
    async stop() {
      await server.stop();
      await platform.end();
    },
  };
}
