/**
 * Closing a partner's wallets, all or none: nobody may pay a closed partner any more, so its wallets are closed
 * with it (D37).
 */
import type { Intention } from '../../domain/intentions';
import { sources } from '../../domain/machine';
import { WALLET_MACHINE } from '../../domain/wallets';
import { insertIntention } from '../events/intentions';
import { inTransaction, type Cell } from '../pg/postgres';
import { markNews, type OwnerNews } from '../wallets/owner-news';
import { areWithCompany } from '../wallets/provider-customers';

/** What still keeps a partner open. */
export interface Unfinished {
  balanceKobo: number;
  openTransactions: number;
}

/** What is to be done after the commit: companies give accounts up, and workflows that wait for one end. */
export interface ClosedWallets {
  intentions: Intention[];
  news: OwnerNews[];
}

const WALLETS_AT_ONCE = 500;

/**
 * Closes every wallet of a partner in one commit, in the order in which the ledger locks accounts, and some at a
 * time. A second call changes nothing. Nobody is left who could close a wallet later, so those that wait for their account
 * number are closed as well.
 * @param closing the workflow that has a company give the account of a wallet up.
 * @returns the work that is left when all are closed. Otherwise nothing has changed, and the result says what is in them.
 */
export async function closeWallets(
  { pool, schema }: Cell,
  partnerId: string,
  closing: (walletId: string) => Intention,
): Promise<ClosedWallets | Unfinished> {
  const from = sources(WALLET_MACHINE, 'close');
  try {
    return await inTransaction(pool, async (trx) => {
      const work: ClosedWallets = { intentions: [], news: [] };
      for (let closed = WALLETS_AT_ONCE; closed === WALLETS_AT_ONCE;) {
        const { rows } = await trx.query<{ id: string }>(
          `UPDATE ${schema}.accounts SET status = 'closed', updated_at = now()
            WHERE id IN (SELECT a.id FROM ${schema}.wallets w JOIN ${schema}.accounts a USING (id)
                          WHERE w.partner_id = $1 AND a.status = ANY($2) AND a.balance_kobo = 0
                          ORDER BY a.id LIMIT $3 FOR NO KEY UPDATE OF a)
            RETURNING id`,
          [partnerId, from, WALLETS_AT_ONCE],
        );
        closed = rows.length;
        const ids = rows.map(({ id }) => id);
        await trx.query(`UPDATE ${schema}.wallets SET updated_at = now() WHERE id = ANY($1)`, [ids]);
        for (const id of await areWithCompany(trx, schema, ids)) {
          work.intentions.push(await insertIntention(trx, schema, closing(id)));
        }
        work.news.push(...(await markNews(trx, schema, { walletIds: ids })));
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
      return work;
    });
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
