/**
 * A wallet's balance is what its last entry left. With every entry following from the one before it
 * (`chain_broken`), that makes it the sum of all, at the cost of one look-up per wallet.
 */
import type { Finding } from '../../domain/findings';
import type { Cell } from '../pg/postgres';

/** The wallets among these whose balance, or running number, their last entry does not give. */
export async function checkAccounts(cell: Cell, ids: readonly string[]): Promise<Finding[]> {
  const { rows } = await cell.pool.query<Pick<Finding, 'resource' | 'detail'>>(
    `SELECT a.id AS resource,
            json_build_object('balance_kobo', a.balance_kobo, 'sequence', a.sequence,
              'last_entry_kobo', coalesce(e.balance_after_kobo, 0), 'last_sequence', coalesce(e.sequence, 0)) AS detail
       FROM ${cell.schema}.accounts a
       LEFT JOIN LATERAL (
            SELECT sequence, balance_after_kobo FROM ${cell.schema}.entries
             WHERE account = a.id AND sequence IS NOT NULL ORDER BY sequence DESC LIMIT 1) e ON true
      WHERE a.id = ANY($1)
        AND (a.balance_kobo, a.sequence) IS DISTINCT FROM (coalesce(e.balance_after_kobo, 0), coalesce(e.sequence, 0))`,
    [ids],
  );
  return rows.map((row) => ({ class: 'balance_mismatch', ...row }));
}
