/**
 * Holds as rows. The account of a hold is locked before the hold, as the ledger's writer does it, so that a capture, a
 * release and an expiry of one hold come one after the other; the writer ends those that payments capture.
 */
import type { Intention } from '../../domain/intentions';
import {
  HOLD_MACHINE,
  holdRefusal,
  holdTerms,
  type Hold,
  type HoldStatus,
  type HoldTrigger,
} from '../../domain/holds';
import type { StoredAnswer, UsedKey } from '../../domain/ledger';
import { next } from '../../domain/machine';
import { done, refuse, type Outcome } from '../../domain/outcome';
import type { WalletStatus } from '../../domain/wallets';
import { insertIntention } from '../events/intentions';
import { accept, type Accepted } from '../ledger/acceptance';
import { inTransaction, type Cell, type Queryable, type SealedCell } from '../pg/postgres';
import { beforePlace, endOfWalk, newestOfPartner, WALK_MAX, type Place, type Walked } from '../pg/walks';
import { assertNotResetting } from '../upkeep/epochs';
import { endOverdueHolds, holdNow } from '../wallets/set-aside';
import { effectiveStatus } from '../wallets/wallet-status';

export interface HoldRow {
  id: string;
  partner_id: string;
  wallet_id: string;
  amount_kobo: number;
  reference: string;
  status: HoldStatus;
  created_at: Date;
  expires_at: Date;
  ended_at: Date | null;
  transaction_id: string | null;
  captured_kobo: number | null;
  capture_terms: string | null;
}

export const toHold = (row: HoldRow): Hold => ({
  id: row.id,
  partnerId: row.partner_id,
  walletId: row.wallet_id,
  amountKobo: row.amount_kobo,
  reference: row.reference,
  status: row.status,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  // Its time has ended it, whoever has written that and when.
  endedAt: row.status === 'expired' ? row.expires_at : row.ended_at,
  capture:
    row.transaction_id !== null && row.captured_kobo !== null && row.capture_terms !== null
      ? { transactionId: row.transaction_id, amountKobo: row.captured_kobo, terms: row.capture_terms }
      : null,
});

interface AccountRow {
  status: WalletStatus;
  balance_kobo: number;
  held_kobo: number;
}

export interface NewHold {
  id: string;
  partnerId: string;
  walletId: string;
  amountKobo: number;
  reference: string;
  lifetimeSeconds: number;
  key: UsedKey | null;
  /** The answer that is repeated for the idempotency key. */
  answer: (hold: Hold) => StoredAnswer;
  /** The workflow that will end it when its time is over. */
  intend: (hold: Hold) => Intention;
}

/**
 * Sets an amount aside, with its reference, the answer of its key and the intention of its workflow, in one commit. A
 * repeat by key or reference finds them.
 * @returns the hold; or refused: WALLET_NOT_FOUND, DUPLICATE_REFERENCE, IDEMPOTENCY_KEY_REUSED, or as `holdRefusal` says.
 */
export const insertHold = (
  cell: SealedCell,
  asked: NewHold,
  idempotencyWindowMs: number,
): Promise<Outcome<Accepted<{ hold: Hold; answer: StoredAnswer; intention: Intention }>>> =>
  accept(
    cell,
    {
      partnerId: asked.partnerId,
      key: asked.key,
      reference: asked.reference,
      terms: holdTerms(asked),
      resourceId: asked.id,
      transactionId: null,
    },
    idempotencyWindowMs,
    async (trx) => {
      const { rows: accounts } = await trx.query<AccountRow>(
        `SELECT ${effectiveStatus('accounts')} AS status, balance_kobo, held_kobo
           FROM ${cell.schema}.accounts WHERE id = $1 AND partner_id = $2 FOR NO KEY UPDATE`,
        [asked.walletId, asked.partnerId],
      );
      const [account] = accounts;
      if (!account) return refuse('WALLET_NOT_FOUND');
      const { status, balance_kobo: balanceKobo } = account;
      let heldKobo = account.held_kobo;
      if (heldKobo > 0 && balanceKobo - heldKobo < asked.amountKobo) {
        const { rows: after } = await trx.query<AccountRow>(endOverdueHolds(cell.schema), [asked.walletId]);
        heldKobo = after[0]?.held_kobo ?? heldKobo;
      }
      const refused = holdRefusal({ status, balanceKobo, heldKobo }, asked.amountKobo);
      if (refused) return refused;
      await changeHeld(trx, cell.schema, asked.walletId, asked.amountKobo);
      const { rows } = await trx.query<HoldRow>(
        `INSERT INTO ${cell.schema}.holds (id, partner_id, wallet_id, amount_kobo, reference, status, created_at,
           expires_at)
         VALUES ($1, $2, $3, $4, $5, 'open', now(), now() + $6 * interval '1 second') RETURNING *`,
        [asked.id, asked.partnerId, asked.walletId, asked.amountKobo, asked.reference, asked.lifetimeSeconds],
      );
      const hold = toHold(rows[0] as HoldRow);
      const intention = await insertIntention(trx, cell.schema, asked.intend(hold));
      const answer = asked.answer(hold);
      return done({ value: { hold, answer, intention }, answer });
    },
  );

/** The row of the account is locked. */
const changeHeld = (trx: Queryable, schema: string, walletId: string, byKobo: number) =>
  trx.query(`UPDATE ${schema}.accounts SET held_kobo = held_kobo + $2, updated_at = now() WHERE id = $1`, [
    walletId,
    byKobo,
  ]);

/**
 * Ends an open hold, and what it has set aside is free in the same commit. An expiry ends only a hold whose time is over
 * by the clock of the database. A second call finds a hold that has ended, and changes nothing.
 * @returns the hold as it is now and whether this call has ended it; null where the partner has no such hold.
 * @throws an outage while the partner's sandbox is being reset.
 */
export async function endHold(
  { pool, schema }: Cell,
  {
    partnerId,
    holdId,
    trigger,
  }: { partnerId: string; holdId: string; trigger: Exclude<HoldTrigger, 'capture'> },
): Promise<Hold | null> {
  return inTransaction(pool, async (trx) => {
    await trx.query(
      `SELECT FROM ${schema}.accounts
        WHERE id = (SELECT wallet_id FROM ${schema}.holds WHERE id = $1 AND partner_id = $2) FOR NO KEY UPDATE`,
      [holdId, partnerId],
    );
    const { rows } = await trx.query<HoldRow & { overdue: boolean }>(
      `SELECT *, expires_at <= clock_timestamp() AS overdue FROM ${schema}.holds
        WHERE id = $1 AND partner_id = $2 FOR NO KEY UPDATE`,
      [holdId, partnerId],
    );
    const [row] = rows;
    if (!row) return null;
    // A partner that releases a hold after its time is told that it has expired.
    const status = next(HOLD_MACHINE, row.status, row.overdue ? 'expire' : trigger);
    if (!status || (trigger === 'expire' && !row.overdue)) return toHold(row);
    await assertNotResetting(trx, schema, partnerId);
    await changeHeld(trx, schema, row.wallet_id, -row.amount_kobo);
    const ended = await trx.query<HoldRow>(
      `UPDATE ${schema}.holds SET status = $2, ended_at = now() WHERE id = $1 RETURNING *`,
      [holdId, status],
    );
    return toHold(ended.rows[0] as HoldRow);
  });
}

/**
 * A hold of this partner as it is at this moment, or null: one whose time is over has expired. Before that is told, the lock of
 * its account is waited for, so that no capture which began earlier comes after it.
 */
export async function findHold({ pool, schema }: Cell, partnerId: string, id: string): Promise<Hold | null> {
  const find = async (db: Queryable): Promise<(HoldRow & { is_open: boolean }) | undefined> => {
    const { rows } = await db.query<HoldRow & { is_open: boolean }>(
      `SELECT h.*, h.status = 'open' AS is_open, ${holdNow('h')} AS status FROM ${schema}.holds h
        WHERE id = $1 AND partner_id = $2`,
      [id, partnerId],
    );
    return rows[0];
  };
  const row = await find(pool);
  if (!row) return null;
  if (!row.is_open || row.status === 'open') return toHold(row);
  return inTransaction(pool, async (trx) => {
    await trx.query(`SELECT FROM ${schema}.accounts WHERE id = $1 FOR SHARE`, [row.wallet_id]);
    return toHold((await find(trx)) ?? row);
  });
}

/**
 * One page of a partner's holds as they are at this moment, newest first. No index has the wallet or the status in this order, so a page with such a
 * filter walks past a bounded number of holds.
 */
export async function listHolds(
  { pool, schema }: Cell,
  partnerId: string,
  { walletId, status }: { walletId: string | null; status: HoldStatus | null },
  { after, limit }: { after: Place | null; limit: number },
): Promise<Walked<Hold, Place>> {
  const table = `${schema}.holds`;
  const before = beforePlace(partnerId, after);
  const isFiltered = walletId !== null || status !== null;
  const { rows } = await pool.query<HoldRow>(
    `SELECT h.*, now.status
       FROM (${newestOfPartner(table)} LIMIT ${isFiltered ? String(WALK_MAX) : '$4'}) AS h
      CROSS JOIN LATERAL (SELECT ${holdNow('h')} AS status) AS now
      WHERE ($5::uuid IS NULL OR wallet_id = $5) AND ($6::text IS NULL OR now.status = $6)
      ORDER BY h.created_at DESC, h.id DESC LIMIT $4`,
    [...before, limit, walletId, status],
  );
  const stoppedAt = isFiltered && rows.length < limit ? await endOfWalk(pool, table, before) : null;
  return { rows: rows.map(toHold), stoppedAt };
}
