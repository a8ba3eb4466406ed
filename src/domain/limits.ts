/**
 * The limits that the Central Bank of Nigeria (CBN) sets for wallets, by how well their owner is known: one table, which
 * the ledger's decision, the published page and the sandbox's look-up read (D123). The figures are those of the newest
 * circulars that were found; partners are told to check them with their compliance officer.
 */
import { beginningOf, dayAfter, dayOf } from './days';
import type { Kobo } from './money';
import { refuse, type Refused } from './outcome';
import type { VerificationType } from './verifications';
import { isOfPlatform } from './wallets';

/**
 * Each limit: whose money it looks at, what must stay within it, what it is, and where its figures come from. They are looked
 * at in this order.
 */
export const LIMITS = {
  nip_transfer: {
    side: 'debit',
    of: 'payment',
    what: 'One transfer to a bank account',
    source: 'NIBSS, NIP: ₦25 million for a person, ₦250 million for a company; as known in 2026',
  },
  single_debit: {
    side: 'debit',
    of: 'payment',
    what: 'One payment out of the wallet',
    source:
      'CBN, tiered KYC, 2016: the figure of a single deposit; nothing is paid before a check, CBN, 2023-12-01',
  },
  daily_debit: {
    side: 'debit',
    of: 'day',
    what: 'All payments out of the wallet on one day',
    source: 'CBN, mobile money, 2015 (tier 1), and the practice of microfinance banks (tier 2)',
  },
  daily_ussd: {
    side: 'debit',
    of: 'ussd_day',
    what: 'All payments out of the wallet by USSD on one day',
    source: 'CBN, USSD for financial services, 2018: ₦100,000 a customer',
  },
  single_credit: {
    side: 'credit',
    of: 'payment',
    what: 'One payment into the wallet',
    source: 'CBN, tiered KYC, 2016: the largest single deposit',
  },
  largest_balance: {
    side: 'credit',
    of: 'balance',
    what: 'The balance, with what is in flight and may come back',
    source: 'CBN, tiered KYC, 2016: the largest balance',
  },
} as const satisfies Record<string, LimitRow>;

interface LimitRow {
  side: 'debit' | 'credit';
  /** One payment, all of a day together, all by USSD of a day, or the balance with it. */
  of: 'payment' | 'day' | 'ussd_day' | 'balance';
  what: string;
  source: string;
}

export type LimitName = keyof typeof LIMITS;
export const LIMIT_NAMES = Object.keys(LIMITS) as LimitName[];

/** Who is in a tier, and its figures; null where a tier has no such limit. */
interface Tier {
  who: string;
  allowedKobo: Readonly<Record<LimitName, Kobo | null>>;
}

export const LIMIT_TIERS = {
  unverified: {
    who: 'Wallets whose owner has neither a verified BVN nor a verified NIN',
    allowedKobo: {
      nip_transfer: 2_500_000_000,
      single_debit: 0,
      daily_debit: 0,
      daily_ussd: 0,
      single_credit: 5_000_000,
      largest_balance: 30_000_000,
    },
  },
  tier_1: {
    who: 'Wallets whose owner has a verified BVN or a verified NIN',
    allowedKobo: {
      nip_transfer: 2_500_000_000,
      single_debit: 5_000_000,
      daily_debit: 5_000_000,
      daily_ussd: 5_000_000,
      single_credit: 5_000_000,
      largest_balance: 30_000_000,
    },
  },
  tier_2: {
    who: 'Wallets whose owner has both',
    allowedKobo: {
      nip_transfer: 2_500_000_000,
      single_debit: 10_000_000,
      daily_debit: 20_000_000,
      daily_ussd: 10_000_000,
      single_credit: 10_000_000,
      largest_balance: 50_000_000,
    },
  },
  business: {
    who: 'The settlement wallet of a partner, which is a company',
    allowedKobo: {
      nip_transfer: 25_000_000_000,
      single_debit: null,
      daily_debit: null,
      daily_ussd: null,
      single_credit: null,
      largest_balance: null,
    },
  },
} as const satisfies Record<string, Tier>;

export type LimitTier = keyof typeof LIMIT_TIERS;

/** Which limits the money of a payment meets, at its source and at its destination. */
export const PAYMENT_LIMITS: readonly LimitName[] = [
  'single_debit',
  'daily_debit',
  'single_credit',
  'largest_balance',
];

/** What counts as a payment into a wallet alone. */
export const CREDIT_LIMITS: readonly LimitName[] = ['single_credit', 'largest_balance'];

/**
 * A wallet that is under limits: its tier, and what it has paid on the day that begins or goes on at `countedFrom`. That is
 * midnight in Lagos, or a later moment if the wallet came under limits on that day.
 */
export interface UnderLimits {
  tier: LimitTier;
  countedFrom: Date;
  dayDebitKobo: Kobo;
  /** The part of it that was paid by USSD. */
  dayUssdKobo: Kobo;
}

/** In the sandbox, wallets whose user_ref begins so are in that tier without a check, so that each limit can be tried. */
export const SANDBOX_TIERS: Readonly<Record<string, LimitTier>> = {
  limits_tier_1: 'tier_1',
  limits_tier_2: 'tier_2',
  limits_business: 'business',
};

/**
 * The tier of a wallet.
 * @param verified the kinds of numbers of its owner that were verified.
 * @param isSandbox whether the reserved user_refs count.
 */
export function tierOf(
  userRef: string,
  verified: readonly VerificationType[],
  isSandbox: boolean,
): LimitTier {
  if (isOfPlatform(userRef)) return 'business';
  const reserved = Object.entries(SANDBOX_TIERS).find(([beginning]) => userRef.startsWith(beginning));
  if (isSandbox && reserved) return reserved[1];
  return (['unverified', 'tier_1', 'tier_2'] as const)[new Set(verified).size] ?? 'tier_2';
}

/** The wallet with the use of this day. A day never goes back, whichever process has the slower clock. */
function onDayOf(wallet: UnderLimits, now: Date): UnderLimits {
  const midnight = beginningOf(dayOf(now));
  return wallet.countedFrom >= midnight
    ? wallet
    : { ...wallet, countedFrom: midnight, dayDebitKobo: 0, dayUssdKobo: 0 };
}

/** What a payment that meets these limits adds to the use of the day. */
export const useOf = (limits: readonly LimitName[], amountKobo: Kobo) => ({
  debitKobo: limits.includes('daily_debit') ? amountKobo : 0,
  ussdKobo: limits.includes('daily_ussd') ? amountKobo : 0,
});

/** How much several payments together ask of each limit of one wallet; absent where they meet none. */
export type AskedOfLimits = Partial<Record<LimitName, Kobo>>;

/**
 * Adds a payment. Payments that together stay within the limits do so one by one, in any order: the largest of them counts
 * where each must be small enough, and else their sum.
 * @param limits those that its kind meets.
 * @param amountKobo without the fee.
 */
export function addToAsked(
  asked: AskedOfLimits,
  side: 'debit' | 'credit',
  limits: readonly LimitName[],
  amountKobo: Kobo,
): void {
  for (const limit of limits) {
    if (LIMITS[limit].side !== side) continue;
    const before = asked[limit] ?? 0;
    asked[limit] = LIMITS[limit].of === 'payment' ? Math.max(before, amountKobo) : before + amountKobo;
  }
}

/** The wallet after a payment of this amount out of it. It belongs into the commit of the payment. */
export function afterDebit(
  wallet: UnderLimits,
  limits: readonly LimitName[],
  amountKobo: Kobo,
  now: Date,
): UnderLimits {
  const today = onDayOf(wallet, now);
  const { debitKobo, ussdKobo } = useOf(limits, amountKobo);
  return {
    ...today,
    dayDebitKobo: today.dayDebitKobo + debitKobo,
    dayUssdKobo: today.dayUssdKobo + ussdKobo,
  };
}

/** The wallet after a payment out of it came back. What was paid on another day, or before it was counted, gives nothing. */
export function afterReturn(
  wallet: UnderLimits,
  limits: readonly LimitName[],
  payment: { amountKobo: Kobo; createdAt: Date },
): UnderLimits {
  if (payment.createdAt < wallet.countedFrom) return wallet;
  const { debitKobo, ussdKobo } = useOf(limits, payment.amountKobo);
  return {
    ...wallet,
    dayDebitKobo: wallet.dayDebitKobo - debitKobo,
    dayUssdKobo: wallet.dayUssdKobo - ussdKobo,
  };
}

/**
 * Why a payment out of a wallet would pass a limit: LIMIT_EXCEEDED with the limit, or null.
 * @param limits those that its kind meets.
 * @param amountKobo without the fee, of all its legs together.
 * @param aheadMs by how much the calendar on which it counts is ahead of now; only the sandbox forwards it.
 */
export function debitLimitRefusal(
  limits: readonly LimitName[],
  { limits: wallet }: { limits: UnderLimits | null },
  amountKobo: Kobo,
  now: Date,
  aheadMs = 0,
): Refused | null {
  if (!wallet) return null;
  const on = new Date(now.getTime() + aheadMs);
  const { tier, dayDebitKobo, dayUssdKobo } = onDayOf(wallet, on);
  const resetsAt = new Date(beginningOf(dayAfter(dayOf(on))).getTime() - aheadMs);
  return firstPassed('debit', limits, tier, amountKobo, {
    daily_debit: { usedKobo: dayDebitKobo, resetsAt },
    daily_ussd: { usedKobo: dayUssdKobo, resetsAt },
  });
}

/**
 * Why a payment into a wallet would pass a limit: LIMIT_EXCEEDED with the limit, or null. Money that has arrived already
 * and that is refused here belongs to nobody until people decide (2900).
 * @param limits those that its kind meets.
 */
export function creditLimitRefusal(
  limits: readonly LimitName[],
  wallet: { limits: UnderLimits | null; balanceKobo: Kobo; inFlightKobo: Kobo },
  amountKobo: Kobo,
): Refused | null {
  if (!wallet.limits) return null;
  return firstPassed('credit', limits, wallet.limits.tier, amountKobo, {
    largest_balance: { usedKobo: wallet.balanceKobo + wallet.inFlightKobo, resetsAt: null },
  });
}

type Used = Partial<Record<LimitName, { usedKobo: Kobo; resetsAt: Date | null }>>;

function firstPassed(
  side: 'debit' | 'credit',
  limits: readonly LimitName[],
  tier: LimitTier,
  amountKobo: Kobo,
  used: Used,
): Refused | null {
  const { allowedKobo: figures }: Tier = LIMIT_TIERS[tier];
  for (const limit of LIMIT_NAMES) {
    if (LIMITS[limit].side !== side || !limits.includes(limit)) continue;
    const allowedKobo = figures[limit];
    const { usedKobo, resetsAt } = used[limit] ?? { usedKobo: 0, resetsAt: null };
    if (allowedKobo === null || usedKobo + amountKobo <= allowedKobo) continue;
    return refuse('LIMIT_EXCEEDED', {
      message: `A limit of the ${side === 'debit' ? 'source' : 'destination'} wallet would be exceeded: ${limit}`,
      detail: { limit, usedKobo, allowedKobo, resetsAt: resetsAt?.toISOString() ?? null },
    });
  }
  return null;
}
