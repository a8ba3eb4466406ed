/** The books as they can be read without a lock, for a decision that nobody writes. */
import { booksOfAccounts, type Books } from '../../domain/ledger';
import { present } from '../../domain/assert';
import type { Cell } from '../pg/postgres';
import { sumOfForwards } from '../upkeep/forwards';
import { setAsideNow } from '../wallets/set-aside';
import { effectiveStatus } from '../wallets/wallet-status';
import { ACCOUNT_COLUMNS, toAccount, type AccountRow } from './account-row';

/**
 * These wallets as they are now, and whether the partner's sandbox is being emptied. References, keys and all else are
 * left out, so only an opening that names nothing used before can be decided on them.
 * @param canForward whether the calendar of the partner can be ahead, as in the sandbox.
 */
export async function findBooks(
  { pool, schema }: Cell,
  partnerId: string,
  walletIds: readonly string[],
  canForward: boolean,
): Promise<Books> {
  const [accounts, moment, ahead] = await Promise.all([
    pool.query<AccountRow>(
      `SELECT ${ACCOUNT_COLUMNS}, ${effectiveStatus('accounts')} AS status,
              ${setAsideNow(schema, 'accounts')} AS held_kobo
         FROM ${schema}.accounts WHERE id = ANY($1)`,
      [walletIds],
    ),
    pool.query<{ now: Date; epoch: number | null; resetting: boolean | null }>(
      `SELECT now()::timestamptz(3) AS now, e.epoch, e.resetting
         FROM (SELECT 1) AS one LEFT JOIN ${schema}.partner_epochs e ON e.partner_id = $1`,
      [partnerId],
    ),
    canForward
      ? pool.query<{ partner_id: string; ahead_ms: number }>(sumOfForwards(schema), [[partnerId]])
      : { rows: [] },
  ]);
  const { now, epoch, resetting } = present(moment.rows[0], 'the time');
  const books = booksOfAccounts(now, new Map(accounts.rows.map((row) => [row.id, toAccount(row)])));
  if (epoch !== null && resetting !== null) books.epochs.set(partnerId, { epoch, resetting });
  for (const row of ahead.rows) books.aheadMs.set(row.partner_id, row.ahead_ms);
  return books;
}
