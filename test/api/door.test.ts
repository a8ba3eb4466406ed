/** Strangers at the door of both ports: they keep no connection after a refusal, and one address never has all of them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/runtime/config';
import { connectionLimits } from '../../src/api/server';
import { openWorld, type TestApi, type World } from '../support/api';
import { TEST_SETTINGS } from '../support/settings';
import { requestText, sendRaw } from '../support/sockets';

let world: World;
let api: TestApi;

beforeAll(async () => {
  world = await openWorld();
  api = await world.startApi();
});
afterAll(() => world.close());

const ports = { partners: () => api.port, operators: () => api.operatorPort } as const;
type Port = keyof typeof ports;
const PORTS = Object.keys(ports) as Port[];

const DRIP_MS = 50;
/** The second that is left after the answer, and as much again for a busy machine. */
const GONE_WITHIN_MS = 2_500;

/** A client that sends a byte again and again, whatever it is answered, and never closes its half. */
function drip(port: number, first: string | Buffer, byte = 'x') {
  const socket: Socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let received = '';
  let answeredAt = 0;
  socket.on('error', () => undefined);
  const dripping = setInterval(() => socket.write(byte), DRIP_MS);
  const gone = new Promise<number>((resolve) => {
    socket.on('close', () => {
      clearInterval(dripping);
      resolve(performance.now() - answeredAt);
    });
  });
  const answered = new Promise<number>((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1');
      const status = /^HTTP\/1\.1 (\d{3})/.exec(received)?.[1];
      if (status === undefined) return;
      answeredAt ||= performance.now();
      resolve(Number(status));
    });
  });
  socket.write(first);
  return { answered, gone, text: () => received };
}

const attacks: [status: number, what: string, first: string, byte: string][] = [
  [400, 'what is no HTTP', 'nonsense\r\n\r\n', 'x'],
  [400, 'two Host headers', 'GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 'x'],
  [400, 'no Host header', 'GET /health HTTP/1.1\r\n\r\n', 'x'],
  [408, 'headers that never end', 'GET /health HTTP/1.1\r\nHost: a\r\nX-Slow: ', 'x'],
  [431, 'headers without a measure', `GET /health HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(20_000)}`, 'x'],
];

describe.each(PORTS)('at the port of %s', (port) => {
  test.each(attacks)(
    'a client that drips bytes after its %d is cut off (%s)',
    async (status, _what, ...sent) => {
      const attack = drip(ports[port](), ...sent);
      expect(await attack.answered).toBe(status);
      expect(await attack.gone).toBeLessThan(GONE_WITHIN_MS);
      expect(attack.text()).toContain('Cache-Control: no-store');
    },
  );

  test.each([
    ['another Host beside it', ['Host: localhost', 'Host: evil.example']],
    ['the same Host twice', ['Host: localhost', 'Host: localhost']],
    ['in other letters', ['Host: localhost', 'hOST: evil.example']],
    ['with HTTP/1.0', ['Host: localhost', 'Host: evil.example'], '1.0'],
  ])('%s is a 400', async (_what, hosts, version = '1.1') => {
    const answer = await sendRaw(
      ports[port](),
      `GET /health HTTP/${version}\r\n${hosts.join('\r\n')}\r\n\r\n`,
    );
    expect([answer.status, answer.body.error, answer.closed]).toEqual([400, 'VALIDATION_ERROR', true]);
  });
});

describe('what comes behind a refusal on its connection is not done', () => {
  const order = (key: string, user: string): string => {
    const body = JSON.stringify({ user_ref: user, name: 'Ada Obi' });
    const headers = [
      ['Authorization', `Bearer ${key}`],
      ['Content-Type', 'application/json'],
      ['Content-Length', String(Buffer.byteLength(body))],
    ] as const;
    return requestText('POST', '/v1/wallets', headers, body);
  };

  test.each([
    ['two Host headers', {}, 'GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 400],
    ['no Host header', {}, 'GET /health HTTP/1.1\r\n\r\n', 400],
    ['too many connections', { HTTP_CONNECTIONS_PER_ADDRESS: '1' }, '', 503],
  ])('after %s', async (_what, settings, first, status) => {
    const own = await world.startApi(settings);
    const { key, id } = await own.partner();
    const held = connect(own.port, '127.0.0.1');
    await new Promise((resolve) => held.once('connect', resolve));
    const attack = drip(own.port, first + order(key, 'not-done'));
    expect(await attack.answered).toBe(status);
    held.destroy();
    await attack.gone;
    // Another API makes a wallet later than the first one would have.
    const made = await api.call('POST', '/v1/wallets', { key, body: { user_ref: 'done', name: 'Ada Obi' } });
    expect(made.status).toBeLessThan(300);
    const wallets = await world.sql('SELECT user_ref FROM sandbox_0.wallets WHERE partner_id = $1', [id]);
    expect(wallets.map((row) => row['user_ref'])).toEqual(['done']);
  });
});

describe('the key and the mails of a local sandbox', () => {
  test.each([
    ['another name', { Host: 'evil.example' }],
    ['another name with the right port', { Host: 'evil.example:3000' }],
    ['a name that begins like this machine', { Host: 'localhost.evil.example' }],
    ['an address of the network', { Host: '192.168.1.7' }],
    ...[
      'X-Forwarded-For',
      'X-Forwarded-Host',
      'X-Forwarded-Proto',
      'Forwarded',
      'Via',
      'X-Real-IP',
      'CF-Connecting-IP',
      'True-Client-IP',
    ].map((name): [string, Record<string, string>] => [
      `a proxy with ${name}`,
      { Host: 'localhost', [name]: '203.0.113.7' },
    ]),
  ])('are not shown to %s', async (_what, headers) => {
    const folder = mkdtempSync(join(tmpdir(), 'wallet-door-'));
    const file = join(folder, 'sandbox.json');
    writeFileSync(file, JSON.stringify({ sandbox_key: 'sk_test_of_the_local_sandbox' }));
    const local = await world.startApi({ DOCS_KEY_FILE: file, MAIL_FOLDER: folder });
    const ask = (path: string, sent: object) =>
      sendRaw(
        local.port,
        `GET ${path} HTTP/1.1\r\n${Object.entries(sent)
          .map(([name, value]) => `${name}: ${String(value)}\r\n`)
          .join('')}\r\n`,
      );
    expect((await ask('/docs/key.json', { Host: 'localhost' })).body).toEqual({
      key: 'sk_test_of_the_local_sandbox',
    });
    expect((await ask('/docs/key.json', headers)).body).toEqual({ key: null });
    expect((await ask('/mails', headers)).status).toBe(404);
    await local.stop();
    rmSync(folder, { recursive: true });
  });
});

test('a client that drips a body after its 413 is cut off', async () => {
  const { key } = await api.partner();
  const headers = [
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    'Content-Length: 90000000',
  ];
  const attack = drip(
    api.port,
    `POST /v1/transfers/p2p HTTP/1.1\r\nHost: localhost\r\n${headers.join('\r\n')}\r\n\r\n{`,
  );
  expect(await attack.answered).toBe(413);
  expect(await attack.gone).toBeLessThan(GONE_WITHIN_MS);
});

test('slots that strangers drip into are free again a second after their 408', async () => {
  const few = await world.startApi({ HTTP_CONNECTIONS_MAX: '12', HTTP_CONNECTIONS_PER_ADDRESS: '12' });
  for (const port of [few.port, few.operatorPort]) {
    const attacks = Array.from({ length: 12 }, () => drip(port, 'GET / HTTP/1.1\r\nHost: a\r\nX-Slow: '));
    expect(await Promise.all(attacks.map((one) => one.answered))).toEqual(attacks.map(() => 408));
    await Promise.all(attacks.map((one) => one.gone));
    const answer = await sendRaw(port, requestText('GET', '/nothing', []));
    expect(answer.status).toBeGreaterThanOrEqual(401);
  }
});

describe('the connections of one address', () => {
  test('beyond the limit are answered 503 and closed, at both ports, and those below it serve on', async () => {
    const few = await world.startApi({ HTTP_CONNECTIONS_PER_ADDRESS: '2' });
    for (const port of [few.port, few.operatorPort]) {
      const held = [1, 2].map(() => connect(port, '127.0.0.1'));
      await Promise.all(held.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
      const attack = drip(port, requestText('GET', '/health', []));
      expect(await attack.answered).toBe(503);
      expect(attack.text()).toContain('Retry-After: 1');
      expect(await attack.gone).toBeLessThan(GONE_WITHIN_MS);
      const gone = new Promise((resolve) => held[0]?.once('close', resolve));
      held[0]?.destroy();
      await gone;
      // The place is free as soon as the server has seen the end of the connection.
      let status = 503;
      while (status === 503) ({ status } = await sendRaw(port, requestText('GET', '/nothing', [])));
      expect(status).toBeGreaterThanOrEqual(401);
      held[1]?.destroy();
    }
  });

  const limits = (more: Record<string, string>, proxies: number) =>
    connectionLimits(readConfig({ ...TEST_SETTINGS, DATABASE_URL: world.databaseUrl, ...more }), proxies);

  test.each([
    [{}, 0, { connectionsMax: 2_000, perAddressMax: 1_000 }],
    [{ HTTP_CONNECTIONS_MAX: '50' }, 0, { connectionsMax: 50, perAddressMax: 25 }],
    [{ HTTP_CONNECTIONS_MAX: '1' }, 0, { connectionsMax: 1, perAddressMax: 1 }],
    [{ HTTP_CONNECTIONS_PER_ADDRESS: '7' }, 0, { connectionsMax: 2_000, perAddressMax: 7 }],
    // All of them are connections of the proxy.
    [{ HTTP_CONNECTIONS_PER_ADDRESS: '7' }, 1, { connectionsMax: 2_000, perAddressMax: null }],
  ])('with %j behind %d proxies are %j', (settings, proxies, expected) => {
    expect(limits(settings, proxies)).toEqual(expected);
  });

  test('are not limited where they are those of a proxy in front', async () => {
    const behind = await world.startApi({ HTTP_CONNECTIONS_PER_ADDRESS: '1', TRUST_PROXY: '1' });
    const held = connect(behind.port, '127.0.0.1');
    await new Promise((resolve) => held.once('connect', resolve));
    expect((await behind.call('GET', '/health')).status).toBe(200);
    held.destroy();
  });
});

describe('an address that a proxy forwards with a port', () => {
  const SAME = ['198.51.100.7', '198.51.100.7:5678', '::ffff:198.51.100.7', '[::ffff:198.51.100.7]:443'];
  const SAME6 = ['2001:db8::1', '[2001:db8::1]', '[2001:db8::1]:5678'];

  test.each([
    ['198.51.100.0/24', SAME, 200],
    ['2001:db8::/64', SAME6, 200],
    ['198.51.100.0/24', ['203.0.113.9:198', '198.51.100.7:x', '198.51.100.7:5678:1', '[198.51.100.7'], 403],
  ])('is the address without it, for a key that is bound to %s', async (cidr, forwarded, status) => {
    const behind = await world.startApi({ TRUST_PROXY: '1' });
    const { id } = await behind.partner();
    const token = await behind.token(id);
    const made = await behind.call('POST', '/v1/api-keys', {
      key: token,
      body: { name: 'bound', allowed_cidrs: [cidr] },
    });
    const key = made.body.data.key;
    for (const address of forwarded) {
      const answer = await behind.call('GET', '/v1/webhooks', {
        key,
        headers: { 'X-Forwarded-For': address },
      });
      expect([address, answer.status]).toEqual([address, status]);
    }
  });
});

describe('answers about people and money are kept by nobody', () => {
  test('whether they are good or refused, at both ports', async () => {
    const partner = await api.partner();
    const { key } = partner;
    const wallet = await partner.wallet();
    const operator = await api.operator();
    const asked: [port: number, path: string, headers: Record<string, string>][] = [
      [api.port, '/v1/wallets', { Authorization: `Bearer ${key}` }],
      [api.port, '/v1/wallets?limit=0', { Authorization: `Bearer ${key}` }],
      [api.port, '/v1/wallets', {}],
      [api.port, '/v1/nothing', { Authorization: `Bearer ${key}` }],
      [api.port, '/v1/auth/login', {}],
      ...['csv', 'pdf', 'json'].map((format): (typeof asked)[number] => [
        api.port,
        `/v1/wallets/${wallet}/statement?from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z&format=${format}`,
        { Authorization: `Bearer ${partner.key}` },
      ]),
      [api.operatorPort, '/ops/partners', { Authorization: `Bearer ${operator.token}` }],
      [api.operatorPort, '/ops/partners/x', { Authorization: `Bearer ${operator.token}` }],
      [api.operatorPort, '/ops/partners', {}],
    ];
    for (const [port, path, headers] of asked) {
      const answer = await fetch(`http://127.0.0.1:${String(port)}${path}`, { headers });
      if (path.includes('format=')) expect([path, answer.status]).toEqual([path, 200]);
      expect([path, answer.status, answer.headers.get('Cache-Control')]).toEqual([
        path,
        answer.status,
        'no-store',
      ]);
    }
  });
});
