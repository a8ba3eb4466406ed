/**
 * What is measured: a durable Postgres of its own, the built programs as processes of their own, a partner
 * whose limits are out of the way (they are counted all the same) and wallets with money.
 */
import { valueOf } from '../../test/support/outcomes';
import { randomBytes, randomUUID } from 'node:crypto';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { startPostgres, type RunningPostgres } from '../../tools/launcher/embedded-postgres';
import { freePort } from '../../tools/launcher/ports';
import { SECRET_NAMES } from '../../src/runtime/secret-names';
import { startProcess, type RunningProcess } from '../../tools/launcher/processes';
import { insertPartner } from '../../src/db/partners/credentials';
import { migrateDatabase } from '../../src/db/upkeep/migrate';
import { setUpDatabase } from '../../src/db/upkeep/set-up';
import { migrateUrls, passwordIn, programUrls } from '../../src/runtime/database-urls';
import { AREAS } from '../../src/runtime/logins';
import { makeKey } from '../../src/operations/partners/keys';
import type { EnvironmentName } from '../../src/domain/partners';
import { CELL, LIVE_CELL } from './cell';
import { API, API_OPTION, MEMORY, WORKER } from './programs';
import { makeWallets } from './wallets';

export interface Program extends RunningProcess {
  port: number;
}

export interface BenchPartner {
  partnerId: string;
  key: string;
  /** Where its money is. */
  cell: string;
}

/** Its first partner is there from the beginning. */
export interface BenchPlatform extends BenchPartner {
  databaseUrl: string;
  postgresPid: number;
  /** The log of Postgres. */
  postgresLog: string;
  sql<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<pg.QueryResult<Row>>;
  /** One more partner, with limits out of the way like the first one's. */
  partner(): Promise<BenchPartner>;
  /** Active wallets with this much money each, which came by a booked funding. @returns their ids. */
  wallets(count: number, fundKobo: number, partnerId?: string): Promise<string[]>;
  /** A partner in live and wallets of it, whose owners are verified and which are under limits. */
  inLive(count: number, fundKobo: number): Promise<{ by: BenchPartner; wallets: string[] }>;
  /** A built program, with its settings laid over the bench's; on a free port, unless `PORT` says another. */
  start(entry: string, settings?: Record<string, string>): Promise<Program>;
  close(): Promise<void>;
}

const secret = (): string => randomBytes(32).toString('base64');

/** A busy machine takes long to load a program. */
const READY_WITHIN_MS = 120_000;

interface Server {
  dataDir: string;
  postgres: RunningPostgres;
}

/** @param model a stopped server, which is copied. */
async function startServer(model?: Server): Promise<Server> {
  const dataDir = mkdtempSync(join(tmpdir(), 'wallet-bench-'));
  // The files belong to the account of Postgres, and stay its own.
  if (model) await promisify(execFile)('cp', ['-a', `${model.dataDir}/.`, dataDir]);
  const server = { dataDir, postgres: await startPostgres({ dataDir, port: 0, durable: true }) };
  servers.add(server);
  return server;
}

/** Those whose files are there. A bench that fails leaves none. */
const servers = new Set<Server>();
process.once('exit', () => servers.forEach(removeServer));

function removeServer(server: Server): void {
  const { dataDir, postgres } = server;
  for (const folder of [dataDir, postgres.folder]) rmSync(folder, { recursive: true, force: true });
  servers.delete(server);
}

async function startMigratedServer(): Promise<Server> {
  const server = await startServer();
  const { url } = server.postgres;
  await setUpDatabase(url, AREAS, () => passwordIn(url));
  await migrateDatabase(migrateUrls({ DATABASE_URL: url }), 1);
  return server;
}

let model: Promise<Server> | undefined;

/** To make and migrate a server takes much longer than to copy one. The model is made once, and stopped. */
async function openServer(): Promise<Server> {
  model ??= startMigratedServer().then(async (server) => {
    await server.postgres.stop();
    return server;
  });
  const made = await model;
  // Where the account of Postgres cannot enter the folder, its files are in another one.
  return made.postgres.folder === made.dataDir ? startServer(made) : startMigratedServer();
}

/** Opens a platform without Temporal: what accepts money does not need it. */
export async function openBenchPlatform(): Promise<BenchPlatform> {
  const server = await openServer();
  const { dataDir, postgres } = server;
  const urls = { DATABASE_URL: postgres.url };
  const owner = new pg.Pool({ connectionString: postgres.url, max: 4 });
  // Postgres may tell a connection that is being closed that it stops. Nobody waits for an answer on that
  // connection any more.
  owner.on('connect', (client) => client.on('error', () => undefined)).on('error', () => undefined);
  const first = await makePartner(owner);
  const programs: Program[] = [];
  const settings = {
    // All callers of the bench have one address.
    HTTP_CONNECTIONS_PER_ADDRESS: '2000',
    LOG_LEVEL: 'warn',
    TEMPORAL_ADDRESS: '127.0.0.1:1',
    OPERATOR_PORT: '0',
    WORKER_OPERATOR_PORT: '0',
    RATE_LIMIT_SCALE: '100000000',
    SANDBOX_STORAGE_BYTES: String(Number.MAX_SAFE_INTEGER),
    ...Object.fromEntries(SECRET_NAMES.map((name) => [name, secret()])),
  };
  return {
    databaseUrl: postgres.url,
    postgresPid: postgres.pid,
    postgresLog: join(postgres.folder, 'log'),
    ...first,
    sql: (text, values) => owner.query(text, values),
    partner: () => makePartner(owner),
    wallets: (count, fundKobo, partnerId = first.partnerId) => makeWallets(owner, partnerId, count, fundKobo),
    async inLive(count, fundKobo) {
      const by = await makePartner(owner, 'live');
      const under = { cell: by.cell, tier: 'tier_2' } as const;
      return { by, wallets: await makeWallets(owner, by.partnerId, count, fundKobo, under) };
    },
    async start(entry, more = {}) {
      const port = Number(more.PORT ?? (await freePort()));
      const order = {
        name: entry,
        entry,
        environment: {
          ...settings,
          ...addressesOf(entry, urls),
          // `inLive` makes live wallets, beside which an API starts only when it is told that no money is real.
          ...(entry === WORKER ? {} : { NODE_OPTIONS: API_OPTION, NODE_ENV: 'development' }),
          PORT: String(port),
          ...more,
        },
        logFile: join(dataDir, `program-${String(programs.length)}.log`),
        readyWithinMs: READY_WITHIN_MS,
      };
      const program = { ...(await startProcess(order)), port };
      programs.push(program);
      return program;
    },
    async close() {
      await Promise.all(programs.map((program) => program.stop()));
      await owner.end();
      await postgres.stop();
      removeServer(server);
    },
  };
}

/** A yardstick has one address for everything; ours have those of their logins. */
function addressesOf(entry: string, urls: { DATABASE_URL: string }): Record<string, string> {
  if (entry === WORKER) return programUrls(urls, 'worker');
  return entry === API || entry === MEMORY ? programUrls(urls, 'api') : urls;
}

async function makePartner(owner: pg.Pool, environment: EnvironmentName = 'sandbox'): Promise<BenchPartner> {
  const partnerId = randomUUID();
  const cells = { sandbox: CELL, live: LIVE_CELL };
  const partner = { id: partnerId, businessName: 'Bench', email: `${partnerId}@bench.example` };
  await insertPartner(owner, { ...partner, status: 'active' }, cells);
  await owner.query(`UPDATE platform.partners SET tier = 'scale' WHERE id = $1`, [partnerId]);
  const asked = { partnerId, environment, label: 'bench', expiresAt: null } as const;
  const { key } = valueOf(await makeKey(owner, asked));
  return { partnerId, key, cell: cells[environment] };
}
