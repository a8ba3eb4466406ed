/** `npm start` as a person or a script runs it: it starts everything, and leaves nothing running. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { projectFolder } from '../../src/administration/project';
import { childEnvironment } from '../../src/runtime/config';
import { until } from '../support/until';
import { temporaryFolder } from './folder';
import { childrenOf, processesWith } from './processes';

jest.setTimeout(120_000);

const folder = temporaryFolder();
const started: ChildProcess[] = [];

afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
});

interface Sandbox {
  readonly api_url: string;
  readonly database_url: string;
  readonly operator_url: string;
  readonly operator_token: string;
  readonly sandbox_key: string;
  readonly secrets_file: string;
}

/** Runs `npm start` outside the project, so that no `.env` and no variable of a developer counts. */
function npmStart(dataDir: string, environment: Record<string, string> = {}, more: string[] = []) {
  const child = spawn(process.execPath, [join(projectFolder(), 'scripts', 'start.mjs'), '--json', ...more], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: childEnvironment({
      ...{ DATABASE_URL: '', TEMPORAL_ADDRESS: '', PORT: '0', DATA_DIR: dataDir, NODE_ENV: '' },
      ...environment,
    }),
  });
  started.push(child);
  let words = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => (words += part));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, words }));
  return { child, ended };
}

async function ready({ child, ended }: ReturnType<typeof npmStart>): Promise<Sandbox> {
  const told = once(createInterface({ input: child.stdout }), 'line') as Promise<[string]>;
  const early = ended.then(({ words }) => Promise.reject(new Error(words)));
  const [line] = await Promise.race([told, early]);
  return JSON.parse(line) as Sandbox;
}

test('it says how to reach what it started, keeps its key, and leaves nothing running', async () => {
  const dataDir = join(folder, 'data');
  const first = npmStart(dataDir);
  const sandbox = await ready(first);
  expect(Object.keys(sandbox).sort()).toEqual([
    'api_url',
    'database_url',
    'docs_url',
    'operator_token',
    'operator_url',
    'sandbox_key',
    'secrets_file',
    'temporal_address',
    'temporal_ui_url',
    'ussd_callback_url',
  ]);
  expect((await fetch(`${sandbox.api_url}/health`)).status).toBe(200);
  expect((await fetch(`${sandbox.operator_url}/ready`)).status).toBe(200);
  const file = join(dataDir, 'sandbox.json');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(sandbox);
  expect([file, sandbox.secrets_file].map((name) => statSync(name).mode & 0o777)).toEqual([0o600, 0o600]);

  const inUse = npmStart(dataDir);
  expect(await inUse.ended).toMatchObject({ code: 1, words: expect.stringContaining('already runs here') });

  first.child.kill('SIGINT');
  expect(await first.ended).toMatchObject({ code: 0 });
  expect(processesWith(dataDir)).toEqual([]);
  await expect(fetch(`${sandbox.api_url}/health`)).rejects.toThrow();

  const second = npmStart(dataDir);
  const again = await ready(second);
  expect(again.sandbox_key).toBe(sandbox.sandbox_key);
  expect(again.operator_token).toBe(sandbox.operator_token);
  second.child.kill('SIGKILL');
  await until('the end of every process', () => processesWith(dataDir).length === 0, 20_000);
  const answers = () =>
    fetch(`${again.api_url}/health`).then(
      () => true,
      () => false,
    );
  await until('the end of the API', async () => !(await answers()), 10_000);
});

test.each([
  ['production', { NODE_ENV: 'production' }, 'npm start is the sandbox. Use start:api and start:worker'],
  ['bad variables, all at once', { PORT: 'x', LOG_LEVEL: 'loud' }, /PORT: [^]*LOG_LEVEL: /],
  [
    'a Temporal that does not answer',
    { TEMPORAL_ADDRESS: '127.0.0.1:1', DATABASE_URL: '' },
    'TEMPORAL_ADDRESS=127.0.0.1:1 does not answer',
  ],
])('it refuses %s, and leaves nothing running', async (name, environment, message) => {
  const dataDir = join(folder, name.replaceAll(/\W/g, ''));
  const { code, words } = await npmStart(dataDir, environment).ended;
  expect(words).toMatch(message);
  expect(code).toBe(1);
  expect(processesWith(dataDir)).toEqual([]);
});

test('it refuses a taken port and says who has it', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const { code, words } = await npmStart(join(folder, 'taken'), { PORT: String(port) }).ended;
  server.close();
  expect(words).toContain(`Port ${String(port)} is in use`);
  expect(words).toContain(`PORT=${String(port + 1)} npm start`);
  expect(code).toBe(1);
});

test('it serves without Temporal, and accepted work waits for a start with Temporal', async () => {
  const dataDir = join(folder, 'without');
  const first = npmStart(dataDir, {}, ['--without-temporal']);
  const sandbox = await ready(first);
  expect(sandbox).not.toHaveProperty('temporal_address');
  const headers = { authorization: `Bearer ${sandbox.sandbox_key}`, 'content-type': 'application/json' };
  const accepted = await fetch(`${sandbox.api_url}/v1/wallets`, {
    method: 'POST',
    headers,
    body: '{"user_ref":"ada"}',
  });
  expect(accepted.status).toBe(202);
  const { id } = ((await accepted.json()) as { data: { id: string } }).data;
  first.child.kill('SIGINT');
  expect((await first.ended).code).toBe(0);

  const second = npmStart(dataDir, { SWEEP_EVERY_MS: '1000', RATE_LIMIT_STARTER: '1000000' });
  const { api_url } = await ready(second);
  const status = async () => {
    const answer = await fetch(`${api_url}/v1/wallets/${id}`, { headers });
    return ((await answer.json()) as { data: { wallet: { status: string } } }).data.wallet.status;
  };
  await until('the wallet to be active', async () => (await status()) === 'active', 60_000);
  second.child.kill('SIGINT');
  expect((await second.ended).code).toBe(0);
});

test('a database that a newer release has migrated is refused in one sentence, with what to do', async () => {
  const dataDir = join(folder, 'newer');
  const first = npmStart(dataDir, {}, ['--without-temporal']);
  const db = new pg.Client({ connectionString: (await ready(first)).database_url });
  await db.connect();
  await db.query(
    `INSERT INTO sandbox_directory.migrations_of_sandbox_0 (name, batch, migration_time) VALUES ('999_later', 2, now())`,
  );
  await db.end();
  first.child.kill('SIGINT');
  await first.ended;

  const { code, words } = await npmStart(dataDir, {}, ['--without-temporal']).ended;
  expect(words).toMatch(
    /✗ The schema sandbox_0 has migrations that this version does not know: 999_later\. Run /,
  );
  expect(words).not.toMatch(/^ +at /m);
  expect(code).toBe(1);
  expect(processesWith(dataDir)).toEqual([]);
});

test('a killed part is started again, and work that was accepted meanwhile is finished', async () => {
  const dataDir = join(folder, 'killed');
  const start = npmStart(dataDir, { SWEEP_EVERY_MS: '1000', RATE_LIMIT_STARTER: '1000000' });
  const sandbox = await ready(start);
  const headers = { authorization: `Bearer ${sandbox.sandbox_key}`, 'content-type': 'application/json' };
  for (const [index, program] of [
    'dist/src/worker',
    'temporal server',
    'bin/postgres -D',
    'dist/src/api',
  ].entries()) {
    for (const pid of childrenOf(start.child.pid, program)) process.kill(pid, 'SIGKILL');
    const create = () =>
      fetch(`${sandbox.api_url}/v1/wallets`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ user_ref: `after-${String(index)}` }),
      }).then(
        async (answer) =>
          answer.status === 202 ? ((await answer.json()) as { data: { id: string } }).data.id : null,
        () => null,
      );
    const id = await until('an accepted wallet', create, 60_000);
    const isActive = () =>
      fetch(`${sandbox.api_url}/v1/wallets/${id}`, { headers }).then(
        async (answer) => (await answer.text()).includes('"status":"active"'),
        () => false,
      );
    await until('the wallet to be active', isActive, 60_000);
  }
  start.child.kill('SIGINT');
  const { code, words } = await start.ended;
  expect(code).toBe(0);
  for (const name of ['Worker', 'Temporal', 'Postgres', 'API']) {
    expect(words).toMatch(new RegExp(`! ${name} ended \\(.*\\)\\. It is started again; its log is `));
  }
});

test('two variables with one port are refused in one sentence', async () => {
  const { code, words } = await npmStart(join(folder, 'twice'), { PORT: '3999', TEMPORAL_PORT: '3999' })
    .ended;
  expect(words).toContain('PORT and TEMPORAL_PORT are both 3999. Give each a port of its own');
  expect(words).not.toMatch(/^ +at /m);
  expect(code).toBe(1);
});
