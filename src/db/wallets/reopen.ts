/**
 * A wallet that was closed before any account was ordered for it is opened again. Nobody could pay it and it never held money, so
 * its user_ref goes on naming the one wallet that it always named (D11, D48).
 */
import type { Intention } from '../../domain/intentions';
import { done, refuse, type Outcome } from '../../domain/outcome';
import { afterMove, isOfPlatform, type Metadata, type Wallet } from '../../domain/wallets';
import { intendAgain } from '../events/intentions';
import { newId } from '../pg/ids';
import { inTransaction, type Queryable, type SealedCell } from '../pg/postgres';
import { assertNotResetting } from '../upkeep/epochs';
import { markNews, type OwnerNews } from './owner-news';
import { readWallet, sealedMetadata } from './wallets';

/** A wallet that is pending again, and its workflow: a run that has not ended yet is told, and else another one begins. */
export interface Reopened {
  wallet: Wallet;
  intention: Intention;
  news: OwnerNews[];
}

/**
 * Makes a closed wallet pending again, under the lock of its account. A second call finds it pending and is refused.
 * @param asked.intention the workflow that gets it an account, which goes on where it ended.
 * @param decide what its metadata becomes.
 * @returns NOT_FOUND, INVALID_WALLET_STATE, or what `decide` refuses.
 */
export function reopenWallet(
  cell: SealedCell,
  asked: { partnerId: string; walletId: string; requestId: string; intention: Intention },
  decide: (wallet: Wallet) => Outcome<Metadata>,
): Promise<Outcome<Reopened>> {
  const { schema, sealing } = cell;
  const { partnerId, walletId } = asked;
  return inTransaction(cell.pool, async (trx): Promise<Outcome<Reopened>> => {
    const locked = await trx.query(
      `SELECT FROM ${schema}.accounts WHERE id = $1 AND partner_id = $2 FOR UPDATE`,
      [walletId, partnerId],
    );
    if (locked.rowCount !== 1) return refuse('NOT_FOUND');
    const before = await readWallet(trx, cell, walletId);
    if (isOfPlatform(before.userRef)) return refuse('INVALID_WALLET_STATE');
    const status = afterMove({ status: before.status, frozenBy: null }, 'reopen', 'partner');
    if (!status) return refuse('INVALID_WALLET_STATE', { message: `The wallet is ${before.status}` });
    if (before.account || !(await isUntouched(trx, schema, walletId))) return CLOSED_FOR_EVER;
    const decided = decide(before);
    if (!decided.ok) return decided;

    await assertNotResetting(trx, schema, partnerId);
    await trx.query(`UPDATE ${schema}.accounts SET status = $2, updated_at = now() WHERE id = $1`, [
      walletId,
      status,
    ]);
    await trx.query(
      `UPDATE ${schema}.wallets SET metadata_sealed = $2, account_wanted_at = now(), parked_at = NULL, updated_at = now()
        WHERE id = $1`,
      [walletId, sealedMetadata(sealing, walletId, decided.value)],
    );
    await trx.query(
      `INSERT INTO ${schema}.wallet_actions (id, partner_id, wallet_id, action, actor, request_id, created_at)
       VALUES ($1, $2, $3, 'reopen', 'partner', $4, clock_timestamp())`,
      [newId(), partnerId, walletId, asked.requestId],
    );
    const news = await markNews(trx, schema, { walletIds: [walletId] });
    const intention = await intendAgain(trx, schema, asked.intention);
    return done({ wallet: await readWallet(trx, cell, walletId), intention, news });
  });
}

const CLOSED_FOR_EVER = refuse('INVALID_WALLET_STATE', {
  message: 'An account was ordered for the wallet, or money has moved over it, so it stays closed',
});

/** Whether nothing outside and nothing in the books knows the wallet, and its owner is not erased. */
async function isUntouched(trx: Queryable, schema: string, walletId: string): Promise<boolean> {
  const { rowCount } = await trx.query(
    `SELECT FROM ${schema}.wallets w WHERE w.id = $1 AND w.account_number IS NULL AND w.erased_at IS NULL
        AND NOT EXISTS (SELECT FROM ${schema}.provider_customers c WHERE c.wallet_id = w.id)
        AND NOT EXISTS (SELECT FROM ${schema}.transactions t WHERE t.source_wallet = w.id)
        AND NOT EXISTS (SELECT FROM ${schema}.transactions t WHERE t.dest_wallet = w.id)`,
    [walletId],
  );
  return rowCount === 1;
}
