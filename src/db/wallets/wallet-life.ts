/**
 * Freezing, unfreezing and closing a wallet (D26, D28, D137): under the lock of its account, and with a row for
 * the audit.
 */
import { done, refuse, refuseFields, type Outcome, type Refused } from '../../domain/outcome';
import { afterMove, isOfPlatform, type Freezer, type Wallet, type WalletStatus } from '../../domain/wallets';
import { assertNotResetting } from '../upkeep/epochs';
import { newId } from '../pg/ids';
import { inTransaction, type Cell, type Queryable } from '../pg/postgres';
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
}

interface LockedAccount {
  status: WalletStatus;
  frozen_by: Freezer | null;
  balance_kobo: number;
  user_ref: string;
  is_past: boolean | null;
}

/**
 * Changes the status of a wallet. A second call finds the wallet changed and is refused.
 * @returns the wallet as it is now, or NOT_FOUND, VALIDATION_ERROR (an end in the past), INVALID_WALLET_STATE,
 *   WALLET_NOT_EMPTY with what is left in it.
 */
export function moveWallet(cell: Cell, move: WalletMove): Promise<Outcome<Wallet>> {
  const { schema } = cell;
  return inTransaction(cell.pool, async (trx): Promise<Outcome<Wallet>> => {
    const { rows } = await trx.query<LockedAccount>(
      `SELECT ${effectiveStatus('a')} AS status, a.frozen_by, a.balance_kobo, w.user_ref,
              $3::timestamptz(3) <= now() AS is_past
         FROM ${schema}.accounts a JOIN ${schema}.wallets w USING (id)
        WHERE a.id = $1 AND a.partner_id = $2 FOR UPDATE OF a`,
      [move.walletId, move.partnerId, move.frozenUntil],
    );
    const account = rows[0];
    if (!account) return refuse('NOT_FOUND');
    if (account.is_past) return refuseFields({ field: 'expires_at', message: 'must be in the future' });
    if (isOfPlatform(account.user_ref)) return refuse('INVALID_WALLET_STATE');
    const before = { status: account.status, frozenBy: account.frozen_by };
    const status = afterMove(before, move.trigger, move.actor.kind);
    if (!status) return refuse('INVALID_WALLET_STATE', { message: `The wallet is ${account.status}` });
    const left = move.trigger === 'close' ? await whatIsLeft(trx, schema, move.walletId, account) : null;
    if (left) return left;

    await assertNotResetting(trx, schema, move.partnerId);
    await trx.query(
      `UPDATE ${schema}.accounts SET status = $2, frozen_by = $3, frozen_until = $4, updated_at = now() WHERE id = $1`,
      [move.walletId, status, status === 'frozen' ? move.actor.kind : null, move.frozenUntil],
    );
    await trx.query(`UPDATE ${schema}.wallets SET updated_at = now() WHERE id = $1`, [move.walletId]);
    await record(trx, schema, move);
    return done(await readWallet(trx, schema, move.walletId));
  });
}

/** A wallet is closed only if it is empty and nothing is under way that could bring money back to it. */
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
       SELECT id FROM ${schema}.transactions WHERE dest_wallet = $1 AND status IN ('pending', 'processing')) t`,
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
       (id, partner_id, wallet_id, action, actor, operator_id, request_id, reason, authority, frozen_until)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
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
