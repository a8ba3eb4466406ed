/** What makes two requests with one Idempotency-Key the same (D44, D131, D167). */
import { usedKey } from '../../../src/api/fingerprint';
import type { Call } from '../../../src/api/route';
import { readP2p } from '../../../src/wire/transfers';
import { valueOf } from '../wire/readings';

const WALLET = '018f0000-0000-7000-8000-00000000000a';
const OTHER = '018f0000-0000-7000-8000-00000000000b';

interface Request {
  operation?: string;
  params?: Record<string, string>;
  body?: object;
  /** The rest of a call, which is not part of the fingerprint. */
  more?: Partial<Call>;
}

function fingerprintOf({ operation = 'fundWallet', params = {}, body = {}, more = {} }: Request): string {
  const call = { params, idempotencyKey: 'k1', ignored: [] as readonly string[], ...more } as Call;
  return usedKey(call, operation, body)?.fingerprint ?? '';
}

test('without a key there is nothing to compare', () => {
  expect(usedKey({ params: {}, idempotencyKey: null } as unknown as Call, 'fundWallet', {})).toBeNull();
});

test('a used key names its operation, itself, and a hash of the request', () => {
  expect(
    usedKey({ params: {}, idempotencyKey: 'k1', ignored: [] as string[] } as unknown as Call, 'fundWallet', {
      a: 1,
    }),
  ).toEqual({
    operation: 'fundWallet',
    key: 'k1',
    fingerprint: expect.stringMatching(/^[\w-]{43}$/),
  });
});

describe('the same request', () => {
  test.each<[string, Request, Request]>([
    ['its keys in another order', { body: { a: 1, b: 2 } }, { body: { b: 2, a: 1 } }],
    [
      'the keys within in another order',
      { body: { m: { a: [{ x: 1, y: 2 }] } } },
      { body: { m: { a: [{ y: 2, x: 1 }] } } },
    ],
    ['path ids in another order', { params: { a: '1', b: '2' } }, { params: { b: '2', a: '1' } }],
    ['another form asked for', {}, { more: { form: 'guide' } }],
    ['other headers', {}, { more: { headers: { 'x-sandbox-hold': 'true' } } }],
    ['another request id', {}, { more: { requestId: 'req_2' } }],
    ['another query string', {}, { more: { query: { a: '1' } } }],
  ])('%s', (_what, one, other) => expect(fingerprintOf(other)).toBe(fingerprintOf(one)));

  test('spelled in guide keys, in upper case and with nulls', () => {
    const reference = { source_wallet: WALLET, dest_wallet: OTHER, amount: 1, reference: 'r' };
    const guide = {
      reference: 'r',
      amount_kobo: 1,
      dest_wallet_id: OTHER,
      source_wallet_id: `wlt_${WALLET.toUpperCase()}`,
      description: null,
      colour: 'red',
    };
    const [one, other] = [reference, guide].map((body) => fingerprintOf({ body: valueOf(readP2p(body)) }));
    expect(other).toBe(one);
  });
});

describe('another request', () => {
  const body = { amountKobo: 100, note: null, list: [1, 2], dueAt: new Date('2026-12-01T08:00:00Z') };

  test.each<[string, Request]>([
    ['another value', { body: { ...body, amountKobo: 101 } }],
    ['the same digits as text', { body: { ...body, amountKobo: '100' } }],
    ['a field more', { body: { ...body, x: null } }],
    ['a null that was a text', { body: { ...body, note: '' } }],
    ['a list in another order', { body: { ...body, list: [2, 1] } }],
    ['another time', { body: { ...body, dueAt: new Date('2026-12-01T08:00:01Z') } }],
    ['another path id', { body, params: { wallet_id: OTHER } }],
    ['another operation', { body, operation: 'p2pTransfer' }],
  ])('%s', (_what, other) => {
    expect(fingerprintOf(other)).not.toBe(fingerprintOf({ body, params: {} }));
  });

  test('another wallet in the path', () => {
    const one = fingerprintOf({ body, params: { wallet_id: WALLET } });
    expect(fingerprintOf({ body, params: { wallet_id: OTHER } })).not.toBe(one);
  });
});
