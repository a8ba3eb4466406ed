/** The sender against real receivers on loopback: good ones, slow ones, and hostile ones. */
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { AddressRules } from '../../../src/providers/webhooks/address-guard';
import { createWebhookSender, type WebhookSender } from '../../../src/providers/webhooks/sender';
import { drip, flood, startReceiver, type Receiver } from './receivers';

const DEVELOPMENT: AddressRules = { allowPrivate: true, httpsOnly: false };
const TIMEOUT_MS = 500;
/** The limit plus the delay of a busy machine. */
const SOON_MS = TIMEOUT_MS + 1_000;

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function receiverThat(answer: (socket: Socket) => void): Promise<Receiver> {
  const receiver = await startReceiver(answer);
  closing.push(receiver.close);
  return receiver;
}

function sender(options: Partial<Parameters<typeof createWebhookSender>[0]> = {}): WebhookSender {
  const opened = createWebhookSender({ rules: DEVELOPMENT, timeoutMs: TIMEOUT_MS, ...options });
  closing.push(opened.close);
  return opened;
}

const says = (head: string) => (socket: Socket) => socket.write(`HTTP/1.1 ${head}\r\n\r\n`);
const OK = says('200 OK\r\ncontent-length: 0');
const CHUNKED = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
const ZEROS = Buffer.alloc(65_536);

describe('an answer is its status', () => {
  test.each([
    ['200 OK\r\ncontent-length: 0', 200, null],
    ['204 No Content', 204, null],
    ['302 Found\r\nlocation: /elsewhere\r\ncontent-length: 0', 302, null],
    ['410 Gone\r\ncontent-length: 0', 410, null],
    ['500 Oops\r\ncontent-length: 2\r\n\r\nno', 500, null],
    ['429 Slow Down\r\nretry-after: 17\r\ncontent-length: 0', 429, 17],
    ['503 Busy\r\nretry-after: Sat, 21 Nov 2099 00:00:00 GMT\r\ncontent-length: 0', 503, 86_400],
    ['503 Busy\r\nretry-after: later\r\ncontent-length: 0', 503, null],
  ])('%j', async (head, status, retryAfterSeconds) => {
    const { url } = await receiverThat((socket) => socket.end(`HTTP/1.1 ${head}\r\n\r\n`));
    expect(await sender().post(url, {}, '{}')).toEqual({
      kind: 'answered',
      status,
      retryAfterSeconds,
      durationMs: expect.any(Number),
    });
  });

  const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
  const CREATED = 'HTTP/1.1 201 Created\r\ncontent-length: 3\r\n\r\nyes';
  test.each<[string, string[]]>([
    ['a 100', [CONTINUE, CREATED]],
    ['a 100 in the same packet', [CONTINUE + CREATED]],
    ['a 100 without a word', ['HTTP/1.1 100\r\n\r\n', CREATED]],
    ['a 100 with headers', ['HTTP/1.1 100 Continue\r\nserver: x\r\n\r\n', CREATED]],
    ['a 100 byte by byte', [...CONTINUE.split(''), CREATED]],
    [
      'several of them',
      [CONTINUE, CONTINUE, 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n', CONTINUE, CREATED],
    ],
    ['a 102', ['HTTP/1.1 102 Processing\r\n\r\n', CREATED]],
  ])('%s before it is not it', async (_what, parts) => {
    const receiver = await receiverThat((socket) => {
      socket.setNoDelay(true);
      void (async () => {
        for (const part of parts) {
          await new Promise<void>((resolve) => void socket.write(part, () => resolve()));
          await new Promise((resolve) => setImmediate(resolve));
        }
      })();
    });
    const sending = sender();
    for (const body of ['{"n":1}', '{"n":2}']) {
      expect(await sending.post(receiver.url, {}, body)).toMatchObject({ kind: 'answered', status: 201 });
    }
    expect(receiver.connections).toBe(1);
  });

  test('a 100 alone is none', async () => {
    const receiver = await receiverThat((socket) => socket.end(CONTINUE));
    const outcome = await sender().post(receiver.url, {}, '{}');
    expect(outcome).toMatchObject({
      kind: 'failed',
      reason: 'connection closed before the end of the answer',
    });
  });

  test.each([
    ['endless', (socket: Socket) => flood(socket, 'HTTP/1.1 200 OK\r\n\r\n', ZEROS)],
    ['announced as a gigabyte', says('200 OK\r\ncontent-length: 1000000000\r\n\r\n' + 'x'.repeat(16_385))],
    [
      'endless in chunks',
      (socket: Socket) => flood(socket, CHUNKED, Buffer.from(`ffff\r\n${'x'.repeat(65_535)}\r\n`)),
    ],
  ])('a body that is %s is cut off, and its connection closed', async (_what, answer) => {
    const receiver = await receiverThat(answer);
    const outcome = await sender().post(receiver.url, {}, '{}');
    expect(outcome).toMatchObject({ kind: 'answered', status: 200 });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(receiver.open.size).toBe(0);
    expect(receiver.connections).toBe(1);
    // Some bytes were under way on loopback; a reader without a limit takes hundreds of megabytes in this time.
    expect(receiver.sentBytes()).toBeLessThan(16_000_000);
  });

  test('a compressed body is not decompressed: its compressed size counts', async () => {
    const bomb = gzipSync(Buffer.alloc(12_000_000));
    expect(bomb.length).toBeLessThan(16_384);
    const { url } = await receiverThat((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`);
      socket.write(bomb);
    });
    const before = process.memoryUsage().arrayBuffers;
    expect(await sender().post(url, {}, '{}')).toMatchObject({ kind: 'answered', status: 200 });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4_000_000);
  });
});

describe('no whole answer in time is a failure', () => {
  test.each<[string, (socket: Socket) => void]>([
    ['says nothing', () => {}],
    ['drips its head', (socket) => drip(socket, 'HTTP/1.1 200 OK\r\nx: ', 'y')],
    ['drips its body', (socket) => drip(socket, 'HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n', 'y')],
    ['drips its chunks', (socket) => drip(socket, CHUNKED, '1\r\nx\r\n')],
    ['drips a chunk extension', (socket) => drip(socket, `${CHUNKED}1;`, 'x')],
    ['sends interim answers for ever', (socket) => drip(socket, '', 'HTTP/1.1 103 Early Hints\r\n\r\n')],
    ['says continue for ever', (socket) => drip(socket, '', 'HTTP/1.1 100 Continue\r\n\r\n')],
    ['stops in its body', says('200 OK\r\ncontent-length: 10\r\n\r\n123')],
  ])('a receiver that %s', async (_what, answer) => {
    const receiver = await receiverThat(answer);
    const outcome = await sender().post(receiver.url, {}, '{}');
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'not finished in 500 ms' });
    expect(outcome.durationMs).toBeGreaterThanOrEqual(TIMEOUT_MS - 20);
    expect(outcome.durationMs).toBeLessThan(SOON_MS);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(receiver.open.size).toBe(0);
    expect(receiver.connections).toBe(1);
  });

  test('a receiver that does not read the body', async () => {
    const receiver = await receiverThat((socket) => socket.pause());
    const outcome = await sender().post(receiver.url, {}, 'x'.repeat(20_000_000));
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'not finished in 500 ms' });
  });

  test('a name whose name servers are silent', async () => {
    const resolveHost = () => new Promise<string[]>(() => {});
    const outcome = await sender({ resolveHost }).post('http://receiver.example:8080/', {}, '{}');
    expect(outcome).toMatchObject({ kind: 'failed' });
    expect(outcome.durationMs).toBeLessThan(SOON_MS);
  });
});

describe('a broken answer is a failure with its reason', () => {
  test.each<[string, (socket: Socket) => void, string | RegExp]>([
    ['headers of 64 kB', says(`200 OK\r\nx: ${'y'.repeat(65_536)}`), 'answer with too large headers'],
    [
      'endless headers',
      (socket) => flood(socket, 'HTTP/1.1 200 OK\r\n', Buffer.from('a: b\r\n'.repeat(500))),
      'answer with too large headers',
    ],
    [
      'endless trailers',
      (socket) => flood(socket, `${CHUNKED}0\r\n`, Buffer.from('a: b\r\n'.repeat(500))),
      'answer with too large headers',
    ],
    ['no HTTP at all', (socket) => socket.write('SSH-2.0-OpenSSH_9.2\r\n'), 'not an HTTP answer'],
    [
      'an unwanted protocol',
      says('101 Switching Protocols\r\nupgrade: h2c\r\nconnection: upgrade'),
      /^connection/,
    ],
    ['a closed connection', (socket) => socket.end(), 'connection closed before the end of the answer'],
    ['a reset', (socket) => socket.resetAndDestroy(), 'connection reset'],
    [
      'a body cut short',
      (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n123'),
      'connection closed before the end of the answer',
    ],
  ])('%s', async (_what, answer, reason) => {
    const { url } = await receiverThat(answer);
    const outcome = await sender().post(url, {}, '{}');
    expect(outcome).toMatchObject({ kind: 'failed', reason: expect.stringMatching(reason) });
    expect(outcome.durationMs).toBeLessThan(SOON_MS);
  });

  test('nobody listening', async () => {
    const receiver = await startReceiver(OK);
    await receiver.close();
    expect(await sender().post(receiver.url, {}, '{}')).toMatchObject({
      kind: 'failed',
      reason: 'connection refused',
    });
  });

  test('a name that does not exist', async () => {
    const resolveHost = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));
    const outcome = await sender({ resolveHost }).post('http://receiver.example:8080/', {}, '{}');
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'host name not found' });
  });
});

test('the request is the body and the headers as given, to the path and query of the URL', async () => {
  const receiver = await receiverThat(OK);
  const url = `http://127.0.0.1:${receiver.port}/hook%20a?b=%C3%A7`;
  await sender().post(url, { 'content-type': 'application/json', 'webhook-id': 'evt_1' }, '{"a":"₦"}');
  expect(receiver.received.split('\r\n')).toEqual(
    expect.arrayContaining([
      'POST /hook%20a?b=%C3%A7 HTTP/1.1',
      `host: 127.0.0.1:${receiver.port}`,
      'content-type: application/json',
      'webhook-id: evt_1',
      'content-length: 11',
      Buffer.from('{"a":"₦"}').toString('latin1'),
    ]),
  );
});

describe('connections', () => {
  test('are kept for the next event to the same receiver', async () => {
    const receiver = await receiverThat(OK);
    const { post } = sender();
    for (let event = 0; event < 5; event += 1) await post(receiver.url, {}, '{}');
    expect(receiver.connections).toBe(1);
  });

  test('a slow answer does not hold up another event for the same receiver', async () => {
    let requests = 0;
    const receiver = await receiverThat((socket) => {
      if ((requests += 1) > 1) OK(socket);
    });
    const { post } = sender();
    const slow = post(receiver.url, {}, '{}');
    const quick = await Promise.all(Array.from({ length: 10 }, () => post(receiver.url, {}, '{}')));
    expect(quick.map(({ kind }) => kind)).toEqual(Array(10).fill('answered'));
    expect(await slow).toMatchObject({ kind: 'failed' });
  });

  test('no more than 64 stay open between events, and none after closing', async () => {
    const receivers: Receiver[] = [];
    for (let index = 0; index < 80; index += 1) receivers.push(await receiverThat(OK));
    const { post, close } = sender({ timeoutMs: 5_000 });
    const open = () => receivers.reduce((total, receiver) => total + receiver.open.size, 0);
    const settle = () => new Promise((resolve) => setTimeout(resolve, 200));

    const outcomes = await Promise.all(
      receivers.flatMap(({ url }) => [post(url, {}, '{}'), post(url, {}, '{}')]),
    );
    expect(outcomes.every(({ kind }) => kind === 'answered')).toBe(true);
    await settle();
    expect(open()).toBe(64);

    await close();
    await settle();
    expect(open()).toBe(0);
  });
});
