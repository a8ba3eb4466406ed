/** What all processes know together about the companies that pay out: calls of a minute, pauses, breakers. */
import { afterCall, newBreaker, withCall } from '../../src/domain/breakers';
import {
  changeBreakers,
  listOpenBreakers,
  pauseCalls,
  takePlace,
  waitInLine,
} from '../../src/db/payments/provider-calls';
import { openTestCell, type TestCell } from '../support/cell';

const DIRECTORY = 'sandbox_directory';
let cell: TestCell;
beforeAll(async () => {
  cell = await openTestCell();
});
afterAll(() => cell.close());

const take = (provider: string, work: 'orders' | 'questions', places: number) =>
  takePlace(cell.cell.pool, DIRECTORY, { provider, work }, places);

test('a minute has its places, however many take them at once, and questions have their own', async () => {
  const at = await Promise.all(Array.from({ length: 9 }, () => take('limits', 'orders', 5)));
  // The nine may fall into two minutes.
  const taken = at.filter((wait) => wait === null).length;
  expect([5, 6, 7, 8, 9]).toContain(taken);
  for (const wait of at.filter((one) => one !== null)) {
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60_000);
  }
  expect(await take('limits', 'questions', 1)).toBeNull();
  await cell.owner.query(
    `UPDATE ${DIRECTORY}.provider_calls SET window_start = window_start - interval '1 minute', used = 5`,
  );
  expect(await take('limits', 'orders', 1)).toBeNull();
});

test('those who wait have their turns one after the other, as many in a minute as it has places', async () => {
  const of = { provider: 'line', work: 'questions' } as const;
  const wait = () => waitInLine(cell.cell.pool, DIRECTORY, of, 4);
  const minuteAgo = (minutes: number) =>
    cell.owner.query(
      `UPDATE ${DIRECTORY}.provider_calls SET window_start = window_start - $1 * interval '1 minute' WHERE provider = 'line'`,
      [minutes],
    );
  // All of this belongs to one minute.
  await cell.owner.query(
    `SELECT pg_sleep(CASE WHEN extract(second FROM clock_timestamp()) > 55 THEN 60 - extract(second FROM clock_timestamp()) ELSE 0 END)`,
  );
  const at = await Promise.all(Array.from({ length: 6 }, wait));
  expect(at.sort((a, b) => a - b)).toEqual([0, 15_000, 30_000, 45_000, 60_000, 75_000]);
  // Four of the six have had their turn, whether a call leaves first or somebody else has to wait first.
  await minuteAgo(1);
  expect(await wait()).toBe(30_000);
  await minuteAgo(1);
  expect(await take('line', 'questions', 4)).toBeNull();
  expect(await wait()).toBe(0);
  // However long the line is, whoever waits looks again after ten minutes.
  for (let times = 0; times < 45; times++) await wait();
  expect(await wait()).toBe(10 * 60_000 - 15_000);
  await minuteAgo(100);
  expect(await wait()).toBe(0);
});

test('a pause that a company asks for stops all calls until its end, and a shorter one does not end it', async () => {
  const pause = (ms: number) => pauseCalls(cell.cell.pool, DIRECTORY, 'pauses', ['orders', 'questions'], ms);
  await pause(30_000);
  await pause(10);
  for (const work of ['orders', 'questions'] as const) {
    const wait = await take('pauses', work, 9);
    expect(wait).toBeGreaterThan(20_000);
    expect(wait).toBeLessThanOrEqual(30_000);
  }
  await cell.owner.query(
    `UPDATE ${DIRECTORY}.provider_calls SET closed_until = now() WHERE provider = 'pauses'`,
  );
  expect(await take('pauses', 'orders', 9)).toBeNull();
});

test('answers that come at the same moment are all counted, and one process alone sends the probe', async () => {
  const of = { provider: 'breakers', bankCode: '058' };
  const unknown = () =>
    changeBreakers(cell.cell.pool, DIRECTORY, of, (all, now) => all.map((one) => afterCall(one, true, now)));
  await Promise.all(Array.from({ length: 10 }, unknown));
  expect(await listOpenBreakers(cell.cell.pool, DIRECTORY)).toMatchObject([
    { provider: 'breakers', bankCode: null, calls: 10, unknown: 10 },
    { provider: 'breakers', bankCode: '058', calls: 10, unknown: 10 },
  ]);
  await cell.owner.query(`UPDATE ${DIRECTORY}.provider_breakers SET open_until = now()`);
  let probes = 0;
  const probe = () =>
    changeBreakers(cell.cell.pool, DIRECTORY, of, (all, now) => {
      const next = all.map((one) => withCall(one, now));
      probes += Number(next.some((one, place) => one !== all[place]));
      return next;
    });
  await Promise.all(Array.from({ length: 5 }, probe));
  expect(probes).toBe(1);
  await changeBreakers(cell.cell.pool, DIRECTORY, of, (all, now) => all.map(() => newBreaker(now)));
  expect(await listOpenBreakers(cell.cell.pool, DIRECTORY)).toEqual([]);
});
