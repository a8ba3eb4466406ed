/** The stream of the SDK over breaks, repeats and refusals, against a real server that makes them. */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { WalletClient, type StreamOptions } from '../../../sdk/src';

/** What the server does with one connection: a refusal, or texts, after which it ends the connection. */
type Deed = { status: number; code?: string } | string[];

/** As the last text of a connection: the server keeps it open and says no more. */
const QUIET = ': quiet\n\n';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const message = (event: string, id: string, data: object): string =>
  `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
const READY = message('ready', 'place-0', { environment: 'sandbox', streams: 1 });
const event = (number: number): string =>
  message('kyc.verified', `id-${String(number)}`, {
    event: 'kyc.verified',
    webhook_id: `wh_${String(number)}`,
  });

async function serverOf(...deeds: Deed[]) {
  const asked: { url: string; headers: IncomingHttpHeaders }[] = [];
  const server = createServer((request, response) => {
    asked.push({ url: request.url!, headers: request.headers });
    const deed = deeds[asked.length - 1];
    if (!deed) return;
    if (Array.isArray(deed)) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const text of deed) response.write(text);
      if (deed.at(-1) !== QUIET) setTimeout(() => request.socket.destroy(), 50);
    } else {
      const error = { error: deed.code ?? 'SERVICE_UNAVAILABLE', message: 'no', meta: {} };
      response.writeHead(deed.status, { 'content-type': 'application/json' }).end(JSON.stringify(error));
    }
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return { asked, wallet: new WalletClient({ apiKey: 'sk_test_x', baseUrl }) };
}

/** The ids of the first events. */
async function first(count: number, wallet: WalletClient, options?: StreamOptions): Promise<string[]> {
  const ids: string[] = [];
  for await (const one of wallet.events.stream(options)) {
    ids.push(one.id);
    if (ids.length === count) break;
  }
  return ids;
}

test('goes on behind the last id, and gives what comes again only once', async () => {
  const { asked, wallet } = await serverOf(
    [READY, event(1), event(2), event(3).slice(0, 20)],
    [READY, event(2), event(1), event(3)],
  );
  expect(await first(3, wallet, { events: ['kyc.verified', 'kyc.failed'], since: 'id-0' })).toEqual([
    'id-1',
    'id-2',
    'id-3',
  ]);
  expect(asked.map(({ url }) => decodeURIComponent(url))).toEqual([
    '/v1/events/stream?events=kyc.verified,kyc.failed&since=id-0',
    '/v1/events/stream?events=kyc.verified,kyc.failed',
  ]);
  expect(asked.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, 'id-2']);
});

test('goes on from the place of a ping, and reads a message that comes in parts', async () => {
  const [head, tail] = [event(1).slice(0, 30), event(1).slice(30)];
  const { asked, wallet } = await serverOf([READY, ': ping\nid: place-1\n\n'], [READY, head, tail]);
  expect(await first(1, wallet)).toEqual(['id-1']);
  expect(asked[1]!.headers['last-event-id']).toBe('place-1');
});

test.each<[string, Deed[]]>([
  ['503', [{ status: 503 }, [event(1)]]],
  ['429', [{ status: 429, code: 'RATE_LIMIT_EXCEEDED' }, [event(1)]]],
  ['a stream that is still counted', [[READY], { status: 422, code: 'LIMIT_EXCEEDED' }, [event(1)]]],
])('opens again after %s', async (_what, deeds) => {
  const { wallet } = await serverOf(...deeds);
  expect(await first(1, wallet)).toEqual(['id-1']);
});

test.each<[string, Deed[], name: string]>([
  ['a wrong key', [{ status: 401, code: 'INVALID_TOKEN' }], 'AuthenticationError'],
  ['too many streams', [{ status: 422, code: 'LIMIT_EXCEEDED' }], 'RefusedError'],
  ['a key that has ended', [[READY], { status: 401, code: 'INVALID_TOKEN' }], 'AuthenticationError'],
])('ends with the refusal of %s', async (_what, deeds, name) => {
  const { wallet } = await serverOf(...deeds);
  await expect(first(1, wallet)).rejects.toMatchObject({ name });
});

test('tells what the platform says of the stream, and ends when its signal says so', async () => {
  const { wallet } = await serverOf([READY, message('gap', 'place-0', { kept_since: 'then' }), event(1)]);
  const ended = new AbortController();
  const notices: unknown[] = [];
  const options = { signal: ended.signal, onNotice: (notice: unknown) => notices.push(notice) };
  for await (const _one of wallet.events.stream(options)) ended.abort();
  expect(notices).toEqual([
    { notice: 'ready', data: { environment: 'sandbox', streams: 1 } },
    { notice: 'gap', data: { kept_since: 'then' } },
  ]);
});

test('ends and closes a quiet connection when its signal says so, after its request was collected as garbage', async () => {
  const { wallet } = await serverOf([READY, QUIET]);
  const closed = new Promise<void>((resolve) =>
    servers[0]!.once('connection', (socket) => socket.once('close', () => resolve())),
  );
  const ended = new AbortController();
  const { signal } = ended;
  let read: Promise<string[]> | undefined;
  await new Promise<void>((resolve) => {
    read = first(1, wallet, { signal, onNotice: () => resolve() });
  });
  for (let round = 0; round < 5; round++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    collectGarbage();
  }
  ended.abort();
  expect(await read).toEqual([]);
  await closed;
});
