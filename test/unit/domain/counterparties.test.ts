/** The lines that an entry becomes for people, and how account numbers are hidden. */
import { feeText, feeWithin, linesOf, maskedAccount } from '../../../src/domain/counterparties';
import type { StatementEntry } from '../../../src/domain/entries';

const entry = (amountKobo: number, paidKobo: number): StatementEntry => ({
  id: 'e',
  walletId: 'w',
  transactionId: 't',
  amountKobo,
  balanceAfterKobo: 50_000,
  sequence: 3,
  description: '',
  createdAt: new Date(0),
  type: 'p2p_transfer',
  reference: 'r',
  feeKobo: feeWithin(amountKobo, paidKobo),
  counterparty: null,
});

test.each<[what: string, entryKobo: number, paidKobo: number, lines: [number, number][], fee: string | null]>(
  [
    [
      'a debit with a fee',
      -10_500,
      10_000,
      [
        [-10_000, 50_500],
        [-500, 50_000],
      ],
      'Fee and VAT',
    ],
    ['a debit without', -10_000, 10_000, [[-10_000, 50_000]], null],
    [
      'a credit that is less by its fee',
      9_900,
      10_000,
      [
        [10_000, 50_100],
        [-100, 50_000],
      ],
      'Fee and VAT',
    ],
    ['a credit without', 10_000, 10_000, [[10_000, 50_000]], null],
    [
      'a credit with which a fee comes back',
      10_500,
      10_000,
      [
        [10_000, 49_500],
        [500, 50_000],
      ],
      'Fee and VAT returned',
    ],
  ],
)('%s', (_what, entryKobo, paidKobo, lines, fee) => {
  const shown = linesOf(entry(entryKobo, paidKobo));
  expect(shown.map((line) => [line.amountKobo, line.balanceAfterKobo])).toEqual(lines);
  expect(shown[1] ? feeText(shown[1]) : null).toBe(fee);
});

test.each([
  ['0123456789', '******6789'],
  ['******6789', '******6789'],
  ['XXXXXX6789', '******6789'],
  ['6789', '6789'],
  ['', ''],
  [null, null],
])('the account number %j is shown as %j', (number, shown) => {
  expect(maskedAccount(number)).toBe(shown);
});
