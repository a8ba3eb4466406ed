/** The rate limit's counters: exact over processes, in windows of a minute by Postgres' clock. */
import type { QueryConfig } from 'pg';
import { createRateLimiter } from '../../src/api/rate-limit';
import { newId } from '../../src/db/pg/ids';
import type { Cell } from '../../src/db/pg/postgres';
import { addToWindows, giveBack } from '../../src/db/partners/rate';
import { present } from '../../src/domain/assert';
import type { Partner, Tier } from '../../src/domain/partners';
import { openTestCell, type TestCell } from '../support/cell';
import { until } from '../support/until';
import { SANDBOX_CELL } from '../setup/cells';

let cell: TestCell;
let processes: [Cell, Cell];
beforeAll(async () => {
  cell = await openTestCell();
  processes = [cell.cell, { schema: SANDBOX_CELL, pool: cell.openPool() }];
});
afterAll(() => cell.close());

/**
 * Does `work` for a new partner within one window; repeats it for another partner if the minute ended meanwhile.
 */
async function withinOneWindow<Result>(work: (partnerId: string) => Promise<Result>): Promise<Result> {
  const minute = async () =>
    (await cell.sql(`SELECT date_trunc('minute', clock_timestamp())::text AS minute`))[0]![
      'minute'
    ] as string;
  for (;;) {
    const before = await minute();
    const result = await work(newId());
    if ((await minute()) === before) return result;
  }
}

/**
 * Waits until a partner has used no more places than these. A window that ended meanwhile has used fewer.
 * @returns how many it has used.
 */
const usedAtMost = (partnerId: string, places: number): Promise<number> =>
  until('what is not needed to be given back', async () => {
    const { usedBefore } = await addToWindow(cell.cell, partnerId, 0);
    return usedBefore <= places ? { usedBefore } : null;
  }).then(({ usedBefore }) => usedBefore);

/** Adds requests of one partner. @returns its window. */
const addToWindow = async (of: Cell, partnerId: string, requests: number) =>
  present((await addToWindows(of, new Map([[partnerId, requests]]))).get(partnerId), 'the window');

const upTo = (last: number): number[] => Array.from({ length: last }, (_, place) => place);
const ascending = (numbers: number[]): number[] => [...numbers].sort((a, b) => a - b);

describe('adding to a window', () => {
  test('300 at once over two processes get the places 0 to 299, each once', async () => {
    const windows = await withinOneWindow((partnerId) =>
      Promise.all(upTo(300).map((place) => addToWindow(processes[place % 2]!, partnerId, 1))),
    );
    expect(ascending(windows.map(({ usedBefore }) => usedBefore))).toEqual(upTo(300));
  });

  test('several requests take as many places in one statement', async () => {
    const places = await withinOneWindow(async (partnerId) => {
      const before: number[] = [];
      for (const requests of [3, 1, 10, 1]) {
        before.push((await addToWindow(cell.cell, partnerId, requests)).usedBefore);
      }
      return before;
    });
    expect(places).toEqual([0, 3, 4, 14]);
  });

  test('tells the time until the window ends', async () => {
    const { resetMs } = await addToWindow(cell.cell, newId(), 1);
    expect(resetMs).toBeGreaterThanOrEqual(0);
    expect(resetMs).toBeLessThanOrEqual(60_000);
    expect(Number.isInteger(resetMs)).toBe(true);
  });

  test('a new window begins at 0', async () => {
    const partnerId = newId();
    await addToWindow(cell.cell, partnerId, 299);
    await cell.sql(
      `UPDATE ${SANDBOX_CELL}.rate_windows SET window_start = window_start - interval '1 minute' WHERE partner_id = $1`,
      [partnerId],
    );

    const window = await addToWindow(cell.cell, partnerId, 5);

    expect(window.usedBefore).toBe(0);
  });

  test('the same partners at once over two processes, in any order: each place is given once', async () => {
    const places = await withinOneWindow(async (one) => {
      const other = newId();
      const orders = [
        [one, other],
        [other, one],
      ];
      const windows = await Promise.all(
        upTo(200).map((place) =>
          addToWindows(processes[place % 2]!, new Map(orders[place % 2]!.map((id) => [id, 1]))),
        ),
      );
      return [one, other].map((id) => ascending(windows.map((all) => all.get(id)!.usedBefore)));
    });
    expect(places).toEqual([upTo(200), upTo(200)]);
  });

  test('partners are counted apart', async () => {
    const places = await withinOneWindow(async (partnerId) => [
      await addToWindow(cell.cell, partnerId, 7),
      await addToWindow(cell.cell, newId(), 1),
      await addToWindow(cell.cell, partnerId, 1),
    ]);
    expect(places.map(({ usedBefore }) => usedBefore)).toEqual([0, 0, 7]);
  });
});

describe('giving places back', () => {
  /** How many places of the window are taken. */
  const taken = async (partnerId: string) => (await addToWindow(cell.cell, partnerId, 0)).usedBefore;

  test('they are free for others, of each partner by itself', async () => {
    const left = await withinOneWindow(async (one) => {
      const other = newId();
      const { minute } = await addToWindow(cell.cell, one, 10);
      await addToWindow(cell.cell, other, 10);
      await giveBack(cell.cell, [
        { partnerId: one, minute, places: 3 },
        { partnerId: other, minute, places: 4 },
      ]);
      return [await taken(one), await taken(other)];
    });
    expect(left).toEqual([7, 6]);
  });

  test.each([
    ['the window of another minute', -1],
    ['a window that has not begun', 1],
  ])('%s stays as it is', async (_, later) => {
    const left = await withinOneWindow(async (partnerId) => {
      const { minute } = await addToWindow(cell.cell, partnerId, 10);
      await giveBack(cell.cell, [{ partnerId, minute: minute + later, places: 3 }]);
      return taken(partnerId);
    });
    expect(left).toBe(10);
  });

  test('a partner without a window gets none', async () => {
    const partnerId = newId();
    const { minute } = await addToWindow(cell.cell, newId(), 1);
    await giveBack(cell.cell, [{ partnerId, minute, places: 3 }]);
    expect(
      await cell.sql(`SELECT used FROM ${SANDBOX_CELL}.rate_windows WHERE partner_id = $1`, [partnerId]),
    ).toEqual([]);
  });
});

describe('the limit of a tier', () => {
  const LIMITS: Record<Tier, number> = { starter: 300, growth: 1_200, scale: 6_000 };
  const partner = (id: string, tier: Tier): Partner => ({
    id,
    businessName: 'Acme Fintech',
    status: 'active',
    tier,
    emailIsConfirmed: true,
    cell: SANDBOX_CELL,
  });

  test.each(['starter', 'growth'] as const)(
    'of %s: 10 more than it at once over two processes, and exactly the limit is allowed',
    async (tier) => {
      const limiters = [createRateLimiter(LIMITS), createRateLimiter(LIMITS)];
      const limit = LIMITS[tier];

      const allowances = await withinOneWindow((id) =>
        Promise.all(
          upTo(limit + 10).map(
            async (place) => await limiters[place % 2]!(processes[place % 2]!, partner(id, tier)),
          ),
        ),
      );

      const allowed = allowances.filter((one) => one.allowed);
      expect(ascending(allowed.map(({ remaining }) => remaining))).toEqual(upTo(limit));
      const refused = allowances.filter((one) => !one.allowed);
      expect(refused.map(({ remaining }) => remaining)).toEqual(Array.from({ length: 10 }, () => 0));
      expect(allowances.every((one) => one.limit === limit)).toBe(true);
    },
  );

  test('used by one request at a time: the last allowed one has 0 remaining, the next is refused', async () => {
    const limiter = createRateLimiter({ ...LIMITS, starter: 3 });
    const allowances = await withinOneWindow(async (id) => {
      const inTurn = [];
      for (let call = 0; call < 4; call++) inTurn.push(await limiter(cell.cell, partner(id, 'starter')));
      return inTurn;
    });
    expect(allowances.map(({ allowed, remaining }) => [allowed, remaining])).toEqual([
      [true, 2],
      [true, 1],
      [true, 0],
      [false, 0],
    ]);
  });

  test.each([
    ['2,000 requests: no places are taken ahead', 2_000, 1],
    ['2,001 requests: a thousandth of the rest is taken ahead', 2_001, 1 + 2],
    ['6,000 requests', 6_000, 1 + 5],
    ['12,000 requests', 12_000, 1 + 11],
  ])('of %s', async (_, limit, counted) => {
    const limiter = createRateLimiter({ ...LIMITS, scale: limit });
    const used = await withinOneWindow(async (id) => {
      // The first count learns how many places are left, the second takes some ahead.
      await limiter(cell.cell, partner(id, 'scale'));
      const { usedBefore } = await addToWindow(cell.cell, id, 0);
      await limiter(cell.cell, partner(id, 'scale'));
      return (await addToWindow(cell.cell, id, 0)).usedBefore - usedBefore;
    });
    expect(used).toBe(counted);
  });

  test('places that are taken ahead are given once each, over two processes, and in the window alone', async () => {
    const limits = { ...LIMITS, scale: 20_000 };
    const limiters = [createRateLimiter(limits), createRateLimiter(limits)];
    const remaining = await withinOneWindow(async (id) => {
      const given: number[] = [];
      for (let call = 0; call < 200; call++) {
        const at = call % 2;
        given.push((await limiters[at]!(processes[at]!, partner(id, 'scale'))).remaining);
      }
      return given;
    });
    expect(new Set(remaining).size).toBe(200);
    expect(remaining.every((left) => left < 20_000)).toBe(true);
  });

  test('places that are taken ahead and not needed are given back half a second later', async () => {
    const limiter = createRateLimiter(LIMITS);
    const used = await withinOneWindow(async (id) => {
      for (let call = 0; call < 4; call++) await limiter(cell.cell, partner(id, 'scale'));
      const { usedBefore } = await addToWindow(cell.cell, id, 0);
      return [usedBefore, await usedAtMost(id, 4)];
    });
    // One, and the next one with five more, of which two were given out.
    expect(used).toEqual([1 + 6, 4]);
  });

  test('of scale, used up over two processes that both took places ahead: exactly the limit is allowed', async () => {
    const limiters = [createRateLimiter(LIMITS), createRateLimiter(LIMITS)];
    const allowed = await withinOneWindow(async (id) => {
      const ask = async (at: number) => (await limiters[at]!(processes[at]!, partner(id, 'scale'))).allowed;
      const answers = [await ask(0), await ask(0), await ask(1), await ask(1)];
      await addToWindow(cell.cell, id, 3_998);
      await usedAtMost(id, 4_002);
      // Each of them learns how much is used.
      answers.push(await ask(0), await ask(1));
      await usedAtMost(id, 4_004);
      return [...answers, ...(await Promise.all(upTo(2_010).map((place) => ask(place % 2))))];
    });
    expect(allowed.filter((one) => one)).toHaveLength(6_000 - 3_998);
  });

  test('one statement counts all partners that wait, and the next one those that came meanwhile', async () => {
    let statements = 0;
    let begun = (): void => undefined;
    const underWay = new Promise<void>((resolve) => (begun = resolve));
    const query = (asked: QueryConfig) => {
      statements++;
      begun();
      return cell.cell.pool.query(asked);
    };
    const counted: Cell = { ...cell.cell, pool: Object.create(cell.cell.pool, { query: { value: query } }) };
    const limiter = createRateLimiter(LIMITS);

    const remaining = await withinOneWindow(async () => {
      statements = 0;
      const ids = upTo(60).map(() => newId());
      const ask = async (id: string) => (await limiter(counted, partner(id, 'starter'))).remaining;
      const twice = ids.flatMap((id) => [ask(id), ask(id)]);
      await underWay;
      return Promise.all([...twice, ...ids.map(ask)]);
    });

    expect(statements).toBe(2);
    expect(remaining).toEqual([...upTo(60).flatMap(() => [299, 298]), ...upTo(60).map(() => 297)]);
  });

  test('a count that fails fails every request that waits for it, and each of them is counted again', async () => {
    const limiter = createRateLimiter(LIMITS);
    const ids = [newId(), newId()];
    const ask = () => Promise.allSettled(ids.map(async (id) => limiter(cell.cell, partner(id, 'starter'))));
    await cell.sql(`ALTER TABLE ${SANDBOX_CELL}.rate_windows RENAME TO away`);
    const failed = await ask();
    await cell.sql(`ALTER TABLE ${SANDBOX_CELL}.away RENAME TO rate_windows`);

    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await ask()).toMatchObject(ids.map(() => ({ value: { allowed: true, remaining: 299 } })));
  });

  test('a counter that cannot be asked fails the request, and the next one asks again', async () => {
    const limiter = createRateLimiter(LIMITS);
    const lost: Cell = { schema: 'sandbox_9', pool: cell.cell.pool };
    const id = newId();

    await expect(limiter(lost, partner(id, 'starter'))).rejects.toMatchObject({ code: '42P01' });

    expect(await limiter(cell.cell, partner(id, 'starter'))).toMatchObject({ allowed: true });
  });
});
