/**
 * The whole platform for one test file: a database and a Temporal of its own, the API and the worker in this
 * process or as processes of their own, all with short periods. `close` closes everything.
 */
import { createApp } from '../../src/api/app';
import { openOperatorPort } from '../../src/api/operator/port';
import { connectionLimits, listen } from '../../src/api/server';
import { createServices } from '../../src/api/services';
import { readConfig, type ApiConfig } from '../../src/runtime/config';
import { migrateDatabase } from '../../src/db/upkeep/migrate';
import type { EnvironmentName } from '../../src/domain/partners';
import { openEnvironments, type Environment } from '../../src/runtime/environment';
import { testLogger } from './log';
import type { WorkflowBundle } from '../../src/worker/bundle';
import { startWorkers } from '../../src/worker/worker';
import { createTestDatabase } from '../setup/database';
import { startChild, type Child } from './children';
import { openAccess, type PlatformAccess } from './platform-access';
import { installQuietRuntime } from './quiet-runtime';
import { reserveTemporal, type ReservedTemporal } from './reserved-temporal';
import { PLATFORM_SETTINGS } from './settings';
import { workflowBundleOfRun } from './workflow-bundle';
import { TEST_CELLS } from '../setup/cells';
import { asOwners } from './logins';
import { openDatabase } from '../../src/db/upkeep/set-up';
import { AREAS } from '../../src/runtime/logins';

export interface Platform extends PlatformAccess {
  readonly temporal: ReservedTemporal;
  /** The API in this process, with `change` as for the worker. @returns its address. */
  startApi(change?: (environment: Environment) => Environment): Promise<string>;
  /** The worker in this process; `change` can replace an environment, for example to give it a fake provider. */
  startWorker(
    change?: (environment: Environment) => Environment,
    /** Workers of a build, with versions; by default workers that take every task. */
    of?: { build: string; bundle: WorkflowBundle },
  ): Promise<{ stop(): Promise<void> }>;
  /** The API or the worker as a process. */
  startChild(program: 'api' | 'worker', settings?: Record<string, string>): Promise<Child>;
  /** Ends API and worker, and keeps the database and Temporal; both can be started again. */
  halt(): Promise<void>;
  /** Opens both environments once more, as another API would. */
  environments(): Record<EnvironmentName, Environment>;
}

export interface PlatformOptions {
  cellsPerEnvironment?: number;
  /** Environment variables laid over the short periods. */
  settings?: Record<string, string>;
  /** False leaves the start of Temporal to the test. */
  temporalRuns?: boolean;
}

export async function openPlatform(options: PlatformOptions = {}): Promise<Platform> {
  const { cellsPerEnvironment = TEST_CELLS, temporalRuns = true } = options;
  const [database, temporal] = await Promise.all([createTestDatabase(), reserveTemporal()]);
  if (temporalRuns) await temporal.start();
  if (cellsPerEnvironment > TEST_CELLS) {
    await openDatabase(database.url, AREAS);
    await migrateDatabase(asOwners(database.url), cellsPerEnvironment);
  }
  const settings = {
    ...PLATFORM_SETTINGS,
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: temporal.address,
    CELLS_PER_ENVIRONMENT: String(cellsPerEnvironment),
    ...options.settings,
  };
  const config: ApiConfig = readConfig(settings);
  const logger = testLogger(config);
  const closing: (() => Promise<void>)[] = [];
  let apiUrl = '';
  let operatorUrl = '';
  const access = openAccess(database.url, temporal.address, () => operatorUrl);

  function openOwnEnvironments(program: 'api' | 'worker'): Environment[] {
    const environments = Object.values(openEnvironments(config, logger, program));
    closing.push(async () => {
      await Promise.all(environments.map((environment) => environment.close()));
    });
    return environments;
  }

  async function halt(): Promise<void> {
    for (const end of closing.splice(0).reverse()) await end();
  }

  return {
    ...access,
    temporal,
    async startApi(change = (environment) => environment) {
      const opened = openOwnEnvironments('api').map(change);
      const services = createServices(
        Object.fromEntries(opened.map((one) => [one.name, one])),
        config,
        logger,
      );
      const operators = await openOperatorPort(services);
      operatorUrl = `http://127.0.0.1:${operators.port}`;
      closing.push(operators.stop);
      const server = await listen(createApp(services), {
        host: '127.0.0.1',
        port: 0,
        ...connectionLimits(config, config.TRUST_PROXY),
        accessLog: services.accessLog,
      });
      closing.push(async () => {
        await server.stop();
        await services.close();
      });
      apiUrl = `http://127.0.0.1:${server.port}`;
      return apiUrl;
    },
    async startWorker(change = (environment) => environment, of) {
      installQuietRuntime();
      const worker = await startWorkers(
        openOwnEnvironments('worker').map(change),
        {
          ...config,
          // The worker may start before the API.
          get PUBLIC_URL() {
            return apiUrl;
          },
        },
        logger,
        of?.bundle ?? (await workflowBundleOfRun()),
        undefined,
        of?.build,
      );
      let stopped: Promise<void> | undefined;
      const stop = (): Promise<void> => (stopped ??= worker.stop());
      closing.push(stop);
      return { stop };
    },
    async startChild(program, more = {}) {
      const child = await startChild(program, { ...settings, ...more });
      closing.push(child.kill);
      return child;
    },
    environments() {
      const [sandbox, live] = openOwnEnvironments('api') as [Environment, Environment];
      return { sandbox, live };
    },
    halt,
    async close() {
      await halt();
      await access.close();
      await temporal.discard();
      await database.drop();
    },
  };
}
