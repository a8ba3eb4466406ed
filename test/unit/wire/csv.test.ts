/** Files for spreadsheets: no text of a person is ever run, and what is guarded can be read back. */
import { CSV_MARK, csvLine, guarded, unguarded } from '../../../src/wire/csv';

test.each([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t'=1"],
  ['\r=1', "'\r'=1"],
  ['\n=1', "'\n'=1"],
  ['\ttext', "'\ttext"],
  ['\rtext', "'\rtext"],
  // Blanks before it, which some programs cut off.
  [' =1', "' =1"],
  ['   @x', "'   @x"],
  ['\u00a0=1', "'\u00a0=1"],
  ['\u3000+1', "'\u3000+1"],
  ['\u200b=1', "'\u200b=1"],
  ['\ufeff=1', "'\ufeff=1"],
  ['\u202e-1', "'\u202e-1"],
  ['\u0000=1', "'\u0000=1"],
  // Other forms of the signs.
  ['＝1', "'＝1"],
  ['＋1', "'＋1"],
  ['－1', "'－1"],
  ['＠x', "'＠x"],
  ['−1', "'−1"],
  ['﹢1', "'﹢1"],
  [' ＝1', "' ＝1"],
  // Where another country or program begins the next cell.
  ['a;=1', "a;'=1"],
  ['a; =1', "a;' =1"],
  ['a,=1', "a,'=1"],
  ['a|@x', "a|'@x"],
  ['a\t=1', "a\t'=1"],
  ['a\n=1', "a\n'=1"],
  ['a\r\n+1', "a\r\n'+1"],
  ['a;＝1', "a;'＝1"],
  [';;=1', ";;'=1"],
  ['=1;=2;=3', "'=1;'=2;'=3"],
  // What is guarded already, and what looks so.
  ["'=1", "''=1"],
  ["''=1", "'''=1"],
  ["' =1", "'' =1"],
])('%j is shown as %j', (text, shown) => {
  expect(guarded(text)).toBe(shown);
  expect(unguarded(shown)).toBe(text);
});

test.each([
  '',
  'rent for May',
  ' rent',
  'a = b',
  'a - b',
  'ada@acme.example',
  '1+1',
  "it's 5 - 3",
  "O'Neill",
  "'quoted'",
  'a; b',
  'a, b',
  '₦5,000',
])('%j stays as it is', (text) => {
  expect(guarded(text)).toBe(text);
  expect(unguarded(text)).toBe(text);
});

test('a text that is nothing but such signs is looked through once', () => {
  for (const sign of ['\t', ';', "'", ' ', '=', ';=']) {
    const text = sign.repeat(20_000);
    const start = performance.now();
    expect(unguarded(guarded(text)) === text).toBe(true);
    expect(performance.now() - start).toBeLessThan(5_000);
  }
});

test('a line is quoted where a cell has a comma, a quotation mark or a line end', () => {
  expect(csvLine(['a', 'b,c', 'd "e"', 'f\ng', ''])).toBe('a,"b,c","d ""e""","f\ng",\r\n');
  expect(CSV_MARK).toBe('\ufeff');
});
