/** The regulator's limits of a wallet: its tier, its day in Lagos, and what is refused at which figure (D123). */
import {
  addToAsked,
  afterDebit,
  afterReturn,
  creditLimitRefusal,
  CREDIT_LIMITS,
  debitLimitRefusal,
  LIMIT_NAMES,
  LIMIT_TIERS,
  PAYMENT_LIMITS,
  tierOf,
  type AskedOfLimits,
  type LimitName,
  type LimitTier,
  type UnderLimits,
} from '../../../src/domain/limits';
import { TRANSACTION_KINDS } from '../../../src/domain/kinds';
import type { VerificationType } from '../../../src/domain/verifications';

const NOON = new Date('2026-11-21T11:00:00.000Z');
const MIDNIGHT = new Date('2026-11-21T23:00:00.000Z');
const LAST_MIDNIGHT = new Date('2026-11-20T23:00:00.000Z');
const before = (moment: Date): Date => new Date(moment.getTime() - 1);

const wallet = (tier: LimitTier, more: Partial<UnderLimits> = {}): UnderLimits => ({
  tier,
  countedFrom: LAST_MIDNIGHT,
  dayDebitKobo: 0,
  dayUssdKobo: 0,
  ...more,
});

test.each<[string, VerificationType[], boolean, LimitTier]>([
  ['user-1', [], true, 'unverified'],
  ['user-1', ['bvn'], true, 'tier_1'],
  ['user-1', ['nin'], false, 'tier_1'],
  ['user-1', ['nin', 'nin'], false, 'tier_1'],
  ['user-1', ['bvn', 'nin'], false, 'tier_2'],
  ['__settlement__', [], false, 'business'],
  ['limits_tier_2-a', [], true, 'tier_2'],
  ['limits_tier_2-a', [], false, 'unverified'],
  ['limits_tier_2-a', ['bvn'], false, 'tier_1'],
  ['my-limits_tier_2', [], true, 'unverified'],
])('%s with %j, in the sandbox %s: %s', (userRef, verified, isSandbox, tier) => {
  expect(tierOf(userRef, verified, isSandbox)).toBe(tier);
});

describe('a payment out of a wallet', () => {
  const ussd = TRANSACTION_KINDS.ussd_payment.limits;
  const bank = TRANSACTION_KINDS.bank_transfer.limits;
  test.each<[string, readonly LimitName[], UnderLimits, number, LimitName | null, number]>([
    ['1 kobo without a check', PAYMENT_LIMITS, wallet('unverified'), 1, 'single_debit', 0],
    ['the largest of tier 1', PAYMENT_LIMITS, wallet('tier_1'), 5_000_000, null, 0],
    ['one kobo more', PAYMENT_LIMITS, wallet('tier_1'), 5_000_001, 'single_debit', 0],
    [
      'the last of the day',
      PAYMENT_LIMITS,
      wallet('tier_2', { dayDebitKobo: 12_000_000 }),
      8_000_000,
      null,
      0,
    ],
    [
      'one kobo more on the day',
      PAYMENT_LIMITS,
      wallet('tier_2', { dayDebitKobo: 12_000_001 }),
      8_000_000,
      'daily_debit',
      12_000_001,
    ],
    [
      'one kobo more by USSD',
      ussd,
      wallet('tier_2', { dayDebitKobo: 5_000_000, dayUssdKobo: 5_000_000 }),
      5_000_001,
      'daily_ussd',
      5_000_000,
    ],
    [
      'what USSD has used is no limit of other payments',
      PAYMENT_LIMITS,
      wallet('tier_2', { dayDebitKobo: 10_000_000, dayUssdKobo: 10_000_000 }),
      10_000_000,
      null,
      0,
    ],
    ['the largest of a company to a bank', bank, wallet('business'), 25_000_000_000, null, 0],
    ['one kobo more to a bank', bank, wallet('business'), 25_000_000_001, 'nip_transfer', 0],
    ['a company to a wallet', PAYMENT_LIMITS, wallet('business'), 25_000_000_001, null, 0],
    ['a correction', TRANSACTION_KINDS.wallet_debit.limits, wallet('unverified'), 1, null, 0],
  ])('%s', (_what, limits, limited, amountKobo, limit, usedKobo) => {
    const refused = debitLimitRefusal(limits, { limits: limited }, amountKobo, NOON);
    expect(refused?.refusal.detail ?? null).toEqual(
      limit && {
        limit,
        usedKobo,
        allowedKobo: LIMIT_TIERS[limited.tier].allowedKobo[limit],
        resetsAt: limit.startsWith('daily') ? MIDNIGHT.toISOString() : null,
      },
    );
  });

  test('is not stopped where the wallet is under no limits', () => {
    expect(debitLimitRefusal(PAYMENT_LIMITS, { limits: null }, 1_000_000_000, NOON)).toBeNull();
  });
});

describe('a payment into a wallet', () => {
  test.each<[string, number, number, number, LimitName | null, number]>([
    ['the largest', 0, 0, 5_000_000, null, 0],
    ['one kobo more', 0, 0, 5_000_001, 'single_credit', 0],
    ['up to the largest balance', 24_000_000, 2_000_000, 4_000_000, null, 0],
    [
      'one kobo more, with what may come back',
      24_000_000,
      2_000_001,
      4_000_000,
      'largest_balance',
      26_000_001,
    ],
  ])('%s', (_what, balanceKobo, inFlightKobo, amountKobo, limit, usedKobo) => {
    const limited = { limits: wallet('tier_1'), balanceKobo, inFlightKobo };
    expect(creditLimitRefusal(CREDIT_LIMITS, limited, amountKobo)?.refusal.detail ?? null).toEqual(
      limit && { limit, usedKobo, allowedKobo: LIMIT_TIERS.tier_1.allowedKobo[limit], resetsAt: null },
    );
  });
});

describe('the day', () => {
  const used = wallet('tier_2', { dayDebitKobo: 19_000_000, dayUssdKobo: 3_000_000 });

  test('ends at midnight in Lagos', () => {
    const late = debitLimitRefusal(PAYMENT_LIMITS, { limits: used }, 1_000_001, before(MIDNIGHT));
    expect(late?.refusal.detail).toMatchObject({ limit: 'daily_debit', resetsAt: MIDNIGHT.toISOString() });
    expect(debitLimitRefusal(PAYMENT_LIMITS, { limits: used }, 1_000_001, MIDNIGHT)).toBeNull();
    expect(afterDebit(used, PAYMENT_LIMITS, 7, MIDNIGHT)).toEqual(
      wallet('tier_2', { countedFrom: MIDNIGHT, dayDebitKobo: 7 }),
    );
  });

  test('does not go back with a slower clock', () => {
    const next = afterDebit(used, PAYMENT_LIMITS, 7, MIDNIGHT);
    expect(afterDebit(next, PAYMENT_LIMITS, 1, before(MIDNIGHT))).toEqual({ ...next, dayDebitKobo: 8 });
  });

  test('counts USSD by itself and within the whole', () => {
    expect(afterDebit(used, TRANSACTION_KINDS.ussd_payment.limits, 10, NOON)).toEqual({
      ...used,
      dayDebitKobo: 19_000_010,
      dayUssdKobo: 3_000_010,
    });
  });

  test('gets back what came back of its own payments, and nothing of earlier ones', () => {
    const { limits } = TRANSACTION_KINDS.bank_transfer;
    const back = (createdAt: Date) => afterReturn(used, limits, { amountKobo: 9, createdAt });
    expect(back(LAST_MIDNIGHT)).toEqual({ ...used, dayDebitKobo: 18_999_991 });
    expect(back(before(LAST_MIDNIGHT))).toEqual(used);
  });
});

test('no figure of a tier is above that of the next', () => {
  for (const limit of LIMIT_NAMES) {
    const figures = Object.values(LIMIT_TIERS).map(({ allowedKobo }) => allowedKobo[limit] ?? Infinity);
    expect(figures).toEqual([...figures].sort((one, other) => one - other));
  }
});

test('payments ask a limit together: the largest of them where each is looked at, and else their sum', () => {
  const asked: AskedOfLimits = {};

  for (const amountKobo of [300, 500, 200]) addToAsked(asked, 'debit', PAYMENT_LIMITS, amountKobo);
  addToAsked(asked, 'credit', PAYMENT_LIMITS, 40);
  addToAsked(asked, 'credit', CREDIT_LIMITS, 30);

  expect(asked).toEqual({
    single_debit: 500,
    daily_debit: 1_000,
    single_credit: 40,
    largest_balance: 70,
  });
});
