/**
 * `npm run demo` against a sandbox: it waits while the sandbox restarts, and an interrupt leaves nothing behind.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { projectFolder } from '../../src/administration/project';
import { childEnvironment } from '../../src/runtime/config';
import { until } from '../support/until';
import { temporaryFolder } from './folder';

const folder = temporaryFolder();
const children: ChildProcess[] = [];
const servers: Server[] = [];

afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

/** A stand-in for the platform: takes an endpoint, answers 503 so many times, and then keeps the demo waiting. */
async function platform(unavailableTimes: number): Promise<{ url: string; calls: string[] }> {
  const calls: string[] = [];
  let unavailable = unavailableTimes;
  const server = createServer((request, response) => {
    const call = `${request.method ?? ''} ${request.url ?? ''}`;
    const answer = (status: number, body: unknown): void => {
      calls.push(`${call} ${String(status)}`);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (call === 'GET /health') answer(200, { status: 'ok' });
    else if (call === 'POST /v1/webhooks') {
      const data = { id: '01980000-0000-7000-8000-00000000000a', secret: 'sk_wh_AAAA' };
      answer(201, { data, meta: {} });
    } else if (request.method === 'DELETE') {
      calls.push(`${call} 204`);
      response.writeHead(204).end();
    } else if (unavailable-- > 0) answer(503, {});
    else calls.push(`${call} waits`);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`, calls };
}

function runDemo(name: string, url: string) {
  const dataDir = join(folder, name);
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, 'sandbox.json'), JSON.stringify({ api_url: url, sandbox_key: 'sk_test_x' }));
  const child = spawn(process.execPath, [join(projectFolder(), 'scripts', 'start.mjs'), '--demo'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: childEnvironment({ DATA_DIR: dataDir }),
  });
  children.push(child);
  child.stdout.resume();
  return { child, ended: once(child, 'exit') as Promise<[number | null, string | null]> };
}

const REMOVED = 'DELETE /v1/webhooks/01980000-0000-7000-8000-00000000000a 204';
const waiting = (calls: string[]) => calls.some((call) => call.endsWith('waits'));

test('a call that was answered 503 is repeated until the platform serves', async () => {
  const { url, calls } = await platform(2);
  const { child } = runDemo('busy', url);
  // It creates two wallets at once.
  const count = (status: string) => calls.filter((call) => call === `POST /v1/wallets ${status}`).length;
  await until('the demo to wait for its answers', () => count('waits') === 2);
  expect(count('503')).toBe(2);
  child.kill('SIGKILL');
});

test.each([
  ['SIGHUP, as when its terminal is closed', (child: ChildProcess) => child.kill('SIGHUP'), 129],
  ['SIGINT', (child: ChildProcess) => child.kill('SIGINT'), 130],
  ['SIGTERM', (child: ChildProcess) => child.kill('SIGTERM'), 143],
])('the webhook endpoint of the demo is deleted after %s', async (name, interrupt, code) => {
  const { url, calls } = await platform(0);
  const { child, ended } = runDemo(name.slice(0, 6), url);
  await until('the demo to wait for its answer', () => waiting(calls));
  interrupt(child);
  expect(await ended).toEqual([code, null]);
  expect(calls).toContain(REMOVED);
});
