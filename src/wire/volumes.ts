/** Volumes as the interface shows them (D200). */
import { z } from 'zod';
import { done, refuseFields, type Outcome } from '../domain/outcome';
import { BUCKETS, VOLUME_TRANSACTIONS_MAX, type Bucket, type Volume } from '../domain/volumes';
import { kobo, timestamp, transactionType } from './answers';
import { period, readPeriod } from './pages';

const NAMES = Object.keys(BUCKETS) as [Bucket, ...Bucket[]];
const DAY_MS = 86_400_000;

export const volumesQuery = z.object({
  ...period,
  bucket: z
    .enum(NAMES, `must be of: ${NAMES.join(', ')}`)
    .default('hour')
    .meta({ description: 'How long each part of the period is; a day begins at midnight in Lagos' }),
});

/**
 * Reads the period: without `to` until now, without `from` the day before its end.
 * @returns VALIDATION_ERROR for a period that is too long for its parts.
 */
export function readVolumesQuery(
  query: z.infer<typeof volumesQuery>,
  now: Date,
): Outcome<{ from: Date; to: Date; bucket: Bucket }> {
  const during = readPeriod(query, now);
  if (!during.ok) return during;
  const to = during.value.to ?? now;
  const from = during.value.from ?? new Date(to.getTime() - DAY_MS);
  const { bucket } = query;
  const { periodMaxDays } = BUCKETS[bucket];
  if (to.getTime() - from.getTime() > periodMaxDays * DAY_MS) {
    return refuseFields({ field: 'from', message: `must leave at most ${String(periodMaxDays)} days` });
  }
  return done({ from, to, bucket });
}

export const TOO_MANY = refuseFields({
  field: 'from',
  message: `must leave at most ${VOLUME_TRANSACTIONS_MAX.toLocaleString('en')} transactions`,
});

export const volumeSchema = z
  .object({
    at: timestamp.meta({ description: 'When the hour or day began' }),
    type: transactionType,
    count: z.int().min(1),
    failed: z.int().min(0).meta({ description: 'Of these: `failed`, `reversed` or `expired`' }),
    amount_kobo: kobo.meta({ description: 'In kobo, of those that are `completed`' }),
    fee_kobo: kobo.meta({ description: 'In kobo, of those that are `completed`' }),
  })
  .meta({ id: 'Volume' });

export const writeVolume = ({ amountKobo, feeKobo, ...volume }: Volume): z.infer<typeof volumeSchema> => ({
  at: volume.at.toISOString(),
  type: volume.type,
  count: volume.count,
  failed: volume.failed,
  amount_kobo: amountKobo,
  fee_kobo: feeKobo,
});
