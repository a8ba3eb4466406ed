/**
 * `node scripts/run.mjs <program> ...`, with a name of a table below: builds when the build is of other sources, then
 * runs that program.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BUILDS, buildIfStale, root } from './build-if-stale.mjs';

/** What an administrator runs where the platform is installed: a part of what `npm run build` makes. */
const ADMINISTRATION = {
  settings: 'src/administration/settings.js',
  'set-up-database': 'src/administration/set-up-database.js',
  migrate: 'src/administration/migrate.js',
  keys: 'src/administration/keys.js',
  secrets: 'src/administration/secrets.js',
  audit: 'src/administration/audit.js',
  recon: 'src/administration/recon.js',
  release: 'src/administration/release.js',
  golive: 'src/administration/golive.js',
  banks: 'src/administration/banks.js',
  backup: 'src/administration/backup.js',
  restore: 'src/administration/restore.js',
  movements: 'src/administration/movements.js',
  repair: 'src/administration/repair.js',
  noted: 'src/administration/noted.js',
};
/** They make the project's own files. */
const TOOLS = {
  reference: 'tools/reference/main.js',
  schema: 'tools/schema/main.js',
};
/** They try the platform, and are built together with the benches. */
const TRIALS = {
  nemesis: 'test/nemesis/main.js',
  rehearse: 'test/rehearsal/main.js',
  clients: 'test/clients/main.js',
};
const PARTS = [
  [ADMINISTRATION, BUILDS.server],
  [TOOLS, BUILDS.programs],
  [TRIALS, BUILDS.benches],
];

const [, , program, ...rest] = process.argv;
const [programs, what] = PARTS.find(([all]) => Object.hasOwn(all, program)) ?? [];
if (programs === undefined) {
  const names = PARTS.flatMap(([all]) => Object.keys(all));
  console.error(`One of ${names.join(', ')} is needed`);
  process.exit(1);
}
// This goes to standard error, because another program may read what the program prints.
buildIfStale(() => console.error('building'), what);
const file = join(root, 'dist', programs[program]);
process.argv = [process.argv[0], file, ...rest];
await import(pathToFileURL(file).href);
