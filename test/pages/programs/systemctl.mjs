/**
 * Stands for `systemctl` while the pages are carried out: reads the units that the page has copied to /etc/systemd/system
 * and runs what they say. `User=`, the limits and the sandbox of a unit are systemd's own; `systemd-analyze verify` reads
 * them in test/unit/deployment.test.ts. PAGES_ROOT stands for `/`. What was started ends with the process PAGES_GUARD.
 */
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = process.env.PAGES_ROOT;
const guard = Number(process.env.PAGES_GUARD);
const ME = fileURLToPath(import.meta.url);
const running = (unit) => join(root, 'run', `${unit}.pid`);
const journal = (unit) => join(root, 'journal', unit);
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function fail(words) {
  console.error(words);
  process.exit(1);
}

/** The lines `Name=value` of a unit, in their order, with `%i` and the places on this machine put in. */
function unitOf(unit) {
  const [, template, version] =
    /^([\w-]+@)([\w.-]+)$/.exec(basename(unit, '.service')) ?? fail(`${unit} is no unit`);
  const file = join(root, 'etc', 'systemd', 'system', `${template}.service`);
  if (!existsSync(file)) fail(`Unit ${unit} not found.`);
  const lines = readFileSync(file, 'utf8')
    .replaceAll('%i', version)
    .split('\n')
    .filter((line) => /^[A-Z]\w*=/.test(line))
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]);
  const all = (name) => lines.filter(([key]) => key === name).map(([, value]) => value);
  return { all, one: (name) => all(name).at(-1) };
}

/** A path of a unit, which may begin with `-`. */
const place = (path) => join(root, path);

/** A file of `NAME=value`. systemd reads what follows as it is, without a shell. */
function readVariables(file) {
  const lines = readFileSync(file, 'utf8').split('\n');
  const set = lines.filter((line) => /^\w+=/.test(line));
  return Object.fromEntries(
    set.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}

/** What the process of a unit is given: nothing of ours. A file wins over `Environment=`. */
function environmentOf({ all }) {
  const direct = all('Environment').map((pair) => [
    pair.slice(0, pair.indexOf('=')),
    pair.slice(pair.indexOf('=') + 1),
  ]);
  const files = all('EnvironmentFile').map((named) => ({
    optional: named[0] === '-',
    path: place(named.replace(/^-/, '')),
  }));
  for (const { optional, path } of files)
    if (!optional && !existsSync(path)) fail(`Failed to load environment files: ${path}`);
  const read = files.filter(({ path }) => existsSync(path)).map(({ path }) => readVariables(path));
  return Object.assign({ PATH: '/usr/bin:/bin' }, Object.fromEntries(direct), ...read);
}

function commandOf(unit) {
  const said = unitOf(unit);
  const [program, ...words] = said.one('ExecStart').split(' ');
  return [place(program), words, { cwd: place(said.one('WorkingDirectory')), env: environmentOf(said) }];
}

/** Whether a process of this number runs. 0 and less would name whole groups of processes. */
function isAlive(pid) {
  if (!(pid > 0)) return false;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
const pidOf = (unit) => (existsSync(running(unit)) ? Number(readFileSync(running(unit), 'utf8')) : 0);

function start(unit) {
  if (isAlive(pidOf(unit))) return;
  mkdirSync(join(root, 'journal'), { recursive: true });
  mkdirSync(join(root, 'run'), { recursive: true });
  if (unitOf(unit).one('Type') === 'oneshot') {
    const { status, stdout, stderr } = spawnSync(...commandOf(unit).slice(0, 2), {
      ...commandOf(unit)[2],
      encoding: 'utf8',
    });
    writeFileSync(journal(unit), stdout + stderr, { flag: 'a' });
    if (status !== 0) fail(`Job for ${unit} failed.\n${stdout}${stderr}`);
    return;
  }
  // `Type=simple`: systemd does not wait until the process is ready.
  const log = openSync(journal(unit), 'a');
  const keeper = spawn(process.execPath, [ME, '--keep', unit], {
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  keeper.unref();
  writeFileSync(running(unit), String(keeper.pid));
}

/** Runs a unit until it is stopped, again where it has ended by itself, and no longer than the guard lives. */
async function keep(unit) {
  let child;
  let isWanted = true;
  process.on('SIGTERM', () => {
    isWanted = false;
    child?.kill('SIGTERM');
  });
  const watch = async () => {
    while (isAlive(guard)) await sleep(1_000);
    child?.kill('SIGKILL');
    process.exit(1);
  };
  void watch();
  while (isWanted) {
    const [program, words, options] = commandOf(unit);
    child = spawn(program, words, { ...options, stdio: 'inherit' });
    await new Promise((resolve) => child.once('exit', resolve).once('error', resolve));
    if (isWanted) await sleep(Number(unitOf(unit).one('RestartSec') ?? 0) * 1_000);
  }
  process.exit(0);
}

async function stop(unit) {
  const pid = pidOf(unit);
  if (!isAlive(pid)) return;
  process.kill(pid, 'SIGTERM');
  const giveUpAt = Date.now() + Number(unitOf(unit).one('TimeoutStopSec')) * 1_000;
  while (isAlive(pid)) {
    if (Date.now() > giveUpAt) fail(`${unit} did not end in time`);
    await sleep(50);
  }
  rmSync(running(unit));
}

const [verb, ...words] = process.argv.slice(2);
const units = words.filter((word) => word !== '--now');
const isNow = words.includes('--now');
switch (verb) {
  case '--keep':
    await keep(units[0]);
    break;
  case 'daemon-reload':
    break;
  case 'enable':
  case 'start':
    if (verb === 'start' || isNow) units.forEach(start);
    break;
  case 'disable':
  case 'stop':
    if (verb === 'stop' || isNow) for (const unit of units) await stop(unit);
    break;
  default:
    fail(`The stand-in of systemctl does not know ${verb}`);
}
