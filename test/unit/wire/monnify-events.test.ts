/** What Monnify's events about money that comes in and goes back are read as: a reference to ask about, never an amount. */
import { CALLBACK_DIALECTS } from '../../../src/wire/provider-callbacks';

const REFERENCE = 'MNFY|04|20211117112842|000170';
const read = (body: object) =>
  CALLBACK_DIALECTS.get('monnify')?.read(body, { bytes: Buffer.from(JSON.stringify(body)), secret: 'S' });
const event = (eventType: string, eventData: object) => ({ eventType, eventData });
const RESERVED = { type: 'RESERVED_ACCOUNT', reference: 'a wallet' };

test.each<[what: string, body: object, value: object | null]>([
  [
    'a payment to an account number',
    event('SUCCESSFUL_TRANSACTION', { transactionReference: REFERENCE, product: RESERVED, amountPaid: 100 }),
    { about: 'payment', reference: REFERENCE },
  ],
  [
    'a payment of another product',
    event('SUCCESSFUL_TRANSACTION', { transactionReference: REFERENCE, product: { type: 'WEB_SDK' } }),
    null,
  ],
  [
    'a refund that succeeded',
    event('SUCCESSFUL_REFUND', { transactionReference: REFERENCE, refundReference: 'r' }),
    { about: 'return', reference: REFERENCE },
  ],
  [
    'a refund that failed',
    event('FAILED_REFUND', { transactionReference: REFERENCE }),
    { about: 'return', reference: REFERENCE },
  ],
  ['a settlement', event('SETTLEMENT', {}), null],
])('%s', (_what, body, value) => {
  expect(read(body)).toEqual({ ok: true, value });
});

test.each<[what: string, eventData: object]>([
  ['no reference', { product: RESERVED }],
  ['an empty one', { transactionReference: '', product: RESERVED }],
  ['a path as one', { transactionReference: 'a/b', product: RESERVED }],
  ['one that is too long', { transactionReference: 'x'.repeat(129), product: RESERVED }],
  ['no product', { transactionReference: REFERENCE }],
])('a payment with %s is refused', (_what, eventData) => {
  expect(read(event('SUCCESSFUL_TRANSACTION', eventData))).toMatchObject({ ok: false });
});
