/** The events of Monnify: which of them are genuine, and what they say of a transfer. */
import { createHmac } from 'node:crypto';
import { CALLBACK_DIALECTS, type CallbackDialect } from '../../../src/wire/provider-callbacks';

const SECRET = 'FAKE-SECRET';
const ID = '01a21286-d861-77d3-8eb4-4b1e87ac7b4e';
const dialect = CALLBACK_DIALECTS.get('monnify') as CallbackDialect;

const event = (eventType: string, more: object = {}): object => ({
  eventType,
  eventData: {
    amount: 5000.1,
    reference: `tx-${ID}-2`,
    transactionReference: 'MFDS|1',
    currency: 'NGN',
    destinationAccountName: 'ADA OBI',
    ...more,
  },
});
const read = (body: object) => {
  const bytes = Buffer.from(JSON.stringify(body));
  return dialect.read(body, { bytes, secret: SECRET });
};

test.each([
  ['SUCCESSFUL_DISBURSEMENT', 'success'],
  ['FAILED_DISBURSEMENT', 'failed'],
  ['REVERSED_DISBURSEMENT', 'reversed'],
])('%s reports that the attempt has ended as %s', (eventType, outcome) => {
  expect(read(event(eventType))).toMatchObject({
    ok: true,
    value: {
      about: 'transfer',
      notice: {
        transferName: ID,
        attemptNumber: 2,
        providerReference: 'MFDS|1',
        outcome,
        amountKobo: 500_010,
        currency: 'NGN',
      },
    },
  });
});

test('another event says nothing that we follow', () => {
  expect(read(event('SETTLEMENT'))).toEqual({ ok: true, value: null });
});

test.each([
  ['a fraction of a kobo', { amount: 1.001 }],
  ['an amount as a text', { amount: '5000.10' }],
  ['no reference', { reference: undefined }],
])('%s is refused', (_what, more) => {
  expect(read(event('SUCCESSFUL_DISBURSEMENT', more)).ok).toBe(false);
});

test('only the HMAC-SHA512 of exactly these bytes with our secret is genuine', () => {
  const bytes = Buffer.from(JSON.stringify(event('SUCCESSFUL_DISBURSEMENT')));
  const signed = (key: string, of = bytes) => createHmac('sha512', key).update(of).digest('hex');
  const isGenuine = (signature: string | undefined) =>
    dialect.isGenuine({ 'monnify-signature': signature }, bytes, SECRET);
  expect(isGenuine(signed(SECRET))).toBe(true);
  expect(isGenuine(signed('GUESSED'))).toBe(false);
  expect(isGenuine(signed(SECRET, Buffer.from('{}')))).toBe(false);
  expect(isGenuine(undefined)).toBe(false);
});
