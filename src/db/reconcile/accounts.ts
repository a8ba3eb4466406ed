/**
 * Checks that the balance of a wallet is the balance after its last entry. Together with `chain_broken`, which
 * checks that each entry follows from the one before it, this proves that the balance is the sum of all entries,
 * with one look-up for each wallet.
 * It also checks that what is held of a wallet is the sum of its open holds.
 */
import type { Finding } from '../../domain/findings';
import type { Cell } from '../pg/postgres';

/** Gives those of these wallets whose balance or running number differs from their last entry, or whose holds do. */
export async function checkAccounts(cell: Cell, ids: readonly string[]): Promise<Finding[]> {
  return [...(await checkBalances(cell, ids)), ...(await checkHolds(cell, ids))];
}

async function checkBalances(cell: Cell, ids: readonly string[]): Promise<Finding[]> {
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

/** Both are read by one statement, so that a hold which ends meanwhile is seen in both or in neither. */
async function checkHolds(cell: Cell, ids: readonly string[]): Promise<Finding[]> {
  const { rows } = await cell.pool.query<Pick<Finding, 'resource' | 'detail'>>(
    `SELECT a.id AS resource,
            json_build_object('held_kobo', a.held_kobo, 'open_holds_kobo', coalesce(h.sum, 0)) AS detail
       FROM ${cell.schema}.accounts a
       LEFT JOIN (
            SELECT wallet_id, sum(amount_kobo)::bigint AS sum FROM ${cell.schema}.holds
             WHERE wallet_id = ANY($1) AND status = 'open' GROUP BY wallet_id) h ON h.wallet_id = a.id
      WHERE a.id = ANY($1) AND a.held_kobo <> coalesce(h.sum, 0)`,
    [ids],
  );
  return rows.map((row) => ({ class: 'held_mismatch', ...row }));
}
