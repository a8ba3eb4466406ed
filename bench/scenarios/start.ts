/**
 * `npm start` after a build: the first run makes a database, the second one finds it. Until it says that it is
 * ready.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childEnvironment } from '../../src/runtime/config';
import type { Row, Scenario } from '../scenario';

const ROW: Row = {
  name: 'start',
  ours: 'npm start, the second run and later ones',
  yardstick: 'the first run, in an empty folder',
  unit: 's',
  ratio: 'at most',
  floor: 4,
  goal: 2.5,
  absolute: true,
};

export const start: Scenario = {
  rows: [ROW],
  async run(report) {
    // Builds what is not built yet.
    spawnSync(process.execPath, ['scripts/start.mjs', '--help']);
    const folder = mkdtempSync(join(tmpdir(), 'wallet-bench-start-'));
    try {
      const first = await secondsToStart(folder);
      for (let run = 0; run < report.size.runs; run++) {
        report.figure(ROW.name, await secondsToStart(folder), first);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** Starts the sandbox and stops it again. @returns seconds until it was ready. */
async function secondsToStart(folder: string): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['scripts/start.mjs'], {
    env: childEnvironment({ DATA_DIR: folder, PORT: '0' }),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let words = '';
  const ready = new Promise<boolean>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      words += part;
      if (words.includes('ready in')) resolve(true);
    });
  });
  const isReady = await Promise.race([ready, ended.then(() => false)]);
  const seconds = (performance.now() - startedAt) / 1_000;
  child.kill('SIGINT');
  await ended;
  if (!isReady) throw new Error(`npm start did not come up:\n${words}`);
  return seconds;
}
