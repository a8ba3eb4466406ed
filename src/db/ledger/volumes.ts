/** Volumes, counted from the transactions of a period when somebody asks. */
import { PUBLISHED_TYPES, type PublishedType } from '../../domain/transaction-types';
import type { TransactionStatus } from '../../domain/transactions';
import { BUCKETS, VOLUME_TRANSACTIONS_MAX, type Bucket, type Volume } from '../../domain/volumes';
import type { Cell } from '../pg/postgres';

/** Any midnight in Lagos, where the time has been the same all year since 1919. */
const MIDNIGHT = "timestamptz '2026-01-01 00:00:00+01'";
const WITHOUT_MONEY: readonly TransactionStatus[] = ['failed', 'reversed', 'expired'];
const COMPLETED: TransactionStatus = 'completed';

/**
 * The volumes of a partner from one moment until just before another, oldest first.
 * @returns null when there are more than `VOLUME_TRANSACTIONS_MAX` transactions in that time.
 */
export async function findVolumes(
  { pool, schema }: Cell,
  partnerId: string,
  { from, to, bucket }: { from: Date; to: Date; bucket: Bucket },
): Promise<Volume[] | null> {
  const { rows } = await pool.query<{
    at: Date;
    type: PublishedType;
    count: number;
    failed: number;
    amount_kobo: number;
    fee_kobo: number;
  }>(
    `WITH counted AS (
       SELECT created_at, type, status, amount_kobo, customer_fee_kobo + merchant_fee_kobo AS fee_kobo
         FROM ${schema}.transactions
        WHERE partner_id = $1 AND created_at >= $2 AND created_at < $3 AND type = ANY ($4)
        ORDER BY created_at LIMIT ${String(VOLUME_TRANSACTIONS_MAX + 1)})
     SELECT date_bin($5 * interval '1 millisecond', created_at, ${MIDNIGHT}) AS at, type, count(*) AS count,
            count(*) FILTER (WHERE status = ANY ($6)) AS failed,
            coalesce(sum(amount_kobo) FILTER (WHERE status = $7), 0)::bigint AS amount_kobo,
            coalesce(sum(fee_kobo) FILTER (WHERE status = $7), 0)::bigint AS fee_kobo
       FROM counted GROUP BY 1, 2 ORDER BY 1, 2`,
    [partnerId, from, to, PUBLISHED_TYPES, BUCKETS[bucket].lengthMs, WITHOUT_MONEY, COMPLETED],
  );
  const count = rows.reduce((sum, row) => sum + row.count, 0);
  if (count > VOLUME_TRANSACTIONS_MAX) return null;
  return rows.map(({ amount_kobo: amountKobo, fee_kobo: feeKobo, ...row }) => ({
    ...row,
    amountKobo,
    feeKobo,
  }));
}
