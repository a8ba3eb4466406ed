/**
 * Every refusal of a wallet to wallet transfer, in the published order (interface: P2P transfer codes; D53, D54,
 * D120, D132, D135, D153).
 */
import type { Answer } from '../support/api';
import { apiForFile, partnerForFile } from '../support/scene';

const { api } = apiForFile();
const partner = partnerForFile(api);
const wallets: Record<
  'rich' | 'poor' | 'empty' | 'pending' | 'frozen' | 'closed' | 'full' | 'foreign',
  string
> = {
  rich: '',
  poor: '',
  empty: '',
  pending: '',
  frozen: '',
  closed: '',
  full: '',
  foreign: '',
};
const ABSENT = '01980000-0000-7000-8000-00000000dead';

beforeAll(async () => {
  wallets.rich = await partner.wallet({ fundKobo: 1_000_000 });
  wallets.poor = await partner.wallet({ fundKobo: 200 });
  wallets.empty = await partner.wallet();
  wallets.pending = await partner.wallet({ status: 'pending', fundKobo: 1_000 });
  wallets.frozen = await partner.wallet({ status: 'frozen', fundKobo: 1_000 });
  wallets.closed = await partner.wallet({ status: 'closed', fundKobo: 1_000 });
  wallets.full = await partner.wallet({ fundKobo: Number.MAX_SAFE_INTEGER });
  wallets.foreign = await (await api.partner()).wallet({ fundKobo: 1_000 });
  const used = { source_wallet: wallets.rich, dest_wallet: wallets.empty, amount: 1, reference: 'used' };
  expect((await partner.post('/v1/transfers/p2p', used)).status).toBe(200);
});

interface Transfer {
  source?: string;
  dest?: string;
  amount?: unknown;
  reference?: unknown;
}
let count = 0;
const values = (transfer: Transfer) => ({
  source: wallets.rich,
  dest: wallets.empty,
  amount: 100 as unknown,
  reference: `refused-${(count += 1)}` as unknown,
  ...transfer,
});

/** The same transfer by the keys of either form. */
const SEND: Record<'reference' | 'guide', (transfer: Transfer, more?: object) => Promise<Answer>> = {
  reference(transfer, more) {
    const { source, dest, amount, reference } = values(transfer);
    const body = { source_wallet: source, dest_wallet: dest, amount, reference, ...more };
    return partner.post('/v1/transfers/p2p', body);
  },
  guide(transfer, more) {
    const { source, dest, amount, reference } = values(transfer);
    const body = { source_wallet_id: source, dest_wallet_id: dest, amount_kobo: amount, reference, ...more };
    return partner.post('/v1/transfers/p2p', body);
  },
};

/** code, status in reference form, status in guide form, the transfer, its detail. */
type Row = [
  what: string,
  code: string,
  status: number,
  guideStatus: number,
  transfer: () => Transfer,
  detail?: object | ((form: string) => object),
];
/** The context of VALIDATION_ERROR: the field, by its name in the form of the request. */
const wrong =
  (field: string) =>
  (form: string): object => {
    const named = form === 'guide' ? (GUIDE_NAMES[field] ?? field) : field;
    return { fields: [{ field: named, message: expect.any(String) }] };
  };
const GUIDE_NAMES: Record<string, string> = { amount: 'amount_kobo', source_wallet: 'source_wallet_id' };

const IN_ORDER: Row[] = [
  ['half a kobo', 'VALIDATION_ERROR', 422, 422, () => ({ amount: 0.5 }), wrong('amount')],
  ['an amount that is text', 'VALIDATION_ERROR', 422, 422, () => ({ amount: '100' }), wrong('amount')],
  [
    'an amount beyond the largest integer',
    'VALIDATION_ERROR',
    422,
    422,
    () => ({ amount: 2 ** 53 }),
    wrong('amount'),
  ],
  [
    'an amount that passes the largest integer with its fee',
    'VALIDATION_ERROR',
    422,
    422,
    () => ({ source: wallets.full, amount: Number.MAX_SAFE_INTEGER - 19_999 }),
    wrong('amount'),
  ],
  [
    'a source that is no uuid',
    'VALIDATION_ERROR',
    422,
    422,
    () => ({ source: 'wallet-1' }),
    wrong('source_wallet'),
  ],
  ['an empty reference', 'VALIDATION_ERROR', 422, 422, () => ({ reference: '' }), wrong('reference')],
  ['an amount of 0', 'AMOUNT_TOO_LOW', 422, 400, () => ({ amount: 0 })],
  ['a negative amount', 'AMOUNT_TOO_LOW', 422, 400, () => ({ amount: -100 })],
  ['one wallet on both sides', 'SAME_WALLET_TRANSFER', 422, 400, () => ({ dest: wallets.rich })],
  [
    'one wallet on both sides, spelled in two ways',
    'SAME_WALLET_TRANSFER',
    422,
    400,
    () => ({ dest: `wlt_${wallets.rich.toUpperCase()}` }),
  ],
  ['a reference of another transfer', 'DUPLICATE_REFERENCE', 409, 409, () => ({ reference: 'used' })],
  ['an absent source', 'WALLET_NOT_FOUND', 404, 404, () => ({ source: ABSENT })],
  ['a foreign source', 'WALLET_NOT_FOUND', 404, 404, () => ({ source: wallets.foreign })],
  ['an absent destination', 'WALLET_NOT_FOUND', 404, 404, () => ({ dest: ABSENT })],
  ['a foreign destination', 'WALLET_NOT_FOUND', 404, 404, () => ({ dest: wallets.foreign })],
  ['a closed source', 'WALLET_CLOSED', 422, 422, () => ({ source: wallets.closed })],
  ['a frozen source', 'WALLET_FROZEN', 422, 422, () => ({ source: wallets.frozen })],
  ['a pending source', 'WALLET_NOT_ACTIVE', 422, 422, () => ({ source: wallets.pending })],
  ['a closed destination', 'WALLET_CLOSED', 422, 422, () => ({ dest: wallets.closed })],
  [
    'a balance one kobo below amount and fee',
    'INSUFFICIENT_FUNDS',
    422,
    422,
    () => ({ source: wallets.poor, amount: 200 }),
    { available_kobo: 200, required_kobo: 201 },
  ],
  [
    'an empty source',
    'INSUFFICIENT_FUNDS',
    422,
    422,
    () => ({ source: wallets.empty, dest: wallets.rich, amount: 2 }),
    { available_kobo: 1, required_kobo: 2 },
  ],
  [
    'a destination that would pass the largest integer',
    'LIMIT_EXCEEDED',
    422,
    422,
    () => ({ dest: wallets.full }),
  ],
];

describe.each(['reference', 'guide'] as const)('in %s form', (form) => {
  test.each(IN_ORDER)('%s: %s', async (...[, code, status, guideStatus, transfer, detail]) => {
    const expected = form === 'guide' ? guideStatus : status;
    const balances = () => Promise.all(Object.values(wallets).map((id) => partner.balanceKobo(id)));
    const before = await balances();
    const answer = await SEND[form](transfer());
    expect(answer.status).toBe(expected);
    const meta = { request_id: answer.headers.get('X-Request-Id') };
    const message = expect.stringMatching(/.+/);
    const more =
      code === 'DUPLICATE_REFERENCE'
        ? { transaction_id: await idOf('used') }
        : typeof detail === 'function'
          ? detail(form)
          : detail;
    const withDetail = more === undefined ? {} : { detail: more };
    expect(answer.body).toEqual(
      form === 'guide'
        ? { error: { code, message, http_status: expected, ...withDetail }, meta }
        : { error: code, message, ...withDetail, meta },
    );
    expect(await balances()).toEqual(before);
  });
});

async function idOf(reference: string): Promise<string> {
  const { body } = await partner.get(`/v1/wallets/${wallets.rich}/transactions?reference=${reference}`);
  return body.data[0].id;
}

describe('of two reasons to refuse, the one published first is the answer', () => {
  test.each<[first: string, second: string, transfer: () => Transfer]>([
    ['VALIDATION_ERROR', 'AMOUNT_TOO_LOW', () => ({ amount: 0, reference: '' })],
    ['AMOUNT_TOO_LOW', 'SAME_WALLET_TRANSFER', () => ({ amount: 0, dest: wallets.rich })],
    ['AMOUNT_TOO_LOW', 'DUPLICATE_REFERENCE', () => ({ amount: 0, reference: 'used' })],
    ['SAME_WALLET_TRANSFER', 'DUPLICATE_REFERENCE', () => ({ dest: wallets.rich, reference: 'used' })],
    ['SAME_WALLET_TRANSFER', 'WALLET_NOT_FOUND', () => ({ source: ABSENT, dest: ABSENT })],
    ['DUPLICATE_REFERENCE', 'WALLET_NOT_FOUND', () => ({ source: ABSENT, reference: 'used' })],
    ['WALLET_NOT_FOUND', 'WALLET_FROZEN', () => ({ source: wallets.frozen, dest: ABSENT })],
    ['WALLET_NOT_FOUND', 'WALLET_CLOSED', () => ({ source: wallets.foreign, dest: wallets.closed })],
    ['WALLET_FROZEN', 'WALLET_CLOSED', () => ({ source: wallets.frozen, dest: wallets.closed })],
    ['WALLET_FROZEN', 'INSUFFICIENT_FUNDS', () => ({ source: wallets.frozen, amount: 1_000_000 })],
    ['WALLET_NOT_ACTIVE', 'WALLET_CLOSED', () => ({ source: wallets.pending, dest: wallets.closed })],
    [
      'WALLET_CLOSED',
      'INSUFFICIENT_FUNDS',
      () => ({ source: wallets.poor, dest: wallets.closed, amount: 300 }),
    ],
    [
      'INSUFFICIENT_FUNDS',
      'LIMIT_EXCEEDED',
      () => ({ source: wallets.poor, dest: wallets.full, amount: 300 }),
    ],
  ])('%s before %s', async (first, _second, transfer) => {
    expect((await SEND.reference(transfer())).body.error).toBe(first);
    expect((await SEND.guide(transfer())).body.error.code).toBe(first);
  });
});

describe('a body that cannot be read: 422 VALIDATION_ERROR naming the field', () => {
  test.each<[field: string, what: string, more: Record<string, unknown>]>([
    ['source_wallet', 'missing', { source_wallet: undefined }],
    ['source_wallet', 'null', { source_wallet: null }],
    ['source_wallet', 'an object', { source_wallet: { id: ABSENT } }],
    ['source_wallet', 'with braces', { source_wallet: `{${ABSENT}}` }],
    ['dest_wallet', 'missing', { dest_wallet: undefined }],
    ['dest_wallet', 'a number', { dest_wallet: 1 }],
    ['amount', 'missing', { amount: undefined }],
    ['amount', 'null', { amount: null }],
    ['amount', 'true', { amount: true }],
    ['amount', 'a list', { amount: [100] }],
    ['reference', 'missing', { reference: undefined }],
    ['reference', 'a number', { reference: 1 }],
    ['reference', 'of 129 characters', { reference: 'r'.repeat(129) }],
    ['reference', 'with a newline', { reference: 'a\nb' }],
    ['reference', 'with an invisible character', { reference: 'a\u200bb' }],
    ['description', 'of 501 characters', { description: 'd'.repeat(501) }],
    ['description', 'with a NUL', { description: 'a\u0000' }],
    ['description', 'a number', { description: 1 }],
    ['metadata', 'a list', { metadata: [] }],
    ['metadata', 'a text', { metadata: 'a' }],
  ])('%s: %s', async (field, _what, more) => {
    const answer = await SEND.reference({}, more);
    expect(answer).toMatchObject({ status: 422, body: { error: 'VALIDATION_ERROR' } });
    expect(answer.body.message).toContain(field);
  });

  test('the field is named by the key that was sent', async () => {
    const { body } = await SEND.guide({ amount: 'much' });
    expect(body.error.message).toContain('amount_kobo');
  });
});

test('a refused transfer leaves its reference free', async () => {
  const reference = 'second try';
  expect((await SEND.reference({ source: wallets.poor, amount: 5_000, reference })).status).toBe(422);
  expect((await SEND.reference({ reference })).status).toBe(200);
});
