/** What counts as one caller, and what happens when the database does not answer (D122, D150). */
import { createStrangerLimits, networkOf } from '../../../src/api/stranger-limit';
import type { Queryable } from '../../../src/db/pg/postgres';

describe('the network of an address', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::ffff:cb00:7107', '203.0.113.7'],
    ['2001:db8:1:2::1', networkOf('2001:db8:1:2:ffff:ffff:ffff:ffff')],
    ['2001:DB8:0001:2::', networkOf('2001:db8:1:2::1')],
    ['fe80::1%eth0', networkOf('fe80::2%eth1')],
    ['', ''],
    ['unknown', 'unknown'],
    ['203.0.113.7:4711', '203.0.113.7:4711'],
  ])('of %j is %s', (address, network) => expect(networkOf(address)).toBe(network));

  test('two /64 are two networks', () => {
    expect(networkOf('2001:db8:1:2::1')).not.toBe(networkOf('2001:db8:1:3::1'));
  });
});

/** A database that answers each statement as the test says. */
const database = (query: () => Promise<unknown>) => ({ query: jest.fn(query) });
const limitsOn = (db: { query: unknown }, perMinute = 3) =>
  createStrangerLimits(db as Queryable, {
    address: perMinute,
    nameEnquiry: 1_000,
    verification: 1_000,
    login: perMinute,
  });
const waits = async (count: () => Promise<unknown>, calls: number) => {
  const results: boolean[] = [];
  for (let call = 0; call < calls; call += 1) results.push((await count()) !== null);
  return results;
};

describe('a database that is away', () => {
  test('is asked once and then not again; the process counts for itself', async () => {
    const db = database(() => Promise.reject(new Error('connect ECONNREFUSED')));
    const { ofAddress } = limitsOn(db);
    expect(await waits(() => ofAddress('a'), 5)).toEqual([false, false, false, true, true]);
    expect(await waits(() => ofAddress('b'), 1)).toEqual([false]);
    expect(db.query).toHaveBeenCalledTimes(1);
  });

  test('and is back is asked again after five seconds', async () => {
    jest.useFakeTimers();
    try {
      const db = database(() => Promise.reject(new Error('connect ECONNREFUSED')));
      const { ofAddress } = limitsOn(db);
      await ofAddress('a');
      jest.advanceTimersByTime(5_000);
      await ofAddress('b');
      expect(db.query).toHaveBeenCalledTimes(2);
    } finally {
      jest.useRealTimers();
    }
  });

  test('and does not answer delays one caller for a second, and no other', async () => {
    jest.useFakeTimers();
    try {
      const db = database(() => new Promise(() => undefined));
      const { ofAddress } = limitsOn(db);
      const first = ofAddress('a');
      jest.advanceTimersByTime(1_000);
      expect(await first).toBeNull();
      expect(await ofAddress('a')).toBeNull();
    } finally {
      jest.useRealTimers();
    }
  });
});

test('a caller over the limit is refused from memory, so a flood does not reach the database', async () => {
  const db = database(() => Promise.reject(new Error('away')));
  const { ofAddress } = limitsOn(db);
  await waits(() => ofAddress('a'), 3);
  const asked = db.query.mock.calls.length;
  expect(await waits(() => ofAddress('a'), 1_000)).toEqual(Array.from({ length: 1_000 }, () => true));
  expect(db.query.mock.calls).toHaveLength(asked);
});

test('after the minute of a caller a new one begins', async () => {
  jest.useFakeTimers();
  try {
    const { ofAddress } = limitsOn(database(() => Promise.reject(new Error('away'))));
    expect(await waits(() => ofAddress('a'), 4)).toEqual([false, false, false, true]);
    jest.advanceTimersByTime(30_000);
    expect(await ofAddress('a')).toEqual({ retryAfterSeconds: 30 });
    jest.advanceTimersByTime(30_000);
    expect(await ofAddress('a')).toBeNull();
  } finally {
    jest.useRealTimers();
  }
});

test('addresses and logins are counted apart', async () => {
  const { ofAddress, ofLogin } = limitsOn(
    database(() => Promise.reject(new Error('away'))),
    1,
  );
  expect(await waits(() => ofAddress('a'), 2)).toEqual([false, true]);
  expect(await waits(() => ofLogin('a'), 2)).toEqual([false, true]);
});
