/** What a payer has typed means the same with the blanks and the `#` that phones and networks add (D73, D76). */
import { markOf, meantBy, readDialled, readSteps } from '../../../src/domain/ussd-dialogue';

const BASE = '*384*4827';

test.each<[string, string, string | null, string[]]>([
  ['*384*4827*615203#', '', '615203', []],
  ['*384*4827*615203#', ' ', '615203', []],
  ['*384*4827*615203# ', '1 ', '615203', ['1']],
  ['*384*4827*615203#', '1#', '615203', ['1']],
  ['*384*4827*615203#', '1 #', '615203', ['1']],
  ['*384*4827*615203#', '1 * 4821#', '615203', ['1', '4821']],
  ['*384#', '615203#', '615203', []],
  ['*384#', ' 615203 *1#', '615203', ['1']],
  ['*384#', ' *384*4827*615203# ', '615203', []],
  ['*384#', '*384*4827*615203*1#', '615203', ['1']],
  ['*384#', '1 ', null, ['1']],
])('service code "%s" and text "%s"', (serviceCode, text, code, inputs) =>
  expect(readDialled(BASE, { serviceCode, text })).toEqual({ code, inputs }),
);

test.each([
  ['1', '1', '1'],
  ['1 ', '1', '1'],
  [' 1', '1', '1'],
  ['1#', '1', '1'],
  ['1 #', '1', '1'],
  ['2#', '2', '2'],
  ['4821', 'x', '4821'],
  ['4821#', 'x', '4821'],
  [' 4821 ', 'x', '4821'],
  ['11', 'x', 'x'],
  ['1##', 'x', 'x'],
  ['48 21', 'x', 'x'],
  ['#', 'x', 'x'],
  ['', 'x', 'x'],
])('of "%s" the mark is %s and the meaning %s', (input, mark, meaning) => {
  expect(markOf(input)).toBe(mark);
  expect(meantBy(input)).toBe(meaning);
});

test('a message that is sent again with a # is the same step', () => {
  const step = (text: string): unknown =>
    readSteps(readDialled(BASE, { serviceCode: `${BASE}*615203#`, text }).inputs);
  expect(step('1*4821#')).toEqual({ kind: 'pin', pin: '4821', hop: 2 });
  expect(step('1 *4821')).toEqual(step('1*4821#'));
});
