/**
 * A part of the build: writes the packs of the launcher, of the programs that it loads, and of the threads that run
 * workflows. Each is written by a process of its own (`packs.js <pack>`), which loads what the pack is for.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { freeMemoryWhenIdle, keepThreadsSmall } from './memory';
import { MODULES } from './modules';
import { dropPack, writePack } from './pack';

const [, , name] = process.argv;

async function writeAll(): Promise<void> {
  const names = Object.keys(MODULES);
  names.forEach(dropPack);
  await Promise.all(
    names.map((each) => once(spawn(process.execPath, [__filename, each], { stdio: 'inherit' }), 'exit')),
  );
}

function writeOne(pack: string): void {
  const load = createRequire(__filename);
  // V8 refuses what was made under other settings than those of the programs.
  keepThreadsSmall();
  freeMemoryWhenIdle();
  writePack(pack, () => {
    for (const module of MODULES[pack] ?? []) load(module);
  });
  // Some modules keep a process alive.
  process.exit(0);
}

if (name === undefined) void writeAll();
else writeOne(name);
