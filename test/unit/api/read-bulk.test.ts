/** The body of a bulk transfer, as JSON and with a line in each line, and what is made of it where it is read (D202). */
import { readBulkBody } from '../../../src/api/threads/read-bulk';
import { LARGE_STRUCTURE_MAX } from '../../../src/api/body';
import { ID_EXAMPLE, OTHER_ID_EXAMPLE } from '../../../src/wire/fields';

const line = (place: number, more: object = {}) => ({
  source_wallet: ID_EXAMPLE,
  dest_wallet: OTHER_ID_EXAMPLE,
  amount: 100,
  reference: `line-${String(place)}`,
  ...more,
});
const lines = (count: number): object[] => Array.from({ length: count }, (_, place) => line(place));
const read = (text: string, isLines = false) =>
  readBulkBody({
    bytes: new Uint8Array(Buffer.from(text)),
    isLines,
    operation: 'createBulkTransfer',
    params: {},
  });
const asLines = (values: unknown[], end = '\n'): string =>
  values.map((value) => JSON.stringify(value) + end).join('');

const transfers = [line(0, { metadata: { b: 1, a: [2] } }), line(1)];
const asJson = read(JSON.stringify({ reference: 'payroll', transfers }));

test.each<[string, string]>([
  ['its lines', asLines([{ reference: 'payroll' }, ...transfers])],
  ['ends of lines as Windows has them', asLines([{ reference: 'payroll' }, ...transfers], '\r\n')],
  ['no end after the last line', asLines([{ reference: 'payroll' }, ...transfers]).trimEnd()],
])('with %s it is the same request as in JSON, with the same fingerprint', (_what, text) => {
  expect(asJson.read).toMatchObject({ ok: true, value: { request: { reference: 'payroll' } } });
  expect(read(text, true)).toEqual(asJson);
});

test('the order of keys does not make another request, and another line does', () => {
  const turned = transfers.map((one) => Object.fromEntries(Object.entries(one).reverse()));
  expect(read(JSON.stringify({ transfers: turned, reference: 'payroll' })).read).toEqual(asJson.read);
  const other = read(JSON.stringify({ reference: 'payroll', transfers: transfers.slice(1) }));
  expect(other.read.ok && other.read.value.hash).not.toBe(asJson.read.ok && asJson.read.value.hash);
});

test.each<[string, string, string]>([
  ['a line that is no JSON', '{"reference":"a"}\n{}\n{"amount":', 'line 3 of the body is not JSON'],
  ['an empty line', '{"reference":"a"}\n\n{}\n', 'line 2 of the body is not JSON'],
  ['nothing', '', 'the first line must be the bulk transfer as an object without its transfers'],
  ['a list first', '[]\n', 'the first line must be the bulk transfer as an object without its transfers'],
  [
    'lines in the first line',
    '{"transfers":[]}\n',
    'the first line must be the bulk transfer as an object without its transfers',
  ],
  ['a key that harms in the first line', '{"__proto__":{}}\n{}\n', '__proto__ is not accepted as a key'],
  ['a key that harms in a line', '{}\n{"a":{"__proto__":{}}}\n', '__proto__ is not accepted as a key'],
  ['a line too deep', `{}\n${'['.repeat(30)}${']'.repeat(30)}\n`, 'the body is more than 24 levels deep'],
])('%s: VALIDATION_ERROR', (_what, text, message) => {
  expect(read(text, true).read).toMatchObject({ ok: false, refusal: { code: 'VALIDATION_ERROR', message } });
});

test('problems name lines as they do for JSON', () => {
  const { read: refused } = read(asLines([{ reference: 'payroll' }, line(0), line(1, { amount: 0 })]), true);
  expect(refused).toMatchObject({
    refusal: { detail: { fields: [{ field: 'transfers[1].amount', message: 'must be at least 1' }] } },
  });
});

test.each([false, true])('ten thousand lines are read, and of one more none (lines: %s)', (isLines) => {
  const text = (count: number): string =>
    isLines
      ? asLines([{ reference: 'payroll' }, ...lines(count)])
      : JSON.stringify({ reference: 'payroll', transfers: lines(count) });
  const most = read(text(10_000), isLines);
  expect(most.read.ok && most.read.value.request.lines.length).toBe(10_000);
  expect(most.places).toBe(10);
  expect(read(text(10_001), isLines).read).toMatchObject({
    refusal: { detail: { fields: [{ field: 'transfers', message: 'must have at most 10000 lines' }] } },
  });
});

test.each([
  [LARGE_STRUCTURE_MAX, 'VALIDATION_ERROR'],
  [LARGE_STRUCTURE_MAX + 1, 'PAYLOAD_TOO_LARGE'],
])('a structure of %d: %s', (structure, code) => {
  const text = `[${'0,'.repeat(structure - 2)}0]`;
  expect(read(text).read).toMatchObject({ ok: false, refusal: { code } });
});

test('what the log keeps of it hides what is personal', () => {
  const { kept, head } = read(
    JSON.stringify({ reference: 'r', transfers: [line(0, { description: 'Ada' })] }),
  );
  expect(kept.text).toContain('"description":"[hidden]"');
  expect(head).toEqual({ reference: 'r' });
});

test('a number that JSON does not keep is refused in both forms', () => {
  const metadata = '"metadata":{"order":9007199254740993}';
  const line = JSON.stringify(transfers[0]).replace(/}$/, `,${metadata}}`);
  for (const body of [
    read(`{"reference":"payroll","transfers":[${line}]}`),
    read(`{"reference":"payroll"}\n${line}`, true),
  ]) {
    expect(body.read).toMatchObject({ ok: false, refusal: { code: 'VALIDATION_ERROR' } });
  }
});

test('a field that no line has is named with its place', () => {
  const [first, ...others] = transfers;
  const wrong = [{ ...first, naration: 'salary' }, ...others];
  for (const body of [
    read(JSON.stringify({ reference: 'payroll', transfers: wrong })),
    read([{ reference: 'payroll' }, ...wrong].map((one) => JSON.stringify(one)).join('\n'), true),
  ]) {
    expect(body.ignored.map(({ path }) => path)).toEqual(['transfers[0].naration']);
  }
});
