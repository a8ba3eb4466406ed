/** The threads beside the event loop: what they give, whose turn it is, and what ends without harm to others (R55). */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import pino from 'pino';
import { readBulkBody } from '../../../src/api/threads/read-bulk';
import { drawWholeStatement, type StatementDrawing } from '../../../src/api/threads/draw-statement';
import { createThreads, type ThreadLimits, type Threads } from '../../../src/api/threads/threads';
import type { StatementEntry } from '../../../src/domain/entries';
import { UnavailableError } from '../../../src/runtime/unavailable';
import { ID_EXAMPLE, OTHER_ID_EXAMPLE } from '../../../src/wire/fields';

const opened: Threads[] = [];
afterEach(() => Promise.all(opened.splice(0).map((one) => one.close())));
function open(limits: Partial<ThreadLimits> = {}): Threads {
  const threads = createThreads(
    { name: 'tests', count: 1, heapMb: 192, withinMs: 120_000, ...limits },
    pino({ enabled: false }),
  );
  opened.push(threads);
  return threads;
}

const stays = new AbortController().signal;
const bulkOf = (text: string) => ({
  bytes: new Uint8Array(Buffer.from(text)),
  isLines: false,
  operation: 'createBulkTransfer',
  params: {},
});
const transfers = (count: number) =>
  Array.from({ length: count }, (_, place) => ({
    source_wallet: ID_EXAMPLE,
    dest_wallet: OTHER_ID_EXAMPLE,
    amount: 100,
    reference: `line-${String(place)}`,
    description: 'Salary of November',
  }));
const small = bulkOf(JSON.stringify({ reference: 'few', transfers: transfers(3) }));
const readSmall = (threads: Threads, owner: string, signal = stays) =>
  threads.run(owner, 'readBulk', small, { signal });

const moment = new Date('2026-11-01T10:00:00Z');
const drawing: StatementDrawing = {
  statement: {
    walletId: ID_EXAMPLE,
    from: moment,
    to: moment,
    opening: { sequence: 0, balanceKobo: 0 },
    closing: { sequence: 2, balanceKobo: 200 },
  },
  businessName: 'Acme',
  wallet: { id: ID_EXAMPLE, userRef: 'ada', account: null } as StatementDrawing['wallet'],
};
const entry = (sequence: number) =>
  ({
    id: ID_EXAMPLE,
    transactionId: ID_EXAMPLE,
    amountKobo: 100,
    sequence,
    balanceAfterKobo: 100 * sequence,
    createdAt: moment,
    type: 'p2p_transfer',
    reference: `r-${String(sequence)}`,
    description: 'Lunch',
  }) as StatementEntry;
async function* entries(count: number): AsyncGenerator<StatementEntry[]> {
  await Promise.resolve();
  for (let from = 0; from < count; from += 500) {
    yield Array.from({ length: Math.min(500, count - from) }, (_, at) => entry(from + at + 1));
  }
}
/** Parts that never come. @returns what ends them. */
function stalled(): { parts: AsyncGenerator<StatementEntry[]>; end: () => void } {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  async function* wait(): AsyncGenerator<StatementEntry[]> {
    await ended;
    yield [];
  }
  return { parts: wait(), end: () => end() };
}

test('a body is read as it is read here', async () => {
  expect(await readSmall(open(), 'a')).toEqual(readBulkBody(small));
});

test('a statement is drawn of the parts that come', async () => {
  const pdf = Buffer.from(
    await open().run('a', 'drawStatement', drawing, { signal: stays, parts: entries(700) }),
  ).toString('latin1');
  expect(pdf.startsWith('%PDF-')).toBe(true);
  expect(pdf.trimEnd().endsWith('%%EOF')).toBe(true);
  expect(pdf.match(/\/Type \/Page$/gm)!.length).toBeGreaterThan(20);
});

test('what the parts throw is thrown, and the thread goes on', async () => {
  const threads = open();
  const broken = (async function* (): AsyncGenerator<StatementEntry[]> {
    await Promise.resolve();
    yield [entry(1)];
    throw new UnavailableError('the entries are gone');
  })();
  await expect(threads.run('a', 'drawStatement', drawing, { signal: stays, parts: broken })).rejects.toThrow(
    'the entries are gone',
  );
  expect((await readSmall(threads, 'a')).read.ok).toBe(true);
});

test('one that takes more memory than it may fails alone, and the next one has a thread', async () => {
  const threads = open({ heapMb: 24 });
  const more = transfers(10_000).map((one) => ({ ...one, more: 'x'.repeat(500) }));
  const hostile = bulkOf(JSON.stringify({ reference: 'large', transfers: more }));
  await expect(threads.run('a', 'readBulk', hostile, { signal: stays })).rejects.toThrow(UnavailableError);
  expect((await readSmall(threads, 'b')).read.ok).toBe(true);
});

test('one that takes too long fails, and the next one has a thread', async () => {
  const threads = open({ withinMs: 3_000 });
  const { parts, end } = stalled();
  await expect(threads.run('a', 'drawStatement', drawing, { signal: stays, parts })).rejects.toThrow(
    'took too long',
  );
  end();
  await expect(readSmall(open(), 'b')).resolves.toBeDefined();
});

test('an owner has one at a time, and others come first then', async () => {
  const threads = open({ count: 2 });
  const { parts, end } = stalled();
  const order: string[] = [];
  const first = threads.run('a', 'drawStatement', drawing, { signal: stays, parts });
  const again = readSmall(threads, 'a').then(() => order.push('a'));
  await Promise.all(['b', 'c'].map((one) => readSmall(threads, one).then(() => order.push(one))));
  expect(order).toEqual(['b', 'c']);
  end();
  await Promise.all([first, again]);
  expect(order).toEqual(['b', 'c', 'a']);
});

test('what nobody wants any more is not begun, and makes room', async () => {
  const threads = open();
  const { parts, end } = stalled();
  const first = threads.run('a', 'drawStatement', drawing, { signal: stays, parts });
  const gone = new AbortController();
  const waiting = Array.from({ length: 8 }, () => readSmall(threads, 'b', gone.signal));
  await expect(readSmall(threads, 'b')).rejects.toThrow('too much work waits');
  gone.abort(new Error('the caller has gone'));
  for (const one of waiting) await expect(one).rejects.toThrow('the caller has gone');
  const last = readSmall(threads, 'b');
  end();
  await first;
  expect((await last).read.ok).toBe(true);
});

test('what nobody wants any more and is under way ends, and frees the thread', async () => {
  const threads = open();
  const gone = new AbortController();
  const { parts, end } = stalled();
  const drawn = threads.run('a', 'drawStatement', drawing, { signal: gone.signal, parts });
  gone.abort(new Error('the caller has gone'));
  await expect(drawn).rejects.toThrow('the caller has gone');
  end();
  expect((await readSmall(threads, 'b')).read.ok).toBe(true);
});

test('after the end nothing is begun', async () => {
  const threads = open();
  await threads.close();
  await expect(readSmall(threads, 'a')).rejects.toThrow(UnavailableError);
});

/** The longest time for which nothing else was done while `work` ran, in milliseconds. */
async function longestStop(work: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  await work();
  delay.disable();
  return delay.max / 1e6;
}

describe('the event loop', () => {
  const large = () => bulkOf(JSON.stringify({ reference: 'many', transfers: transfers(10_000) }));

  test('is not stopped for as long as a body of ten thousand lines takes', async () => {
    const threads = open();
    await readSmall(threads, 'a');
    const given = large();
    const since = performance.now();
    readBulkBody(large());
    const hereMs = performance.now() - since;
    const stop = await longestStop(() =>
      threads.run('a', 'readBulk', given, { signal: stays, handOver: [given.bytes.buffer] }),
    );
    expect(stop).toBeLessThan(hereMs / 2);
  });

  test('is not stopped for as long as a batch of a PDF takes', async () => {
    const threads = open();
    await threads.run('a', 'drawStatement', drawing, { signal: stays, parts: entries(1) });
    const since = performance.now();
    await drawWholeStatement(drawing, entries(1_000));
    const hereMs = performance.now() - since;
    const stop = await longestStop(() =>
      threads.run('a', 'drawStatement', drawing, { signal: stays, parts: entries(1_000) }),
    );
    expect(stop).toBeLessThan(hereMs / 2);
  });
});
