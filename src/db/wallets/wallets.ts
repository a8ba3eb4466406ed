/** Wallets: the profile in `wallets`, the money and the status in `accounts`. */
import type { Intention } from '../../domain/intentions';
import type { StoredAnswer, UsedKey } from '../../domain/ledger';
import { done, refuse, type Outcome, type Refused } from '../../domain/outcome';
import type { EventDraft } from '../../domain/events';
import { sources } from '../../domain/machine';
import {
  fullNameIn,
  WALLET_MACHINE,
  type IssuedAccount,
  type Metadata,
  type Wallet,
  type WalletStatus,
} from '../../domain/wallets';
import { keepNuban, type NubanOwner } from './directory';
import { insertEvent } from '../events/events';
import { findAnswer, keepAnswer, stillLocked, type SameKey } from '../ledger/idempotency';
import { LAST_UUID } from '../pg/ids';
import { insertIntention } from '../events/intentions';
import {
  inTransaction,
  sqlState,
  SQLSTATE,
  type Cell,
  type Queryable,
  type SealedCell,
} from '../pg/postgres';
import { WALK_MAX, type Place, type Walked } from '../pg/walks';
import { accountNamePlace, walletMetadataPlace, type Sealing } from '../../secrets/sealing';
import { setAsideNow } from './set-aside';
import { tierNow } from './limits';
import { openedName } from './names';
import { effectiveStatus } from './wallet-status';

interface WalletRow {
  id: string;
  partner_id: string;
  user_ref: string;
  status: WalletStatus;
  account_number: string | null;
  account_name_sealed: string | null;
  bank_code: string;
  bank_name: string;
  mfb_reference: string;
  metadata_sealed: string | null;
  balance_kobo: number;
  held_kobo: number;
  created_at: Date;
  updated_at: Date;
}

/**
 * The name and the metadata are opened when somebody looks at them. So a wallet is frozen or closed also while the key of
 * its name is missing.
 */
const toWallet = (sealing: Sealing, row: WalletRow): Wallet => ({
  id: row.id,
  partnerId: row.partner_id,
  userRef: row.user_ref,
  status: row.status,
  account:
    row.account_number === null
      ? null
      : {
          accountNumber: row.account_number,
          get accountName() {
            return openedName(sealing, row.account_name_sealed, accountNamePlace(row.id));
          },
          bankCode: row.bank_code,
          bankName: row.bank_name,
          mfbReference: row.mfb_reference,
        },
  get metadata() {
    return openedMetadata(sealing, row);
  },
  balanceKobo: row.balance_kobo,
  heldKobo: row.held_kobo,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** What the partner has said of the owner. */
export const openedMetadata = (
  sealing: Sealing,
  { id, metadata_sealed: sealed }: Pick<WalletRow, 'id' | 'metadata_sealed'>,
): Metadata =>
  sealed === null ? {} : (JSON.parse(sealing.open(sealed, walletMetadataPlace(id))) as Metadata);

const select = (schema: string) => `SELECT w.*, ${effectiveStatus('a')} AS status, a.balance_kobo,
    ${setAsideNow(schema, 'a')} AS held_kobo
  FROM ${schema}.wallets w JOIN ${schema}.accounts a USING (id)`;

/**
 * A wallet of this partner, or null. The answer for a wallet of another partner is the same as for one that does
 * not exist (D29).
 */
export async function findWallet(
  cell: SealedCell,
  partnerId: string,
  walletId: string,
): Promise<Wallet | null> {
  const { rows } = await cell.pool.query<WalletRow>(
    `${select(cell.schema)} WHERE w.id = $1 AND w.partner_id = $2`,
    [walletId, partnerId],
  );
  return rows[0] ? toWallet(cell.sealing, rows[0]) : null;
}

/** Those of these ids that are no wallet of the partner. */
export async function unknownWallets(
  { pool, schema }: Cell,
  partnerId: string,
  walletIds: readonly string[],
): Promise<Set<string>> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM unnest($2::uuid[]) AS asked(id)
      WHERE NOT EXISTS (SELECT FROM ${schema}.wallets w WHERE w.id = asked.id AND w.partner_id = $1)`,
    [partnerId, walletIds],
  );
  return new Set(rows.map(({ id }) => id));
}

/** The owner's full name by the metadata of the user_ref's wallet; null when there is no wallet or no name. */
export async function findFullName(
  cell: SealedCell,
  partnerId: string,
  userRef: string,
): Promise<string | null> {
  const { rows } = await cell.pool.query<Pick<WalletRow, 'id' | 'metadata_sealed'>>(
    `SELECT id, metadata_sealed FROM ${cell.schema}.wallets WHERE partner_id = $1 AND user_ref = $2`,
    [partnerId, userRef],
  );
  return rows[0] ? fullNameIn(openedMetadata(cell.sealing, rows[0])) : null;
}

/** A wallet that is certainly there, inside the transaction that just wrote it. */
export async function readWallet(
  trx: Queryable,
  { schema, sealing }: SealedCell,
  walletId: string,
): Promise<Wallet> {
  const { rows } = await trx.query<WalletRow>(`${select(schema)} WHERE w.id = $1`, [walletId]);
  return toWallet(sealing, rows[0] as WalletRow);
}

interface WalletFilter {
  userRef: string | null;
  /** As it is at this moment: a freeze that has ended is none. */
  status: WalletStatus | null;
}

/**
 * One page of a partner's wallets, newest first (D43, D46). The platform's own wallets, whose user_ref begins
 * with two underscores, are hidden (D69). A user_ref finds its wallet by the unique index. No index has the status, so
 * a page with that filter walks past a bounded number of wallets.
 */
export async function listWallets(
  cell: SealedCell,
  partnerId: string,
  { userRef, status }: WalletFilter,
  page: { after: Place | null; limit: number },
): Promise<Walked<Wallet, Place>> {
  const { createdAt = 'infinity', id = LAST_UUID } = page.after ?? {};
  const along = `
    SELECT * FROM ${cell.schema}.wallets
     WHERE partner_id = $1 AND left(user_ref, 2) <> '__' AND (created_at, id) < ($2, $3)
           ${userRef === null ? '' : 'AND user_ref = $6'}
     ORDER BY created_at DESC, id DESC`;
  const { rows } = await cell.pool.query<WalletRow>(
    `SELECT w.*, a.status, a.balance_kobo, a.held_kobo
       FROM (${along} LIMIT ${status === null ? '$4' : String(WALK_MAX)}) AS w
      CROSS JOIN LATERAL (
        SELECT ${effectiveStatus('accounts')} AS status, balance_kobo,
               ${setAsideNow(cell.schema, 'accounts')} AS held_kobo
          FROM ${cell.schema}.accounts WHERE id = w.id LIMIT 1) AS a
      WHERE ($5::text IS NULL OR a.status = $5) ORDER BY w.created_at DESC, w.id DESC LIMIT $4`,
    [partnerId, createdAt, id, page.limit, status, ...(userRef === null ? [] : [userRef])],
  );
  const found = rows.map((row) => toWallet(cell.sealing, row));
  if (status === null || userRef !== null || rows.length >= page.limit)
    return { rows: found, stoppedAt: null };
  const { rows: ends } = await cell.pool.query<{ created_at: Date; id: string }>(
    `${along} OFFSET ${String(WALK_MAX - 1)} LIMIT 1`,
    [partnerId, createdAt, id],
  );
  const [end] = ends;
  return { rows: found, stoppedAt: end ? { createdAt: end.created_at, id: end.id } : null };
}

export type WalletCreation = Outcome<{ kind: 'created'; wallet: Wallet; intention: Intention } | SameKey>;

export interface NewWallet {
  id: string;
  partnerId: string;
  userRef: string;
  metadata: Metadata;
  key: UsedKey | null;
  /** What the request lacks; an answer that the key has already comes first. */
  refused?: Refused | null;
  /** The answer that is repeated for the idempotency key. */
  answer: (wallet: Wallet) => StoredAnswer;
  intention: Intention;
}

/**
 * Creates a pending wallet together with the intention to provision it. A second wallet of a user_ref is
 * refused (D48); a repeat by key gets the first answer; a key still in use waits up to 2 s (D44).
 */
export async function createWallet(
  cell: SealedCell,
  asked: NewWallet,
  idempotencyWindowMs: number,
): Promise<WalletCreation> {
  const { partnerId, key } = asked;
  try {
    return await inTransaction(cell.pool, async (trx): Promise<WalletCreation> => {
      const before = await findAnswer(trx, cell, partnerId, key, idempotencyWindowMs);
      if (before) return before;
      if (asked.refused) return asked.refused;
      await insertWallet(trx, cell, { ...asked, status: 'pending' });
      const wallet = await readWallet(trx, cell, asked.id);
      const kept = { resourceId: wallet.id, answer: asked.answer(wallet) };
      await keepAnswer(trx, cell, partnerId, key, kept, idempotencyWindowMs);
      const intention = await insertIntention(trx, cell.schema, asked.intention);
      return done({ kind: 'created', wallet, intention });
    });
  } catch (error) {
    if (sqlState(error) === SQLSTATE.lockNotAvailable) {
      return stillLocked(key);
    }
    if (sqlState(error) !== SQLSTATE.uniqueViolation) throw error;
    // Another request has created it meanwhile, with the same key or the same user_ref. The key is looked at first
    // (D135).
    const before = await findAnswer(cell.pool, cell, partnerId, key, idempotencyWindowMs);
    if (before) return before;
    const { rows } = await cell.pool.query<{ id: string }>(
      `SELECT id FROM ${cell.schema}.wallets WHERE partner_id = $1 AND user_ref = $2`,
      [partnerId, asked.userRef],
    );
    return refuse('WALLET_ALREADY_EXISTS', { detail: { walletId: rows[0]?.id } });
  }
}

/** Writes a wallet with its account, in the tier of its owner. A second one for the same user_ref violates the unique index (D48). */
export async function insertWallet(
  trx: Queryable,
  { schema, sealing }: SealedCell,
  wallet: Pick<Wallet, 'id' | 'partnerId' | 'userRef' | 'status' | 'metadata'>,
): Promise<void> {
  const { id, partnerId, userRef, status, metadata } = wallet;
  const tier = await tierNow(trx, schema, wallet);
  await trx.query(
    `INSERT INTO ${schema}.accounts (id, partner_id, status, limit_tier) VALUES ($1, $2, $3, $4)`,
    [id, partnerId, status, tier],
  );
  await trx.query(
    `INSERT INTO ${schema}.wallets (id, partner_id, user_ref, metadata_sealed) VALUES ($1, $2, $3, $4)`,
    [id, partnerId, userRef, sealedMetadata(sealing, id, metadata)],
  );
}

/** The metadata as the row keeps it; null where it says nothing. */
export const sealedMetadata = (sealing: Sealing, walletId: string, metadata: Metadata): string | null =>
  Object.keys(metadata).length === 0
    ? null
    : sealing.seal(JSON.stringify(metadata), walletMetadataPlace(walletId));

/**
 * Notes whether the account of a pending wallet can be opened, or waits for details about its owner. The same note again
 * changes nothing, so the time of the first one stays.
 */
export async function noteAccountWanted(cell: Cell, walletId: string, isWanted: boolean): Promise<void> {
  await cell.pool.query(
    `UPDATE ${cell.schema}.wallets SET account_wanted_at = CASE WHEN $2 THEN now() END
      WHERE id = $1 AND account_number IS NULL AND (account_wanted_at IS NOT NULL) <> $2`,
    [walletId, isWanted],
  );
}

/**
 * Writes the issued account, also into the directory by which payments find it, and makes the wallet active, with its event. A second call is harmless: only a pending
 * wallet changes, and only the call that changes it writes the event.
 * @returns the wallet as it is, and the endpoints to wake.
 */
export async function activateWallet(
  cell: SealedCell,
  directory: string,
  { partnerId, walletId }: NubanOwner,
  account: IssuedAccount,
  announce: (wallet: Wallet) => EventDraft,
): Promise<{ wallet: Wallet | null; endpointIds: string[] }> {
  return inTransaction(cell.pool, async (trx) => {
    const moved = await trx.query(
      `UPDATE ${cell.schema}.accounts SET status = 'active', updated_at = now()
        WHERE id = $1 AND partner_id = $2 AND status = ANY($3)`,
      [walletId, partnerId, sources(WALLET_MACHINE, 'account_issued')],
    );
    if (moved.rowCount === 1) {
      await keepNuban(trx, directory, { partnerId, walletId }, account);
      await trx.query(
        `UPDATE ${cell.schema}.wallets SET account_number = $2, account_name_sealed = $3, bank_code = $4, bank_name = $5,
           mfb_reference = $6, parked_at = NULL, updated_at = now() WHERE id = $1`,
        [
          walletId,
          account.accountNumber,
          cell.sealing.seal(account.accountName, accountNamePlace(walletId)),
          account.bankCode,
          account.bankName,
          account.mfbReference,
        ],
      );
    }
    const { rows } = await trx.query<WalletRow>(
      `${select(cell.schema)} WHERE w.id = $1 AND w.partner_id = $2`,
      [walletId, partnerId],
    );
    const wallet = rows[0] ? toWallet(cell.sealing, rows[0]) : null;
    if (!wallet || moved.rowCount !== 1) return { wallet, endpointIds: [] };
    const endpointIds = await insertEvent(trx, cell.schema, partnerId, announce(wallet));
    return { wallet, endpointIds };
  });
}
