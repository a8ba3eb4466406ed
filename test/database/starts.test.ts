/** Starting the workflows of accepted work: how many at once, where the others wait, and which are marked. */
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '../../src/db/pg/ids';
import { overdueIntentions } from '../../src/db/events/intentions';
import { createStarts } from '../../src/relay/starts';
import { openTestCell, type TestCell } from '../support/cell';
import { SANDBOX_CELL } from '../setup/cells';

let cell: TestCell;
beforeEach(async () => {
  cell = await openTestCell();
});
afterEach(() => cell.close());

/** Writes the intentions of `count` accepted resources, as their commits would. */
async function accepted(count: number) {
  await cell.sql(
    `INSERT INTO ${SANDBOX_CELL}.workflow_intentions
       (workflow_id, workflow_type, partner_id, resource_id, title, input, created_at)
     SELECT 'bank-transfer/' || n, 'bankTransfer', $1, gen_random_uuid(), 'a transfer', '{}', now()
       FROM generate_series(1, $2::int) n`,
    [newId(), count],
  );
  return overdueIntentions(cell.cell, 0, count);
}

/** Starts that take a moment and all succeed or all fail. */
function openStarts({ succeed = true } = {}) {
  const seen = { calls: new Map<string, number>(), running: 0, most: 0, errors: [] as unknown[] };
  const starts = createStarts({
    async startOne({ workflowId }) {
      seen.calls.set(workflowId, (seen.calls.get(workflowId) ?? 0) + 1);
      seen.most = Math.max(seen.most, ++seen.running);
      await sleep(1);
      seen.running--;
      return succeed;
    },
    onError: (error) => seen.errors.push(error),
  });
  return { starts, seen };
}

/** How often starts failed, by the rows of the table. */
const counted = () =>
  cell.sql(
    `SELECT attempts, count(*)::int AS rows FROM ${SANDBOX_CELL}.workflow_intentions GROUP BY 1 ORDER BY 1`,
  );

/** Watches how many connections of the cell's pool are lent at once. */
function watchConnections() {
  let [lent, most] = [0, 0];
  cell.cell.pool.on('acquire', () => (most = Math.max(most, ++lent)));
  cell.cell.pool.on('release', () => lent--);
  return { most: () => most };
}

const unmarked = async (): Promise<number> => (await overdueIntentions(cell.cell, 0, 10_000)).length;

test('more intentions than fit in memory are all started and marked: the rest is read from the table', async () => {
  const intentions = await accepted(1_300);
  const { starts, seen } = openStarts();
  starts.add(cell.cell, intentions);
  await starts.idle();
  expect(seen.calls.size).toBe(1_300);
  expect(seen.most).toBeLessThanOrEqual(20);
  expect(seen.errors).toEqual([]);
  expect(await unmarked()).toBe(0);
});

test('while no start succeeds, all intentions stay in the table, unmarked, for the sweep', async () => {
  const intentions = await accepted(600);
  const { starts, seen } = openStarts({ succeed: false });
  const connections = watchConnections();
  starts.add(cell.cell, intentions);
  await starts.idle();
  // The requests need the other connections: payments go on while Temporal is away.
  expect(connections.most()).toBe(1);
  expect(await counted()).toEqual([
    { attempts: 0, rows: 400 },
    { attempts: 1, rows: 200 },
  ]);
  expect([...seen.calls.values()]).toEqual(Array.from({ length: 200 }, () => 1));
  expect(await unmarked()).toBe(600);
});

test('a process that is busy starts one at a time, and rests in between', async () => {
  const intentions = await accepted(10);
  const { starts, seen } = openStarts();
  const until = performance.now() + 300;
  while (performance.now() < until);
  starts.add(cell.cell, intentions);
  await sleep(40);
  expect(seen.calls.size).toBe(1);
  await starts.idle();
  expect(seen.calls.size).toBe(10);
});
