/**
 * A kind of transaction that exists only in tests: a gift from wallet to wallet, with a flat fee of 100 kobo. It
 * shows that a new kind needs no more than one row.
 */
import { TRANSACTION_KINDS, type OpeningKind } from '../../src/domain/kinds';
import type { Opening, OpeningCommon } from '../../src/domain/ledger';
import { p2pPostings } from '../../src/domain/postings';
import { PAYER_REFUSALS } from '../../src/domain/wallets';

export interface GiftOpening extends OpeningCommon {
  type: 'test_gift';
  sourceWalletId: string;
  destWalletId: string;
  occasion: string;
}

export const gift = {
  summary: 'A gift from one wallet to another',
  fees: { customer: { kind: 'flat', feeKobo: 100 }, bank: 'none' },
  life: {
    bornAs: 'completed',
    machine: [],
    endedBy: null,
    inFlightWhile: null,
    entries: { completed: ['accept'] },
    givenBack: null,
  },
  events: { areSent: true, areAliased: true, completedNames: 'both_wallets' },
  sourceRefusals: PAYER_REFUSALS,
  limits: [],
  once: {
    by: 'reference',
    terms: ({ sourceWalletId, destWalletId, amountKobo, occasion }) =>
      JSON.stringify([sourceWalletId, destWalletId, amountKobo, occasion]),
  },
  legs: ({ transactionId, sourceWalletId, destWalletId, amountKobo }) => [
    { transactionId, sourceWalletId, destWalletId, amountKobo },
  ],
  record: ({ metadata, occasion }) => ({ metadata: { ...metadata, occasion } }),
  postings: {
    accept: ({ sourceWalletId, destWalletId }, { amountKobo, fees }) =>
      p2pPostings({ source: sourceWalletId, dest: destWalletId }, amountKobo, fees),
    settle: null,
    return: null,
  },
} satisfies OpeningKind<GiftOpening>;

/** Puts the kind into the table, which is that of all files of this process: `removeGifts` comes after the tests. */
export const addGifts = (): void => void Object.assign(TRANSACTION_KINDS, { test_gift: gift });
export const removeGifts = (): void => void Reflect.deleteProperty(TRANSACTION_KINDS, 'test_gift');

/** The movement. The compiler does not know the kind, so this function casts the movement. */
export const giving = (
  of: Omit<GiftOpening, 'kind' | 'type' | 'description' | 'metadata' | 'key'>,
): Opening =>
  ({
    kind: 'open',
    type: 'test_gift',
    description: '',
    metadata: {},
    key: null,
    ...of,
  }) as unknown as Opening;
