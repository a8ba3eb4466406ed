/**
 * Closing a partner's wallets, all or none: nobody may pay a closed partner any more, so its wallets are closed
 * with it (D37).
 */
import { sources } from '../../domain/machine';
import { WALLET_MACHINE } from '../../domain/wallets';
import { inTransaction, type Cell } from '../pg/postgres';

/** What still keeps a partner open. */
export interface Unfinished {
  balanceKobo: number;
  openTransactions: number;
}

const WALLETS_AT_ONCE = 500;

/**
 * Closes every wallet of a partner in one commit, in the order in which the ledger locks accounts, and some at a
 * time. A second call changes nothing. A wallet that waits for its account number stays pending: nobody can pay
 * it.
 * @returns null when all are closed. Otherwise nothing has changed, and the result says what is left in them.
 */
export async function closeWallets({ pool, schema }: Cell, partnerId: string): Promise<Unfinished | null> {
  const from = sources(WALLET_MACHINE, 'close');
  try {
    await inTransaction(pool, async (trx) => {
      for (let closed = WALLETS_AT_ONCE; closed === WALLETS_AT_ONCE;) {
        const { rowCount } = await trx.query(
          `UPDATE ${schema}.accounts SET status = 'closed', updated_at = now()
            WHERE id IN (SELECT a.id FROM ${schema}.wallets w JOIN ${schema}.accounts a USING (id)
                          WHERE w.partner_id = $1 AND a.status = ANY($2) AND a.balance_kobo = 0
                          ORDER BY a.id LIMIT $3 FOR NO KEY UPDATE OF a)`,
          [partnerId, from, WALLETS_AT_ONCE],
        );
        closed = rowCount ?? 0;
      }
      const { rows } = await trx.query<{ balance: number; open: number }>(
        `SELECT coalesce(sum(a.balance_kobo), 0)::bigint AS balance,
                (SELECT count(*) FROM ${schema}.transactions
                  WHERE partner_id = $1 AND status IN ('pending', 'processing')) AS open
           FROM ${schema}.wallets w JOIN ${schema}.accounts a USING (id) WHERE w.partner_id = $1`,
        [partnerId],
      );
      const left = { balanceKobo: rows[0]?.balance ?? 0, openTransactions: rows[0]?.open ?? 0 };
      if (left.balanceKobo > 0 || left.openTransactions > 0) throw new NotEmpty(left);
    });
    return null;
  } catch (error) {
    if (error instanceof NotEmpty) return error.left;
    throw error;
  }
}

/** Takes the closing back. */
class NotEmpty extends Error {
  constructor(readonly left: Unfinished) {
    super('the partner has something left');
  }
}
