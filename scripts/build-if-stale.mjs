/** Builds the programs when a source is newer than the last build, so that no command runs old code. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The native compiler takes a third of the time. The import rules need the other one's interface. */
export const compiler = join(root, 'node_modules', 'typescript-native', 'bin', 'tsc');

const STAMP = join(root, 'dist', '.built');
const FOLDERS = ['src', 'migrations', 'tools', 'examples', 'cli', join('sdk', 'src')];
const SOURCES = [
  ...FOLDERS,
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'tsconfig.tools.json',
];

/**
 * @param say is called before a build begins.
 * @returns whether a build was needed. Ends the process with 1 when it fails.
 */
export function buildIfStale(say) {
  if (!isStale()) return false;
  say();
  build('tsconfig.tools.json');
  return true;
}

/**
 * Builds the programs, and remembers that they are up to date.
 * @param project says what is compiled: the programs, and maybe more. Ends the process with 1 when it fails.
 */
export function build(project) {
  if (!existsSync(compiler)) {
    console.error('The packages are not installed. Run npm ci first');
    process.exit(1);
  }
  // A source that changes while we build must be newer than the build.
  const startedAt = new Date();
  run(compiler, '-b', project);
  dropOrphans();
  run(join(root, 'dist', 'src', 'api', 'build.js'));
  run(join(root, 'dist', 'src', 'worker', 'build.js'));
  writeFileSync(STAMP, startedAt.toISOString());
}

function isStale() {
  if (!existsSync(STAMP)) return true;
  const builtAt = Date.parse(readFileSync(STAMP, 'utf8'));
  return !SOURCES.every((source) => newest(join(root, source)) <= builtAt);
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
