/** The parts of the SDK that need no server: signatures, money, and how large the package is. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { transformSync } from '@swc/core';
import {
  formatNaira,
  kobo,
  naira,
  signWebhook,
  verifyWebhook,
  WalletClient,
  WebhookVerificationError,
} from '../../../sdk/src';
import vector from '../../vectors/webhook-signature.json';

const { secret, id, timestampSeconds, body, signature } = vector;
const OTHER_SECRET = 'sk_wh_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const now = (): number => Math.floor(Date.now() / 1_000);
const signedNow = (by = secret) => signWebhook(body, by, { id, timestampSeconds: now() });

test('it signs as the platform does', async () => {
  expect(await signWebhook(body, secret, { id, timestampSeconds })).toEqual({
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': signature,
  });
});

test.each([
  ['text', body],
  ['bytes', new TextEncoder().encode(body)],
])('it verifies a delivery whose body came as %s', async (_how, raw) => {
  expect(await verifyWebhook(raw, await signedNow(), secret)).toEqual(JSON.parse(body));
});

test('it verifies one of several signatures by one of several secrets', async () => {
  const headers = new Headers(await signedNow());
  headers.set('webhook-signature', `v1,AAAA v2,x not-base64 ${headers.get('webhook-signature') ?? ''}`);
  await expect(verifyWebhook(body, headers, [OTHER_SECRET, secret])).resolves.toBeDefined();
});

test.each<[string, () => Promise<unknown>]>([
  ['another body', async () => verifyWebhook(body.replace('completed', 'failed'), await signedNow(), secret)],
  ['another secret', async () => verifyWebhook(body, await signedNow(OTHER_SECRET), secret)],
  ['another id', async () => verifyWebhook(body, { ...(await signedNow()), 'webhook-id': 'wh_02' }, secret)],
  ['no headers', () => verifyWebhook(body, {}, secret)],
  ['no secret', async () => verifyWebhook(body, await signedNow(), '')],
  [
    'the delivery of six minutes ago, sent again',
    async () =>
      verifyWebhook(body, await signWebhook(body, secret, { id, timestampSeconds: now() - 360 }), secret),
  ],
  [
    'a time that is no number',
    async () => verifyWebhook(body, { ...(await signedNow()), 'webhook-timestamp': 'soon' }, secret),
  ],
])('it refuses %s', (_what, verify) => expect(verify()).rejects.toBeInstanceOf(WebhookVerificationError));

test.each([
  ['0', 0],
  ['0.01', 1],
  ['1500', 150_000],
  ['1500.5', 150_050],
  ['1,500.00', 150_000],
  ['1,234,567.89', 123_456_789],
])('%s naira are %d kobo', (text, amount) => expect(kobo(text)).toBe(amount));

test.each(['', '1,50.00', '1.234', '-1', '1e3', ' 1', '1 500', '90071992547409.92', '.5', '1.'])(
  'the text "%s" is no amount',
  (text) => expect(() => kobo(text)).toThrow('not an amount'),
);

test.each([
  [0, '0.00', '₦0.00'],
  [5, '0.05', '₦0.05'],
  [150_000, '1500.00', '₦1,500.00'],
  [-123_456_789, '-1234567.89', '-₦1,234,567.89'],
])('%d kobo are written %s and %s', (amount, plain, formatted) =>
  expect([naira(amount), formatNaira(amount)]).toEqual([plain, formatted]),
);

test('half a kobo is not written', () => expect(() => naira(0.5)).toThrow('whole number'));

test('a client without a key or an address is not made', () => {
  expect(() => new WalletClient({ apiKey: 'x', baseUrl: '' })).toThrow('baseUrl');
  expect(() => new WalletClient({ apiKey: '', baseUrl: 'x' })).toThrow('apiKey');
});

test('a secret key in a browser is refused', () => {
  Object.assign(globalThis, { window: {}, document: {} });
  try {
    expect(() => new WalletClient({ apiKey: 'sk_test_x', baseUrl: 'x' })).toThrow('browser');
  } finally {
    Reflect.deleteProperty(globalThis, 'window');
    Reflect.deleteProperty(globalThis, 'document');
  }
});

test('it has at most 8 kB, minified and compressed', () => {
  const folder = join(__dirname, '../../../sdk/src');
  const files = readdirSync(folder).filter((file) => file !== 'schema.ts' && file !== 'stream.ts');
  const code = files.map((file) => {
    const source = readFileSync(join(folder, file), 'utf8');
    const jsc = {
      target: 'es2022',
      parser: { syntax: 'typescript' },
      minify: { compress: true, mangle: true },
    } as const;
    return transformSync(source, { jsc, minify: true, module: { type: 'es6' }, swcrc: false }).code;
  });
  expect(gzipSync(code.join('\n')).length).toBeLessThan(8_000);
});
