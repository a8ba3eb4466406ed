/** What is no answer of the platform is not taken for one: pages of proxies, redirects, empty and cut answers and files. */
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { readFileSync } from 'node:fs';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import { ConnectionError, NotFoundError, UnreadableAnswerError, WalletClient } from '../../../sdk/src';

type Deed = (response: ServerResponse) => void;

const servers: (Server & { closeAllConnections(): void })[] = [];
// Repeats wait, so the tests of this file run at the same time.
afterAll(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

const send =
  (status: number, type: string | null, body: string, more: Record<string, string> = {}): Deed =>
  (response) =>
    response
      .writeHead(status, { ...(type !== null && { 'content-type': type }), 'retry-after': '0', ...more })
      .end(body);
const json = (body: unknown): Deed => send(200, 'application/json', JSON.stringify(body));
const PAGE = '<html><title>Sign in</title>sk_test_x</html>';
const page = (status: number): Deed => send(status, 'text/html; charset=utf-8', PAGE);
const GOOD = json({ data: { id: 'one' }, meta: {} });

/** A server that does these deeds in turn, then the last one again, and the keys of the tries that it got. */
async function serverOf(...deeds: Deed[]) {
  const keys: (string | undefined)[] = [];
  const act: RequestListener = (request, response) => {
    keys.push(request.headers['idempotency-key'] as string | undefined);
    request.resume().once('end', () => (deeds[keys.length - 1] ?? deeds.at(-1)!)(response));
  };
  const server = createServer(act);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return { keys, baseUrl, client: new WalletClient({ apiKey: 'sk_test_x', baseUrl, timeoutMs: 2_000 }) };
}

const P2P = { source_wallet: 'a', dest_wallet: 'b', amount: 1, reference: 'r' };
const pay = (client: WalletClient): PromiseLike<unknown> => client.transfers.p2p(P2P);
const get = (client: WalletClient): PromiseLike<unknown> => client.wallets.get('a');
const setPin = (client: WalletClient): PromiseLike<unknown> => client.wallets.setPin('a', { pin: '4821' });
const remove = (client: WalletClient): PromiseLike<unknown> => client.webhooks.delete('a');
const list = (client: WalletClient): PromiseLike<unknown> => client.wallets.list().page();
const fund = (client: WalletClient): PromiseLike<unknown> => client.sandbox.fund('a', { amount_kobo: 1 });

const WRONG: [string, Deed, says: RegExp][] = [
  ['the page of a proxy', page(200), /HTTP 200 with text\/html/],
  ['an empty body', send(200, 'application/json', ''), /an empty body/],
  ['JSON that was cut', send(200, 'application/json', '{"data":{"id":"on'), /JSON that was cut/],
  ['JSON of another service', json({ ok: true }), /other JSON/],
  ['null', json(null), /JSON/],
  ['a list', json([]), /other JSON/],
  ['a text', json('done'), /JSON/],
  ['data without meta', json({ data: { id: 'one' } }), /other JSON/],
  ['an envelope without data', json({ data: null, meta: {} }), /other JSON/],
  ['no content', (response) => response.writeHead(204).end(), /HTTP 204 with an empty body/],
  ['half of a body', send(206, 'application/json', '{"data":'), /HTTP 206/],
  [
    'a redirect to a login',
    send(302, null, '', { location: 'https://login.example/?t=secret' }),
    /a redirect to login\.example/,
  ],
  ['a redirect that is followed with a GET', send(303, 'text/html', PAGE, { location: '/' }), /a redirect/],
  ['a redirect for good', send(308, null, '', { location: 'http://127.0.0.1:9/' }), /a redirect/],
  ['a page that says 404', page(404), /HTTP 404 with text\/html/],
  ['a page that says 403', page(403), /HTTP 403 with text\/html/],
  ['an answer of another API that says 401', send(401, 'application/json', '{"detail":"no"}'), /HTTP 401/],
];

describe.each(WRONG)('%s', (_what, wrong, says) => {
  test.concurrent('is not the answer to a payment: it is sent again with the same key', async () => {
    const { keys, client } = await serverOf(wrong, GOOD);
    expect(await pay(client)).toEqual({ id: 'one' });
    expect(keys).toEqual([expect.any(String), keys[0]]);
  });

  test.concurrent('ends as an error of its own class, which says what came and no secret', async () => {
    const { baseUrl } = await serverOf(wrong);
    const client = new WalletClient({ apiKey: 'sk_test_x', baseUrl, maxRetries: 0 });
    const error = await Promise.resolve(pay(client)).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UnreadableAnswerError);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(String(error)).toMatch(says);
    expect(String(error)).toMatch(
      /^UnreadableAnswerError: POST http:\/\/127\.0\.0\.1:\d+\/v1\/transfers\/p2p/,
    );
    expect(String(error) + JSON.stringify(error)).not.toMatch(/sk_test|secret/);
  });

  test.concurrent('is not repeated where that could do harm', async () => {
    const { keys, client } = await serverOf(wrong, GOOD);
    await expect(setPin(client)).rejects.toBeInstanceOf(UnreadableAnswerError);
    expect(keys).toHaveLength(1);
  });
});

const LIST = { data: [], meta: { next_cursor: null } };
test.concurrent.each<[string, typeof pay, Deed, good: Deed]>([
  ['a page instead of no content', remove, page(200), (response) => response.writeHead(204).end()],
  [
    'an empty 200 instead of no content',
    remove,
    send(200, null, ''),
    (response) => response.writeHead(204).end(),
  ],
  ['a list without the place to go on', list, json({ data: [], meta: {} }), json(LIST)],
  ['a list that is none', list, json({ data: {}, meta: { next_cursor: null } }), json(LIST)],
  ['an object without its fields', fund, json({}), json({ wallet_id: 'a' })],
  ['a page instead of a wallet', get, page(200), GOOD],
])('%s is asked for again', async (_what, call, wrong, good) => {
  const { keys, client } = await serverOf(wrong, good);
  await call(client);
  expect(keys).toHaveLength(2);
  const always = await serverOf(wrong);
  await expect(call(always.client)).rejects.toBeInstanceOf(UnreadableAnswerError);
});

test.concurrent('what a proxy does not find was not deleted', async () => {
  const { client } = await serverOf((response) => response.destroy(), page(404));
  await expect(remove(client)).rejects.toBeInstanceOf(UnreadableAnswerError);
  const notFound = send(404, 'application/json', '{"error":"NOT_FOUND","message":"no","meta":{}}');
  const other = await serverOf(notFound);
  await expect(remove(other.client)).rejects.toBeInstanceOf(NotFoundError);
});

describe('a stream', () => {
  const EVENT = { event: 'kyc.verified', webhook_id: 'wh_1' };
  const stream: Deed = send(200, 'text/event-stream', `id: 1\nevent: e\ndata: ${JSON.stringify(EVENT)}\n\n`);
  const first = async (client: WalletClient): Promise<unknown> => {
    for await (const { event } of client.events.stream()) return event;
    return null;
  };

  test.concurrent.each([
    ['a page', page(200)],
    ['a redirect', send(302, null, '', { location: '/login' })],
    ['JSON', GOOD],
  ])('that is %s is none', async (_what, wrong) => {
    const { client } = await serverOf(wrong);
    await expect(first(client)).rejects.toBeInstanceOf(UnreadableAnswerError);
  });

  test.concurrent('by calls that wait ends with a page that has no place to go on', async () => {
    const { client } = await serverOf(json(LIST));
    await expect(client.events.poll().next()).rejects.toBeInstanceOf(UnreadableAnswerError);
  });

  test.concurrent('that was open is opened again after a page', async () => {
    const ready = send(200, 'text/event-stream', 'id: 0\nevent: ready\ndata: {}\n\n');
    const { keys, client } = await serverOf(ready, page(200), stream);
    expect(await first(client)).toEqual(EVENT);
    expect(keys).toHaveLength(3);
  });

  test.concurrent('with a message that is no JSON is opened again', async () => {
    const cut = send(
      200,
      'text/event-stream',
      'id: 0\nevent: ready\ndata: {}\n\nid: 1\nevent: e\ndata: {"a\n\n',
    );
    const { client } = await serverOf(cut, stream);
    expect(await first(client)).toEqual(EVENT);
  });
});

describe('a statement as a file', () => {
  const CSV = 'sequence,created_at\r\n,2026-01-01,,opening_balance,0.00\r\n1,2026-01-02,x,y,5.00\r\n';
  const WHOLE = `${CSV},2026-02-01,,closing_balance,5.00\r\n`;
  const PDF = `%PDF-1.3\n${'x'.repeat(5_000)}`;
  const csv = (body: string, more: Record<string, string> = {}): Deed =>
    send(200, 'text/csv; charset=utf-8', body, more);
  const file = (client: WalletClient, format: 'csv' | 'pdf' = 'csv') =>
    client.wallets.statementFile('a', { format });
  const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();
  /** Sends a part, and breaks off. */
  const broken =
    (headers: Record<string, string>, body: string): Deed =>
    (response) => {
      response.writeHead(200, { 'content-type': 'text/csv', ...headers });
      response.write(body, () => setTimeout(() => response.destroy(), 20));
    };
  /** As a proxy of HTTP 1.0 sends it: what ends the connection ends the body. */
  const ofOldProxy =
    (body: string): Deed =>
    (response) => {
      response.socket!.end(`HTTP/1.1 200 OK\r\nContent-Type: text/csv\r\nConnection: close\r\n\r\n${body}`);
    };

  const CUT: [string, Deed][] = [
    ['shorter than its length', broken({ 'content-length': String(WHOLE.length) }, CSV)],
    ['cut between two parts', broken({}, CSV)],
    ['cut by a proxy that says it is whole', csv(CSV)],
    ['cut within its last line', csv(WHOLE.slice(0, -3))],
    ['cut by a proxy that only closes', ofOldProxy(CSV)],
    ['empty', csv('')],
    ['a page', page(200)],
    ['the JSON of it', GOOD],
    ['a redirect', send(302, null, '', { location: '/login' })],
  ];

  test.concurrent.each(CUT)(
    'that is %s is asked for again, and is an error in the end',
    async (_what, wrong) => {
      const { keys, client } = await serverOf(wrong, csv(WHOLE));
      expect(text(await file(client).bytes())).toBe(WHOLE);
      expect(keys).toHaveLength(2);
      const always = await serverOf(wrong);
      await expect(file(always.client).bytes()).rejects.toBeInstanceOf(ConnectionError);
      expect(always.keys).toHaveLength(3);
    },
  );

  test.concurrent.each(CUT)(
    'that is %s does not end as if it were whole, part by part',
    async (_what, wrong) => {
      const { client } = await serverOf(wrong);
      const read = async (): Promise<void> => {
        for await (const part of file(client)) expect(part).toBeDefined();
      };
      await expect(read()).rejects.toBeInstanceOf(ConnectionError);
    },
  );

  test.concurrent('comes in parts, as a PDF too', async () => {
    const { client } = await serverOf(
      send(200, 'application/pdf', `${PDF}%%EOF\n`),
      send(200, 'application/pdf', PDF),
    );
    const parts: Uint8Array[] = [];
    for await (const part of file(client, 'pdf')) parts.push(part);
    expect(text(Buffer.concat(parts))).toBe(`${PDF}%%EOF\n`);
    await expect(file(client, 'pdf').bytes()).rejects.toBeInstanceOf(UnreadableAnswerError);
  });

  test.concurrent('is not waited for without end', async () => {
    const { baseUrl } = await serverOf((response) => {
      response.writeHead(200, { 'content-type': 'text/csv' }).write(CSV);
    });
    const client = new WalletClient({ apiKey: 'sk_test_x', baseUrl, timeoutMs: 100, maxRetries: 0 });
    await expect(file(client).bytes()).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  test.concurrent('ends with the signal of its caller', async () => {
    const { client } = await serverOf((response) => {
      response.writeHead(200, { 'content-type': 'text/csv' }).write(CSV);
    });
    const caller = new AbortController();
    const read = async (): Promise<void> => {
      const { signal } = caller;
      for await (const _part of client.wallets.statementFile('a', { format: 'csv' }, { signal }))
        caller.abort();
    };
    await expect(read()).rejects.toMatchObject({ name: 'AbortError' });
  });

  test.concurrent('that is refused is a refusal', async () => {
    const refusal = send(404, 'application/json', '{"error":"NOT_FOUND","message":"no","meta":{}}');
    const { client } = await serverOf(refusal);
    await expect(file(client).bytes()).rejects.toBeInstanceOf(NotFoundError);
  });
});

describe('a connection that fails names the address and the cause', () => {
  const said = async (baseUrl: string): Promise<string> => {
    const client = new WalletClient({ apiKey: 'sk_test_x', baseUrl, maxRetries: 0 });
    const error = await Promise.resolve(get(client)).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConnectionError);
    return (error as Error).message;
  };

  test.concurrent('nothing listens there', async () => {
    const { baseUrl } = await serverOf(GOOD);
    const server = servers.splice(
      servers.findIndex((one) => baseUrl.endsWith(`:${String((one.address() as AddressInfo).port)}`)),
      1,
    )[0]!;
    await new Promise<void>((resolve) => server.close(() => resolve()));
    expect(await said(baseUrl)).toMatch(/^GET http:\/\/127\.0\.0\.1:\d+\/v1\/wallets\/a: .*ECONNREFUSED/);
    // A name with two addresses fails twice.
    const { port } = new URL(baseUrl);
    expect(await said(`http://localhost:${port}`)).toMatch(/localhost:\d+\/.*ECONNREFUSED/);
  });

  test.concurrent('there is no such name', async () => {
    expect(await said('http://nowhere.invalid')).toMatch(/nowhere\.invalid\/.*(?:ENOTFOUND|EAI_AGAIN)/);
  });

  test.concurrent('its certificate is not trusted', async () => {
    const of = (name: string): Buffer => readFileSync(join(__dirname, '../../certificates', name));
    const server = createTlsServer({ key: of('receiver.key'), cert: of('receiver.pem') });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `https://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    expect(await said(url)).toMatch(/^GET https:\/\/127\.0\.0\.1:\d+\/.*CERT.*certificate/i);
  });

  test.concurrent('it broke', async () => {
    const { baseUrl } = await serverOf((response) => response.destroy());
    expect(await said(baseUrl)).toMatch(
      /: the connection failed: (?:UND_ERR_SOCKET|ECONNRESET|other side closed)/,
    );
  });
});
