/** Builds the programs when a source is newer than the last build, so that no command runs old code. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The native compiler takes a third of the time. The import rules need the other one's interface. */
export const compiler = join(root, 'node_modules', 'typescript-native', 'bin', 'tsc');

const FOLDERS = ['src', 'migrations', 'tools', 'examples', 'cli', join('sdk', 'src')];
const SOURCES = [
  ...FOLDERS,
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'tsconfig.tools.json',
];
/** What is built, with its sources, and where it is kept when that was. The larger one holds the other. */
export const BUILDS = {
  programs: { project: 'tsconfig.tools.json', sources: SOURCES, stamp: '.built' },
  benches: {
    project: 'tsconfig.bench.json',
    sources: [...SOURCES, 'tsconfig.bench.json', 'bench', 'test'],
    stamp: '.built-benches',
  },
};

/**
 * @param say is called before a build begins.
 * @param what is to be up to date: the programs, or them and the benches with what runs like them.
 * @returns whether a build was needed. Ends the process with 1 when it fails.
 */
export function buildIfStale(say, what = BUILDS.programs) {
  if (!isStale(what)) return false;
  say();
  build(what);
  return true;
}

/** Builds it, and remembers that it is up to date. Ends the process with 1 when it fails. */
export function build(what) {
  if (!existsSync(compiler)) {
    console.error('The packages are not installed. Run npm ci first');
    process.exit(1);
  }
  // A source that changes while we build must be newer than the build.
  const startedAt = new Date();
  run(compiler, '-b', what.project);
  dropOrphans();
  run(join(root, 'dist', 'src', 'api', 'build.js'));
  run(join(root, 'dist', 'src', 'worker', 'build.js'));
  run(join(root, 'dist', 'tools', 'launcher', 'packs.js'));
  for (const { stamp } of new Set([BUILDS.programs, what])) {
    writeFileSync(join(root, 'dist', stamp), startedAt.toISOString());
  }
}

function isStale({ stamp, sources }) {
  const file = join(root, 'dist', stamp);
  if (!existsSync(file)) return true;
  const builtAt = Date.parse(readFileSync(file, 'utf8'));
  return !sources.every((source) => newest(join(root, source)) <= builtAt);
}

/**
 * The time of the newest change in a file, or in a folder with all that it holds. A removed file changes its
 * folder.
 */
function newest(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

/** Removes from the build what has no source any more: a file left there would hide a folder of the same name. */
function dropOrphans() {
  for (const folder of FOLDERS.map((name) => join(root, 'dist', name))) {
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
  console.error(`The build failed:\n${stdout}${stderr}`);
  process.exit(1);
}
