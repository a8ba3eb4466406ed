/** The dev server: our namespaces and search attributes, kept in a file, and gone with us. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { findTemporal } from '../../tools/launcher/temporal-binary';
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
