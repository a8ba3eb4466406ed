/** An expectation fails after the platform warned; a test that passes warned too, and must print nothing. */
import { openWorld } from '../support/api';

/**
 * Temporal is away, so the relay leaves the start to the sweep, with a warning, before everything is closed.
 */
async function createWallet(userRef: string): Promise<number> {
  const world = await openWorld();
  const partner = await (await world.startApi()).partner();
  const { status } = await partner.post('/v1/wallets', { user_ref: userRef });
  await world.close();
  return status;
}

it('accepts a wallet', async () => {
  expect(await createWallet('ada')).toBe(202);
});

it('answers a wallet with 201', async () => {
  expect(await createWallet('bob')).toBe(201);
});
