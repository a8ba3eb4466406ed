/** Webhook signatures: the published vector, and the Standard Webhooks library as the receiver. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { newWebhookSecret, signWebhook, webhookHeaders } from '../../src/wire/webhook-signature';

interface Vector {
  secret: string;
  id: string;
  timestampSeconds: number;
  body: string;
  signature: string;
}
const vector = JSON.parse(
  readFileSync(join(__dirname, '../vectors/webhook-signature.json'), 'utf8'),
) as Vector;

/** The library knows another prefix; the key is the same (docs: verifying webhooks). */
const receiver = (secret: string) => new Webhook(secret.replace('sk_wh_', 'whsec_'));
const nowSeconds = () => Math.floor(Date.now() / 1_000);

test('the published vector has the published signature', () => {
  expect(signWebhook(vector.secret, vector)).toBe(vector.signature);
});

test.each(['{}', '{"name":"Ọláwálé ₦ 🏦"}', '{"a":"\\u0000"}', '[1.5,"a.b.c"]'])(
  'a receiver verifies the body %s by the Standard Webhooks library',
  (body) => {
    const secret = newWebhookSecret();
    const headers = webhookHeaders({ secrets: [secret], id: 'evt_1', timestampSeconds: nowSeconds(), body });
    expect(receiver(secret).verify(body, headers)).toEqual(JSON.parse(body));
  },
);

test.each([
  ['body', { body: '{"amount":2}' }],
  ['id', { id: 'evt_2' }],
  ['secret', { secret: newWebhookSecret() }],
  ['time', { timestampSeconds: nowSeconds() - 60 }],
])('another %s gives another signature', (_what, change) => {
  const secret = newWebhookSecret();
  const attempt = { id: 'evt_1', timestampSeconds: nowSeconds(), body: '{"amount":1}' };
  const { secret: by, ...changed } = { secret, ...attempt, ...change };
  const headers = {
    ...webhookHeaders({ ...attempt, secrets: [] }),
    'webhook-signature': signWebhook(by, changed),
  };
  expect(() => receiver(secret).verify(attempt.body, headers)).toThrow(/signature/i);
});

test('with two secrets in force, a receiver that has either of them verifies', () => {
  const secrets = [newWebhookSecret(), newWebhookSecret()];
  const body = '{"amount":1}';
  const headers = webhookHeaders({ secrets, id: 'evt_1', timestampSeconds: nowSeconds(), body });
  for (const secret of secrets) expect(receiver(secret).verify(body, headers)).toEqual({ amount: 1 });
  expect(() => receiver(newWebhookSecret()).verify(body, headers)).toThrow(/signature/i);
});

test('the headers of an attempt carry the id, its time, and the kind of body', () => {
  const { signature, secret, ...attempt } = vector;
  expect(webhookHeaders({ ...attempt, secrets: [secret] })).toEqual({
    'content-type': 'application/json',
    'user-agent': expect.stringMatching(/^partner-wallet-service\//),
    'webhook-id': 'wh_01',
    'webhook-timestamp': '1795219200',
    'webhook-signature': signature,
  });
});

test('a new secret is sk_wh_ and the base64 of 24 bytes, and never the same', () => {
  const secrets = Array.from({ length: 100 }, newWebhookSecret);
  for (const secret of secrets) expect(secret).toMatch(/^sk_wh_[A-Za-z0-9+/]{32}$/);
  expect(new Set(secrets).size).toBe(100);
});

test.each(['', 'sk_wh_', 'sk_wh_c2hvcnQ=', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'])(
  'signing with "%s" is a bug of the caller and does not repeat the secret',
  (secret) => {
    const sign = () => signWebhook(secret, vector);
    expect(sign).toThrow(RangeError);
    expect(sign).toThrow(/^a webhook secret is sk_wh_ and at least 24 bytes in base64$/);
  },
);

describe('the receiver of docs/how-to/verify-a-webhook.md', () => {
  const page = readFileSync(join(__dirname, '../../docs/how-to/verify-a-webhook.md'), 'utf8');
  const code = /^```js\n([^]*?)\n```$/m.exec(page)?.[1] ?? '';
  const [secret, id, body] = [newWebhookSecret(), 'wh_1', '{"name":"Ọláwálé ₦"}'];
  const signed = webhookHeaders({ secrets: [secret], id, timestampSeconds: nowSeconds(), body });
  const old = webhookHeaders({ secrets: [secret], id, timestampSeconds: nowSeconds() - 301, body });

  test.each([
    ['accepts what we sign', true, { headers: signed, body }],
    ['refuses another body', false, { headers: signed, body: `${body} ` }],
    ['refuses an old attempt', false, { headers: old, body }],
    ['refuses a time that is no number', false, { headers: { ...signed, 'webhook-timestamp': 'now' }, body }],
    ['refuses an empty signature', false, { headers: { ...signed, 'webhook-signature': 'v1,' }, body }],
    ['refuses a short signature', false, { headers: { ...signed, 'webhook-signature': 'v1,AAAA' }, body }],
    ['refuses a text without a version', false, { headers: { ...signed, 'webhook-signature': 'v1' }, body }],
    ['refuses a delivery without headers', false, { headers: {}, body }],
    ['refuses one without an id', false, { headers: { ...signed, 'webhook-id': undefined }, body }],
    ['refuses one without a time', false, { headers: { ...signed, 'webhook-timestamp': undefined }, body }],
    [
      'refuses one without a signature',
      false,
      { headers: { ...signed, 'webhook-signature': undefined }, body },
    ],
  ])('%s', (_name, expected, given) => {
    const arguments_ = [secret, given.headers, given.body].map((value) => JSON.stringify(value)).join(', ');
    const input = `${code}\nconsole.log(verify(${arguments_}));`;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-'], { input, encoding: 'utf8' });
    expect(stdout.trim()).toBe(String(expected));
  });

  test.each(["''", 'undefined', "'sk_wh_'"])('does not check with the secret %s', (none) => {
    const input = `${code}\nverify(${none}, ${JSON.stringify(signed)}, ${JSON.stringify(body)});`;
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-'], {
      input,
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([1, expect.stringContaining('the secret of the endpoint is not set')]);
  });
});
