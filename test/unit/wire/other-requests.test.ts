/**
 * Wallet creation, sandbox operations and webhook endpoints: names, defaults and what is refused (D12, D49, D85,
 * D93, D96).
 */
import { readFunding, readOutcome } from '../../../src/wire/sandbox';
import { readWalletCreation } from '../../../src/wire/wallets';
import { readEndpoint } from '../../../src/wire/webhooks';
import { messageOf, valueOf } from './readings';

const ID = '018f0000-0000-7000-8000-00000000000a';

describe('wallet creation', () => {
  test.each<[string, object]>([
    ['user_ref', { user_ref: 'ada' }],
    ['userRef', { userRef: 'ada' }],
    ['both, where they agree', { user_ref: 'ada', userRef: 'ada' }],
    ['currency NGN', { user_ref: 'ada', currency: 'NGN' }],
    ['nulls for what is optional', { user_ref: 'ada', userRef: null, currency: null, metadata: null }],
    ['unknown fields', { user_ref: 'ada', id: ID, status: 'active', balance: 5 }],
  ])('%s', (_what, body) => {
    expect(valueOf(readWalletCreation(body))).toEqual({ userRef: 'ada', metadata: {} });
  });

  test.each<[object, string]>([
    [{}, 'user_ref: is required'],
    [{ user_ref: 'ada', userRef: 'Ada' }, 'userRef: contradicts user_ref'],
    [{ userRef: '' }, 'userRef: must have 1 to 128 characters'],
    [{ user_ref: 'ada', currency: 'USD' }, 'currency: only NGN is supported'],
    [{ user_ref: 'ada', currency: 'ngn' }, 'currency: only NGN is supported'],
    [{ user_ref: 'ada', currency: 566 }, 'currency: only NGN is supported'],
    [{ user_ref: 'ada', currency: '' }, 'currency: only NGN is supported'],
  ])('%j is refused', (body, message) => expect(messageOf(readWalletCreation(body))).toBe(message));

  test.each<[object]>([[{ user_ref: null }], [{ user_ref: 7 }], [{ user_ref: ['ada'] }]])(
    '%j is refused',
    (body) => expect(messageOf(readWalletCreation(body))).toMatch(/^user_ref: /),
  );
});

describe('sandbox funding', () => {
  test.each<[object, object]>([
    [{ amount_kobo: 100 }, { amountKobo: 100, note: null }],
    [
      { amount_kobo: 100, note: null },
      { amountKobo: 100, note: null },
    ],
    [
      { amount_kobo: 100, note: 'test' },
      { amountKobo: 100, note: 'test' },
    ],
    [{ amount_kobo: 0 }, { amountKobo: 0, note: null }],
    [{ amount_kobo: -5 }, { amountKobo: -5, note: null }],
  ])('%j: an amount below 1 is refused later, with a code of its own', (body, value) => {
    expect(valueOf(readFunding(body))).toEqual(value);
  });

  test.each<[object, string]>([
    [{}, 'amount_kobo: is required'],
    [{ amount: 100 }, 'amount_kobo: is required'],
    [{ amount_kobo: '100' }, 'amount_kobo: must be an integer number of kobo'],
    [{ amount_kobo: 1.5 }, 'amount_kobo: must be an integer number of kobo'],
    [{ amount_kobo: 2 ** 53 }, 'amount_kobo: must be an integer number of kobo'],
  ])('%j is refused', (body, message) => expect(messageOf(readFunding(body))).toBe(message));
});

describe('complete and fail', () => {
  test.each<[object, string]>([
    [{ transaction_id: ID, reason: 'No such account' }, 'No such account'],
    [{ transaction_id: ID }, 'Simulated failure'],
    [{ transaction_id: ID, reason: null }, 'Simulated failure'],
    [{ transaction_id: `tx_${ID.toUpperCase()}` }, 'Simulated failure'],
  ])('%j', (body, reason) => {
    expect(valueOf(readOutcome(body))).toEqual({ transactionId: ID, reason });
  });

  test.each<[object, string]>([
    [{}, 'transaction_id: is required'],
    [{ transaction_id: 'x' }, 'transaction_id: must be a uuid'],
    [{ transaction_id: '' }, 'transaction_id: must be a uuid'],
  ])('%j is refused', (body, message) => expect(messageOf(readOutcome(body))).toBe(message));
});

describe('webhook endpoint', () => {
  const url = 'https://acme.example/hooks';
  const anywhere = () => null;

  test('url and events, each kind once', () => {
    const events = ['transfer.completed', 'wallet.activated', 'transfer.completed'];
    expect(valueOf(readEndpoint({ url, events, secret: 'mine' }, anywhere))).toEqual({
      url,
      events: ['transfer.completed', 'wallet.activated'],
    });
  });

  test('a url may have 2,048 characters', () => {
    const long = `${url}/`.padEnd(2_048, 'a');
    expect(valueOf(readEndpoint({ url: long, events: ['kyc.failed'] }, anywhere)).url).toBe(long);
  });

  test.each<[string, object, RegExp]>([
    ['without url', { events: ['kyc.failed'] }, /^url: is required$/],
    ['with an empty url', { url: '', events: ['kyc.failed'] }, /^url: must have 1 to 2048 characters$/],
    [
      'with a url of 2,049 characters',
      { url: url.padEnd(2_049, 'a'), events: ['kyc.failed'] },
      /^url: must have 1 to 2048 characters$/,
    ],
    [
      'with a line end in the url',
      { url: `${url}\r\nX: y`, events: ['kyc.failed'] },
      /^url: must not contain control characters$/,
    ],
    ['without events', { url }, /^events: is required$/],
    ['with events of null', { url, events: null }, /^events: must be an array$/],
    ['with one event as text', { url, events: 'kyc.failed' }, /^events: must be an array$/],
    ['with no event', { url, events: [] }, /^events: must name at least one event$/],
    ['with an unknown event', { url, events: ['kyc.failed', 'wallet.created'] }, /^events: must be of: /],
    ['with an event in upper case', { url, events: ['KYC.FAILED'] }, /^events: must be of: /],
    ['with an event that is a number', { url, events: [7] }, /^events\[0\]: /],
    [
      'with 51 events',
      { url, events: Array.from({ length: 51 }, () => 'kyc.failed') },
      /^events: must name at most 50 events$/,
    ],
  ])('%s: refused', (_what, body, message) =>
    expect(messageOf(readEndpoint(body, anywhere))).toMatch(message),
  );
});
