/**
 * API and worker as processes: they end by themselves on a signal, or when their parent has gone.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectFolder } from '../../src/administration/project';
import { childEnvironment } from '../../src/runtime/config';
import { programUrls } from '../../src/runtime/database-urls';
import type { Calls } from '../support/calls';
import type { Child } from '../support/children';
import { openPlatform, type Platform } from '../support/platform';
import { PLATFORM_SETTINGS } from '../support/settings';
import { until } from '../support/until';
import { SANDBOX_CELL } from '../setup/cells';

let platform: Platform;

beforeAll(async () => {
  platform = await openPlatform();
});

afterAll(() => platform.close());

const ENDINGS = [
  { how: 'SIGTERM', tell: (child: Child) => child.signal('SIGTERM') },
  { how: 'the end of its parent’s pipe', tell: (child: Child) => child.letGo() },
];

test('a built process says with its first line and on its probes which build it is', async () => {
  const { version, build } = JSON.parse(
    readFileSync(join(projectFolder(), 'dist', 'src', 'version.json'), 'utf8'),
  ) as { version: string; build: string };
  expect(build).toMatch(/^[0-9a-f]{12}$/);
  const api = await platform.startChild('api', { LOG_LEVEL: 'info' });
  const first = await until('its first line', () => /^.+(?=\n)/.exec(api.said())?.[0]);
  expect(JSON.parse(first)).toMatchObject({ msg: 'The api process starts', version, build });
  const live = await fetch(`http://127.0.0.1:${api.operatorPort}/live`);
  expect(await live.json()).toEqual({ status: 'ok', version, build });
  await api.kill();
});

test.each(ENDINGS)('after $how the API ends with code 0', async ({ tell }) => {
  const api = await platform.startChild('api');
  expect((await fetch(`http://127.0.0.1:${api.port}/health`)).status).toBe(200);
  tell(api);
  expect(await endOf(api)).toBe('code 0');
  await expect(fetch(`http://127.0.0.1:${api.port}/health`)).rejects.toThrow('fetch failed');
});

test.each(ENDINGS)('after $how the worker ends with code 0, with a transfer under way', async ({ tell }) => {
  const worker = await platform.startChild('worker');
  const partner = await platform.partner(await platform.startApi());
  const { id } = await partner.wallet(100_000);
  const { reply } = await partner.bankTransfer(id, {}, { 'X-Sandbox-Hold': 'true' });
  const transfer = platform.operator.workflow.getHandle(`bank-transfer/${reply.body.data.id}`);
  await until('the transfer’s workflow', () => transfer.query('state').catch(() => undefined));
  tell(worker);
  expect(await endOf(worker)).toBe('code 0');
  expect((await transfer.describe()).status.name).toBe('RUNNING');
});

test('a worker that still waits for Temporal ends with its parent, too', async () => {
  const addresses = programUrls({ DATABASE_URL: platform.databaseUrl }, 'worker');
  const nowhere = { TEMPORAL_ADDRESS: '127.0.0.1:1', LOG_LEVEL: 'info', END_WITH_PARENT: 'true' };
  const worker = spawn(process.execPath, [join(projectFolder(), 'dist', 'src', 'worker', 'main.js')], {
    stdio: ['pipe', 'pipe', 'inherit'],
    cwd: tmpdir(),
    env: childEnvironment({ ...PLATFORM_SETTINGS, ...addresses, ...nowhere }),
  });
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  await new Promise((resolve) => worker.stdout.once('data', resolve));
  worker.stdin.end();
  const stuck = new Promise((resolve) => setTimeout(resolve, 15_000, 'stuck').unref());
  expect(await Promise.race([ended, stuck])).toBe(1);
  worker.kill('SIGKILL');
});

test('a request that is under way when the API is told to end is answered first', async () => {
  const api = await platform.startChild('api');
  const partner: Calls = await platform.partner(`http://127.0.0.1:${api.port}`);
  const { id } = (await partner.post('/v1/wallets', { user_ref: 'slow' })).body.data;
  const slow = await openSlowRequest(api.port, `/v1/sandbox/wallets/${id}/fund`, partner.key);
  api.signal('SIGTERM');
  await until('the closed door', () =>
    fetch(`http://127.0.0.1:${api.port}/health`).then(
      () => false,
      () => true,
    ),
  );
  expect(await slow.finish({ amount_kobo: 7 })).toBe(200);
  expect(await endOf(api)).toBe('code 0');
  const rows = await platform.sql(`SELECT balance_kobo::int FROM ${SANDBOX_CELL}.accounts WHERE id = $1`, [
    id,
  ]);
  expect(rows).toEqual([{ balance_kobo: 7 }]);
});

/** How it ended; `stuck` when it did not within 15 s, the time a process manager gives. */
function endOf(child: Child): Promise<string> {
  const stuck = new Promise<string>((resolve) => setTimeout(resolve, 15_000, 'stuck').unref());
  return Promise.race([child.ended, stuck]);
}

/** A request whose head has arrived and whose body is still to come. */
async function openSlowRequest(port: number, path: string, key: string) {
  const headers = {
    Authorization: `Bearer ${key}`,
    'Content-Type': 'application/json',
    // The server says "continue" when it has read the head: from then on the request is under way.
    Expect: '100-continue',
  };
  const sending = request({ host: '127.0.0.1', port, path, method: 'POST', headers });
  const status = new Promise<number>((resolve, reject) => {
    sending.once('error', reject).once('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
  });
  const begun = new Promise((resolve) => sending.once('continue', resolve));
  sending.flushHeaders();
  await begun;
  return {
    finish(body: object): Promise<number> {
      sending.end(JSON.stringify(body));
      return status;
    },
  };
}
