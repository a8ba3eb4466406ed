/**
 * Databases that outlive a run because a test of their file failed. The run's own folder remembers them; it stays
 * with its Postgres data, and `npm run test:kept -- <folder>` starts that Postgres again.
 */
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface KeptDatabase {
  /** Where it is during the run, and again after `npm run test:kept`. */
  readonly url: string;
  /** The test file. */
  readonly file: string;
}

/** The beginning of the name of every run's folder. */
const RUN_FOLDER = 'wallet-test-pg-';
const KEPT_FOR_MS = 86_400_000;

/** A folder in memory, on Linux. A run needs about half a gigabyte there, and containers often have much less. */
const IN_MEMORY = '/dev/shm';
const ENOUGH_BYTES = 4 * 1024 ** 3;

/**
 * Makes the folder of a run. A run makes and drops hundreds of databases of two thousand files each, which took a
 * third of its processor time on a disk and takes a tenth of that in memory.
 */
export const makeRunFolder = (): string => mkdtempSync(join(hasRoom() ? IN_MEMORY : tmpdir(), RUN_FOLDER));

function hasRoom(): boolean {
  if (!existsSync(IN_MEMORY)) return false;
  const { bavail, bsize } = statfsSync(IN_MEMORY);
  return bavail * bsize > ENOUGH_BYTES;
}

/** Remembers one database; every process of a run adds to the same list. */
export function keepDatabase(kept: KeptDatabase): void {
  const { TEST_RUN_FOLDER: folder } = process.env;
  if (folder !== undefined) appendFileSync(listOf(folder), `${JSON.stringify(kept)}\n`);
}

/** @returns none for a run in which every file passed. */
export function keptDatabases(folder: string): KeptDatabase[] {
  if (!existsSync(listOf(folder))) return [];
  const lines = readFileSync(listOf(folder), 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as KeptDatabase);
}

/** Remembers the database of a shared platform: it is dropped with the run, where the server outlives the run. */
export function rememberShared(url: string): void {
  const { TEST_RUN_FOLDER: folder } = process.env;
  if (folder !== undefined) appendFileSync(join(folder, 'shared'), `${url}\n`);
}

/** @returns the databases of shared platforms that are not kept. */
export function sharedDatabases(folder: string): string[] {
  const list = join(folder, 'shared');
  if (!existsSync(list)) return [];
  const kept = keptDatabases(folder).map(({ url }) => url);
  const urls = readFileSync(list, 'utf8').trimEnd().split('\n');
  return urls.filter((url) => !kept.includes(url));
}

/** Remembers where Postgres put its data: under another account that can be another folder. */
export function rememberData(folder: string, dataFolder: string): void {
  writeFileSync(join(folder, 'data-folder'), dataFolder);
}

/** Removes the folders of tests that are a day old: kept ones, and those of runs that were killed. */
export function removeOldRuns(): void {
  for (const parent of [tmpdir(), IN_MEMORY].filter((one) => existsSync(one))) {
    for (const name of readdirSync(parent).filter((one) => one.startsWith('wallet-test-'))) {
      const folder = join(parent, name);
      // Another run may remove the same one at the same time.
      const age = Date.now() - (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
      if (age > KEPT_FOR_MS) removeRun(folder);
    }
  }
}

/** Removes a run's folder and its data; harmless when they are gone. */
export function removeRun(folder: string): void {
  const pointer = join(folder, 'data-folder');
  const dataFolder = existsSync(pointer) ? readFileSync(pointer, 'utf8') : folder;
  for (const one of [dataFolder, folder]) rmSync(one, { recursive: true, force: true });
}

const listOf = (folder: string): string => join(folder, 'kept');
