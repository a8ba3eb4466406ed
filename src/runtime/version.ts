/**
 * Which version of the product a process runs, and of which build: the log, the probes and the metrics say it, and
 * workers of one build know each other by it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Version {
  /** The version in package.json. */
  version: string;
  /** The commit that was built, or a digest of what was built (worker/build.ts); `sources` without a build. */
  build: string;
}

/** `npm run build` writes it, beside the rooms. */
export const VERSION_FILE = join(__dirname, '..', 'version.json');

let known: Version | undefined;

/** @throws Error when the programs were compiled and `npm run build` was not finished. */
export function thisVersion(): Version {
  known ??= readVersion();
  return known;
}

function readVersion(): Version {
  if (__filename.endsWith('.ts')) {
    const { version } = read(join(__dirname, '..', '..', 'package.json'));
    return { version, build: 'sources' };
  }
  return read(VERSION_FILE);
}

const read = (file: string): Version => JSON.parse(readFileSync(file, 'utf8')) as Version;
