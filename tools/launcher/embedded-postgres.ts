/**
 * A real Postgres for `npm start` and `npm test`, from the binaries that npm brought: made once, started,
 * found again after a crash, and ended with us. Nothing here is for production.
 */
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { childEnvironment } from '../../src/runtime/config';
import { createDatabase, serverFacts } from '../../src/db/pg/cluster';
import { lastWords, startGuarded, type GuardedServer } from './guard';
import { freePort, isFree } from './ports';
import { choosePlace, type Place } from './postgres-account';
import { postgresBinaries } from './postgres-binaries';
import { findRunning, rememberOwner } from './postgres-leftover';
import { StartError } from '../../src/administration/project';

const NAME = 'wallet';
/** A crashed cluster reads its log first, on a busy machine slowly. */
const READY_WITHIN_MS = 120_000;
const BIND_ATTEMPTS = 3;

export interface PostgresOptions {
  /** Holds everything of this server: `data`, `password`, `log`. Made when absent. */
  readonly dataDir: string;
  /** On 127.0.0.1; 0 takes a free one. */
  readonly port: number;
  /** False gives up safety against a power cut for speed: tests. */
  readonly durable: boolean;
  /** Told what a person should know, such as a folder other than the one asked for. */
  readonly say?: (line: string) => void;
  /** Ends the making of the data when the start is interrupted. */
  readonly signal?: AbortSignal;
}

export interface RunningPostgres {
  /** Of database and superuser `wallet`, with the password. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** As in `18.4`. */
  readonly version: string;
  /** True when a server was already running on this data. */
  readonly reused: boolean;
  /** Where the data really are. */
  readonly folder: string;
  /** Of a server that we started ourselves. */
  readonly ended?: Promise<string>;
  /** Ends the server, unless it belongs to another start that is still running. */
  stop(): Promise<void>;
}

/**
 * Starts Postgres on `dataDir`, or joins the one that runs there.
 * @throws StartError when this machine has no binaries, or the server does not come up (with its last words).
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const binaries = postgresBinaries();
  const place = choosePlace(binaries, resolve(options.dataDir), options.say ?? (() => undefined));
  if (!existsSync(join(place.home, 'data'))) await createCluster(place, options);
  assertSameMajor(place.home, binaries.packageVersion);

  const urlAt = urlBuilder(place.home);
  const running = await findRunning(place.home, (port) => urlAt(port, 'postgres'));
  if (running !== undefined) {
    await createDatabase(urlAt(running.port, 'postgres'), NAME);
    return { ...running, url: urlAt(running.port, NAME), folder: place.home, reused: true };
  }

  const { server, port } = await startServer(place, options, (at) => urlAt(at, 'postgres'));
  rememberOwner(place.home, server.guardPid);
  const url = urlAt(port, 'postgres');
  await createDatabase(url, NAME);
  const { version } = await serverFacts(url, 5_000);
  return {
    url: urlAt(port, NAME),
    port,
    pid: server.pid,
    version,
    reused: false,
    folder: place.home,
    ended: server.ended,
    stop: () => server.stop(),
  };
}

/** initdb beside the final place, so that an interrupted one is never taken for a cluster. */
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
    const { stderr = '', message } = error as Error & { stderr?: string };
    const words = stderr.split('\n').find((line) => line.includes('error')) ?? message;
    throw new StartError(`Postgres could not make its data in ${home}: ${words}`);
  }
  renameSync(unfinished, join(home, 'data'));
}

/** Data of one major version cannot be opened by another. */
function assertSameMajor(home: string, packageVersion: string): void {
  const ofData = readFileSync(join(home, 'data', 'PG_VERSION'), 'utf8').trim();
  if (packageVersion.startsWith(`${ofData}.`)) return;
  throw new StartError(
    `${home} holds data of Postgres ${ofData}, this is ${packageVersion}. Move it away and start again`,
  );
}

function urlBuilder(home: string): (port: number, database: string) => string {
  const password = readFileSync(join(home, 'password'), 'utf8').trim();
  return (port, database) => `postgres://${NAME}:${password}@127.0.0.1:${String(port)}/${database}`;
}

/** A free port can be taken by somebody else between our look and the server's; then another one is tried. */
async function startServer(
  place: Place,
  options: PostgresOptions,
  urlAt: (port: number) => string,
): Promise<{ server: GuardedServer; port: number }> {
  const logFile = join(place.home, 'log');
  for (let attempt = 1; ; attempt += 1) {
    const port = options.port === 0 ? await freePort() : options.port;
    const server = await launch(place, port, options.durable, logFile);
    if (await isReady(server, urlAt(port))) return { server, port };
    await server.stop();
    const isLost = !(await isFree(port));
    if (isLost && options.port === 0 && attempt < BIND_ATTEMPTS) continue;
    throw new StartError(`Postgres did not start on port ${String(port)}: ${lastWords(logFile)}`);
  }
}

function launch(place: Place, port: number, durable: boolean, logFile: string): Promise<GuardedServer> {
  const settings = {
    listen_addresses: '127.0.0.1',
    // A socket file would have to be in a folder that every account may write to.
    unix_socket_directories: '',
    // API, worker and their per-environment pools, twice over for tests.
    max_connections: '200',
    // The first change of a page after a checkpoint puts the whole page into the log, so checkpoints are rare.
    max_wal_size: '4GB',
    checkpoint_timeout: '15min',
    shared_buffers: '256MB',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  return startGuarded({
    command: join(place.binaries, 'bin', 'postgres'),
    args: [
      ...['-D', join(place.home, 'data'), '-p', String(port)],
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    cwd: '/',
    account: place.account,
    environment: { LC_ALL: 'C' },
    logFile,
    // To Postgres this means: end sessions, write a checkpoint, go.
    stopSignal: 'SIGINT',
    graceMs: 15_000,
  });
}

async function isReady(server: GuardedServer, url: string): Promise<boolean> {
  const giveUpAt = Date.now() + READY_WITHIN_MS;
  while (!server.hasEnded() && Date.now() < giveUpAt) {
    const answered = await serverFacts(url, 1_000).then(
      () => true,
      () => false,
    );
    if (answered) return true;
    await sleep(20);
  }
  return false;
}
