/**
 * The README, the tutorial and the demo do what they say: the commands run as they are pasted, against one
 * `npm start`.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { projectFolder } from '../../src/administration/project';
import { childEnvironment } from '../../src/runtime/config';
import { until } from '../support/until';
import { temporaryFolder } from './folder';
import { processesWith } from './processes';
import { examplesOf, expectedOf, printedBy, type ShellExample } from './shell-page';

/** `npm start` may build first, on a busy machine. */
const READY_WITHIN_MS = 180_000;
const BLOCKS_WITHIN_MS = 120_000;

const folder = temporaryFolder();
let start: ChildProcess;
/** What `npm start` has printed. */
let told = '';

beforeAll(async () => {
  const none = { DATABASE_URL: '', TEMPORAL_ADDRESS: '', NODE_ENV: '' };
  start = spawn(process.execPath, [join(projectFolder(), 'scripts', 'start.mjs')], {
    cwd: folder,
    // The commands of the pages read .data of the folder in which they run.
    env: childEnvironment({ ...none, PORT: '0', DATA_DIR: join(folder, '.data') }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const isReady = new Promise<void>((resolve) => {
    for (const stream of [start.stdout, start.stderr]) {
      stream?.setEncoding('utf8').on('data', (part: string) => {
        told += part;
        if (told.includes('ready in')) resolve();
      });
    }
  });
  const failed = (how: string) => Promise.reject(new Error(`npm start ${how}. It has printed:\n${told}`));
  await Promise.race([
    isReady,
    once(start, 'exit').then(() => failed('ended')),
    sleep(READY_WITHIN_MS, undefined, { ref: false }).then(() => failed('is not ready in time')),
  ]);
});

afterAll(async () => {
  if (start.exitCode !== null || start.signalCode !== null) return;
  const ended = once(start, 'exit');
  start.kill('SIGINT');
  await ended;
});

/** The blocks of a page without the first one, which starts the platform: this file has already started it. */
function afterTheStart(page: string): ShellExample[] {
  const [first, ...others] = examplesOf(page);
  expect(first?.commands).toBe('npm ci && npm start');
  return others;
}

async function expectAsPrinted(examples: ShellExample[]): Promise<void> {
  const printed = await printedBy(examples, { folder, withinMs: BLOCKS_WITHIN_MS });
  const seen = examples.map(({ commands }, place) => ({ commands, printed: printed[place] ?? '' }));
  const expected = examples.map((example, place) => ({
    commands: example.commands,
    printed: expectedOf(example, seen[place]?.printed ?? ''),
  }));
  expect(seen).toEqual(expected);
}

test('the first curl that npm start prints creates a wallet, and says when the wallet already exists', async () => {
  const curl = /^ *(curl -sX POST .*)$/m.exec(told)?.[1] ?? '';
  const [first, second] = await printedBy(Array(2).fill({ commands: curl, output: '' }), {
    folder,
    withinMs: BLOCKS_WITHIN_MS,
  });
  const wallet = JSON.parse(first ?? '') as { data: { id: string; user_ref: string } };
  expect(wallet.data.user_ref).toBe('ada');
  expect(JSON.parse(second ?? '')).toMatchObject({
    error: 'WALLET_ALREADY_EXISTS',
    detail: { wallet_id: wallet.data.id },
  });
});

test.each(['for the first time', 'once more'])('the README runs as pasted, %s', async () => {
  await expectAsPrinted(afterTheStart('README.md'));
});

test('the tutorial runs as pasted', async () => {
  await expectAsPrinted(afterTheStart('docs/tutorial.md'));
});

test.each(['for the first time', 'once more'])('the demo runs to its end, %s', async () => {
  const demo = spawn(process.execPath, [join(projectFolder(), 'dist', 'examples', 'demo', 'main.js')], {
    cwd: folder,
    env: childEnvironment({ DATA_DIR: join(folder, '.data') }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [demo.stdout, demo.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => (printed += part));
  }
  const [code] = (await once(demo, 'close')) as [number | null];
  const all = expect.stringMatching(/ (\d+) received, \1 signatures good/);
  expect({ code, printed }).toEqual({ code: 0, printed: all });
});

test('everything that was started ends when npm start is killed', async () => {
  const [, apiUrl = ''] = /^ *API +(http:\S+)$/m.exec(told) ?? [];
  const serves = (): Promise<boolean> =>
    fetch(`${apiUrl}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  expect([await serves(), processesWith(folder).length > 0]).toEqual([true, true]);
  start.kill('SIGKILL');
  await until('the end of every process', () => processesWith(folder).length === 0);
  await until('the end of the API', async () => !(await serves()));
});

test.each([
  ['10…\nok', '1000000015\nok', true],
  ['10…', '10', false],
  ['a.b', 'axb', false],
  ['', 'curl: (7) Failed to connect', false],
])('an expected output of %j agrees with the output %j: %j', (output, printed, agrees) => {
  expect(expectedOf({ commands: '', output }, printed) === printed).toBe(agrees);
});
