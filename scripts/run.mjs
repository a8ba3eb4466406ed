/** `node scripts/run.mjs <migrate|keys|audit-verify|reference> ...`: builds when a source is newer, then runs that program. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildIfStale, root } from './build-if-stale.mjs';

const PROGRAMS = ['migrate', 'keys', 'audit-verify', 'reference'];

const [, , program, ...rest] = process.argv;
if (!PROGRAMS.includes(program)) {
  console.error(`One of ${PROGRAMS.join(', ')} is needed`);
  process.exit(1);
}
// To standard error: what the program prints may be read by another one.
buildIfStale(() => console.error('building'));
const file = join(root, 'dist', 'src', 'cli', `${program}.js`);
process.argv = [process.argv[0], file, ...rest];
await import(pathToFileURL(file).href);
