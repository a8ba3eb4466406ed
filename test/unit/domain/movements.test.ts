/** What a restored database has forgotten, by the lines that lie outside of it. */
import {
  addLine,
  forgottenOf,
  lineKey,
  type MovementLine,
  type ToldTransaction,
} from '../../../src/domain/movements';
import { readMovementLine, writeMovementLine } from '../../../src/wire/movement-lines';

const ID = '01980000-0000-7000-8000-000000000001';
const PARTNER = '01980000-0000-7000-8000-0000000000aa';
const common = { cell: 'live_0', transactionId: ID, partnerId: PARTNER };
const movement = (status: string, at = '2026-11-27T10:00:00.000Z'): MovementLine => ({
  ...common,
  kind: 'movement',
  at: new Date(at),
  reference: 'rent "May"',
  type: 'bank_transfer',
  status,
  amountKobo: 10_000,
  sourceWalletId: PARTNER,
  destWalletId: null,
});
const order: MovementLine = {
  ...common,
  kind: 'order',
  at: new Date('2026-11-27T10:00:01.000Z'),
  company: 'paystack',
  reference: `tx-${ID}-1`,
  state: 'sending',
};
function told(...lines: MovementLine[]): ToldTransaction {
  const all = new Map<string, ToldTransaction>();
  for (const line of lines) addLine(all, line);
  return all.get(ID)!;
}

test.each([
  ['is not there', [movement('completed')], undefined, 'forgotten'],
  ['is not there, and was open', [movement('processing'), order], undefined, 'forgotten'],
  ['is not there, and only its order was told', [order], undefined, 'forgotten'],
  [
    'has forgotten its end',
    [movement('processing'), movement('failed', '2026-11-27T10:01:00.000Z')],
    'processing',
    'processing',
  ],
])('a transaction that %s is a finding', (_what, lines, has, is) => {
  expect(forgottenOf(ID, told(...lines), has)).toMatchObject({
    class: 'lost_in_restore',
    resource: ID,
    detail: { partner_id: PARTNER, is },
  });
});

test.each([
  ['is there as it was', [movement('completed')], 'completed'],
  ['has moved on since', [movement('processing'), order], 'completed'],
  ['came back since', [movement('completed')], 'reversed'],
  ['is open as it was', [movement('processing')], 'processing'],
])('a transaction that %s is none', (_what, lines, has) => {
  expect(forgottenOf(ID, told(...lines), has)).toBeNull();
});

test('the later one of two movements counts, in whatever order they come', () => {
  const [first, last] = [movement('processing'), movement('completed', '2026-11-27T10:01:00.000Z')];
  for (const lines of [
    [first, last],
    [last, first],
  ])
    expect(told(...lines).movement).toEqual(last);
});

test('a finding names the orders by the references that the companies have', () => {
  expect(forgottenOf(ID, told(movement('processing'), order, order), undefined)?.detail).toMatchObject({
    orders: [{ company: 'paystack', reference: `tx-${ID}-1`, state: 'sending' }],
  });
});

test.each([movement('completed'), order])(
  'a line is read as it was written, also behind a header of syslog',
  (line) => {
    const text = writeMovementLine(line);
    expect(readMovementLine(text)).toEqual(line);
    expect(readMovementLine(`<110>1 2026-11-27T10:00:00Z host partner-wallet 7 movement - ${text}`)).toEqual(
      line,
    );
    expect(text).not.toContain('\n');
  },
);

test.each([
  '',
  'a line',
  '{',
  '{}',
  '{"kind":"movement"}',
  writeMovementLine(movement('completed')).slice(0, -3),
])('%j is no line', (text) => {
  expect(readMovementLine(text)).toBeNull();
});

test('the same movement has the same key, and another status another one', () => {
  expect(lineKey(movement('completed'))).toBe(lineKey(movement('completed', '2026-11-28T00:00:00.000Z')));
  expect(lineKey(movement('completed'))).not.toBe(lineKey(movement('failed')));
  expect(lineKey(order)).not.toBe(lineKey({ ...order, state: 'accepted' }));
});
