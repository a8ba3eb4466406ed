/** What stood in the way of a payment at a moment that a forward of the sandbox went over (D214). */
import type { WalletStatus } from '../../domain/wallets';
import type { Cell } from '../pg/postgres';

/** The money side of a wallet as it was. What was paid before has been paid by now, because all is run in its order. */
interface WalletAsOf {
  status: WalletStatus;
  balanceKobo: number;
  heldKobo: number;
}

/**
 * A wallet of this partner at an earlier moment: a freeze or a hold that has ended since was there then.
 * @param movedAt the moment, moved by all forwards, as the ends of what is open are. What had ended was not moved any more.
 */
export async function findAsOf(
  { pool, schema }: Cell,
  partnerId: string,
  walletId: string,
  movedAt: Date,
): Promise<WalletAsOf | null> {
  const { rows } = await pool.query<{ status: WalletStatus; balance_kobo: number; held_kobo: number }>(
    `SELECT CASE WHEN a.status = 'frozen' AND a.frozen_until <= $3 THEN 'active' ELSE a.status END AS status,
            a.balance_kobo, coalesce((
              SELECT sum(h.amount_kobo) FROM ${schema}.holds h
               WHERE h.wallet_id = a.id AND h.status IN ('open', 'expired') AND h.expires_at - (
                       SELECT coalesce(sum(f.forwarded_ms), 0) * interval '1 millisecond' FROM ${schema}.sandbox_forwards f
                        WHERE f.partner_id = a.partner_id AND f.at > h.ended_at) > $3), 0)::bigint AS held_kobo
       FROM ${schema}.accounts a WHERE a.id = $1 AND a.partner_id = $2`,
    [walletId, partnerId, movedAt],
  );
  const [row] = rows;
  return row ? { status: row.status, balanceKobo: row.balance_kobo, heldKobo: row.held_kobo } : null;
}
