/**
 * The rules for what a transaction costs, and the VAT inside a fee. The row of a kind (`kinds`) says which rules
 * it has. All amounts are integer kobo and exact up to the largest safe integer.
 */

/** What a kind of transaction costs (interface: Limits). */
export interface FeeRules {
  /** What the source pays on top of the amount. */
  readonly customer: FeeRule;
  /** What the bank charges us: nothing, or by CBN's bands (D16). */
  readonly bank: 'none' | 'by_band';
}

type FeeRule =
  | { readonly kind: 'none' }
  | { readonly kind: 'flat'; readonly feeKobo: number }
  | { readonly kind: 'rate'; readonly perMille: number; readonly capKobo: number };

/** What a transaction costs and earns, in kobo (interface: FeeBreakdown). */
export interface FeeBreakdown {
  /** Debited from the source on top of the amount. */
  readonly customerFeeKobo: number;
  /** Charged to the partner: 0 for every type (D17). */
  readonly merchantFeeKobo: number;
  /** Our gross revenue: both fees (D16). */
  readonly platformFeeKobo: number;
  /** What the bank charges us. It is for information and never changes the debit (D16). */
  readonly mfbCostKobo: number;
  /** What the destination receives (D9). */
  readonly netAmountKobo: number;
}

/** Nothing is published for it, so nothing is charged (D64, D71, D79). */
export const FREE: FeeRules = { customer: { kind: 'none' }, bank: 'none' };

/** Stamp duty on an electronic transfer from 10,000 naira on; the sender bears it since 2026 (Nigeria Tax Act 2025). */
const STAMP_DUTY = { fromKobo: 1_000_000, dutyKobo: 5_000 } as const;

/** The stamp duty on a transfer to a bank of this amount; 0 where there is none. */
export const stampDutyKobo = (amountKobo: number): number =>
  amountKobo >= STAMP_DUTY.fromKobo ? STAMP_DUTY.dutyKobo : 0;

/** CBN's bands for an electronic transfer: up to 5,000 naira, up to 50,000 naira, above. */
const BANK_COST_BANDS = [
  { upToKobo: 500_000, costKobo: 1_000 },
  { upToKobo: 5_000_000, costKobo: 2_500 },
  { upToKobo: Number.MAX_SAFE_INTEGER, costKobo: 5_000 },
] as const;

/** VAT is 7.5 % of the price before VAT. So of 1,075 parts of a fee that includes VAT, 75 are VAT. */
const VAT_PARTS = 75;
const PARTS_WITH_VAT = 1_075;

/**
 * The fees by these rules of a transaction that moves `amountKobo` (at least 1) to its destination. Rates are
 * rounded down (D18). The source is debited `amountKobo + customerFeeKobo`, which may be more than the largest
 * safe integer, so the caller checks the sum (D153).
 * @throws RangeError for an amount that is not a positive safe integer: a bug of the caller.
 */
export function feesBy(rules: FeeRules, amountKobo: number): FeeBreakdown {
  if (!Number.isSafeInteger(amountKobo) || amountKobo < 1) {
    throw new RangeError(`an amount is a positive number of whole kobo, not ${amountKobo}`);
  }
  const customerFeeKobo = feeBy(rules.customer, amountKobo);
  const merchantFeeKobo = 0;
  return {
    customerFeeKobo,
    merchantFeeKobo,
    platformFeeKobo: customerFeeKobo + merchantFeeKobo,
    mfbCostKobo: rules.bank === 'by_band' ? bankCostKobo(amountKobo) : 0,
    netAmountKobo: amountKobo - merchantFeeKobo,
  };
}

/**
 * The VAT inside a fee that includes it: the fee x 75 / 1075, to the nearest kobo, halves up. What remains
 * of the fee is our income.
 * @throws RangeError for a fee that is not a safe integer of 0 or more: a bug of the caller.
 */
export function vatInFeeKobo(feeKobo: number): number {
  if (!Number.isSafeInteger(feeKobo) || feeKobo < 0) {
    throw new RangeError(`a fee is a number of whole kobo, not ${feeKobo}`);
  }
  const { whole, remainder } = shareOf(feeKobo, VAT_PARTS, PARTS_WITH_VAT);
  return remainder * 2 >= PARTS_WITH_VAT ? whole + 1 : whole;
}

function feeBy(rule: FeeRule, amountKobo: number): number {
  if (rule.kind === 'none') return 0;
  if (rule.kind === 'flat') return rule.feeKobo;
  return Math.min(rule.capKobo, shareOf(amountKobo, rule.perMille, 1_000).whole);
}

function bankCostKobo(amountKobo: number): number {
  const band = BANK_COST_BANDS.find(({ upToKobo }) => amountKobo <= upToKobo);
  if (band === undefined) throw new RangeError(`no cost band for ${amountKobo} kobo`);
  return band.costKobo;
}

/**
 * Gives `value * numerator / denominator` as a whole number, and the remainder of that division. The multiples of
 * the denominator are computed separately, because the plain product of a large amount is not a safe integer.
 */
function shareOf(value: number, numerator: number, denominator: number) {
  const rest = value % denominator;
  const restProduct = rest * numerator;
  const remainder = restProduct % denominator;
  const whole = ((value - rest) / denominator) * numerator + (restProduct - remainder) / denominator;
  return { whole, remainder };
}
