/** Finds Temporal's dev server, or fetches it, because it is not on npm. */
import { spawnSync } from 'node:child_process';
import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import type { StartConfig } from '../../src/runtime/config';
import { OFFICIAL_SOURCES, buildTemporal, downloadTemporal, type Sources } from './temporal-fetch';
import { TEMPORAL_VERSION } from './temporal-archives';
import { StartError } from '../../src/administration/project';

const PROGRAM = process.platform === 'win32' ? 'temporal.exe' : 'temporal';

export interface TemporalBinary {
  readonly path: string;
  /** As in `1.5.1`. */
  readonly version: string;
}

export type TemporalSearch = Pick<StartConfig, 'TEMPORAL_CLI_PATH' | 'PATH' | 'XDG_CACHE_HOME'>;

/**
 * The dev server, by the first of: TEMPORAL_CLI_PATH, PATH, the user's cache folder, the official archive,
 * `go install`. The last two put it into the cache folder, which all checkouts of a user share.
 * @param say is told about steps that take long.
 * @param how where the archive comes from, and what interrupts the bringing of it.
 * @throws StartError when TEMPORAL_CLI_PATH does not run, or nothing worked: with the remedies.
 */
export async function findTemporal(
  search: TemporalSearch,
  say: (line: string) => void,
  { sources = OFFICIAL_SOURCES, signal }: { sources?: Sources; signal?: AbortSignal } = {},
): Promise<TemporalBinary> {
  if (search.TEMPORAL_CLI_PATH !== undefined) {
    const asked = runnable(resolve(search.TEMPORAL_CLI_PATH));
    if (asked !== undefined) return asked;
    throw new StartError(`TEMPORAL_CLI_PATH=${search.TEMPORAL_CLI_PATH} is not a Temporal CLI that runs`);
  }
  const cached = join(cacheFolder(search), PROGRAM);
  const found = onPath(search.PATH) ?? fromCache(cached);
  if (found !== undefined) return found;

  const order = { version: TEMPORAL_VERSION, target: cached, PATH: search.PATH, say, signal };
  const failures = [await downloadTemporal(order, sources)];
  if (failures[0] !== undefined) failures.push(await buildTemporal(order));
  const brought = fromCache(cached);
  if (brought !== undefined) return brought;
  throw new StartError(notFound(failures.filter((failure) => failure !== undefined)));
}

function cacheFolder({ XDG_CACHE_HOME }: TemporalSearch): string {
  return join(XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'partner-wallet', `temporal-${TEMPORAL_VERSION}`);
}

function onPath(path: string): TemporalBinary | undefined {
  for (const folder of path.split(delimiter).filter((name) => name !== '')) {
    const found = runnable(resolve(folder, PROGRAM));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The folder's name says which version it is, because a program that Go built does not know its own version. */
function fromCache(path: string): TemporalBinary | undefined {
  return runnable(path) && { path, version: TEMPORAL_VERSION };
}

/** Asks the program for its version. A broken download and another program of this name do not answer. */
function runnable(path: string): TemporalBinary | undefined {
  const { error, stdout } = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 10_000 });
  const version = error ? undefined : /^temporal version v?(\S+)/m.exec(stdout)?.[1];
  return version === undefined ? undefined : { path, version };
}

function notFound(failures: readonly string[]): string {
  return [
    "Temporal's development server is not on this machine, and it could not be brought:",
    ...failures.map((failure) => `  (${failure})`),
    'One of these helps:',
    '  1. Install the Temporal CLI: brew install temporal, scoop install temporal-cli, or the archive from',
    '     https://temporal.download/cli; put it on PATH or set TEMPORAL_CLI_PATH=/path/to/temporal',
    '  2. Use a server that runs already: TEMPORAL_ADDRESS=host:7233 npm start',
    '  3. docker compose up -d temporal-namespaces, then TEMPORAL_ADDRESS=127.0.0.1:7233 npm start',
    '  4. Go on without it: npm start -- --without-temporal (what is accepted with 202 waits for a later start)',
  ].join('\n');
}
