/**
 * A real Postgres for `npm start` and `npm test`, from the binaries that npm installed. It ends with us. Only one
 * start at a time may use a folder, which `takeFolder` ensures. Nothing here is for production.
 */
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { childEnvironment } from '../../src/runtime/config';
import { createDatabase, serverFacts } from '../../src/db/pg/cluster';
import { reasonOf } from './log';
import { choosePlace, type Place } from './postgres-account';
import { postgresBinaries } from './postgres-binaries';
import { runsCommand } from './pids';
import { startServer, type RunningServer, type ServerCommand } from './servers';
import { StartError } from '../../src/administration/project';

const NAME = 'wallet';
/** A server that recovers, or writes its last checkpoint, takes long to stop. */
const STOP_WITHIN_S = 60;

export interface PostgresOptions {
  /** Holds everything of this server: `data`, `password`, `log`. Made when absent. */
  readonly dataDir: string;
  /** On 127.0.0.1; 0 takes a free one. */
  readonly port: number;
  /** False is faster, but a power cut loses data: for tests. */
  readonly durable: boolean;
  /** Is told what a person should know, for example that the data are in another folder. */
  readonly say?: (line: string) => void;
  /** Ends the making of the data when the start is interrupted. */
  readonly signal?: AbortSignal;
}

export interface RunningPostgres extends RunningServer {
  /** Of database and superuser `wallet`, with the password. */
  readonly url: string;
  /** As in `18.4`. */
  readonly version: string;
  /** Where the data really are. */
  readonly folder: string;
}

/**
 * Starts Postgres on `dataDir`. A server that a killed start left over there is ended first.
 * @throws StartError when this machine has no binaries, or the server does not come up (with its last words).
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const binaries = postgresBinaries();
  const place = choosePlace(binaries, resolve(options.dataDir), options.say ?? (() => undefined));
  const { home } = place;
  if (!existsSync(join(home, 'data'))) await createCluster(place, options);
  assertSameMajor(home, binaries.packageVersion);
  await endLeftover(place);

  const password = readFileSync(join(home, 'password'), 'utf8').trim();
  const urlOf = (port: number, database: string) =>
    `postgres://${NAME}:${password}@127.0.0.1:${String(port)}/${database}`;
  const server = await startServer({
    name: 'Postgres',
    ports: { port: options.port, uiPort: null },
    command: ({ port }) => postgresCommand(place, port, options.durable),
    isReady: (port, withinMs) => serverFacts(urlOf(port, 'postgres'), withinMs).then(() => true),
    logFile: join(home, 'log'),
  });
  const serverUrl = urlOf(server.port, 'postgres');
  await createDatabase(serverUrl, NAME);
  const { version } = await serverFacts(serverUrl, 5_000);
  return { ...server, url: urlOf(server.port, NAME), version, folder: home };
}

/** Runs initdb in a folder beside the final one, so that an interrupted initdb is never taken for a cluster. */
async function createCluster(place: Place, { durable, signal }: PostgresOptions): Promise<void> {
  const { account, binaries, home } = place;
  const unfinished = join(home, 'data.new');
  const passwordFile = join(home, 'password');
  rmSync(unfinished, { recursive: true, force: true });
  writeFileSync(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 });
  if (account !== undefined) chownSync(passwordFile, account.uid, account.gid);
  const args = [
    ...['-D', unfinished, '-U', NAME, '--auth=scram-sha-256', `--pwfile=${passwordFile}`],
    ...['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    ...(durable ? [] : ['--no-sync']),
  ];
  const env = childEnvironment({ LC_ALL: 'C' });
  try {
    await promisify(execFile)(join(binaries, 'bin', 'initdb'), args, { ...account, cwd: '/', env, signal });
  } catch (error) {
    throw new StartError(`Postgres could not make its data in ${home}: ${reasonOf(error)}`);
  }
  renameSync(unfinished, join(home, 'data'));
}

/** Ends a server that outlived its start and its guard, with pg_ctl of Postgres. */
async function endLeftover({ account, binaries, home }: Place): Promise<void> {
  const data = join(home, 'data');
  const pidFile = join(data, 'postmaster.pid');
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  // Another program may have the number of a server that died, as happens after a restart of the machine.
  if (!runsCommand(pid, data)) {
    rmSync(pidFile);
    return;
  }
  const stop = ['stop', '-D', data, '-m', 'fast', '-w', '-t', String(STOP_WITHIN_S)];
  await promisify(execFile)(join(binaries, 'bin', 'pg_ctl'), stop, { ...account, cwd: '/' });
}

/** Data of one major version cannot be opened by another. */
function assertSameMajor(home: string, packageVersion: string): void {
  const ofData = readFileSync(join(home, 'data', 'PG_VERSION'), 'utf8').trim();
  if (packageVersion.startsWith(`${ofData}.`)) return;
  throw new StartError(
    `${home} holds data of Postgres ${ofData}, this is ${packageVersion}. Move it away and start again`,
  );
}

function postgresCommand(place: Place, port: number, durable: boolean): ServerCommand {
  const settings = {
    listen_addresses: '127.0.0.1',
    // A socket file would have to be in a folder that every account may write to.
    unix_socket_directories: '',
    // Enough for the API, the worker and their pools for each environment, and for tests twice that.
    max_connections: '200',
    // The first change of a page after a checkpoint puts the whole page into the log, so checkpoints are rare.
    max_wal_size: '4GB',
    checkpoint_timeout: '15min',
    shared_buffers: '256MB',
    // A sandbox fits into memory, so programs that read ahead for others have nothing to do, and each takes megabytes.
    io_method: 'sync',
    // No scan asks for more than 16 reads at once (effective_io_concurrency). Room for 64 of each connection is 7 MB.
    io_max_concurrency: '16',
    // Nothing is replicated from here.
    max_logical_replication_workers: '0',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  return {
    command: join(place.binaries, 'bin', 'postgres'),
    args: [
      ...['-D', join(place.home, 'data'), '-p', String(port)],
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    account: place.account,
    environment: { LC_ALL: 'C' },
    // Postgres then ends the sessions, writes a checkpoint and ends.
    stopSignal: 'SIGINT',
    graceSeconds: 15,
  };
}
