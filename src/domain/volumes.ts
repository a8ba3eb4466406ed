/** Volumes: how much of each type of transaction there was in each hour or day (D200). */
import type { Kobo } from './money';
import type { PublishedType } from './transaction-types';

/** How long a period may be, so that its answer stays small. */
export const BUCKETS = {
  hour: { lengthMs: 3_600_000, periodMaxDays: 8 },
  day: { lengthMs: 86_400_000, periodMaxDays: 93 },
} as const;
export type Bucket = keyof typeof BUCKETS;

/** They are counted when they are asked for, so no payment pays for it, and a period has a bounded number of them. */
export const VOLUME_TRANSACTIONS_MAX = 50_000;

/** The transactions of one type that were made in one hour or day. */
export interface Volume {
  /** When the hour or the day began, in Lagos. */
  at: Date;
  type: PublishedType;
  count: number;
  /** Of these, the ones that have ended without paying anybody, or whose money came back. */
  failed: number;
  /** Of the completed ones. */
  amountKobo: Kobo;
  feeKobo: Kobo;
}
