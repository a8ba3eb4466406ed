/** Active wallets with money, in one statement however many they are. */
import type pg from 'pg';
import type { LimitTier } from '../../src/domain/limits';
import { CELL } from './cell';

/**
 * @param tier the limits that they are under; null for none.
 * @returns the ids of the new wallets, each funded by a booked transaction of `fundKobo`.
 */
export async function makeWallets(
  owner: Pick<pg.ClientBase, 'query'>,
  partnerId: string,
  count: number,
  fundKobo: number,
  { cell, tier }: { cell: string; tier: LimitTier | null } = { cell: CELL, tier: null },
): Promise<string[]> {
  const { rows } = await owner.query<{ id: string }>(
    `WITH made AS (SELECT uuidv7() AS id, uuidv7() AS funding FROM generate_series(1, $2)),
     accounts AS (
       INSERT INTO ${cell}.accounts (id, partner_id, status, balance_kobo, sequence, limit_tier)
       SELECT id, $1, 'active', $3::bigint, 1, $4 FROM made),
     wallets AS (
       INSERT INTO ${cell}.wallets (id, partner_id, user_ref) SELECT id, $1, 'bench-' || id FROM made),
     funded AS (
       INSERT INTO ${cell}.transactions (id, partner_id, reference, type, status, amount_kobo, dest_wallet,
         customer_fee_kobo, merchant_fee_kobo, mfb_cost_kobo, net_amount_kobo, created_at, updated_at, completed_at)
       SELECT funding, $1, 'fund_' || funding, 'wallet_funding', 'completed', $3::bigint, id, 0, 0, 0, $3, now(), now(), now()
         FROM made),
     entered AS (
       INSERT INTO ${cell}.entries (transaction_id, step, account, id, amount_kobo, sequence, balance_after_kobo,
         created_at)
       SELECT funding, 'accept', account, uuidv7(), amount, sequence, balance, now()
         FROM made, LATERAL (VALUES (id, $3::bigint, 1, $3::bigint),
           ('00000000-0000-0000-0000-000000009000'::uuid, -$3::bigint, NULL, NULL))
           AS v(account, amount, sequence, balance))
     SELECT id FROM made`,
    [partnerId, count, fundKobo, tier],
  );
  return rows.map((row) => row.id);
}
