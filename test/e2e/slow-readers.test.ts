/** Callers that connect, ask and do not read cost the process bounded memory, and nobody else's service (D151). */
import { connect, type Socket } from 'node:net';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { apiForFile, partnerForFile } from '../support/scene';
import { startChild, type Child } from '../support/children';
import { requestText } from '../support/sockets';
import { TEST_SETTINGS } from '../support/settings';
import { until } from '../support/until';
import { TEST_CELLS } from '../setup/cells';

const { world, api } = apiForFile();
const partner = partnerForFile(api);

const CONNECTIONS = 100;

let child: Child;
const sockets: Socket[] = [];

beforeAll(async () => {
  child = await startChild('api', {
    ...TEST_SETTINGS,
    DATABASE_URL: world.databaseUrl,
    TEMPORAL_ADDRESS: '127.0.0.1:1',
    CELLS_PER_ENVIRONMENT: String(TEST_CELLS),
    // One more, for the others.
    HTTP_CONNECTIONS_MAX: String(CONNECTIONS + 1),
    // All of them come from here.
    HTTP_CONNECTIONS_PER_ADDRESS: String(2 * CONNECTIONS),
    // So that what the process has not cleared away yet is not taken for what it has to keep.
    NODE_OPTIONS: '--max-old-space-size=192 --max-semi-space-size=4',
  });
});

afterAll(() => child.kill());

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** The memory of the process, in megabytes. */
const memoryMb = (): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${String(child.pid)}/status`, 'utf8'))?.[1]) / 1_024;

/** How many sockets the process has open. */
function openSockets(): number {
  const folder = `/proc/${String(child.pid)}/fd`;
  return readdirSync(folder).filter((name) => {
    try {
      return readlinkSync(`${folder}/${name}`).startsWith('socket:');
    } catch {
      // It was closed after the folder was read.
      return false;
    }
  }).length;
}

const health = async (): Promise<number> =>
  (await fetch(`http://127.0.0.1:${String(child.port)}/health`, { headers: { Connection: 'close' } })).status;

/** Sends bytes over a connection of its own, and reads nothing. */
function ask(bytes: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(child.port, '127.0.0.1', () => socket.pause().write(bytes, () => resolve(socket)));
    socket.on('error', (error) => (socket.connecting ? reject(error) : undefined));
    sockets.push(socket);
  });
}

const STILL_MS = 1_000;

/**
 * Waits until the process has written what it can: its memory has not changed for some time. Meanwhile others are
 * served.
 * @returns the most memory that it had, in megabytes, and the most sockets once it had served others for some time.
 */
async function settled(): Promise<{ mb: number; sockets: number }> {
  const beganAt = performance.now();
  let last = { mb: 0, at: 0 };
  const most = { mb: 0, sockets: 0 };
  const look = async () => {
    expect(await health()).toBe(200);
    const now = { mb: memoryMb(), at: performance.now() };
    most.mb = Math.max(most.mb, now.mb);
    if (now.at - beganAt > STILL_MS) most.sockets = Math.max(most.sockets, openSockets());
    if (Math.abs(now.mb - last.mb) > 2) last = now;
    return now.at - last.at > STILL_MS ? most : null;
  };
  return until('the end of the writing', look);
}

test('six hundred slow readers hold a bounded part of the memory, others are served, and who does not read is cut off', async () => {
  const [source, dest] = [await partner.wallet({ fundKobo: 1_000_000 }), await partner.wallet()];
  const pay = (count: number) =>
    partner.post('/v1/transfers/p2p', {
      source_wallet: source,
      dest_wallet: dest,
      amount: 100,
      reference: `slow-${String(count)}`,
      metadata: { note: 'n'.repeat(16_000) },
    });
  for (let count = 0; count < 100; count += 10) {
    const made = await Promise.all(Array.from({ length: 10 }, (_, more) => pay(count + more)));
    expect(made.filter(({ status }) => status >= 300)).toEqual([]);
  }
  const list = requestText('GET', `/v1/wallets/${source}/transactions?limit=80`, [
    ['Authorization', `Bearer ${partner.key}`],
  ]);
  expect(await health()).toBe(200);
  const before = memoryMb();
  const socketsBefore = openSockets();
  // A hundred connections ask six times each, one request behind the other, for 1.3 MB.
  await Promise.all(Array.from({ length: CONNECTIONS }, () => ask(list.repeat(6))));
  const most = await settled();
  expect(most.mb - before).toBeLessThan(200);
  // On a busy machine the first ones are cut off while others are still written.
  expect(most.sockets).toBeGreaterThan(socketsBefore + 20);
  await until('the end of the slow connections', () => openSockets() < socketsBefore + 10);
});

test('connections that do nothing make room for others', async () => {
  const idle = requestText('GET', '/health', []);
  await Promise.all(Array.from({ length: CONNECTIONS + 20 }, () => ask(idle).catch(() => undefined)));
  await until('an answer', () => health().catch(() => null));
});
