/**
 * The API and worker as child processes: ready when they say so, reported when they fail, ended with their parent.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { projectFolder } from '../../src/administration/project';
import { standBy, startProcess } from '../../tools/launcher/processes';
import { until } from '../support/until';
import { temporaryFolder } from './folder';
import { processesWith } from './processes';

const folder = temporaryFolder();

const WATCH_PARENT = `process.stdin.on('end', () => process.exit(0)).resume();`;
const SAY_READY = `process.send({ ready: true });`;
const STAY = 'setInterval(() => {}, 1000);';

function order(name: string, program: string, readyWithinMs = 10_000) {
  const entry = join(folder, `${name}.cjs`);
  writeFileSync(entry, program);
  const logFile = join(folder, `${name}.log`);
  return { name: 'API', entry, environment: { COLOUR: 'green' }, logFile, readyWithinMs };
}

test('a process is ready when it says so, has the given variables, and logs to its file', async () => {
  const program = `const { COLOUR, END_WITH_PARENT } = process.env;
    console.log(COLOUR, END_WITH_PARENT); ${STAY}
    process.stdin.on('end', () => { console.error('asked to end'); process.exit(7); }).resume();
    setTimeout(() => { console.log('ready now'); ${SAY_READY} }, 100);`;
  const wanted = order('good', program);
  const child = await startProcess(wanted);
  expect(readFileSync(wanted.logFile, 'utf8')).toBe('green true\nready now\n');
  await child.stop();
  expect(await child.ended).toBe('exit code 7');
  expect(readFileSync(wanted.logFile, 'utf8')).toContain('asked to end');
  expect(processesWith(wanted.entry)).toEqual([]);
});

test('a process that ends before it is ready gives an error with its last output, and does not stay', async () => {
  const wanted = order('bad', `console.error('no such key'); process.exit(3)`);
  await expect(startProcess(wanted)).rejects.toThrow(/exit code 3[^]*no such key/);
  expect(processesWith(wanted.entry)).toEqual([]);
});

test('a process that takes too long gives an error with its last output, and does not stay', async () => {
  const { environment, ...wanted } = order('slow', `console.log('still loading'); ${STAY}`, 500);
  const begin = standBy(wanted);
  await until('its output', () => readFileSync(wanted.logFile, 'utf8').includes('loading'));
  await expect(begin(environment)).rejects.toThrow(/not ready after 0\.5 s: still loading$/);
  expect(processesWith(wanted.entry)).toEqual([]);
});

test('a process that stands by is ready after it got its variables', async () => {
  const program = `${WATCH_PARENT} ${STAY}
    process.once('message', ({ COLOUR }) => { console.log('now', COLOUR); ${SAY_READY} });`;
  const { environment, ...wanted } = order('standby', program);
  const begin = standBy(wanted);
  await until('the process', () => processesWith(wanted.entry).length === 1);
  const child = await begin(environment);
  expect(readFileSync(wanted.logFile, 'utf8')).toBe('now green\n');
  await child.stop();
  expect(processesWith(wanted.entry)).toEqual([]);
});

test('a process that ends while it stands by gives an error with its last output', async () => {
  const { environment, ...wanted } = order('gone', `console.error('no such module'); process.exit(4)`);
  const begin = standBy(wanted);
  await until('its last output', () => readFileSync(wanted.logFile, 'utf8').includes('module'));
  await until('its end', () => processesWith(wanted.entry).length === 0);
  await expect(begin(environment)).rejects.toThrow(/exit code 4[^]*no such module/);
});

test.each(['api', 'worker'])('the %s that stands by ends with whoever loads it', async (program) => {
  const entry = join(projectFolder(), 'dist', 'tools', 'launcher', 'standby.js');
  const main = join(projectFolder(), 'dist', 'src', program, 'main.js');
  const child = spawn(process.execPath, [entry, main], { stdio: ['pipe', 'ignore', 'inherit', 'ipc'] });
  const ended = once(child, 'exit');
  child.stdin!.end();
  expect(await ended).toEqual([1, null]);
});

test('a process ends when its parent is killed', async () => {
  const wanted = order('orphan', `${WATCH_PARENT} ${SAY_READY} ${STAY}`);
  const program = join(__dirname, 'programs', 'hold-process.ts');
  const parent = spawn(process.execPath, ['--import', 'tsx', program, wanted.entry, wanted.logFile], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [pid] = (await once(createInterface({ input: parent.stdout }), 'line')) as [string];
  expect(processesWith(wanted.entry)).toContain(Number(pid));
  parent.kill('SIGKILL');
  await until('the end of the process', () => processesWith(wanted.entry).length === 0);
});
