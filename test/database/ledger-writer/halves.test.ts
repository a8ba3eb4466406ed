/** Which of the movements that wait are written together (docs/decisions/0044). */
import { openLane } from '../../../src/db/ledger/lane';
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
 * @returns the sizes of the batches.
 */
async function sizes({ callers, first }: { callers: number; first: number }): Promise<number[]> {
  const seen: number[] = [];
  const ends: Promise<void>[] = [];
  const lane = openLane<() => void>({
    connect: { connectionString: databaseUrl },
    onError: (error) => {
      throw error;
    },
    fail: (_batch, error) => {
      throw error;
    },
    async run(client, batch) {
      seen.push(batch.length);
      while (ends.length < callers) ends.push(call());
      await client.query('SELECT 1');
      return () => batch.forEach((answer) => answer());
    },
  });
  async function call(): Promise<void> {
    for (let calls = 0; calls < CALLS; calls++) await new Promise<void>((answer) => lane.push(answer));
  }
  while (ends.length < first) ends.push(call());
  // The others begin during the first batch.
  await Promise.all([...ends]);
  await Promise.all(ends);
  await lane.close();
  return seen;
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
  expect((await sizes({ callers, first })).slice(0, expected.length)).toEqual(expected);
});
