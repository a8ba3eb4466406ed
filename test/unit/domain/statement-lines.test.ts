/** What lines of one moment say of the balance, in whichever order a company tells them. */
import { balancesToldBy } from '../../../src/domain/statement-lines';

type Told = [second: number, changeKobo: number, balanceKobo: number | null];
const linesFrom = (told: readonly Told[]) =>
  told.map(([second, changeKobo, balanceKobo]) => ({
    at: new Date(second * 1_000),
    changeKobo,
    balanceKobo,
  }));

test.each<[what: string, told: Told[], expected: [firstKobo: number, lastKobo: number] | null]>([
  ['one line', [[0, -130, 500]], [630, 500]],
  [
    'two moments',
    [
      [0, -130, 500],
      [1, 20, 520],
    ],
    [630, 520],
  ],
  [
    'three lines of one moment in their order',
    [
      [0, -130, 500],
      [0, -110, 390],
      [0, -110, 280],
    ],
    [630, 280],
  ],
  [
    'the same three in another order',
    [
      [0, -110, 280],
      [0, -130, 500],
      [0, -110, 390],
    ],
    [630, 280],
  ],
  [
    'a first and a last moment of two lines each',
    [
      [0, -1, 8],
      [0, -1, 9],
      [5, 7, 15],
      [5, 0, 8],
    ],
    [10, 15],
  ],
  [
    'a moment after which the balance is the same again',
    [
      [0, 10, 110],
      [1, -5, 105],
      [1, 5, 110],
    ],
    [100, 110],
  ],
  [
    'a line that does not say the balance',
    [
      [0, -1, null],
      [1, -1, 8],
    ],
    [9, 8],
  ],
  ['no line that says it', [[0, -1, null]], null],
  ['no line', [], null],
])('%s', (_what, told, expected) => {
  const says = balancesToldBy(linesFrom(told));
  expect(says && [says.firstKobo, says.lastKobo]).toEqual(expected);
});
