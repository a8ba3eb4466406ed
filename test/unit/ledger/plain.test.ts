/** Which payments may be a plain yes, before Postgres is asked. */
import { assumeYes, type Movement } from '../../../src/domain/ledger';
import { KOBO_MAX } from '../../../src/domain/money';
import { freshId, NOW, PARTNER } from '../../support/books';
import { bankTransfer, funding, p2p, settlement } from '../../support/movements';

const [ada, bola] = [freshId(), freshId()];
const pay = (of: Partial<Parameters<typeof p2p>[0]> = {}): Movement =>
  p2p({ partnerId: PARTNER, from: ada, to: bola, amountKobo: 100_000, ...of }).movement;
const key = { operation: 'p2p', key: 'k', fingerprint: 'body' };
const kinds = (movements: Movement[]): (string | null)[] =>
  assumeYes(movements, NOW).map((posted) => posted?.kind ?? null);

test.each<[string, Movement[], (string | null)[]]>([
  ['a transfer between two wallets', [pay()], ['posted']],
  ['a transfer of more than any wallet could have', [pay({ amountKobo: KOBO_MAX })], [null]],
  ['a transfer of nothing', [pay({ amountKobo: 0 })], [null]],
  ['a transfer to the same wallet', [pay({ to: ada })], [null]],
  [
    'the second of two with one reference',
    [pay({ reference: 'r' }), pay({ reference: 'r' })],
    ['posted', null],
  ],
  ['the second of two with one key', [pay({ key }), pay({ key })], ['posted', null]],
  [
    'a transfer of another partner from the same wallet',
    [pay(), pay({ partnerId: freshId() })],
    ['posted', null],
  ],
  ['a transfer that captures a hold', [{ ...pay(), holdId: freshId() } as Movement], [null]],
  [
    'a transfer to a bank',
    [bankTransfer({ partnerId: PARTNER, from: ada, amountKobo: 100_000 }).movement],
    ['posted'],
  ],
  [
    'a transfer to a bank with stamp duty',
    [bankTransfer({ partnerId: PARTNER, from: ada, amountKobo: 1_000_000, dutyKobo: 5_000 }).movement],
    [null],
  ],
  ['a funding', [funding({ partnerId: PARTNER, to: ada, amountKobo: 100_000 }).movement], [null]],
  [
    'the end of a transfer',
    [settlement({ partnerId: PARTNER, transactionId: freshId(), from: ada, to: 'completed' }).movement],
    [null],
  ],
])('%s', (_, movements, expected) => {
  expect(kinds(movements)).toEqual(expected);
});
