/** Whether a partner's sandbox demands of the owners of wallets what live will demand. */
import { inTransaction, type Cell } from '../pg/postgres';
import { assertNotResetting } from '../upkeep/epochs';

/** Only of a sandbox: live has no such switch. */
export async function isAsLive({ pool, schema }: Cell, partnerId: string): Promise<boolean> {
  const { rowCount } = await pool.query(`SELECT FROM ${schema}.sandbox_requirements WHERE partner_id = $1`, [
    partnerId,
  ]);
  return rowCount === 1;
}

/** Switches it on or off. A second call changes nothing. */
export async function switchAsLive({ pool, schema }: Cell, partnerId: string, isOn: boolean): Promise<void> {
  await inTransaction(pool, async (trx) => {
    await assertNotResetting(trx, schema, partnerId);
    await trx.query(
      isOn
        ? `INSERT INTO ${schema}.sandbox_requirements (partner_id) VALUES ($1) ON CONFLICT DO NOTHING`
        : `DELETE FROM ${schema}.sandbox_requirements WHERE partner_id = $1`,
      [partnerId],
    );
  });
}
