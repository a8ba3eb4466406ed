/** No number of a body is changed by reading it (D44, D142, R52). */
import { inexactNumbers, survives } from '../../../src/api/exact-numbers';
import type { FieldProblem } from '../../../src/domain/refusals';

const INEXACT =
  'must be a number that survives JSON: an integer up to 9007199254740991, or a decimal of at most 15 digits; send a longer one as text';

/** What is refused of a body with this text: the field and what it must be. */
function problemsOf(text: string): [string, string][] {
  JSON.parse(text);
  const refused = inexactNumbers(Buffer.from(text));
  const fields = (refused?.refusal.detail?.fields ?? []) as FieldProblem[];
  return fields.map(({ field, message }) => [field, message]);
}

describe('a number', () => {
  test.each([
    '0',
    '-0',
    '-0.0',
    '7',
    '-7',
    '1.0',
    '1.50',
    '0.1',
    '1e2',
    '1E+2',
    '100e-2',
    '0.000001',
    '1e-7',
    '123456789012345',
    '1234567890123456',
    '9007199254740991',
    '-9007199254740991',
    '9007199254740991.0',
    '3.141592653589793',
    '1.7976931348623157e-300',
  ])('%s survives', (text) => {
    expect(survives(text)).toBe(true);
    expect(problemsOf(`{"metadata":{"n":${text}}}`)).toEqual([]);
  });

  test.each([
    '9007199254740992',
    '-9007199254740992',
    '9007199254740993',
    '12345678901234567890',
    '9007199254740993.0',
    '90071992547409930e-1',
    '1e16',
    '1e21',
    '1e400',
    '-1e400',
    '1e-400',
    '0.1000000000000000055',
    '3.14159265358979323846',
    '0.30000000000000000001',
    '4503599627370497.25',
    `1${'0'.repeat(500)}`,
    `0.${'1'.repeat(500)}`,
  ])('%s does not', (text) => {
    expect(survives(text)).toBe(false);
    expect(problemsOf(`{"metadata":{"n":${text}}}`)).toEqual([['metadata.n', INEXACT]]);
  });

  test.each<[string, string, string]>([
    ['in a list', '{"a":[1,{"b":[0,9007199254740993]}]}', 'a[1].b[1]'],
    ['behind text that looks like JSON', '{"a":"\\",{[\\\\","b":1e400}', 'b'],
    ['behind blanks', '{ "a" :\n\t9007199254740993 }', 'a'],
    ['that is the whole body', '1e400', 'body'],
    ['under a name with quotes', '{"a\\"b":1e400}', 'a"b'],
    ['as an amount', '{"amount_kobo":9007199254740993}', 'amount_kobo'],
  ])('%s is named by its place', (_where, text, field) =>
    expect(problemsOf(text)).toEqual([[field, INEXACT]]),
  );

  test('in a text is text', () =>
    expect(problemsOf('{"a":"9007199254740993, 1e400","1e400":"{\\"a\\":1,\\"a\\":2}"}')).toEqual([]));
});

test('of a body that is wrong everywhere, twenty problems are named', () => {
  const text = `[${Array.from({ length: 50_000 }, () => '1e400').join(',')}]`;
  expect(problemsOf(text)).toHaveLength(20);
});

test('a name of any length is named by its beginning', () => {
  const [[field] = ['']] = problemsOf(`{"${'x'.repeat(4_000_000)}":1e400}`);
  expect(field).toBe('x'.repeat(64));
});

test('a text of many escapes is read to its end', () =>
  expect(problemsOf(`{"a":"${'\\\\\\"'.repeat(1_000_000)}","b":1e400}`)).toEqual([['b', INEXACT]]));
