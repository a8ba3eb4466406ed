/** The dev server: our namespaces and search attributes, kept in a file, and gone with us. */
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { findTemporal } from '../../tools/launcher/temporal-binary';
import { freePort, isFree } from '../../tools/launcher/ports';
import { openDoor, type Door } from '../../tools/launcher/temporal-page';
import { startServer } from '../../tools/launcher/servers';
import { startTemporal } from '../../tools/launcher/temporal-server';
import { readStartConfig } from '../../src/runtime/config';
import { SEARCH_ATTRIBUTES } from '../../src/domain/search-attributes';
import { temporaryFolder, writeProgram } from './folder';
import { processesWith } from './processes';

const folder = temporaryFolder();
const namespaces = ['wallet-sandbox', 'wallet-live'];
const logFile = join(folder, 'log');

/** Names that the service answers with, by the number of their type. */
const TYPE_NUMBERS = { Keyword: 2, Int: 3, Bool: 5, Datetime: 6 };

async function attributesOf(address: string, namespace: string) {
  const connection = await Connection.connect({ address });
  try {
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
    return customAttributes;
  } finally {
    await connection.close();
  }
}

test('every namespace knows every search attribute with its type, again after a restart', async () => {
  const { path: binary } = await findTemporal(readStartConfig(), console.log);
  const dbFile = join(folder, 'temporal.db');
  for (const round of [1, 2]) {
    const server = await startTemporal({ binary, port: 0, uiPort: 0, dbFile, namespaces, logFile });
    for (const namespace of namespaces) {
      const known = await attributesOf(server.address, namespace);
      const wanted = SEARCH_ATTRIBUTES.map(({ name, type }) => [name, TYPE_NUMBERS[type]]);
      expect([round, known]).toEqual([round, expect.objectContaining(Object.fromEntries(wanted))]);
    }
    const page = await fetch(server.uiUrl ?? '');
    expect(page.status).toBe(200);
    await server.stop();
    expect(processesWith(dbFile)).toEqual([]);
  }
});

describe('the door of the web page', () => {
  let page: Server;
  let door: Door;
  const asked: (string | undefined)[] = [];

  beforeAll(async () => {
    page = createServer((request, response) => {
      asked.push(request.url);
      request.pipe(response);
    });
    await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
    door = await openDoor(0, { host: '127.0.0.1', port: (page.address() as AddressInfo).port });
  });
  afterAll(() => {
    door.close();
    page.close();
  });

  const knock = (headers: Record<string, string>, body = ''): Promise<{ status?: number; text: string }> =>
    new Promise((resolve, reject) => {
      const options = {
        host: '127.0.0.1',
        port: door.port,
        path: '/namespaces?a=1',
        method: 'POST',
        headers,
      };
      const sent = request(options, (answer) => {
        let text = '';
        answer.on('data', (chunk: Buffer) => (text += chunk.toString()));
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
      });
      sent.on('error', reject).end(body);
    });

  test.each([['localhost'], ['localhost:8233'], ['127.0.0.1:8233'], ['[::1]:8233']])(
    'lets a person at this machine through, as %s',
    async (Host) => {
      expect(await knock({ Host }, 'hello')).toEqual({ status: 200, text: 'hello' });
      expect(asked.pop()).toBe('/namespaces?a=1');
    },
  );

  test.each([
    ['another name that points here', { Host: 'evil.example' }],
    ['another name with our port', { Host: 'localhost.evil.example:8233' }],
    ['an address of the network', { Host: '192.168.1.7:8233' }],
    ['a proxy that names the caller', { Host: 'localhost', 'X-Forwarded-For': '203.0.113.7' }],
    ['a proxy that names the host', { Host: 'localhost', 'X-Forwarded-Host': 'evil.example' }],
    ['a proxy by the standard', { Host: 'localhost', Forwarded: 'for=203.0.113.7' }],
    ['a proxy that names itself', { Host: 'localhost', Via: '1.1 proxy' }],
  ])('refuses %s, and the page hears nothing of it', async (_what, headers) => {
    expect(await knock(headers)).toMatchObject({ status: 403 });
    expect(asked).toEqual([]);
  });
});

test('the page of a real server is behind its door alone', async () => {
  const { path: binary } = await findTemporal(readStartConfig(), console.log);
  const port = await freePort();
  const server = await startTemporal({ binary, port: 0, uiPort: port, dbFile: null, namespaces, logFile });
  try {
    expect(server.uiUrl).toBe(`http://localhost:${String(port)}`);
    const settings = `${server.uiUrl ?? ''}/api/v1/settings`;
    expect((await fetch(settings)).status).toBe(200);
    expect((await fetch(settings, { headers: { Via: '1.1 proxy' } })).status).toBe(403);
  } finally {
    await server.stop();
  }
  expect(await isFree(port)).toBe(true);
});

test('a program that does not serve is told with its last words', async () => {
  const binary = writeProgram(join(folder, 'temporal'), 'echo "disk is full"; exit 3');
  const started = startTemporal({ binary, port: 0, uiPort: null, dbFile: null, namespaces, logFile });
  await expect(started).rejects.toThrow(/Temporal did not start on [^]*disk is full/);
});

test('a server that takes a question while it comes up, and never answers it, is soon asked again', async () => {
  const looks: number[] = [];
  const server = await startServer({
    name: 'a server',
    ports: { port: 0, uiPort: null },
    command: () => ({
      command: process.execPath,
      args: ['-e', 'setInterval(() => {}, 60_000)'],
      environment: {},
      stopSignal: 'SIGTERM',
      graceSeconds: 1,
    }),
    isReady: async (_port, withinMs) => {
      looks.push(withinMs);
      if (looks.length < 3) await sleep(withinMs);
      return looks.length > 3;
    },
    logFile,
  });
  await server.stop();
  // The third one was told no at once.
  expect(looks).toEqual([250, 500, 1_000, 1_000]);
});
