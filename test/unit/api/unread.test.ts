/** An answer that is made while it is read: no faster than the caller reads, and cut off when it cannot go on. */
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { endWhileRead } from '../../../src/api/unread';
import { until } from '../../support/until';

const PARTS = 10_000;
const PART = 'x'.repeat(10_000);

let made: number;
let failsAt: number;
let isClosed: boolean;
let ended: Promise<void>;
let server: Server;
let port: number;

async function* parts(): AsyncGenerator<string> {
  try {
    for (; made < PARTS; made++) {
      await Promise.resolve();
      if (made === failsAt) throw new Error('the entries are gone');
      yield PART;
    }
  } finally {
    isClosed = true;
  }
}

beforeAll(async () => {
  server = createServer((_request, response) => {
    ended = endWhileRead(response, Readable.from(parts(), { highWaterMark: 1 }));
    ended.catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => server.close());
beforeEach(() => {
  [made, failsAt, isClosed] = [0, Infinity, false];
});

const ask = (): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => get({ port, agent: false }, resolve).once('error', reject));

test('a caller that reads gets all of it', async () => {
  let bytes = 0;
  for await (const chunk of await ask()) bytes += (chunk as Buffer).length;
  await ended;
  expect(bytes).toBe(PARTS * PART.length);
});

test('for a caller that reads nothing little is made, and nothing is left when it goes', async () => {
  const answer = await ask();
  let before = -1;
  await until('a pause', () => {
    const isPaused = before === made;
    before = made;
    return Promise.resolve(isPaused);
  });
  // What the system keeps for both ends of a connection is a few megabytes.
  expect(made).toBeLessThan(PARTS / 5);
  answer.destroy();
  await ended;
  await until('the end of the parts', () => Promise.resolve(isClosed));
  expect(made).toBeLessThan(PARTS / 5);
});

test('one that cannot go on is an error, and cut off for its caller', async () => {
  failsAt = 100;
  const answer = await ask();
  const read = (async () => {
    for await (const chunk of answer) expect(chunk).toBeDefined();
  })();
  await expect(ended).rejects.toThrow('the entries are gone');
  await expect(read).rejects.toThrow('aborted');
});
