/**
 * Freezing, unfreezing and closing a wallet (D26, D28, D137): under the lock of its account, and with a row for
 * the audit.
 */
import { done, refuse, refuseFields, type Outcome, type Refused } from '../../domain/outcome';
import {
  afterMove,
  isOfPlatform,
  type Freezer,
  type OverOrder,
  type Wallet,
  type WalletStatus,
} from '../../domain/wallets';
import { assertNotResetting } from '../upkeep/epochs';
import type { Intention } from '../../domain/intentions';
import { insertIntention } from '../events/intentions';
import { newId } from '../pg/ids';
import { inTransaction, type Cell, type Queryable, type SealedCell } from '../pg/postgres';
import { markNews, type OwnerNews } from './owner-news';
import { toldStatus } from '../payments/ussd-sessions';
import { areWithCompany } from './provider-customers';
import { effectiveStatus } from './wallet-status';
import { readWallet } from './wallets';

/**
 * Who changes the status of a wallet: the partner that owns it, or an operator of the platform. A partner cannot
 * lift the freeze of an operator.
 */
type Actor = { kind: 'partner' } | { kind: 'operator'; operatorId: string };

export interface WalletMove {
  partnerId: string;
  walletId: string;
  trigger: 'freeze' | 'unfreeze' | 'close';
  actor: Actor;
  /** The request that asked for it. */
  requestId: string;
  /** Kept for audits, never shown to anybody else. */
  reason: string | null;
  /** On whose order an operator acts: a court, an agency. */
  authority: string | null;
  /** When a freeze ends by itself; null for one that is lifted. */
  frozenUntil: Date | null;
  /** What may become of a freeze that an operator ordered. */
  overOrder: OverOrder;
  /** The workflow that has a company give the account of a closed wallet up. */
  closing: Intention;
}

/** The wallet as it is now, and the workflow that goes on from there; null where nothing is left to do. */
export interface MovedWallet {
  wallet: Wallet;
  intention: Intention | null;
  /** The opening of its account ends, where it was under way. */
  news: OwnerNews[];
}

interface LockedAccount {
  status: WalletStatus;
  frozen_by: Freezer | null;
  frozen_until: Date | null;
  balance_kobo: number;
  user_ref: string;
  is_past: boolean | null;
}

/**
 * Changes the status of a wallet. A second call finds the wallet changed and is refused.
 * @returns the wallet as it is now, or NOT_FOUND, VALIDATION_ERROR (an end in the past), INVALID_WALLET_STATE,
 *   WALLET_NOT_EMPTY with what is left in it.
 */
export function moveWallet(cell: SealedCell, move: WalletMove): Promise<Outcome<MovedWallet>> {
  const { schema } = cell;
  return inTransaction(cell.pool, async (trx): Promise<Outcome<MovedWallet>> => {
    const { rows } = await trx.query<LockedAccount>(
      `SELECT ${effectiveStatus('a')} AS status, a.frozen_by, a.frozen_until, a.balance_kobo, w.user_ref,
              $3::timestamptz(3) <= now() AS is_past
         FROM ${schema}.accounts a JOIN ${schema}.wallets w USING (id)
        WHERE a.id = $1 AND a.partner_id = $2 FOR UPDATE OF a`,
      [move.walletId, move.partnerId, move.frozenUntil],
    );
    const account = rows[0];
    if (!account) return refuse('NOT_FOUND');
    if (typeof move.overOrder === 'object' && (await hasMoved(trx, schema, move))) {
      return done({ wallet: await readWallet(trx, cell, move.walletId), intention: null, news: [] });
    }
    if (account.is_past) return refuseFields({ field: 'expires_at', message: 'must be in the future' });
    if (isOfPlatform(account.user_ref)) return refuse('INVALID_WALLET_STATE');
    const before = { status: account.status, frozenBy: account.frozen_by };
    const status = afterMove(before, move.trigger, move.actor.kind);
    if (!status) return refuse('INVALID_WALLET_STATE', { message: `The wallet is ${account.status}` });
    const isOrdered = account.status === 'frozen' && account.frozen_by === 'operator';
    if (isOrdered && !(await mayTouch(trx, schema, move, account))) return TWO_PEOPLE;
    const left = move.trigger === 'close' ? await whatIsLeft(trx, schema, move.walletId, account) : null;
    if (left) return left;

    await assertNotResetting(trx, schema, move.partnerId);
    await trx.query(
      `UPDATE ${schema}.accounts SET status = $2, frozen_by = $3, frozen_until = $4, updated_at = now() WHERE id = $1`,
      [move.walletId, status, status === 'frozen' ? move.actor.kind : null, move.frozenUntil],
    );
    await trx.query(`UPDATE ${schema}.wallets SET updated_at = now() WHERE id = $1`, [move.walletId]);
    await record(trx, schema, move);
    const { walletId } = move;
    const [toGiveUp] = move.trigger === 'close' ? await areWithCompany(trx, schema, [walletId]) : [];
    const intention = toGiveUp === undefined ? null : await insertIntention(trx, schema, move.closing);
    const news = account.status === 'pending' ? await markNews(trx, schema, { walletIds: [walletId] }) : [];
    return done({ wallet: await readWallet(trx, cell, walletId), intention, news });
  });
}

const TWO_PEOPLE: Refused = refuse('INVALID_WALLET_STATE', {
  message: 'An operator has ordered this freeze: only two people lift it, or let it end earlier',
});

/** Whether what was agreed has been done: a repeat after a lost answer finds its row. */
async function hasMoved(trx: Queryable, schema: string, move: WalletMove): Promise<boolean> {
  const { rowCount } = await trx.query(
    `SELECT FROM ${schema}.wallet_actions WHERE wallet_id = $1 AND request_id = $2`,
    [move.walletId, move.requestId],
  );
  return rowCount !== 0;
}

/** A freeze that an operator ordered may always be prolonged. */
async function mayTouch(
  trx: Queryable,
  schema: string,
  { overOrder, trigger, walletId, frozenUntil }: WalletMove,
  account: LockedAccount,
): Promise<boolean> {
  if (overOrder === 'free') return true;
  if (trigger === 'freeze') {
    const before = account.frozen_until;
    return frozenUntil === null || (before !== null && frozenUntil >= before);
  }
  return overOrder !== 'kept' && overOrder.freezeId === (await findOrder(trx, schema, walletId));
}

/** The newest freeze of a wallet by an operator: what a proposal to lift it names. Null when there was none. */
async function findOrder(db: Queryable, schema: string, walletId: string): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT id FROM ${schema}.wallet_actions WHERE wallet_id = $1 AND action = 'freeze' AND actor = 'operator'
      ORDER BY created_at DESC, id DESC LIMIT 1`,
    [walletId],
  );
  return rows[0]?.id ?? null;
}

/** The freeze by an operator that holds a wallet now; null if none does. */
export async function findOrderInForce({ pool, schema }: Cell, walletId: string): Promise<string | null> {
  const { rowCount } = await pool.query(
    `SELECT FROM ${schema}.accounts a
      WHERE a.id = $1 AND ${effectiveStatus('a')} = 'frozen' AND a.frozen_by = 'operator'`,
    [walletId],
  );
  return rowCount === 1 ? findOrder(pool, schema, walletId) : null;
}

/**
 * A wallet is closed only if it is empty and nothing is under way that could bring money back to it. A USSD session whose time
 * is over is not under way, also while its workflow has not written that yet.
 */
async function whatIsLeft(
  trx: Queryable,
  schema: string,
  walletId: string,
  { balance_kobo: balanceKobo }: LockedAccount,
): Promise<Refused | null> {
  const { rows } = await trx.query<{ open: number }>(
    `SELECT count(*) AS open FROM (
       SELECT id FROM ${schema}.transactions WHERE source_wallet = $1 AND status IN ('pending', 'processing')
       UNION
       SELECT id FROM ${schema}.transactions WHERE dest_wallet = $1 AND status IN ('pending', 'processing')) t
      WHERE NOT EXISTS (SELECT FROM ${schema}.ussd_sessions s WHERE s.transaction_id = t.id AND ${toldStatus(schema)} = 'expired')`,
    [walletId],
  );
  const openTransactions = rows[0]?.open ?? 0;
  if (balanceKobo === 0 && openTransactions === 0) return null;
  return refuse('WALLET_NOT_EMPTY', { detail: { balanceKobo, openTransactions } });
}

async function record(trx: Queryable, schema: string, move: WalletMove): Promise<void> {
  const operatorId = move.actor.kind === 'operator' ? move.actor.operatorId : null;
  await trx.query(
    `INSERT INTO ${schema}.wallet_actions
       (id, partner_id, wallet_id, action, actor, operator_id, request_id, reason, authority, frozen_until, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, clock_timestamp())`,
    [
      newId(),
      move.partnerId,
      move.walletId,
      move.trigger,
      move.actor.kind,
      operatorId,
      move.requestId,
      move.reason,
      move.authority,
      move.frozenUntil,
    ],
  );
}
