/**
 * `node scripts/run.mjs <program> ...`, with a name of a table below: builds when a source is newer, then
 * runs that program.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BUILDS, buildIfStale, root } from './build-if-stale.mjs';

const PROGRAMS = {
  settings: 'src/administration/settings.js',
  'set-up-database': 'src/administration/set-up-database.js',
  migrate: 'src/administration/migrate.js',
  keys: 'src/administration/keys.js',
  secrets: 'src/administration/secrets.js',
  audit: 'src/administration/audit.js',
  recon: 'src/administration/recon.js',
  release: 'src/administration/release.js',
  golive: 'src/administration/golive.js',
  backup: 'src/administration/backup.js',
  restore: 'src/administration/restore.js',
  movements: 'src/administration/movements.js',
  reference: 'tools/reference/main.js',
  schema: 'tools/schema/main.js',
};
/** They try the platform, and are built together with the benches. */
const TRIALS = {
  nemesis: 'test/nemesis/main.js',
  rehearse: 'test/rehearsal/main.js',
  clients: 'test/clients/main.js',
};
const ALL = { ...PROGRAMS, ...TRIALS };

const [, , program, ...rest] = process.argv;
if (!Object.hasOwn(ALL, program)) {
  console.error(`One of ${Object.keys(ALL).join(', ')} is needed`);
  process.exit(1);
}
// This goes to standard error, because another program may read what the program prints.
const what = Object.hasOwn(TRIALS, program) ? BUILDS.benches : BUILDS.programs;
buildIfStale(() => console.error('building'), what);
const file = join(root, 'dist', ALL[program]);
process.argv = [process.argv[0], file, ...rest];
await import(pathToFileURL(file).href);
