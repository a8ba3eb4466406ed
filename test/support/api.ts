/**
 * The real application over HTTP on a database of its own, with every answer checked against the OpenAPI document.
 * Temporal is away unless a world gets the address of one: everything synchronous and every 202 works without it.
 * A test file opens one world and closes it in `afterAll`.
 */
import pg from 'pg';
import { createApp } from '../../src/api/app';
import { openOperatorPort } from '../../src/api/operator/port';
import { connectionLimits, listen } from '../../src/api/server';
import { createServices } from '../../src/api/services';
import { readConfig } from '../../src/runtime/config';
import type { Queryable } from '../../src/db/pg/postgres';
import type { OperatorRole } from '../../src/domain/operators';
import type { EnvironmentName } from '../../src/domain/partners';
import { openEnvironments, type Environment } from '../../src/runtime/environment';
import { testLogger } from './log';
import { startSession } from '../../src/operations/partners/sessions';
import { startWorkers } from '../../src/worker/worker';
import { TEST_CELLS } from '../setup/cells';
import { createTestDatabase } from '../setup/database';
import { contract } from './contract';
import { openOperator, type TestOperator } from './operators';
import { openPartner, type PartnerOptions, type TestPartner } from './partners';
import { installQuietRuntime } from './quiet-runtime';
import { rowsOf } from './rows';
import { send, type Answer, type CallOptions, type Json } from './send';
import { workflowBundleOfRun } from './workflow-bundle';
import { TEST_SETTINGS } from './settings';

export type { Answer, Json } from './send';

export interface TestApi {
  readonly port: number;
  readonly operatorPort: number;
  /** Both, unless its settings name one. */
  readonly environments: Record<EnvironmentName, Environment>;
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  partner(options?: PartnerOptions): Promise<TestPartner>;
  /** A person with a token of the operator port. */
  operator(role?: OperatorRole, name?: string): Promise<TestOperator>;
  /** Does what a process does that is told to end: `/ready` is 503, and everything else goes on. */
  drain(): void;
  /** An access token as the administrator makes one; for the sandbox by default. */
  token(partnerId: string, environment?: EnvironmentName): Promise<string>;
  /** A second time it does nothing. */
  stop(): Promise<void>;
}

export interface World {
  readonly databaseUrl: string;
  /** Runs a statement as the database's owner and gives its rows. */
  sql(text: string, values?: unknown[]): Promise<Record<string, Json>[]>;
  /** Another instance of the application on the same database; `settings` are environment variables. */
  startApi(settings?: Record<string, string>, change?: Change): Promise<TestApi>;
  /** The worker, in this process, for a world with a Temporal. */
  startWorker(): Promise<void>;
  close(): Promise<void>;
}

/** Puts fakes of outside companies into an environment. */
type Change = (environment: Environment) => Environment;

/** An address where nothing listens. */
const CLOSED_ADDRESS = '127.0.0.1:1';

const SETTINGS = {
  ...TEST_SETTINGS,
  TEMPORAL_ADDRESS: CLOSED_ADDRESS,
  CELLS_PER_ENVIRONMENT: String(TEST_CELLS),
  RATE_LIMIT_UNAUTHENTICATED: '1000000',
  RATE_LIMIT_LOGIN: '1000000',
  RATE_LIMIT_NAME_ENQUIRY: '1000000',
  RATE_LIMIT_VERIFICATION: '1000000',
  SANDBOX_PROVISIONING_MS: '0,0',
};

/** @param ownSettings environment variables laid over everything this world starts. */
export async function openWorld(ownSettings: Record<string, string> = {}): Promise<World> {
  const database = await createTestDatabase();
  const owner = new pg.Pool({ connectionString: database.url, max: 3 });
  owner.on('error', () => undefined);
  const worldSettings = { ...SETTINGS, DATABASE_URL: database.url, ...ownSettings };
  const started: { stop(): Promise<void> }[] = [];
  return {
    databaseUrl: database.url,
    sql: (text, values) => rowsOf(owner, text, values),
    async startApi(settings = {}, change = (environment) => environment) {
      const api = await startApi({ ...worldSettings, ...settings }, owner, change);
      started.push(api);
      return api;
    },
    async startWorker() {
      started.push(await startWorker(worldSettings));
    },
    async close() {
      await Promise.all(started.map((one) => one.stop()));
      await owner.end();
      await database.drop();
    },
  };
}

async function startApi(
  settings: Record<string, string>,
  owner: Queryable,
  change: Change,
): Promise<TestApi> {
  const config = readConfig(settings);
  const logger = testLogger(config);
  const environments = Object.fromEntries(
    Object.entries(openEnvironments(config, logger, 'api')).map(([name, one]) => [name, change(one)]),
  ) as Record<EnvironmentName, Environment>;
  const services = createServices(environments, config, logger);
  const operators = await openOperatorPort(services);
  const server = await listen(createApp(services), {
    host: '127.0.0.1',
    port: 0,
    ...connectionLimits(config, config.TRUST_PROXY),
    accessLog: services.accessLog,
  });
  let stopped: Promise<void> | undefined;
  async function end(): Promise<void> {
    services.eventStreams.drain();
    services.requestStreams.drain();
    await server.stop();
    await operators.stop();
    await services.close();
    await Promise.all(Object.values(environments).map((one) => one.close()));
  }
  const api: TestApi = {
    port: server.port,
    operatorPort: operators.port,
    environments,
    call: (method, path, options) => call(`http://127.0.0.1:${server.port}${path}`, method, options),
    partner: (options) => openPartner(api, owner, options),
    operator: (role, name) => openOperator(`http://127.0.0.1:${operators.port}`, owner, role, name),
    drain: operators.drain,
    token: (partnerId, environment = 'sandbox') =>
      startSession(owner, config.JWT_KEY, {
        partnerId,
        userId: null,
        environment,
        address: null,
        network: null,
      }),
    stop: () => (stopped ??= end()),
  };
  return api;
}

async function startWorker(settings: Record<string, string>): Promise<{ stop(): Promise<void> }> {
  installQuietRuntime();
  const config = readConfig(settings);
  const logger = testLogger(config);
  const environments = Object.values(openEnvironments(config, logger, 'worker'));
  const worker = await startWorkers(
    environments,
    { ...config, PUBLIC_URL: '' },
    logger,
    await workflowBundleOfRun(),
  );
  return {
    async stop() {
      await worker.stop();
      await Promise.all(environments.map((environment) => environment.close()));
    },
  };
}

/** Calls as a partner; every answer must be as documented. */
async function call(url: string, method: string, options: CallOptions = {}): Promise<Answer> {
  const answer = await send(url, method, options);
  const { pathname } = new URL(url);
  contract().check({ method, path: pathname, ...answer });
  return answer;
}
