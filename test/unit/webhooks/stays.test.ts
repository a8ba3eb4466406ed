/** Dispatchers that stay: one look serves all of them, and they are a limited number. */
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createStays, type Stays } from '../../../src/activities/webhook-stays';
import type { Cell } from '../../../src/db/pg/postgres';
import { until } from '../../support/until';

const FOR_MS = 60_000;

let stays: Stays;
let end: AbortController;
/** For each look, the endpoints that it asked about. */
let looks: string[][];
/** What a look finds; an error where Postgres is away. */
let due: string[] | Error;
let cell: Cell;

beforeEach(() => {
  stays = createStays();
  end = new AbortController();
  setMaxListeners(100, end.signal);
  looks = [];
  due = [];
  const query = (_text: string, [ids]: [string[]]) => {
    looks.push(ids);
    if (due instanceof Error) return Promise.reject(due);
    return Promise.resolve({ rows: due.map((id) => ({ id })) });
  };
  cell = { schema: 'cell', pool: { query } } as unknown as Cell;
});
afterEach(() => end.abort());

const stay = (endpointId: string, forMs = FOR_MS) => stays.untilDue(cell, endpointId, forMs, end.signal);

test('one look asks for all that stay, and only those leave at which something is due', async () => {
  const [first, second] = [stay('first'), stay('second')];
  await until('a look for both', () => looks.some((ids) => ids.length === 2));
  due = ['first'];
  expect(await first).toBe(true);
  due = [];
  looks = [];
  await until('a further look', () => looks.length > 0);
  expect(looks[0]).toEqual(['second']);
  end.abort();
  expect(await second).toBe(false);
});

test('two that stay for one endpoint both leave', async () => {
  const both = [stay('same'), stay('same')];
  due = ['same'];
  expect(await Promise.all(both)).toEqual([true, true]);
});

test('without anybody who stays nothing is asked', async () => {
  const alone = stay('alone', 20);
  expect(await alone).toBe(false);
  await sleep(100);
  const { length } = looks;
  await sleep(200);
  expect(looks).toHaveLength(length);
});

test('a look that fails keeps those that stay, and the next one makes up for it', async () => {
  due = new Error('Postgres is away');
  const one = stay('one');
  await until('a look that failed', () => looks.length > 0);
  due = ['one'];
  expect(await one).toBe(true);
});

test.each(['80', '81'])('of %s that come, eighty stay', async (coming) => {
  const all = Array.from({ length: Number(coming) }, (_, n) => stay(String(n)));
  const gone: boolean[] = [];
  for (const one of all) void one.then((isDue) => gone.push(isDue));
  await until('a look for eighty', () => looks.some((ids) => ids.length === 80));
  expect(gone).toEqual(Array(Number(coming) - 80).fill(false));
  end.abort();
  await Promise.all(all);
  due = ['again'];
  expect(await stay('again')).toBe(false);
  end = new AbortController();
  expect(await stay('again')).toBe(true);
});

test.each([
  { what: 'no time', forMs: 0, isEnding: false },
  { what: 'a worker that ends', forMs: FOR_MS, isEnding: true },
])('with $what nobody stays', async ({ forMs, isEnding }) => {
  if (isEnding) end.abort();
  expect(await stay('one', forMs)).toBe(false);
  expect(looks).toEqual([]);
});
