/**
 * Builds the programs when their sources are no longer those of the last build, so that no command runs old code. What
 * counts is what the sources say, and not their times: a build that was copied beside a checkout is believed where it
 * was made from the same sources, also on a machine that has nothing to build with.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The native compiler takes a third of the time. The import rules need the other one's interface. */
export const compiler = join(root, 'node_modules', 'typescript-native', 'bin', 'tsc');

const SERVER_SOURCES = [
  'src',
  'migrations',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
  // The API serves guides as pages.
  'docs',
  join('sdk', 'README.md'),
];
const PROGRAM_SOURCES = [
  ...SERVER_SOURCES,
  'tools',
  'examples',
  'cli',
  join('sdk', 'src'),
  'tsconfig.tools.json',
];
const BENCH_SOURCES = [...PROGRAM_SOURCES, 'tsconfig.bench.json', 'bench', 'test'];

/**
 * What is built, from the smallest to the largest, with its sources, and where it is kept of which sources it was made. Each
 * one holds those before it. `server` is what production runs: API, worker, migrations, and the administrator's commands.
 */
export const BUILDS = {
  server: { project: 'tsconfig.build.json', sources: SERVER_SOURCES, stamp: '.built-server' },
  programs: { project: 'tsconfig.tools.json', sources: PROGRAM_SOURCES, stamp: '.built' },
  benches: { project: 'tsconfig.bench.json', sources: BENCH_SOURCES, stamp: '.built-benches' },
};

/**
 * @param say is called before a build begins.
 * @param what is to be up to date: what production runs, all programs, or them and the benches with what runs like them.
 * @returns whether a build was needed. Ends the process with 1 when it fails.
 */
export function buildIfStale(say, what = BUILDS.programs) {
  if (!existsSync(join(root, 'node_modules'))) stop('The packages are not installed. Run npm ci first');
  if (!isStale(what)) return false;
  say();
  build(what);
  return true;
}

/**
 * Builds it, and remembers of which sources. Ends the process with 1 when it fails.
 * @param name names the build; the commit or a digest of the programs does, unless given.
 */
export function build(what, name = '') {
  if (!existsSync(compiler)) {
    stop(
      'The build is missing, or of other sources than these, and what builds it is not installed. Run npm ci (without ' +
        '--omit=dev) first, or copy dist of a checkout that is the same as this one',
    );
  }
  const made = Object.values(BUILDS).slice(0, Object.values(BUILDS).indexOf(what) + 1);
  // A source that changes while we build makes the build stale.
  const digests = made.map(({ sources }) => digestOf(sources));
  run(compiler, '-b', what.project);
  dropOrphans();
  run(join(root, 'dist', 'src', 'api', 'build.js'));
  run(join(root, 'dist', 'src', 'worker', 'build.js'), name);
  if (what !== BUILDS.server) run(join(root, 'dist', 'tools', 'launcher', 'packs.js'));
  made.forEach(({ stamp }, place) => writeFileSync(join(root, 'dist', stamp), digests[place]));
}

function isStale({ stamp, sources }) {
  const file = join(root, 'dist', stamp);
  return !existsSync(file) || readFileSync(file, 'utf8') !== digestOf(sources);
}

/** A digest of what these files and folders say, with their names. It takes some hundredths of a second. */
function digestOf(sources) {
  const hash = createHash('sha256');
  const add = (name) => {
    const path = join(root, name);
    if (statSync(path).isDirectory()) {
      for (const entry of readdirSync(path).sort()) add(join(name, entry));
    } else {
      hash.update(`${name}\0`).update(readFileSync(path)).update('\0');
    }
  };
  for (const source of sources) add(source);
  return hash.digest('hex');
}

/** Removes from the build what has no source any more: a file left there would hide a folder of the same name. */
function dropOrphans() {
  const built = PROGRAM_SOURCES.map((name) => join(root, 'dist', name)).filter(
    (path) => existsSync(path) && statSync(path).isDirectory(),
  );
  for (const folder of built) {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      const source = join(root, relative(join(root, 'dist'), path)).replace(
        /(\.d)?\.(js|ts)(\.map)?$/,
        '.ts',
      );
      if (entry.isFile() && /\.(js|ts)(\.map)?$/.test(path) && !existsSync(source)) rmSync(path);
    }
  }
}

function run(...command) {
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: root, encoding: 'utf8' });
  if (status === 0) return;
  stop(`The build failed:\n${stdout}${stderr}`);
}

function stop(why) {
  console.error(why);
  process.exit(1);
}
