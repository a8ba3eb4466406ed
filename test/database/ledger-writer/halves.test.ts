/** Which of the movements that wait are written together (docs/decisions/0044, 0045, 0047). */
import { openLane } from '../../../src/db/ledger/lane';
import { runRoundAhead } from '../../../src/db/pg/round';
import { createTestDatabase } from '../../setup/database';

let databaseUrl: string;
beforeAll(async () => {
  databaseUrl = (await createTestDatabase()).url;
});

/** How often each caller calls. */
const CALLS = 6;

/**
 * Lets callers call a lane again and again, each when it is answered.
 * @param first how many call at once; all others call while the batch of the first is written.
 * @param laggards how many of them call only once.
 * @returns the sizes of the batches, and how many of them were sent while another one was on its way.
 */
async function batchesOf(
  { sendsAhead = false, isShared = false }: { sendsAhead?: boolean; isShared?: boolean },
  { callers, first, laggards = 0 }: { callers: number; first: number; laggards?: number },
): Promise<{ sizes: number[]; ahead: number }> {
  const sizes: number[] = [];
  const ends: Promise<void>[] = [];
  let ahead = 0;
  let underWay = 0;
  const lane = openLane<() => void>({
    connect: { connectionString: databaseUrl },
    onError: (error) => {
      throw error;
    },
    fail: (_batch, error) => {
      throw error;
    },
    sendsAhead,
    isShared: () => isShared,
    async run(client, batch) {
      sizes.push(batch.length);
      if (underWay > 0) ahead += 1;
      underWay += 1;
      const answer = runRoundAhead(client, [{ statement: { text: 'SELECT pg_sleep(0.03)' }, values: [] }]);
      while (ends.length < callers) ends.push(call(ends.length < laggards ? 1 : CALLS));
      await answer;
      underWay -= 1;
      return () => batch.forEach((tell) => tell());
    },
  });
  async function call(times: number): Promise<void> {
    for (let calls = 0; calls < times; calls++) await new Promise<void>((answer) => lane.push(answer));
  }
  while (ends.length < first) ends.push(call(ends.length < laggards ? 1 : CALLS));
  // The others begin during the first batch.
  await Promise.all([...ends]);
  await Promise.all(ends);
  await lane.close();
  return { sizes, ahead };
}

test.each([
  [64, 1, [1, 32, 32, 32, 32, 32, 32, 32, 32]],
  [64, 64, [32, 32, 32, 32, 32, 32, 32, 32]],
  [20, 1, [1, 10, 10, 10, 10, 10, 10, 10, 10]],
  [17, 1, [1, 9, 8, 9, 8, 9, 8, 9, 8]],
  // Fewer than two of the smallest halves: most of them go together.
  [9, 1, [1, 8, 1, 8, 1, 8, 1, 8, 1]],
  [8, 8, [8, 8, 8, 8]],
  [1, 1, [1, 1, 1, 1]],
  // Half of them would be more than the largest half, so all that wait go together.
  [130, 1, [1, 129, 1, 129, 1, 129]],
  [600, 600, [256, 256, 256, 256]],
])('%d callers, %d of them first: batches of %j', async (callers, first, expected) => {
  const { sizes, ahead } = await batchesOf({}, { callers, first });
  expect(sizes.slice(0, expected.length)).toEqual(expected);
  expect(ahead).toBe(0);
});

test.each([
  // The callers of one half call while the other half is written. The first batch waits for the connection, so the second
  // is not sent behind it.
  [64, [32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32], 10],
  // Seven are too few to be sent ahead, and eight are enough.
  [15, [8, 7, 8, 7, 8, 7, 8, 7, 8, 7, 8, 7], 5],
  [8, [8, 8, 8, 8, 8, 8], 0],
  [1, [1, 1, 1, 1, 1, 1], 0],
  // All of them go together.
  [130, [130, 130, 130, 130, 130, 130], 0],
])(
  '%d callers, sent ahead: batches of %j, %d of them while another one is written',
  async (callers, sizes, ahead) => {
    expect(await batchesOf({ sendsAhead: true }, { callers, first: callers })).toEqual({ sizes, ahead });
  },
);

test.each([
  // Whoever came while the first one's batch was written waits for the first one, who calls again.
  [64, 1, [1, 64, 64, 64, 64, 64]],
  [64, 64, [64, 64, 64, 64, 64, 64]],
  [8, 8, [8, 8, 8, 8, 8, 8]],
  // Too few to wait for one another; the one who was answered just now calls before the next batch is taken.
  [7, 1, [1, 7, 7, 7]],
  [1, 1, [1, 1, 1, 1, 1, 1]],
])(
  '%d callers, %d of them first, where other processes write, too: batches of %j, none sent ahead',
  async (callers, first, expected) => {
    const { sizes, ahead } = await batchesOf({ sendsAhead: true, isShared: true }, { callers, first });
    expect(sizes.slice(0, expected.length)).toEqual(expected);
    expect(ahead).toBe(0);
  },
);

test('callers who do not call again are not waited for', async () => {
  const { sizes } = await batchesOf(
    { sendsAhead: true, isShared: true },
    { callers: 64, first: 64, laggards: 32 },
  );
  expect(sizes).toEqual([64, 32, 32, 32, 32, 32]);
});
