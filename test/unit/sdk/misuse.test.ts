/** What cannot be meant is refused in one sentence that says what to do, before anything is sent. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  kobo,
  naira,
  signWebhook,
  verifyWebhook,
  WalletClient,
  WalletError,
  WebhookVerificationError,
  type CallOptions,
  type WalletClientOptions,
} from '../../../sdk/src';

let server: Server;
let baseUrl: string;
let asked = 0;
beforeAll(async () => {
  server = createServer((_request, response) => {
    asked++;
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":{},"meta":{}}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const SECRET = `sk_wh_${Buffer.alloc(24, 7).toString('base64')}`;
const BODY = '{"event":"webhook.test","data":{},"timestamp":"","webhook_id":"wh_1"}';
const signed = () =>
  signWebhook(BODY, SECRET, { id: 'wh_1', timestampSeconds: Math.floor(Date.now() / 1_000) });
/** What a program in JavaScript may give. */
const any = (value: unknown): never => value as never;

test.each<[string, body: unknown, secrets: unknown, says: RegExp]>([
  [
    'a body that was parsed',
    JSON.parse(BODY),
    SECRET,
    /the body was parsed already: give its text or its bytes/,
  ],
  ['a body that is missing', undefined, SECRET, /before any parser/],
  ['a secret that is not set', BODY, undefined, /the secret is not one of an endpoint: give what/],
  ['null as a secret', BODY, null, /the secret is not one/],
  ['an empty secret', BODY, '', /the secret is not one/],
  ['no secrets', BODY, [], /the secret is not one/],
  ['one of two that is not set', BODY, [SECRET, undefined], /the secret is not one/],
  ['an API key as a secret', BODY, 'sk_test_0198c0de', /which begins with sk_wh_/],
])('a webhook is not verified with %s', async (_what, body, secrets, says) => {
  const verified = verifyWebhook(any(body), await signed(), any(secrets));
  await expect(verified).rejects.toBeInstanceOf(WebhookVerificationError);
  await expect(verified).rejects.toThrow(says);
});

test.each([[undefined], [null], [{}]])(
  'a webhook is not verified with %p for its headers',
  async (headers) => {
    await expect(verifyWebhook(BODY, any(headers), SECRET)).rejects.toBeInstanceOf(WebhookVerificationError);
  },
);

test('a delivery is not signed with a secret that is not set', async () => {
  const how = { id: 'wh_1', timestampSeconds: 0 };
  await expect(signWebhook(BODY, any(undefined), how)).rejects.toThrow(/the secret is not one/);
});

test.each([1500, 1500.5, 0, NaN, 1500n, null, undefined])('kobo(%p) says that it takes text', (value) => {
  expect(() => kobo(any(value))).toThrow("kobo() takes text, as kobo('1,500.00')");
  expect(() => kobo(any(value))).toThrow(WalletError);
});

test.each(['1500', 1500.5, NaN, undefined])('naira(%p) says what it takes', (value) => {
  expect(() => naira(any(value))).toThrow('not a whole number of kobo, as 150000');
});

test.each<[string, options: object, says: RegExp]>([
  ['a key with a line break', { apiKey: 'sk_test_x\n' }, /the apiKey has a blank, a line break or a letter/],
  ['a key with a line break inside', { apiKey: 'sk_test_x\r\nx-evil: 1' }, /copy it again/],
  ['a key with letters of another script', { apiKey: 'sk_test_ключ' }, /the apiKey has/],
  ['a key with an accent', { apiKey: 'sk_test_é' }, /the apiKey has/],
  ['a key with a blank', { apiKey: ' sk_test_x' }, /the apiKey has/],
  ['an address without a scheme', { baseUrl: 'localhost:3000' }, /an address with its scheme/],
  ['a name without a scheme', { baseUrl: 'api.example.com' }, /as https:\/\/api\.example\.com/],
  ['another scheme', { baseUrl: 'ftp://api.example.com' }, /an address with its scheme/],
  ['an address with a password', { baseUrl: 'https://ada:secret@api.example.com' }, /with its scheme/],
  ['an address with a query', { baseUrl: 'https://api.example.com?x=1' }, /no query/],
  ['an address with a blank', { baseUrl: 'https://api example.com' }, /with its scheme/],
  ['an option that there is not', { apikey: 'x' }, /there is no option apikey; there are apiKey, baseUrl/],
  ['an option of another library', { timeout: 5 }, /there is no option timeout/],
  ['a time that is text', { timeoutMs: '5000' }, /timeoutMs must be a whole number/],
  ['a time of nothing', { timeoutMs: 0 }, /timeoutMs must be a whole number/],
  ['a time without end', { timeoutMs: Infinity }, /timeoutMs must be a whole number/],
  ['fewer tries than none', { maxRetries: -1 }, /maxRetries must be a whole number/],
])('a client is not made with %s', (_what, options, says) => {
  const make = () => new WalletClient({ apiKey: 'sk_test_x', baseUrl, ...options });
  expect(make).toThrow(says);
  expect(make).toThrow(WalletError);
  expect(make).not.toThrow(/sk_test|secret/);
});

test('a client is made with what is not said, and with an address that has a path', () => {
  const options = { apiKey: 'sk_test_x', baseUrl: 'https://example.com/wallet/', timeoutMs: undefined };
  expect(new WalletClient(options as unknown as WalletClientOptions)).toBeInstanceOf(WalletClient);
});

const P2P = { source_wallet: 'a', dest_wallet: 'b', amount: 1, reference: 'r' };
const client = () => new WalletClient({ apiKey: 'sk_test_x', baseUrl });

test.each<[string, options: unknown, says: RegExp]>([
  ['a misspelled option', { idempotency_key: 'a' }, /no option idempotency_key; there are idempotencyKey/],
  ['a key instead of options', 'order-7', /options are an object of idempotencyKey/],
  ['null instead of options', null, /options are an object of idempotencyKey/],
  ['an empty key', { idempotencyKey: '' }, /idempotencyKey must not be empty/],
  [
    'a key that no header can carry',
    { idempotencyKey: 'order\n7' },
    /the header idempotency-key has a line break/,
  ],
  ['a key of another script', { idempotencyKey: 'заказ' }, /the header idempotency-key has/],
  ['a header that no header can be', { headers: { 'X-Tenant': 'a\r\nb' } }, /the header X-Tenant has/],
  ['a time that is none', { timeoutMs: NaN }, /timeoutMs must be a whole number/],
])('nothing is paid with %s', async (_what, options, says) => {
  const before = asked;
  const paid = Promise.resolve(client().transfers.p2p(P2P, options as CallOptions));
  await expect(paid).rejects.toThrow(says);
  await expect(paid).rejects.toBeInstanceOf(WalletError);
  expect(asked).toBe(before);
});

test.each<[string, (of: WalletClient) => PromiseLike<unknown>]>([
  ['an id that is not set', (of) => of.wallets.get(any(undefined))],
  ['an empty id', (of) => of.wallets.get('')],
  ['an id that is a folder', (of) => of.kyc.status('..')],
  ['a blank', (of) => of.wallets.freeze(' ')],
])('no other operation is called with %s', async (_what, call) => {
  const before = asked;
  await expect(Promise.resolve(call(client()))).rejects.toThrow(/needs a \w+, and .* is none/);
  expect(asked).toBe(before);
});
