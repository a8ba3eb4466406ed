/** The addresses that the sender can reach: under the live rules there is no way to a loopback canary. */
import { once } from 'node:events';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { childEnvironment } from '../../../src/runtime/config';
import type { AddressRules } from '../../../src/providers/webhooks/address-guard';
import { guardedConnector } from '../../../src/providers/webhooks/connector';
import { guardSelfTest } from '../../../src/providers/webhooks/self-test';
import { createWebhookSender } from '../../../src/providers/webhooks/sender';
import { startReceiver, type Receiver } from './receivers';

const LIVE: AddressRules = { allowPrivate: false, httpsOnly: true };
const SANDBOX: AddressRules = { allowPrivate: false, httpsOnly: false };
const DEVELOPMENT: AddressRules = { allowPrivate: true, httpsOnly: false };
const BLOCKED = { kind: 'blocked', reason: 'leads to an address that webhooks are not sent to' };
const certificates = join(__dirname, '../../certificates');

let canary: Receiver;
beforeEach(async () => {
  canary = await startReceiver((socket) =>
    socket.end('HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n'),
  );
});
afterEach(() => canary.close());

/** Posts once to a host name that has these addresses. */
async function postTo(host: string, rules: AddressRules, addresses: readonly string[]) {
  const resolveHost = () => Promise.resolve(addresses);
  const sender = createWebhookSender({ rules, timeoutMs: 1_000, resolveHost });
  const scheme = rules.httpsOnly ? 'https' : 'http';
  try {
    return await sender.post(`${scheme}://${host}:${canary.port}/`, {}, '{}');
  } finally {
    await sender.close();
  }
}

test('the canary can be reached where loopback is allowed', async () => {
  expect(await postTo('receiver.example', DEVELOPMENT, ['127.0.0.1'])).toMatchObject({ status: 204 });
  expect(canary.connections).toBe(1);
});

const ways: [string, string[]][] = [
  ['127.0.0.1', []],
  ['2130706433', []],
  ['0x7f.1', []],
  ['[::ffff:7f00:1]', []],
  ['[::1]', []],
  ['0.0.0.0', []],
  ['localhost', ['8.8.8.8']],
  ['hook.localhost', ['8.8.8.8']],
  ['receiver.example', ['127.0.0.1']],
  ['receiver.example', ['::1']],
  ['receiver.example', ['::ffff:127.0.0.1']],
  ['receiver.example', ['8.8.8.8', '127.0.0.1']],
  ['receiver.example', ['2606:4700:4700::1111', '::ffff:7f00:1']],
  ['receiver.example', ['0.0.0.0']],
  ['metadata.google.internal', ['169.254.169.254']],
];
describe.each([
  ['live', LIVE],
  ['sandbox', SANDBOX],
])('%s', (_name, rules) => {
  test.each(ways)('https or http to %s, of addresses %j, is blocked', async (host, addresses) => {
    expect(await postTo(host, rules, addresses)).toMatchObject(BLOCKED);
    expect(canary.connections).toBe(0);
  });
});

test.each(['169.254.169.254', 'fe80::1', '0.0.0.0', 'fd00:ec2::254'])(
  'a name that leads to %s is blocked on a developer machine too',
  async (address) => {
    expect(await postTo('receiver.example', DEVELOPMENT, ['127.0.0.1', address])).toMatchObject(BLOCKED);
    expect(canary.connections).toBe(0);
  },
);

test('a redirect to the canary is an answer and is not followed', async () => {
  const head = `HTTP/1.1 307 Temporary Redirect\r\nlocation: ${canary.url}\r\ncontent-length: 0\r\n\r\n`;
  const receiver = await startReceiver((socket) => socket.write(head));
  const sender = createWebhookSender({ rules: DEVELOPMENT, timeoutMs: 1_000 });
  expect(await sender.post(receiver.url, {}, '{}')).toMatchObject({ kind: 'answered', status: 307 });
  expect(canary.connections).toBe(0);
  await sender.close();
  await receiver.close();
});

test('a name that changes to a forbidden address is blocked at the next connection', async () => {
  const answers = [['127.0.0.1'], ['169.254.169.254']];
  const resolveHost = () => Promise.resolve(answers.shift() ?? []);
  const sender = createWebhookSender({ rules: DEVELOPMENT, timeoutMs: 1_000, resolveHost });
  const url = `http://receiver.example:${canary.port}/`;
  expect(await sender.post(url, {}, '{}')).toMatchObject({ kind: 'answered' });
  expect(await sender.post(url, {}, '{}')).toMatchObject(BLOCKED);
  await sender.close();
});

describe('the connector by itself', () => {
  function open(hostname: string, rules: AddressRules, protocol: string): Promise<Error | null> {
    const connector = guardedConnector(rules, () => Promise.resolve(['127.0.0.1']), 1_000);
    const port = String(canary.port);
    return new Promise((resolve) => {
      connector({ hostname, host: `${hostname}:${port}`, protocol, port }, (...[error]) => resolve(error));
    });
  }

  test.each([
    '127.0.0.1',
    '::1',
    '::ffff:127.0.0.1',
    '[::ffff:7f00:1]',
    'localhost',
    'localhost.',
    '0.0.0.0',
    'a.name',
  ])('opens no connection to %s', async (hostname) => {
    for (const protocol of ['http:', 'https:']) {
      expect(await open(hostname, LIVE, protocol)).toMatchObject({ code: 'BLOCKED_ADDRESS' });
    }
    expect(canary.connections).toBe(0);
  });

  test('closes a socket that is connected to a forbidden address, before a byte is written', async () => {
    // The rules allow the address when it is resolved, and forbid it when the socket is connected.
    const verdicts: boolean[] = [];
    const rules = {
      httpsOnly: false,
      get allowPrivate() {
        return verdicts.shift() ?? false;
      },
    };
    for (const protocol of ['http:', 'https:']) {
      verdicts.push(true, false);
      expect(await open('127.0.0.1', rules, protocol)).toMatchObject({ code: 'BLOCKED_ADDRESS' });
      expect(verdicts).toEqual([]);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(canary.connections).toBe(2);
    expect(canary.open.size).toBe(0);
    expect(canary.received).toBe('');
  });
});

describe('over TLS', () => {
  const server = createServer(
    {
      key: readFileSync(join(certificates, 'receiver.key')),
      cert: readFileSync(join(certificates, 'receiver.pem')),
    },
    (request, response) => response.writeHead(request.headers['webhook-id'] === 'evt_1' ? 202 : 400).end(),
  );
  beforeAll(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const urlOf = (host: string) => `https://${host}:${(server.address() as AddressInfo).port}/`;

  test('a certificate without a trusted issuer is a failure', async () => {
    const resolveHost = () => Promise.resolve(['127.0.0.1']);
    const sender = createWebhookSender({ rules: DEVELOPMENT, timeoutMs: 1_000, resolveHost });
    const outcome = await sender.post(urlOf('receiver.example'), {}, '{}');
    expect(outcome).toMatchObject({ kind: 'failed', reason: expect.stringContaining('CERT') });
    await sender.close();
  });

  // Node reads extra trusted certificates when a process starts, so the test starts another process.
  test.each([
    ['receiver.example', { kind: 'answered', status: 202 }],
    ['receiver.example.', { kind: 'answered', status: 202 }],
    ['other.example', { kind: 'failed', reason: expect.stringContaining('ALTNAME') }],
    ['127.0.0.1', { kind: 'failed', reason: expect.stringContaining('ALTNAME') }],
  ])('a trusted certificate of receiver.example, asked for as %s', async (host, outcome) => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--import', 'tsx', require.resolve('./post-once'), urlOf(host)],
      { env: childEnvironment({ NODE_EXTRA_CA_CERTS: join(certificates, 'receiver.pem') }) },
    );
    expect(JSON.parse(stdout)).toMatchObject(outcome);
  });

  test('a receiver that never finishes the TLS handshake fails in time', async () => {
    const silent = await startReceiver(() => {});
    const sender = createWebhookSender({ rules: DEVELOPMENT, timeoutMs: 400 });
    const outcome = await sender.post(`https://127.0.0.1:${silent.port}/`, {}, '{}');
    expect(outcome).toMatchObject({ kind: 'failed' });
    expect(outcome.durationMs).toBeLessThan(800);
    await sender.close();
    await silent.close();
  });
});

test('the self-test of the worker passes with the present guard', async () => {
  await expect(guardSelfTest()).resolves.toBeUndefined();
});
