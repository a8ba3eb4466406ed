/** What is counted of a body before it is parsed: the structure outside of strings, in the bytes as they come (R55). */
import { parseJson, STRUCTURE_MAX } from '../../../src/api/body';
import { createStructureCounter, structureOf } from '../../../src/api/structure';

test.each([
  ['', 0],
  ['1', 0],
  ['{}', 2],
  ['{"a":1,"b":[2,3]}', 8],
  ['"{}[],:"', 0],
  ['"a\\"{},"', 0],
  ['"a\\\\",[', 2],
  ['"ends with a backslash\\\\\\"{"', 0],
  ['{"a: {b}":"c, d"}', 3],
  ['"never closed {}{}', 0],
  ['["ẹ̀, {é}","₦"]', 3],
])('%s has %d', (text, expected) => {
  expect(structureOf(Buffer.from(text))).toBe(expected);
});

test('however the bytes are cut, they are as many', () => {
  const bytes = Buffer.from('{"a\\"{":["x\\\\",{"₦,":"}"}],"b":{}}');
  const whole = structureOf(bytes);
  expect(whole).toBe(13);
  for (let at = 0; at <= bytes.length; at++) {
    const counter = createStructureCounter();
    counter.add(bytes.subarray(0, at));
    expect(counter.add(bytes.subarray(at))).toBe(whole);
  }
});

/** A list of numbers with so many characters that count. */
const listWith = (structure: number): string => `[${'0,'.repeat(structure - 2)}0]`;
/** Lists within lists: one value of 24 levels again and again. */
const nested = `{"a":[${`${'['.repeat(20)}${']'.repeat(20)},`.repeat(600)}0]}`;
/** An object with so many fields. */
const keys = (count: number): string =>
  `{${Array.from({ length: count }, (_, n) => `"k${String(n)}":0`).join(',')}}`;

test.each<[string, string, boolean]>([
  ['as many as there may be', listWith(STRUCTURE_MAX), true],
  ['one more', listWith(STRUCTURE_MAX + 1), false],
  ['empty objects by the thousand', `[${'{},'.repeat(80_000)}{}]`, false],
  ['many short lists deep in lists', nested, false],
  ['the keys of one object, at the bound', keys(9_999), true],
  ['the keys of one object, beyond it', keys(10_001), false],
  ['a text full of commas', `{"text":"${','.repeat(200_000)}"}`, true],
  ['the bound in a text that is cut off', listWith(STRUCTURE_MAX + 2).slice(0, -1), false],
])('%s', (_what, text, isRead) => {
  const read = parseJson(Buffer.from(text));
  expect(read.ok ? 'read' : read.refusal.code).toBe(isRead ? 'read' : 'PAYLOAD_TOO_LARGE');
  if (!read.ok)
    expect(read.refusal.message).toContain('20000 of the characters { } [ ] , : outside of strings');
});

test('what is refused is not parsed', () => {
  const parse = jest.spyOn(JSON, 'parse');
  parseJson(Buffer.from(listWith(STRUCTURE_MAX + 1)));
  expect(parse).not.toHaveBeenCalled();
  parse.mockRestore();
});
