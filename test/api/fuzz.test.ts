/** A short run of `npm run fuzz`: nothing undocumented, no 500, and nothing moved by what was refused (G26). */
import { fuzz } from '../fuzz/fuzz';
import { openWorld, type World } from '../support/api';

let world: World;
beforeAll(async () => (world = await openWorld()));
afterAll(() => world.close());

/** Temporal is away here, so operations that need it would take seconds each. The long run includes them. */
const QUICK = /^(?!complete|fail|submit|accept|review|reset|simulate|register|login|setWalletPin)/;

test('three hundred requests, valid and invalid, in every form, break no promise', async () => {
  const counts = await fuzz(world, { runs: 300, seed: 20_261_121, operations: QUICK });
  expect(Object.keys(counts).length).toBeGreaterThan(20);
  const succeeded = Object.values(counts).map((byStatus) => (byStatus[200] ?? 0) + (byStatus[202] ?? 0));
  // Without enough successes the run would have tested little but refusals.
  expect(succeeded.reduce((sum, count) => sum + count)).toBeGreaterThan(50);
});
