/** What the SDK does when answers are lost, late or refused, against a real server that loses them. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConnectionError, NotFoundError, ServerError, TimeoutError, WalletClient } from '../../../sdk/src';
import type { Call } from '../../../sdk/src';
import { until } from '../../support/until';

/** What the server does with one try: an answer, no answer ever, or the end of the connection. */
type Deed = { status: number; code?: string; headers?: Record<string, string> } | 'silence' | 'hang up';

const OK: Deed = { status: 200 };
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A server that does these deeds in turn, and the keys of the tries that it got. */
async function serverOf(...deeds: Deed[]) {
  const keys: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    keys.push(request.headers['idempotency-key'] as string | undefined);
    const deed = deeds[keys.length - 1] ?? OK;
    if (deed === 'silence') return;
    if (deed === 'hang up') return void request.socket.destroy();
    const error = { error: deed.code ?? 'SERVICE_UNAVAILABLE', message: 'no', meta: {} };
    const body = deed.status < 300 ? { data: { id: 'one' }, meta: {} } : error;
    response.writeHead(deed.status, {
      'content-type': 'application/json',
      'retry-after': '0',
      ...deed.headers,
    });
    response.end(deed.status === 204 ? '' : JSON.stringify(body));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return { keys, wallet: new WalletClient({ apiKey: 'sk_test_x', baseUrl, timeoutMs: 300 }) };
}

const P2P = { source_wallet: 'a', dest_wallet: 'b', amount: 1, reference: 'r' };
const keyed = (wallet: WalletClient): Call<unknown> => wallet.transfers.p2p(P2P);
const safe = (wallet: WalletClient): Call<unknown> => wallet.wallets.get('a');
const frozen = (wallet: WalletClient): Call<unknown> => wallet.wallets.freeze('a');
const never = (wallet: WalletClient): Call<unknown> => wallet.wallets.setPin('a', { pin: '4821' });

/** Those that the sandbox does not do when asked; `specification/sdk` meets its faults. */
const LOST: readonly Deed[] = [{ status: 500 }, { status: 409, code: 'REQUEST_IN_PROGRESS' }];
const nameOf = (deed: Deed): string =>
  typeof deed === 'string' ? deed : `${String(deed.status)} ${deed.code ?? ''}`;

describe.each([
  ['key', keyed],
  ['safe', safe],
  ['safe', frozen],
] as const)('an operation that is repeated: %s', (_retry, call) => {
  test.each(LOST.map((deed) => [nameOf(deed), deed] as const))('after %s', async (_name, deed) => {
    const { keys, wallet } = await serverOf(deed, OK);
    await expect(call(wallet)).resolves.toEqual({ id: 'one' });
    expect(keys).toHaveLength(2);
  });
});

test.each(LOST.map((deed) => [nameOf(deed), deed] as const))(
  'an operation that must not be repeated is sent once: %s',
  async (_name, deed) => {
    const { keys, wallet } = await serverOf(deed, OK);
    await expect(never(wallet)).rejects.toThrow();
    expect(keys).toHaveLength(1);
  },
);

test.each([
  [401, 'INVALID_TOKEN', 'AuthenticationError'],
  [403, 'FORBIDDEN', 'PermissionError'],
  [404, 'NOT_FOUND', 'NotFoundError'],
  [409, 'DUPLICATE_REFERENCE', 'ConflictError'],
  [413, 'PAYLOAD_TOO_LARGE', 'RefusedError'],
  [422, 'INSUFFICIENT_FUNDS', 'RefusedError'],
])('a %s %s is not repeated, and thrown as %s', async (status, code, name) => {
  const { keys, wallet } = await serverOf({ status, code });
  await expect(keyed(wallet)).rejects.toMatchObject({ name, status, code });
  expect(keys).toHaveLength(1);
});

test('all tries of one call have one key, and two calls have two', async () => {
  const { keys, wallet } = await serverOf('hang up', { status: 503 }, OK, OK);
  await keyed(wallet);
  await keyed(wallet);
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect([keys[1], keys[2]]).toEqual([keys[0], keys[0]]);
  expect(keys[3]).not.toBe(keys[0]);
});

test("the caller's own key is kept", async () => {
  const { keys, wallet } = await serverOf({ status: 503 }, OK);
  await wallet.transfers.p2p(P2P, { idempotencyKey: 'order-7' });
  expect(keys).toEqual(['order-7', 'order-7']);
});

test('there are two further tries, and then the last failure', async () => {
  const { keys, wallet } = await serverOf({ status: 500 }, { status: 500 }, { status: 503 });
  await expect(safe(wallet)).rejects.toBeInstanceOf(ServerError);
  expect(keys).toHaveLength(3);
});

test('each try has a time limit of its own', async () => {
  const { keys, wallet } = await serverOf('silence', 'silence', 'silence');
  await expect(safe(wallet)).rejects.toBeInstanceOf(TimeoutError);
  expect(keys).toHaveLength(3);
});

test('what a first try has deleted is deleted; what was never there is not', async () => {
  const lost = await serverOf('hang up', { status: 404, code: 'NOT_FOUND' });
  await expect(lost.wallet.webhooks.delete('a')).resolves.toBeNull();
  const absent = await serverOf({ status: 404, code: 'NOT_FOUND' });
  await expect(absent.wallet.webhooks.delete('a')).rejects.toBeInstanceOf(NotFoundError);
});

test('a caller who ends the call is not kept waiting by its repeats', async () => {
  const { keys, wallet } = await serverOf({ status: 503, headers: { 'retry-after': '30' } }, OK);
  const caller = new AbortController();
  const ended = wallet.wallets.get('a', { signal: caller.signal });
  await until('the first try', () => keys.length > 0);
  // By now its answer has come, and the SDK waits for half a minute.
  await sleep(50);
  caller.abort();
  await expect(ended).rejects.toMatchObject({ name: 'AbortError' });
  expect(keys).toHaveLength(1);
});

test('no error tells the key or the body', async () => {
  const { wallet } = await serverOf('hang up');
  const error = await wallet.wallets.setPin('a', { pin: '4821' }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ConnectionError);
  expect(JSON.stringify(error) + String(error)).not.toMatch(/sk_test|4821/);
});
