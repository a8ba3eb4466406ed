/** An activity's SQL fails: Temporal repeats it, and from outside only the wallet that stays pending is seen. */
import { SANDBOX_CELL } from '../setup/cells';
import { openPlatform, type Platform } from '../support/platform';
import { until } from '../support/until';

let platform: Platform;
beforeAll(async () => (platform = await openPlatform()));
afterAll(() => platform.close());

it('activates a wallet', async () => {
  const [url] = await Promise.all([platform.startApi(), platform.startWorker()]);
  const partner = await platform.partner(url);
  await platform.sql(
    `ALTER TABLE ${SANDBOX_CELL}.wallets RENAME COLUMN account_name_sealed TO renamed_by_the_test`,
  );
  const { body } = await partner.post('/v1/wallets', { user_ref: 'ada' });
  const active = async (): Promise<boolean> => {
    const rows = await platform.sql(`SELECT status FROM ${SANDBOX_CELL}.accounts WHERE id = $1`, [
      body.data.id,
    ]);
    return rows[0]?.['status'] === 'active';
  };
  await until('the wallet is active', active, 5_000);
});
