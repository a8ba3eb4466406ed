/** The bench also holds figures that no slow yardstick can flatter (R42). */
import type { Row } from '../../bench/scenario';
import { SCENARIOS } from '../../bench/scenarios';
import { cellsOf } from '../../bench/table';
import { present } from '../../src/domain/assert';

const rows = SCENARIOS.flatMap((scenario) => scenario.rows);
const row = (name: string): Row | undefined => rows.find((one) => one.name === name);

test('every row has a name of its own', () => {
  const names = rows.map(({ name }) => name);
  expect(names.filter((name, place) => names.indexOf(name) !== place)).toEqual([]);
});

test.each([
  ['p2p-cpu', { unit: 'us', floor: 330, goal: 250, whereYardstickIs: 1_600 }],
  ['p2p-wal', { unit: 'KB', floor: 4.5, goal: 3.2 }],
])('%s holds the cost of a transfer itself to a floor and a goal', (name, bounds) => {
  expect(row(name)).toMatchObject({ ratio: 'at most', absolute: true, ...bounds });
});

test('the processor time of a transfer is judged as on the machine that its floor is meant for', () => {
  const cpu = present(row('p2p-cpu'), 'the row');
  const judged = (ours: number, yardstick: number) =>
    cellsOf({ row: cpu, runs: [{ ours, yardstick }], claims: [], usage: [] }).slice(-2);
  const meant = '<= 330 us; 250 us, where the yardstick is 1,600 us; there ours is';
  expect(judged(331, 1_600)).toEqual([`${meant} 331`, 'below its floor']);
  // Half as fast.
  expect(judged(640, 3_200)).toEqual([`${meant} 320`, 'floor']);
  expect(judged(100, 800)).toEqual([`${meant} 200`, 'goal']);
});

test('a healthy receiver waits a few seconds at most while workers are replaced', () => {
  expect(row('webhooks-restart')).toMatchObject({ ratio: 'at most', unit: 's', absolute: true, floor: 5 });
});

test.each(['p2p-shipped', 'p2p-one-shipped'])('%s is measured at the limits as they are shipped', (name) => {
  expect(row(name)).toMatchObject({ ours: expect.stringContaining('the limit of') });
  expect(row(name)?.floor).not.toBeNull();
});

test('P2P stands beside a design that takes one transfer at a time as fast as Postgres can', () => {
  expect(row('p2p-function')).toMatchObject({ ratio: 'at least', unit: '/s' });
});
