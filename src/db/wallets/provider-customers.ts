/** With which company a wallet has its account number, written before the account is ordered (D211). */
import type { Cell, Queryable } from '../pg/postgres';

/** The company of a wallet's account, or null while none was ordered of a company outside. */
export async function findCustomer(
  cell: Cell,
  walletId: string,
): Promise<{ provider: string; isClosed: boolean } | null> {
  const { rows } = await cell.pool.query<{ provider: string; closed: boolean }>(
    `SELECT provider, closed_at IS NOT NULL AS closed FROM ${cell.schema}.provider_customers WHERE wallet_id = $1`,
    [walletId],
  );
  return rows[0] ? { provider: rows[0].provider, isClosed: rows[0].closed } : null;
}

/** Those of these wallets for which a company has an account, in the commit that closes them. */
export async function areWithCompany(
  trx: Queryable,
  schema: string,
  walletIds: readonly string[],
): Promise<string[]> {
  const { rows } = await trx.query<{ wallet_id: string }>(
    `SELECT wallet_id FROM ${schema}.provider_customers WHERE wallet_id = ANY($1) AND closed_at IS NULL`,
    [walletIds],
  );
  return rows.map((row) => row.wallet_id);
}

/**
 * Fixes the company of a wallet's account. The first one holds. The lock lets this commit before a closing, which then finds
 * the row, or after it.
 * @returns the company that holds; null where the wallet was closed before any company was noted.
 */
export async function noteCustomer(
  cell: Cell,
  of: { partnerId: string; walletId: string; provider: string },
): Promise<string | null> {
  await cell.pool.query(
    `INSERT INTO ${cell.schema}.provider_customers (wallet_id, partner_id, provider)
     SELECT id, $2, $3 FROM ${cell.schema}.accounts WHERE id = $1 AND status <> 'closed' FOR SHARE
     ON CONFLICT DO NOTHING`,
    [of.walletId, of.partnerId, of.provider],
  );
  return (await findCustomer(cell, of.walletId))?.provider ?? null;
}

/** Notes that the company has given the account up. A second note changes nothing. */
export async function noteAccountClosed(cell: Cell, walletId: string): Promise<void> {
  await cell.pool.query(
    `UPDATE ${cell.schema}.provider_customers SET closed_at = now() WHERE wallet_id = $1 AND closed_at IS NULL`,
    [walletId],
  );
}

/**
 * A company has issued an account after its wallet was closed, so it is to give it up, also where it had none to give up before:
 * reconciliation begins the closing again (R16). A second note changes nothing.
 */
export async function noteAccountLate(cell: Cell, walletId: string): Promise<void> {
  await cell.pool.query(
    `UPDATE ${cell.schema}.provider_customers SET closed_at = NULL WHERE wallet_id = $1 AND closed_at IS NOT NULL`,
    [walletId],
  );
}

/** Whether a wallet of this cell has got its number from a company. */
export async function hasOpenedAccount({ pool, schema }: Cell, provider: string): Promise<boolean> {
  const { rows } = await pool.query<{ has: boolean }>(
    `SELECT EXISTS (SELECT FROM ${schema}.provider_customers c JOIN ${schema}.wallets w ON w.id = c.wallet_id
                     WHERE c.provider = $1 AND w.account_number IS NOT NULL) AS has`,
    [provider],
  );
  return rows[0]?.has === true;
}
