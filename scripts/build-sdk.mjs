/** `npm run sdk:build`: the package as it is installed, as ES modules and as CommonJS. */
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compiler, root } from './build-if-stale.mjs';

const folder = join(root, 'sdk');
const KINDS = { esm: 'module', cjs: 'commonjs' };

rmSync(join(folder, 'dist'), { recursive: true, force: true });
for (const [kind, type] of Object.entries(KINDS)) {
  const { status } = spawnSync(process.execPath, [compiler, '-p', join(folder, `tsconfig.${kind}.json`)], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(1);
  // Node reads the kind of a module from the nearest package.json.
  writeFileSync(join(folder, 'dist', kind, 'package.json'), `${JSON.stringify({ type })}\n`);
}
