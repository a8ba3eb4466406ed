/**
 * `npm run build [-- <build>]`, after the compiler: makes the bundle of all workflows, so that workers start without
 * making it, and writes down which build this is.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { VERSION_FILE, type Version } from '../runtime/version';
import { BUNDLE_FILE, bundleWorkflows } from './bundle';

/** dist/src */
const BUILT = join(__dirname, '..');
const PROJECT = join(BUILT, '..', '..');
const NAME = /^[\w.-]{1,64}$/;

async function finish(given: string | undefined): Promise<void> {
  if (given !== undefined && !NAME.test(given)) throw new Error(`${given} cannot be the name of a build`);
  writeFileSync(BUNDLE_FILE, await bundleWorkflows());
  const { version } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as Version;
  const named: Version = { version, build: given ?? commit() ?? digest() };
  writeFileSync(VERSION_FILE, JSON.stringify(named));
}

/** The commit of the checkout. Null where there is none, and where files differ from it. */
function commit(): string | null {
  const git = (...words: string[]) => {
    const { status, stdout } = spawnSync('git', words, { cwd: PROJECT, encoding: 'utf8' });
    return status === 0 ? stdout.trim() : null;
  };
  return git('status', '--porcelain') === '' ? git('rev-parse', '--short=12', 'HEAD') : null;
}

/** Two builds of the same sources have the same digest, also on two machines. */
function digest(): string {
  const hash = createHash('sha256');
  const files = readdirSync(BUILT, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.js'))
    .map((entry) => join(entry.parentPath, entry.name))
    // The bundle follows from the other files, and names the folder in which it was made.
    .filter((file) => file !== BUNDLE_FILE)
    .sort();
  for (const file of files) hash.update(relative(BUILT, file)).update(readFileSync(file));
  return hash.digest('hex').slice(0, 12);
}

// An empty argument is that of an image that was built without one.
void finish(process.argv[2] || undefined);
