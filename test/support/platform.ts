/**
 * The whole platform for one test file: a database and a Temporal of its own, the API and the worker in this
 * process or as processes of their own, all with short periods. Whatever was opened is closed by `close`.
 */
import { randomUUID } from 'node:crypto';
import { Connection, type Client } from '@temporalio/client';
import pg from 'pg';
import { createApp } from '../../src/api/app';
import { openOperatorPort } from '../../src/api/operator/port';
import { listen } from '../../src/api/server';
import { createServices } from '../../src/api/services';
import { readConfig, type Config } from '../../src/runtime/config';
import { insertPartner } from '../../src/db/partners/credentials';
import { migrateDatabase } from '../../src/db/upkeep/migrate';
import { present } from '../../src/domain/assert';
import type { OperatorRole } from '../../src/domain/operators';
import type { EnvironmentName } from '../../src/domain/partners';
import { openEnvironments, type Environment } from '../../src/runtime/environment';
import { makeKey } from '../../src/operations/make-key';
import { testLogger } from './log';
import { startWorkers } from '../../src/worker/worker';
import { createTestDatabase } from '../setup/database';
import { openCalls, type Calls, type Json } from './calls';
import { startChild, type Child } from './children';
import { openOperator, type TestOperator } from './operators';
import { openOperatorClient } from './operator-client';
import { installQuietRuntime } from './quiet-runtime';
import { reserveTemporal, type ReservedTemporal } from './reserved-temporal';
import { rowsOf } from './rows';
import { TEST_SETTINGS } from './settings';
import { SANDBOX_CELL, TEST_CELLS } from '../setup/cells';

export interface Platform {
  readonly databaseUrl: string;
  readonly temporal: ReservedTemporal;
  /** The sandbox's namespace, as an operator sees it. */
  readonly operator: Client;
  /** Runs a statement as the database's owner and gives its rows. */
  sql(text: string, values?: unknown[]): Promise<Record<string, Json>[]>;
  /** The API in this process. @returns its address. */
  startApi(): Promise<string>;
  /** A person with a token of the operator port of the API in this process. */
  openOperator(role?: OperatorRole): Promise<TestOperator>;
  /** The worker in this process; `change` puts something else in an environment's place. */
  startWorker(change?: (environment: Environment) => Environment): Promise<{ stop(): Promise<void> }>;
  /** The API or the worker as a process. */
  startChild(program: 'api' | 'worker', settings?: Record<string, string>): Promise<Child>;
  /** A new partner with a sandbox key, calling `url`. */
  partner(url: string, cell?: string): Promise<Calls>;
  /** The same partner with a live key. */
  inLive(partner: Calls, url: string): Promise<Calls>;
  /** Both environments, opened once more, as another process has them. */
  environments(): Record<EnvironmentName, Environment>;
  close(): Promise<void>;
}

export interface PlatformOptions {
  cellsPerEnvironment?: number;
  /** Environment variables laid over the short periods. */
  settings?: Record<string, string>;
  /** False leaves the start of Temporal to the test. */
  temporalRuns?: boolean;
}

/** Published periods, shortened: nothing else differs from a platform that partners use. */
const SETTINGS: Record<string, string> = {
  ...TEST_SETTINGS,
  // Without a wait: Temporal's shortest timer takes a second, and most tests need many wallets.
  SANDBOX_PROVISIONING_MS: '0,0',
  SANDBOX_TRANSFER_MS: '100,200',
  TRANSFER_REQUERY_MS: '200',
  TRANSFER_LATE_REQUERY_MS: '200',
  WEBHOOK_RETRY_MS: '0,200,200,200',
  ALLOW_PRIVATE_WEBHOOKS: 'true',
  SWEEP_EVERY_MS: '1000',
  INTENTION_OVERDUE_MS: '500',
  RECONCILE_EVERY_MS: '2000',
  RECONCILE_AFTER_MS: '1000',
};

export async function openPlatform(options: PlatformOptions = {}): Promise<Platform> {
  const { cellsPerEnvironment = TEST_CELLS, temporalRuns = true } = options;
  const [database, temporal] = await Promise.all([createTestDatabase(), reserveTemporal()]);
  if (temporalRuns) await temporal.start();
  if (cellsPerEnvironment > TEST_CELLS) await migrateDatabase(database.url, cellsPerEnvironment);
  const settings = {
    ...SETTINGS,
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: temporal.address,
    CELLS_PER_ENVIRONMENT: String(cellsPerEnvironment),
    ...options.settings,
  };
  const config: Config = readConfig(settings);
  const logger = testLogger(config);
  const owner = new pg.Pool({ connectionString: database.url, max: 3 });
  owner.on('error', () => undefined);
  const connection = Connection.lazy({ address: temporal.address });
  const closing: (() => Promise<void>)[] = [];
  let operatorUrl = '';

  function openOwnEnvironments(): Environment[] {
    const environments = Object.values(openEnvironments(config, logger));
    closing.push(async () => {
      await Promise.all(environments.map((environment) => environment.close()));
    });
    return environments;
  }

  return {
    databaseUrl: database.url,
    temporal,
    operator: openOperatorClient(connection),
    sql: (text, values) => rowsOf(owner, text, values),
    async startApi() {
      const [sandbox, live] = openOwnEnvironments() as [Environment, Environment];
      const services = createServices({ sandbox, live }, config, logger);
      const operators = await openOperatorPort(services);
      operatorUrl = `http://127.0.0.1:${operators.port}`;
      closing.push(operators.stop);
      const server = await listen(createApp(services), '127.0.0.1', 0);
      closing.push(async () => {
        await server.stop();
        await services.close();
      });
      return `http://127.0.0.1:${server.port}`;
    },
    openOperator: (role) => openOperator(operatorUrl, owner, role),
    async startWorker(change = (environment) => environment) {
      installQuietRuntime();
      const worker = await startWorkers(openOwnEnvironments().map(change), config, logger);
      closing.push(worker.stop);
      return worker;
    },
    async startChild(program, more = {}) {
      const child = await startChild(program, { ...settings, ...more });
      closing.push(child.kill);
      return child;
    },
    async partner(url, cell = SANDBOX_CELL) {
      const id = randomUUID();
      const partner = { id, businessName: 'Acme Fintech', email: `${id}@acme.example` };
      const cells = { sandbox: cell, live: cell.replace('sandbox', 'live') };
      await insertPartner(owner, { ...partner, status: 'registered' }, cells);
      const asked = { partnerId: id, environment: 'sandbox', label: 'test', expiresAt: null } as const;
      return openCalls(id, present(await makeKey(owner, asked), 'a key that never expires').key, url);
    },
    async inLive({ partnerId }, url) {
      const asked = { partnerId, environment: 'live', label: 'test', expiresAt: null } as const;
      return openCalls(partnerId, present(await makeKey(owner, asked), 'a key that never expires').key, url);
    },
    environments() {
      const [sandbox, live] = openOwnEnvironments() as [Environment, Environment];
      return { sandbox, live };
    },
    async close() {
      for (const end of closing.reverse()) await end();
      await connection.close();
      await temporal.discard();
      await owner.end();
      await database.drop();
    },
  };
}
