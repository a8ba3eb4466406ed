/** The bench also holds figures that no slow yardstick can flatter (R42). */
import type { Row } from '../../bench/scenario';
import { SCENARIOS } from '../../bench/scenarios';

const rows = SCENARIOS.flatMap((scenario) => scenario.rows);
const row = (name: string): Row | undefined => rows.find((one) => one.name === name);

test('every row has a name of its own', () => {
  const names = rows.map(({ name }) => name);
  expect(names.filter((name, place) => names.indexOf(name) !== place)).toEqual([]);
});

test.each([
  ['p2p-cpu', 'us'],
  ['p2p-wal', 'KB'],
])('%s holds the cost of a transfer itself to a floor and a goal', (name, unit) => {
  expect(row(name)).toMatchObject({ unit, ratio: 'at most', absolute: true });
  expect(row(name)?.floor).toBeGreaterThanOrEqual(row(name)?.goal ?? Infinity);
});

test.each(['p2p-shipped', 'p2p-one-shipped'])('%s is measured at the limits as they are shipped', (name) => {
  expect(row(name)).toMatchObject({ ours: expect.stringContaining('the limit of') });
  expect(row(name)?.floor).not.toBeNull();
});

test('P2P stands beside a design that takes one transfer at a time as fast as Postgres can', () => {
  expect(row('p2p-function')).toMatchObject({ ratio: 'at least', unit: '/s' });
});
