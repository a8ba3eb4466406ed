/** Who wakes a dispatcher: the commit that finds it asleep, once, or the sweep that finds it gone. */
import { claimDue } from '../../../src/db/events/deliveries';
import {
  endpointsWithDue,
  markAsleep,
  markHeard,
  neglectedEndpoints,
  takeSleepers,
} from '../../../src/db/events/dispatchers';
import { deleteEndpoint } from '../../../src/db/events/endpoints';
import { newId } from '../../../src/db/pg/ids';
import { sampleCell } from '../../../src/db/upkeep/samples';
import { openTestCell, type TestCell } from '../../support/cell';
import { andNothingElse, happen, openEndpoint } from '../../support/endpoints';
import { SANDBOX_CELL } from '../../setup/cells';

let cell: TestCell;
let partnerId: string;
let endpointId: string;

beforeAll(async () => {
  cell = await openTestCell();
});
beforeEach(async () => {
  partnerId = newId();
  endpointId = await openEndpoint(cell.cell, partnerId, ['transaction.completed']);
});
afterAll(() => cell.close());

const set = (assignment: string) =>
  cell.sql(`UPDATE ${SANDBOX_CELL}.webhook_endpoints SET ${assignment} WHERE id = $1`, [endpointId]);

describe('taking the sleepers', () => {
  test('ten times at once wakes a sleeping dispatcher once', async () => {
    const taken = await Promise.all(Array.from({ length: 10 }, () => takeSleepers(cell.cell, [endpointId])));
    expect(taken.flat()).toEqual([{ endpointId, partnerId }]);
  });

  test('gives a dispatcher again after it went to sleep again', async () => {
    await takeSleepers(cell.cell, [endpointId]);
    expect(await takeSleepers(cell.cell, [endpointId])).toEqual([]);
    await markAsleep(cell.cell, endpointId);
    expect(await takeSleepers(cell.cell, [endpointId])).toEqual([{ endpointId, partnerId }]);
  });

  test('takes only the dispatchers of the given endpoints', async () => {
    const other = await openEndpoint(cell.cell, partnerId, ['transaction.completed']);
    expect(await takeSleepers(cell.cell, [other])).toEqual([{ endpointId: other, partnerId }]);
    expect(await takeSleepers(cell.cell, [endpointId, other])).toEqual([{ endpointId, partnerId }]);
  });

  test.each(['is_active = false', 'deleted_at = now()'])(
    'does not wake the dispatcher of an endpoint that has %s',
    async (state) => {
      await set(state);
      expect(await takeSleepers(cell.cell, [endpointId])).toEqual([]);
    },
  );
});

describe('a dispatcher that was called and is not heard', () => {
  const isGiven = async () => (await takeSleepers(cell.cell, [endpointId])).length === 1;
  /** As if the last call, and the first one in vain, were so many milliseconds ago. */
  const calledAgo = (lastMs: number, firstMs: number) =>
    set(
      `called_at = now() - ${String(lastMs)} * interval '1 millisecond',
       unheard_since = now() - ${String(firstMs)} * interval '1 millisecond'`,
    );

  test.each([
    { lastMs: 1_500, firstMs: 1_500, isAgain: false },
    { lastMs: 2_100, firstMs: 2_100, isAgain: true },
    // The calls before took four seconds, so the next one comes after four more.
    { lastMs: 3_500, firstMs: 7_500, isAgain: false },
    { lastMs: 4_500, firstMs: 8_500, isAgain: true },
  ])('for $lastMs ms of $firstMs is called again: $isAgain', async ({ lastMs, firstMs, isAgain }) => {
    expect(await isGiven()).toBe(true);
    await calledAgo(lastMs, firstMs);
    expect(await isGiven()).toBe(isAgain);
    expect(await isGiven()).toBe(false);
  });

  test.each([
    { what: 'is at work', mark: markHeard, isAgain: false },
    { what: 'sleeps again', mark: markAsleep, isAgain: true },
  ])('is called again when it $what: $isAgain', async ({ mark, isAgain }) => {
    expect(await isGiven()).toBe(true);
    await calledAgo(60_000, 60_000);
    await mark(cell.cell, endpointId);
    expect(await isGiven()).toBe(isAgain);
  });
});

test('endpoints with something due are those with a delivery whose time has come and that nobody has claimed', async () => {
  const other = await openEndpoint(cell.cell, partnerId, ['transaction.completed']);
  const due = async () => new Set(await endpointsWithDue(cell.cell, [endpointId, other]));
  expect(await due()).toEqual(new Set());
  await happen(cell.cell, partnerId);
  expect(await due()).toEqual(new Set([endpointId, other]));
  await claimDue(cell.cell, other, { limit: 1, forMs: 60_000 });
  expect(await due()).toEqual(new Set([endpointId]));
  await cell.sql(
    `UPDATE ${SANDBOX_CELL}.deliveries SET next_attempt_at = now() + interval '1 minute' WHERE endpoint_id = $1`,
    [endpointId],
  );
  expect(await due()).toEqual(new Set());
});

describe('neglected endpoints', () => {
  const OVERDUE_MS = 30_000;
  const isNeglected = async () =>
    (await neglectedEndpoints(cell.cell, OVERDUE_MS)).some((one) => one.endpointId === endpointId);
  const dueSince = (age: string | null) =>
    cell.sql(
      `UPDATE ${SANDBOX_CELL}.deliveries SET next_attempt_at = now() - $2::interval WHERE endpoint_id = $1`,
      [endpointId, age],
    );
  beforeEach(() => happen(cell.cell, partnerId, 2));

  test.each([
    ['a minute ago', '1 minute', true],
    ['a second ago', '1 second', false],
    ['in a minute', '-1 minute', false],
    ['never', null, false],
  ])('an endpoint whose deliveries were due %s is among them: %s', async (_, age, expected) => {
    await dueSince(age);
    expect(await isNeglected()).toBe(expected);
  });

  test.each([
    ['holds', '-1 minute', false],
    ['ended a second ago', '1 second', false],
    ['ended a minute ago', '1 minute', true],
  ])(
    'an endpoint whose deliveries are long due, with a claim that %s, is among them: %s',
    async (_, age, expected) => {
      await dueSince('5 minutes');
      await cell.sql(
        `UPDATE ${SANDBOX_CELL}.deliveries SET claimed_until = now() - $2::interval WHERE endpoint_id = $1`,
        [endpointId, age],
      );
      expect(await isNeglected()).toBe(expected);
    },
  );

  describe('the age of the oldest delivery that waits', () => {
    const isOld = async () => (await sampleCell(cell.cell)).webhookOldestSeconds > 300 * 86_400;
    beforeEach(async () => {
      await happen(cell.cell, partnerId, 2);
      await dueSince('1 year');
      expect(await isOld()).toBe(true);
    });
    afterEach(() => dueSince(null));

    test.each([1, 2])(
      'does not count an endpoint at which somebody is at work, with %i claimed',
      async (limit) => {
        await claimDue(cell.cell, endpointId, { limit, forMs: 60_000 });
        expect(await isOld()).toBe(false);
      },
    );

    test.each([
      { what: 'fails', state: 'failing_since = now()', counts: false },
      { what: 'is switched off', state: 'is_active = false', counts: false },
      {
        what: 'is held back by its partner',
        state: `fault = 'delay', fault_until = now() + interval '1 minute'`,
        counts: false,
      },
      {
        what: 'was held back by its partner',
        state: `fault = 'delay', fault_until = now() - interval '1 second'`,
        counts: true,
      },
      {
        what: 'meets another fault',
        state: `fault = 'drop', fault_until = now() + interval '1 minute'`,
        counts: true,
      },
    ])('counts an endpoint that $what: $counts', async ({ state, counts }) => {
      await set(state);
      expect(await isOld()).toBe(counts);
    });
  });

  test('are listed once each, with their partner', async () => {
    await dueSince('1 minute');
    const found = await neglectedEndpoints(cell.cell, OVERDUE_MS);
    expect(found.filter((one) => one.endpointId === endpointId)).toEqual([{ endpointId, partnerId }]);
  });

  test('an inactive or a deleted endpoint is not among them', async () => {
    await dueSince('1 minute');
    await set('is_active = false');
    expect(await isNeglected()).toBe(false);
    await set('is_active = true');
    expect(await isNeglected()).toBe(true);
    await deleteEndpoint(cell.cell, partnerId, endpointId, andNothingElse);
    expect(await isNeglected()).toBe(false);
  });
});
