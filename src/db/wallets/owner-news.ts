/**
 * What changes about the owner of a wallet that waits for its account, and whether its workflow was told. News are marked in the
 * commit that brings them, and the mark goes when the workflow has heard: a message that is lost is told by the sweep.
 */
import type { EventDraft } from '../../domain/events';
import { done, refuse, type Outcome } from '../../domain/outcome';
import { isOfPlatform, type Metadata, type Wallet } from '../../domain/wallets';
import { insertEvent } from '../events/events';
import { inTransaction, type Cell, type Queryable, type SealedCell } from '../pg/postgres';
import { assertNotResetting } from '../upkeep/epochs';
import { readWallet, sealedMetadata } from './wallets';

/** A wallet whose workflow is to look again. */
export interface OwnerNews {
  walletId: string;
  /** When the news came. Later news have a mark of their own. */
  newsAt: Date;
}

interface NewsRow {
  id: string;
  news_at: Date;
}

const toNews = ({ id, news_at: newsAt }: NewsRow): OwnerNews => ({ walletId: id, newsAt });

/**
 * Marks that there is news for the wallet of a person, if it waits for its account, or for these wallets, in whatever state they
 * are.
 * Inside the caller's transaction.
 * @returns the wallets to tell of; none where nothing waits.
 */
export async function markNews(
  trx: Queryable,
  schema: string,
  about: { partnerId: string; userRef: string } | { walletIds: readonly string[] },
): Promise<OwnerNews[]> {
  const areNamed = 'walletIds' in about;
  const { rows } = await trx.query<NewsRow>(
    `UPDATE ${schema}.wallets w SET news_at = now() FROM ${schema}.accounts a
      WHERE a.id = w.id AND w.account_number IS NULL
        AND ${areNamed ? 'w.id = ANY($1)' : `w.partner_id = $1 AND w.user_ref = $2 AND a.status = 'pending'`}
      RETURNING w.id, w.news_at`,
    areNamed ? [about.walletIds] : [about.partnerId, about.userRef],
  );
  return rows.map(toNews);
}

/** The news that are older than this and still untold, the oldest first. */
export async function untoldNews(
  { pool, schema }: Cell,
  olderThanMs: number,
  limit: number,
): Promise<OwnerNews[]> {
  const { rows } = await pool.query<NewsRow>(
    `SELECT id, news_at FROM ${schema}.wallets
      WHERE news_at < now() - $1 * interval '1 millisecond' ORDER BY news_at LIMIT $2`,
    [olderThanMs, limit],
  );
  return rows.map(toNews);
}

/** Notes that the workflows have heard. Later news of a wallet stay untold, and a second note changes nothing. */
export async function markNewsTold({ pool, schema }: Cell, news: readonly OwnerNews[]): Promise<void> {
  await pool.query(
    `UPDATE ${schema}.wallets w SET news_at = NULL FROM unnest($1::uuid[], $2::timestamptz[]) AS told(id, at)
      WHERE w.id = told.id AND w.news_at = told.at`,
    [news.map(({ walletId }) => walletId), news.map(({ newsAt }) => newsAt)],
  );
}

/**
 * Writes that the opening of a pending wallet stands still since a time, with its event. The same time again, or an earlier
 * one, changes nothing, so each parking has one event.
 * @returns the endpoints to wake.
 */
export function noteParked(
  cell: SealedCell,
  { partnerId, walletId }: { partnerId: string; walletId: string },
  since: Date,
  announce: (wallet: Wallet) => EventDraft,
): Promise<string[]> {
  const { schema } = cell;
  return inTransaction(cell.pool, async (trx) => {
    const { rowCount } = await trx.query(
      `UPDATE ${schema}.wallets w SET parked_at = $3 FROM ${schema}.accounts a
        WHERE a.id = w.id AND w.id = $1 AND w.partner_id = $2 AND a.status = 'pending'
          AND (w.parked_at IS NULL OR w.parked_at < $3)`,
      [walletId, partnerId, since],
    );
    if (rowCount !== 1) return [];
    return insertEvent(trx, schema, partnerId, announce(await readWallet(trx, cell, walletId)));
  });
}

/** A wallet after a change of its metadata, and what waits for such news. */
export interface ChangedWallet {
  wallet: Wallet;
  news: OwnerNews[];
  /** The verifications of its owner that are under way. */
  verificationIds: string[];
}

/**
 * Changes the metadata of a wallet under the lock of its row, so that of two changes at the same time the second one sees the
 * first. The same change again changes nothing; what waits is told again.
 * @param decide what the metadata becomes. It gets the wallet as it is under the lock.
 * @returns NOT_FOUND, WALLET_CLOSED, INVALID_WALLET_STATE for a wallet of the platform, or what `decide` refuses.
 */
export function changeMetadata(
  cell: SealedCell,
  { partnerId, walletId }: { partnerId: string; walletId: string },
  decide: (wallet: Wallet) => Outcome<Metadata>,
): Promise<Outcome<ChangedWallet>> {
  const { schema, sealing } = cell;
  return inTransaction(cell.pool, async (trx): Promise<Outcome<ChangedWallet>> => {
    await assertNotResetting(trx, schema, partnerId);
    const locked = await trx.query(
      `SELECT FROM ${schema}.wallets WHERE id = $1 AND partner_id = $2 FOR NO KEY UPDATE`,
      [walletId, partnerId],
    );
    if (locked.rowCount !== 1) return refuse('NOT_FOUND');
    // Read under the lock: a closing writes this row as well, so it is before this or after it.
    const before = await readWallet(trx, cell, walletId);
    if (isOfPlatform(before.userRef)) return refuse('INVALID_WALLET_STATE');
    if (before.status === 'closed') return refuse('WALLET_CLOSED');
    const decided = decide(before);
    if (!decided.ok) return decided;
    if (JSON.stringify(decided.value) !== JSON.stringify(before.metadata)) {
      await trx.query(`UPDATE ${schema}.wallets SET metadata_sealed = $2, updated_at = now() WHERE id = $1`, [
        walletId,
        sealedMetadata(sealing, walletId, decided.value),
      ]);
    }
    const news = before.status === 'pending' ? await markNews(trx, schema, { walletIds: [walletId] }) : [];
    const { rows } = await trx.query<{ id: string }>(
      `SELECT id FROM ${schema}.verifications WHERE partner_id = $1 AND user_ref = $2 AND status = 'pending'`,
      [partnerId, before.userRef],
    );
    const wallet = await readWallet(trx, cell, walletId);
    return done({ wallet, news, verificationIds: rows.map(({ id }) => id) });
  });
}
