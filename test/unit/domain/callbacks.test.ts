/**
 * What a provider's callback means in comparison with our books: every outcome in every state (D30, D57, D115).
 */
import {
  CALLBACK_OUTCOMES,
  compareCallback,
  isRehearsed,
  receiverOf,
  type CallbackOutcome,
} from '../../../src/domain/callbacks';
import type { TransactionStatus } from '../../../src/domain/transactions';
import { sampleBankTransfer, sampleTransfer } from '../../support/samples';

const said = (outcome: string, more: object = {}) => ({
  id: 'callback-1',
  eventId: 'evt-1',
  provider: 'paystack',
  attemptNumber: null,
  providerReference: 'SBX_1',
  outcome,
  amountKobo: 123_450,
  currency: 'NGN',
  ...more,
});

/** By what people ask the company about it. */
const NAMED = { event_id: 'evt-1', provider: 'paystack', provider_reference: 'SBX_1', kobo: 123_450 };

type Row = [
  CallbackOutcome,
  TransactionStatus,
  asks: string | null,
  compared: 'open' | 'agrees' | 'contradicts',
];
const TABLE: Row[] = [
  ['success', 'processing', 'bankTransfer', 'open'],
  ['success', 'completed', null, 'agrees'],
  ['success', 'failed', null, 'contradicts'],
  ['success', 'reversed', null, 'agrees'],
  ['failed', 'processing', 'bankTransfer', 'open'],
  ['failed', 'completed', null, 'contradicts'],
  ['failed', 'failed', null, 'agrees'],
  ['failed', 'reversed', null, 'agrees'],
  ['reversed', 'processing', 'bankTransfer', 'open'],
  ['reversed', 'completed', 'bankReturn', 'open'],
  ['reversed', 'failed', null, 'agrees'],
  ['reversed', 'reversed', null, 'agrees'],
];

test.each(TABLE)('"%s" of a transfer that is %s: asks %s, %s', (outcome, status, asks, compared) => {
  const transfer = sampleBankTransfer({ status });
  expect(receiverOf(said(outcome), transfer, null)).toBe(asks);
  const result = compareCallback(said(outcome), transfer, null);
  if (compared === 'open') expect(result).toBe('open');
  else if (compared === 'agrees') expect(result).toBeNull();
  else {
    expect(result).toEqual({
      class: 'provider_contradiction',
      resource: transfer.id,
      detail: { ...NAMED, outcome, about: 'outcome', status },
    });
  }
});

test('what a sandbox has asked for is named in the contradiction, and nothing else', () => {
  const rehearsed = (outcome: string, more: object = {}) => {
    const transfer = sampleBankTransfer({ status: 'completed', scenario: 'callback_contradicts' });
    const found = compareCallback(said(outcome, more), transfer, null);
    return found && typeof found === 'object' && isRehearsed(found);
  };
  expect(rehearsed('failed')).toBe(true);
  expect([rehearsed('weird'), rehearsed('failed', { amountKobo: 1 })]).toEqual([false, false]);
});

test('the table has every outcome in every state of a bank transfer', () => {
  const states = ['processing', 'completed', 'failed', 'reversed'];
  expect(TABLE.map(([outcome, status]) => `${outcome} ${status}`)).toEqual(
    CALLBACK_OUTCOMES.flatMap((outcome) => states.map((status) => `${outcome} ${status}`)),
  );
});

describe.each<TransactionStatus>(['processing', 'completed', 'failed'])(
  'of a transfer that is %s',
  (status) => {
    test.each<[string, object, string]>([
      ['another amount', { amountKobo: 123_451 }, 'amount'],
      ['another currency', { currency: 'USD' }, 'currency'],
      ['another reference of its own', { providerReference: 'SBX_2' }, 'reference'],
      ['an outcome that nobody knows', { outcome: 'weird' }, 'outcome'],
    ])('%s: asks nobody, contradicts', (_what, more, about) => {
      const transfer = sampleBankTransfer({ status });
      expect(receiverOf(said('success', more), transfer, null)).toBeNull();
      expect(compareCallback(said('success', more), transfer, null)).toMatchObject({
        class: 'provider_contradiction',
        detail: { about },
      });
    });
  },
);

test('a reference of the provider that we do not know yet is not a contradiction', () => {
  const transfer = sampleBankTransfer({ status: 'processing', pspReference: null });
  expect(receiverOf(said('success', { providerReference: 'any' }), transfer, null)).toBe('bankTransfer');
});

test('what is not a bank transfer: asks nobody, contradicts', () => {
  expect(receiverOf(said('success'), sampleTransfer(), null)).toBeNull();
  expect(compareCallback(said('success'), sampleTransfer(), null)).toMatchObject({
    detail: { about: 'type' },
  });
});

test('a transfer that is not ours is unknown, under the callback’s own id, and people are told by what the company knows it', () => {
  expect(compareCallback(said('success'), null, null)).toEqual({
    class: 'provider_unknown',
    resource: 'callback-1',
    detail: { ...NAMED, outcome: 'success' },
  });
});

describe('a callback that names an attempt', () => {
  const named = (outcome: string) => said(outcome, { attemptNumber: 1, providerReference: 'TRF_1' });
  const ours = { providerRef: 'TRF_1', isLast: true };
  const earlier = { providerRef: null, isLast: false };

  test('is compared with the company’s id of that attempt, and not with that of the transfer', () => {
    const transfer = sampleBankTransfer({ status: 'completed', pspReference: 'TRF_2' });
    expect(compareCallback(named('success'), transfer, ours)).toBeNull();
    expect(compareCallback(named('success'), transfer, { ...ours, providerRef: 'TRF_3' })).toMatchObject({
      detail: { about: 'reference' },
    });
  });

  test('that we do not have: asks nobody, contradicts', () => {
    const transfer = sampleBankTransfer({ status: 'processing' });
    expect(receiverOf(named('success'), transfer, null)).toBeNull();
    expect(compareCallback(named('success'), transfer, null)).toMatchObject({ detail: { about: 'attempt' } });
  });

  test.each<TransactionStatus>(['processing', 'completed', 'failed', 'reversed'])(
    'that another attempt came after: its failure agrees, its success is late, while the transfer is %s',
    (status) => {
      const transfer = sampleBankTransfer({ status, pspReference: 'TRF_2' });
      for (const outcome of ['failed', 'reversed']) {
        expect(receiverOf(named(outcome), transfer, earlier)).toBeNull();
        expect(compareCallback(named(outcome), transfer, earlier)).toBeNull();
      }
      expect(receiverOf(named('success'), transfer, earlier)).toBeNull();
      expect(compareCallback(named('success'), transfer, earlier)).toBe('late');
    },
  );

  test('that failed, with its transfer: its success is late', () => {
    const transfer = sampleBankTransfer({ status: 'failed' });
    expect(compareCallback(named('success'), transfer, ours)).toBe('late');
  });
});
