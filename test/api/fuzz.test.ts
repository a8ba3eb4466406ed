/** A short run of `npm run fuzz`: nothing undocumented, no 500, and nothing moved by what was refused (G26). */
import { fuzz } from '../fuzz/fuzz';
import { openWorld, type World } from '../support/api';

let world: World;
beforeAll(async () => (world = await openWorld()));
afterAll(() => world.close());

/** What is told to Temporal waits seconds for its absence here: the long run has it. */
const QUICK = /^(?!complete|fail|submit|accept|review|reset|simulate|register|login|setWalletPin)/;

test('three hundred requests, right and wrong, in every form', async () => {
  const counts = await fuzz(world, { runs: 300, seed: 20_261_121, operations: QUICK });
  expect(Object.keys(counts).length).toBeGreaterThan(20);
  const succeeded = Object.values(counts).map((byStatus) => (byStatus[200] ?? 0) + (byStatus[202] ?? 0));
  // Without these the run would only have knocked at the door.
  expect(succeeded.reduce((sum, count) => sum + count)).toBeGreaterThan(50);
}, 120_000);
