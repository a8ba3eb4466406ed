/**
 * A wallet that was closed before any account was ordered for it is opened again. It never held money and nobody could pay it, so
 * its user_ref names the same wallet as before, and a partner that closed it too early is not left without one (D11, D48).
 */
import type { Intention } from '../../domain/intentions';
import { done, type Outcome } from '../../domain/outcome';
import { sources } from '../../domain/machine';
import { WALLET_MACHINE, type Wallet } from '../../domain/wallets';
import { intendAgain } from '../events/intentions';
import { findAnswer, keepAnswer, type SameKey } from '../ledger/idempotency';
import { newId } from '../pg/ids';
import { inTransaction, type SealedCell } from '../pg/postgres';
import { assertNotResetting } from '../upkeep/epochs';
import { markNews, type OwnerNews } from './owner-news';
import { readWallet, sealedMetadata, type NewWallet } from './wallets';

/** A wallet that is pending again, and its workflow: one that still runs is told, and one that has ended begins again. */
export interface OpenedAgain {
  kind: 'opened_again';
  wallet: Wallet;
  intention: Intention;
  news: OwnerNews[];
}

/**
 * Makes the closed wallet of a user_ref pending again, with the metadata of this request. A second call finds it pending.
 * @param asked the wallet that was to be made, and the intention for the id that the row has.
 * @returns the wallet, or an earlier answer of the key; null where the user_ref's wallet cannot be opened again, because it is
 *   not closed, an account was ordered or issued for it, money moved over it, or its owner was erased.
 */
export function openAgain(
  cell: SealedCell,
  asked: Omit<NewWallet, 'id' | 'intention'> & { intend: (walletId: string) => Intention; requestId: string },
  idempotencyWindowMs: number,
): Promise<Outcome<OpenedAgain | SameKey> | null> {
  const { schema, sealing } = cell;
  const { partnerId, userRef, key } = asked;
  return inTransaction(cell.pool, async (trx) => {
    await assertNotResetting(trx, schema, partnerId);
    const { rows } = await trx.query<{ id: string }>(
      `SELECT a.id FROM ${schema}.accounts a JOIN ${schema}.wallets w USING (id)
        WHERE w.partner_id = $1 AND w.user_ref = $2 AND a.status = ANY($3)
          AND w.account_number IS NULL AND w.erased_at IS NULL AND left(w.user_ref, 2) <> '__'
          AND NOT EXISTS (SELECT FROM ${schema}.provider_customers c WHERE c.wallet_id = a.id)
          AND NOT EXISTS (SELECT FROM ${schema}.transactions t WHERE t.source_wallet = a.id)
          AND NOT EXISTS (SELECT FROM ${schema}.transactions t WHERE t.dest_wallet = a.id)
        FOR UPDATE OF a`,
      [partnerId, userRef, sources(WALLET_MACHINE, 'open_again')],
    );
    const before = await findAnswer(trx, cell, partnerId, key, idempotencyWindowMs);
    if (before) return before;
    const id = rows[0]?.id;
    if (id === undefined) return null;
    await trx.query(`UPDATE ${schema}.accounts SET status = 'pending', updated_at = now() WHERE id = $1`, [
      id,
    ]);
    await trx.query(
      `UPDATE ${schema}.wallets SET metadata_sealed = $2, account_wanted_at = now(), parked_at = NULL, updated_at = now()
        WHERE id = $1`,
      [id, sealedMetadata(sealing, id, asked.metadata)],
    );
    await trx.query(
      `INSERT INTO ${schema}.wallet_actions (id, partner_id, wallet_id, action, actor, request_id, created_at)
       VALUES ($1, $2, $3, 'open_again', 'partner', $4, clock_timestamp())`,
      [newId(), partnerId, id, asked.requestId],
    );
    const news = await markNews(trx, schema, { walletId: id });
    const wallet = await readWallet(trx, cell, id);
    await keepAnswer(
      trx,
      cell,
      partnerId,
      key,
      { resourceId: id, answer: asked.answer(wallet) },
      idempotencyWindowMs,
    );
    const intention = await intendAgain(trx, schema, asked.intend(id));
    return done({ kind: 'opened_again', wallet, intention, news });
  });
}
