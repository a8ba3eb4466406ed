/** The embedded Postgres: brought up, joined, left over, and gone when it should be. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startPostgres } from '../../tools/launcher/embedded-postgres';
import { postgresBinaries } from '../../tools/launcher/postgres-binaries';
import { createDatabase, dropDatabase, serverFacts } from '../../src/db/pg/cluster';
import { temporaryFolder } from './folder';
import { until } from '../support/until';
import { processesWith } from './processes';

const folder = temporaryFolder();
const start = (name: string) => startPostgres({ dataDir: join(folder, name), port: 0, durable: false });
const holders: ChildProcess[] = [];

afterAll(() => {
  for (const holder of holders) holder.kill('SIGKILL');
});

/** A process of its own that holds a Postgres on folder `name`. */
async function holdPostgres(name: string): Promise<{ holder: ChildProcess; pid: number; port: number }> {
  const program = join(__dirname, 'programs', 'hold-postgres.ts');
  const holder = spawn(process.execPath, ['--import', 'tsx', program, join(folder, name)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  holders.push(holder);
  const [line] = (await once(createInterface({ input: holder.stdout }), 'line')) as [string];
  return { holder, ...(JSON.parse(line) as { pid: number; port: number }) };
}

async function killed(pid: number, holder: ChildProcess): Promise<void> {
  const gone = once(holder, 'exit');
  process.kill(pid, 'SIGKILL');
  holder.kill('SIGKILL');
  await gone;
}

const running = (name: string) => processesWith(`bin/postgres -D ${join(folder, name)}`);

/** What ends the server with the process that has started it. */
const guardsOf = (pid: number) => processesWith(`guard INT 15 ${String(pid)} `);

test('a new folder becomes a server with database wallet, which keeps its data and its password', async () => {
  const first = await start('kept');
  expect(await serverFacts(first.url, 1_000)).toEqual({
    version: first.version,
    dataFolder: join(folder, 'kept', 'data'),
  });
  await createDatabase(first.url, 'proof');
  expect(guardsOf(first.pid)).toHaveLength(1);
  await first.stop();
  expect(running('kept')).toEqual([]);
  await until('the end of the guard', () => guardsOf(first.pid).length === 0);

  const second = await start('kept');
  expect(new URL(second.url).password).toBe(new URL(first.url).password);
  const proof = new URL(second.url);
  proof.pathname = '/proof';
  await expect(serverFacts(proof.href, 1_000)).resolves.toBeDefined();
  await dropDatabase(second.url, 'proof');
  await expect(serverFacts(proof.href, 1_000)).rejects.toThrow('does not exist');
  await second.stop();
});

test('nobody gets in without the password, which only its owner can read', async () => {
  const server = await start('closed');
  const guess = new URL(server.url);
  guess.password = 'wallet';
  await expect(serverFacts(guess.href, 1_000)).rejects.toThrow('password authentication failed');
  expect(statSync(join(folder, 'closed', 'password')).mode & 0o777).toBe(0o600);
  await server.stop();
});

test('a killed start takes its server along', async () => {
  const { holder, pid } = await holdPostgres('alone');
  expect(running('alone')).not.toEqual([]);
  holder.kill('SIGKILL');
  await until('the end of the server', () => running('alone').length === 0);
  await until('the end of the guard', () => guardsOf(pid).length === 0);
});

test('a server left over by a killed start and guard is ended, and its data are served again', async () => {
  const { holder, pid, port } = await holdPostgres('left');
  const guards = guardsOf(pid);
  expect(guards).toHaveLength(1);
  await killed(guards[0] as number, holder);
  expect(running('left')).not.toEqual([]);
  const next = await start('left');
  expect([next.pid === pid, next.port === port]).toEqual([false, false]);
  await until(
    'the end of the server that was left over',
    () => !processesWith(`bin/postgres -D ${join(folder, 'left')}`).includes(pid),
  );
  await expect(serverFacts(next.url, 1_000)).resolves.toBeDefined();
  await next.stop();
  await until('the end of the server', () => running('left').length === 0);
});

test('a pid file that names another program does not keep the server from starting', async () => {
  const first = await start('stale');
  await first.stop();
  writeFileSync(join(folder, 'stale', 'data', 'postmaster.pid'), `${String(process.pid)}\n\n\n5432\n`);
  const second = await start('stale');
  await expect(serverFacts(second.url, 1_000)).resolves.toBeDefined();
  await second.stop();
});

test('an interrupted initdb is done again', async () => {
  mkdirSync(join(folder, 'half', 'data.new', 'base'), { recursive: true });
  const server = await start('half');
  await expect(serverFacts(server.url, 1_000)).resolves.toBeDefined();
  await server.stop();
});

test('data of another major version are refused with a remedy', async () => {
  mkdirSync(join(folder, 'old', 'data'), { recursive: true });
  writeFileSync(join(folder, 'old', 'data', 'PG_VERSION'), '15\n');
  await expect(start('old')).rejects.toThrow(/holds data of Postgres 15.*Move it away/);
});

test('a taken port is told in the words of the server', async () => {
  const first = await start('first');
  const second = startPostgres({ dataDir: join(folder, 'second'), port: first.port, durable: false });
  await expect(second).rejects.toThrow(/did not start on port \d+[^]*could not bind/);
  await first.stop();
});

test.each([
  ['Alpine', { platform: 'linux', arch: 'x64', musl: true }, 'No embedded Postgres for linux-musl.'],
  [
    'an unknown processor',
    { platform: 'linux', arch: 's390x', musl: false },
    'No embedded Postgres for linux-s390x.',
  ],
  ['another system', { platform: 'sunos', arch: 'x64', musl: false }, 'No embedded Postgres for sunos-x64.'],
  ['an install without it', { platform: 'linux', arch: 'x64', musl: false }, 'is not installed. Run npm ci'],
] as const)('%s gets an error with the remedies', (_, machine, message) => {
  const find = () => postgresBinaries(machine, folder);
  expect(find).toThrow(message);
  expect(find).toThrow('DATABASE_URL=');
  expect(find).toThrow('docker compose up -d postgres');
});
