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
import { temporaryFolder } from '../cli/folder';
import { childrenOf, processesWith } from '../cli/processes';

const folder = temporaryFolder();
const children: ChildProcess[] = [];

afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
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
const npmStart = (dataDir: string, environment: Record<string, string> = {}, more: string[] = []) =>
  script(['start.mjs', '--json', ...more], dataDir, environment);

function script(words: string[], dataDir: string, environment: Record<string, string> = {}) {
  const [file = '', ...more] = words;
  const child = spawn(process.execPath, [join(projectFolder(), 'scripts', file), ...more], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: childEnvironment({
      ...{ DATABASE_URL: '', TEMPORAL_ADDRESS: '', PORT: '0', DATA_DIR: dataDir, NODE_ENV: '' },
      ...environment,
    }),
  });
  children.push(child);
  let told = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => (told += part));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, words: told }));
  return { child, ended };
}

async function ready({ child, ended }: ReturnType<typeof npmStart>): Promise<Sandbox> {
  const told = once(createInterface({ input: child.stdout }), 'line') as Promise<[string]>;
  const early = ended.then(({ words }) => Promise.reject(new Error(words)));
  const [line] = await Promise.race([told, early]);
  return JSON.parse(line) as Sandbox;
}

interface Started {
  readonly start: ReturnType<typeof npmStart>;
  readonly sandbox: Sandbox;
}
async function started(...of: Parameters<typeof npmStart>): Promise<Started> {
  const start = npmStart(...of);
  return { start, sandbox: await ready(start) };
}

/** Expects a probe to be 200. A failure shows what the process said. */
async function expectOk(url: string): Promise<void> {
  const answer = await fetch(url);
  const { status } = answer;
  expect({ status, said: await answer.text() }).toEqual({ status: 200, said: expect.any(String) });
}

/** Asks for a wallet. @returns its id, or null while the sandbox cannot take it. */
async function createWallet({ api_url, sandbox_key }: Sandbox, userRef: string): Promise<string | null> {
  const answer = await fetch(`${api_url}/v1/wallets`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sandbox_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ user_ref: userRef }),
  }).catch(() => null);
  return answer?.status === 202 ? ((await answer.json()) as { data: { id: string } }).data.id : null;
}

const isActive = async ({ api_url, sandbox_key }: Sandbox, walletId: string): Promise<boolean> => {
  const headers = { authorization: `Bearer ${sandbox_key}` };
  const answer = await fetch(`${api_url}/v1/wallets/${walletId}`, { headers }).catch(() => null);
  return (await answer?.text())?.includes('"status":"active"') ?? false;
};

async function interrupted({ child, ended }: ReturnType<typeof npmStart>): Promise<string> {
  child.kill('SIGINT');
  const { code, words } = await ended;
  expect(code).toBe(0);
  return words;
}

describe('two starts at the same moment without Temporal', () => {
  const [dataDir, otherDir] = [join(folder, 'data'), join(folder, 'newer')];
  let one: Started;
  let other: Started;
  /** Of a wallet that was accepted while there was no Temporal. */
  let walletId: string;
  beforeAll(async () => {
    [one, other] = await Promise.all(
      [dataDir, otherDir].map((dir) => started(dir, {}, ['--without-temporal'])) as [
        Promise<Started>,
        Promise<Started>,
      ],
    );
  });

  test('they serve at different addresses, and accept work', async () => {
    expect(one.sandbox).not.toHaveProperty('temporal_address');
    const urls = [one, other].flatMap(({ sandbox }) => [sandbox.api_url, sandbox.operator_url]);
    expect(new Set(urls).size).toBe(4);
    for (const { sandbox } of [one, other]) {
      await expectOk(`${sandbox.api_url}/health`);
      await expectOk(`${sandbox.operator_url}/live`);
    }
    walletId = (await createWallet(one.sandbox, 'ada')) ?? 'it was not accepted';
    await interrupted(one.start);
  });

  test('a database that another release has migrated is refused in one sentence, with what to do', async () => {
    const db = new pg.Client({ connectionString: other.sandbox.database_url });
    await db.connect();
    // Neither older nor newer than this release: it has one more, and lacks another.
    await db.query(`UPDATE sandbox_directory.migrations_of_sandbox_0 SET name = '999_other'
                     WHERE id = (SELECT max(id) FROM sandbox_directory.migrations_of_sandbox_0)`);
    await db.end();
    await interrupted(other.start);

    const { code, words } = await npmStart(otherDir, {}, ['--without-temporal']).ended;
    expect(words).toMatch(
      /✗ The database has migrations that this version does not know \(sandbox_0\/999_other\), and lacks others, such as sandbox_0\/\w+\. Run /,
    );
    expect(words).not.toMatch(/^ +at /m);
    expect(code).toBe(1);
    expect(processesWith(otherDir)).toEqual([]);
  });

  describe('and a start with Temporal in the folder of the first', () => {
    let again: Started;
    beforeAll(async () => {
      again = await started(dataDir, { SWEEP_EVERY_MS: '3000', RATE_LIMIT_STARTER: '1000000' });
    });

    test('it keeps its key, and says how to reach what it started', async () => {
      const { sandbox } = again;
      expect(sandbox.sandbox_key).toBe(one.sandbox.sandbox_key);
      expect(sandbox.operator_token).toBe(one.sandbox.operator_token);
      expect(Object.keys(sandbox).sort()).toEqual([
        'api_url',
        'database_url',
        'docs_url',
        'mails_url',
        'operator_token',
        'operator_url',
        'sandbox_key',
        'secrets_file',
        'temporal_address',
        'temporal_ui_url',
        'ussd_callback_url',
      ]);
      await expectOk(`${sandbox.api_url}/health`);
      await expectOk(`${sandbox.operator_url}/ready`);
      const file = join(dataDir, 'sandbox.json');
      expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(sandbox);
      expect([file, sandbox.secrets_file].map((name) => statSync(name).mode & 0o777)).toEqual([0o600, 0o600]);
    });

    test('work that was accepted without Temporal is finished', async () => {
      await until('the wallet to be active', () => isActive(again.sandbox, walletId));
    });

    test('a further start in its folder is refused', async () => {
      const inUse = npmStart(dataDir);
      expect(await inUse.ended).toMatchObject({
        code: 1,
        words: expect.stringContaining('already runs here'),
      });
    });

    test.each([
      ['Worker', 'dist/src/worker'],
      ['Temporal', 'temporal server'],
      ['Postgres', 'bin/postgres -D'],
      ['API', 'dist/src/api'],
    ])(
      'a killed part is started again, and work that was accepted meanwhile is finished: %s',
      async (name, program) => {
        for (const pid of childrenOf(again.start.child.pid, program)) process.kill(pid, 'SIGKILL');
        const id = await until(
          'an accepted wallet',
          () => createWallet(again.sandbox, `after ${name}`),
          60_000,
        );
        await until('the wallet to be active', () => isActive(again.sandbox, id));
      },
    );

    test('when it is interrupted, it has told of each part, and leaves nothing running', async () => {
      const words = await interrupted(again.start);
      for (const name of ['Worker', 'Temporal', 'Postgres', 'API']) {
        expect(words).toMatch(new RegExp(`! ${name} ended \\(.*\\)\\. It is started again; its log is `));
      }
      expect(processesWith(dataDir)).toEqual([]);
      await expect(fetch(`${again.sandbox.api_url}/health`)).rejects.toThrow();
    });

    test('its database runs alone for a backup and a restore, with the wallet that was accepted', async () => {
      const alone = script(['start.mjs', '--database-only'], dataDir);
      let told = '';
      alone.child.stdout.setEncoding('utf8').on('data', (part: string) => (told += part));
      await until('Postgres to run', () => told.includes('Postgres runs alone'));

      const backup = join(folder, 'backup');
      const statuses = async () => {
        const { database_url } = JSON.parse(readFileSync(join(dataDir, 'sandbox.json'), 'utf8')) as Sandbox;
        const db = new pg.Client({ connectionString: database_url });
        await db.connect();
        const { rows } = await db.query('SELECT id, status FROM sandbox_0.accounts ORDER BY id');
        await db.end();
        return rows;
      };
      const before = await statuses();
      expect(before).toContainEqual({ id: walletId, status: 'active' });
      expect(await script(['run.mjs', 'backup', backup], dataDir).ended).toMatchObject({ code: 0 });
      expect(await script(['run.mjs', 'restore', backup], dataDir).ended).toMatchObject({
        code: 1,
        words: expect.stringContaining('--overwrite'),
      });
      const restored = script(['run.mjs', 'restore', backup, '--overwrite', 'wallet'], dataDir);
      expect(await restored.ended).toMatchObject({ code: 0 });
      expect(await statuses()).toEqual(before);

      await interrupted(alone);
      expect(processesWith(dataDir)).toEqual([]);
    });
  });
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

test('two variables with one port are refused in one sentence', async () => {
  const { code, words } = await npmStart(join(folder, 'twice'), { PORT: '3999', TEMPORAL_PORT: '3999' })
    .ended;
  expect(words).toContain('PORT and TEMPORAL_PORT are both 3999. Give each a port of its own');
  expect(words).not.toMatch(/^ +at /m);
  expect(code).toBe(1);
});
