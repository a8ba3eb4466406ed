/**
 * Brings Temporal's dev server into the cache folder, from the official archive or by a build with Go. Both write
 * into a new folder and rename at the end, so two checkouts may do it at the same time.
 */
import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, mkdtempSync, renameSync, rmSync, mkdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import type * as Undici from 'undici';
import { StartError } from '../../src/administration/project';
import { childEnvironment } from '../../src/runtime/config';
import { reasonOf } from './log';
import { TEMPORAL_ARCHIVES } from './temporal-archives';

/** A closed network is noticed within this time; a slow one is waited for. */
const CONNECT_WITHIN_MS = 5_000;
const BUILD_WITHIN_MS = 15 * 60_000;
const PROGRESS_EVERY_MS = 30_000;
const GO_NEEDED = [1, 25] as const;

export interface Sources {
  /** Prefix of `/v<version>?platform=...&arch=...`. */
  readonly archives: string;
  /** The SHA-256 of each archive, by its name. */
  readonly hashes: Readonly<Record<string, string>>;
}

export const OFFICIAL_SOURCES: Sources = {
  archives: 'https://temporal.download/cli/archive',
  hashes: TEMPORAL_ARCHIVES,
};

export interface Order {
  readonly version: string;
  /** Path that the program gets in the end. */
  readonly target: string;
  /** Folders in which Go is looked for. */
  readonly PATH: string;
  readonly say: (line: string) => void;
  /** Ends the download or the build, and leaves nothing behind. */
  readonly signal?: AbortSignal | undefined;
}

/** Node's names of platforms and processors in the words of the archive. */
const PLATFORMS: Readonly<Record<string, string>> = { linux: 'linux', darwin: 'darwin', win32: 'windows' };
const PROCESSORS: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/** Downloads the archive and unpacks the program. @returns why it did not work, or undefined. */
export async function downloadTemporal(order: Order, sources: Sources): Promise<string | undefined> {
  const platform = PLATFORMS[process.platform];
  const arch = PROCESSORS[process.arch];
  if (platform === undefined || arch === undefined) return 'there is no archive for this machine';
  const { version } = order;
  const url = `${sources.archives}/v${version}?platform=${platform}&arch=${arch}`;
  const name = `temporal_cli_${version}_${platform}_${arch}.${platform === 'windows' ? 'zip' : 'tar.gz'}`;
  const known = sources.hashes[name];
  if (known === undefined) return `the SHA-256 of ${name} is not known`;
  return inFolderBeside(order, async (folder) => {
    const archive = join(folder, name);
    const answer = await get(url, order.signal);
    order.say(`downloading Temporal ${version}, once`);
    await pipeline(answer.body ?? [], createWriteStream(archive), { signal: order.signal });
    await assertKnown(archive, known);
    // Every system that we support has a tar; that of Windows reads zip too.
    await run(order, 'tar', ['-xf', archive, '-C', folder, basename(order.target)]);
  });
}

/** Builds the program with Go. @returns why it did not work, or undefined. */
export async function buildTemporal(order: Order): Promise<string | undefined> {
  const { PATH } = order;
  const go = spawnSync('go', ['version'], { encoding: 'utf8', env: childEnvironment({ PATH }) });
  const [, major = '0', minor = '0'] = /go(\d+)\.(\d+)/.exec(go.error === undefined ? go.stdout : '') ?? [];
  const [neededMajor, neededMinor] = GO_NEEDED;
  if (Number(major) < neededMajor || (Number(major) === neededMajor && Number(minor) < neededMinor)) {
    return `no Go ${GO_NEEDED.join('.')} or newer to build it with`;
  }
  const label = `building Temporal ${order.version} with Go, 2-3 minutes, once`;
  order.say(label);
  const started = Date.now();
  const progress = setInterval(() => {
    order.say(`${label} (${String(Math.round((Date.now() - started) / 1000))} s)`);
  }, PROGRESS_EVERY_MS);
  try {
    const module = `github.com/temporalio/cli/cmd/temporal@v${order.version}`;
    return await inFolderBeside(order, (folder) =>
      run(order, 'go', ['install', module], { PATH, GOBIN: folder }),
    );
  } finally {
    clearInterval(progress);
  }
}

/** Lets `bring` put the program into a folder of its own on the target's disk, then moves it in place. */
async function inFolderBeside(
  { target, signal }: Order,
  bring: (folder: string) => Promise<void>,
): Promise<string | undefined> {
  const folder = makeFolderBeside(target);
  try {
    await bring(folder);
    renameSync(join(folder, basename(target)), target);
    return undefined;
  } catch (error) {
    if (signal?.aborted) throw error;
    return reason(error);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @throws StartError where the cache folder cannot be written, with the variable that names another one. */
function makeFolderBeside(target: string): string {
  try {
    mkdirSync(dirname(target), { recursive: true });
    return mkdtempSync(`${target}.`);
  } catch (error) {
    throw new StartError(
      `Temporal's program cannot be kept in ${dirname(target)} (${(error as NodeJS.ErrnoException).code ?? String(error)}). ` +
        'Name a folder that can be written: XDG_CACHE_HOME=/path/to/folder npm start',
    );
  }
}

async function get(url: string, signal: AbortSignal | undefined): Promise<Undici.Response> {
  // It is loaded here and not above, because most starts find the program on the machine.
  // oxlint-disable-next-line typescript/no-require-imports
  const { Agent, fetch } = require('undici') as typeof Undici;
  const dispatcher = new Agent({ connect: { timeout: CONNECT_WITHIN_MS } });
  const answer = await fetch(url, { dispatcher, signal: signal ?? null });
  if (!answer.ok) throw new Error(`${new URL(url).host} answered ${String(answer.status)}`);
  return answer;
}

/**
 * Compares the archive with the hash that we know of it, so that neither a changed release nor another site can give us another
 * program.
 * @throws Error where it is another one; the archive is thrown away.
 */
async function assertKnown(archive: string, known: string): Promise<void> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(archive), hash);
  if (hash.digest('hex') !== known)
    throw new Error('the downloaded archive is not the one that is known: its SHA-256 is another one');
}

/** Runs a program to its end. @throws StartError with the program's words when it fails. */
async function run({ signal }: Order, command: string, args: string[], environment = {}): Promise<void> {
  const env = childEnvironment(environment);
  try {
    await promisify(execFile)(command, args, { env, signal, timeout: BUILD_WITHIN_MS });
  } catch (error) {
    throw new StartError(`${command}: ${reasonOf(error)}`);
  }
}

function reason(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}
