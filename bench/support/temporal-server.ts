/**
 * Temporal's production server for the bench, set up by the files of `deploy/temporal` as docker-compose.yml does it: its two
 * databases lie in the Postgres of the ledger. Go builds the programs once, which takes about four minutes.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { projectFolder } from '../../src/administration/project';
import { childEnvironment, readStartConfig } from '../../src/runtime/config';
import { NAMESPACES } from '../../tools/launcher/parts';
import { accepts, freePort } from '../../tools/launcher/ports';
import { startServer } from '../../tools/launcher/servers';
import { findTemporal } from '../../tools/launcher/temporal-binary';
import { isServing } from '../../tools/launcher/temporal-look';
import { benchTemporal, type BenchTemporal } from './temporal';
import { until } from './until';

/** As in docker-compose.yml. */
const VERSION = '1.31.2';
const SHARDS = '512';
const DATABASES = ['temporal', 'temporal_visibility'] as const;
/** Each has a port for calls and one for its membership. */
const SERVICES = ['FRONTEND', 'HISTORY', 'MATCHING', 'WORKER'] as const;
const DEPLOY = join(projectFolder(), 'deploy', 'temporal');
const run = promisify(execFile);

/** Where the server and its tool for schemas are kept. */
const folder = (): string =>
  join(
    readStartConfig().XDG_CACHE_HOME ?? join(homedir(), '.cache'),
    'partner-wallet',
    `temporal-server-${VERSION}`,
  );

/** Whether the programs are on this machine already. */
export const hasTemporalServer = (): boolean => existsSync(folder());

/** Builds the programs unless they are there. */
export async function bringTemporalServer(say: (line: string) => void): Promise<void> {
  if (hasTemporalServer()) return;
  say(`building Temporal's server ${VERSION} with Go, once`);
  mkdirSync(dirname(folder()), { recursive: true });
  const built = mkdtempSync(`${folder()}.`);
  const modules = ['server', 'tools/sql'].map((path) => `go.temporal.io/server/cmd/${path}@v${VERSION}`);
  await run('go', ['install', ...modules], { env: childEnvironment({ GOBIN: built }) });
  renameSync(join(built, 'sql'), join(built, 'temporal-sql-tool'));
  renameSync(built, folder());
}

/** Starts it on databases that it makes in the Postgres of this address. */
export async function openTemporalServer(databaseUrl: string): Promise<BenchTemporal> {
  const { hostname, port: databasePort, username, password } = new URL(databaseUrl);
  await makeDatabases(databaseUrl);
  const login = { SQL_HOST: hostname, SQL_PORT: databasePort, SQL_USER: username, SQL_PASSWORD: password };
  await script('set-up-schema.sh', folder(), { SQL_PLUGIN: 'postgres12', ...login });

  const logs = mkdtempSync(join(tmpdir(), 'wallet-bench-temporal-'));
  const ports = await portsOfServices();
  const server = await startServer({
    name: 'Temporal',
    ports: { port: 0, uiPort: null },
    command: ({ port }) => ({
      command: join(folder(), 'server'),
      args: ['start'],
      environment: {
        ...ports,
        FRONTEND_GRPC_PORT: String(port),
        DB: 'postgres12',
        DB_PORT: databasePort,
        POSTGRES_SEEDS: hostname,
        POSTGRES_USER: username,
        POSTGRES_PWD: password,
        DBNAME: DATABASES[0],
        VISIBILITY_DBNAME: DATABASES[1],
        NUM_HISTORY_SHARDS: SHARDS,
        BIND_ON_IP: '127.0.0.1',
        TEMPORAL_BROADCAST_ADDRESS: '127.0.0.1',
        DYNAMIC_CONFIG_FILE_PATH: join(DEPLOY, 'dynamic-config.yaml'),
        LOG_LEVEL: 'warn',
      },
      stopSignal: 'SIGTERM',
      graceSeconds: 10,
    }),
    isReady: (port) => accepts('127.0.0.1', port),
    logFile: join(logs, 'log'),
  });
  const address = `127.0.0.1:${String(server.port)}`;
  const { path } = await findTemporal(readStartConfig(), console.log);
  await script('create-namespaces.sh', dirname(path), { TEMPORAL_ADDRESS: address });
  await until(() => isServing(server.port, NAMESPACES).catch(() => false), 'the namespaces are not served');
  return benchTemporal({ address, pid: server.pid }, async () => {
    await server.stop();
    rmSync(logs, { recursive: true, force: true });
  });
}

async function makeDatabases(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  for (const name of DATABASES) await client.query(`CREATE DATABASE ${name}`);
  await client.end();
}

async function portsOfServices(): Promise<Record<string, string>> {
  const names = [
    ...SERVICES.flatMap((service) => [`${service}_GRPC_PORT`, `${service}_MEMBERSHIP_PORT`]),
    'FRONTEND_HTTP_PORT',
  ];
  const ports: Record<string, string> = {};
  for (const name of names) ports[name] = String(await freePort());
  return ports;
}

/** Runs a file of `deploy/temporal` with the programs of `programs`. */
async function script(name: string, programs: string, environment: Record<string, string>): Promise<void> {
  const PATH = [programs, readStartConfig().PATH].join(delimiter);
  await run('sh', [join(DEPLOY, name)], { env: childEnvironment({ PATH, ...environment }) });
}
