/**
 * Which companies may pay a transfer now, the preferred one first. Operators keep the routes: a row names a company for a
 * bank or for any, and for a band of amounts. A company that could not pay is passed over, so that nothing is sent to it.
 */
import type { Kobo } from './money';

/** Transfers to this bank with an amount in this band go through this company. */
export interface PayoutRoute {
  id: string;
  /** null is every bank. */
  bankCode: string | null;
  /** The smallest amount, and the largest one, both included; null has no end. */
  fromKobo: Kobo;
  toKobo: Kobo | null;
  provider: string;
  /** The route with the lowest number comes first. */
  priority: number;
}

/** What a company takes, and what it costs us. */
export interface PayoutTerms {
  minKobo: Kobo;
  /** The most that one payout costs us there, fee and duty together. */
  costMaxKobo: Kobo;
  /** It takes the stamp duty of a payout from our balance, and its answers do not say so. */
  takesDuty: boolean;
  /** How many calls of a minute stay within what the company allows. */
  callsPerMinute: number;
  /** So many days a payout that has ended is asked about once a day, because the company may change its mind. */
  changesForDays: number;
}

/** A company as it stands when a transfer looks for one. */
export interface PayoutCompany {
  name: string;
  /** null where the company sets no terms. */
  terms: Pick<PayoutTerms, 'minKobo' | 'costMaxKobo'> | null;
  /** Its breaker is open, for all banks or for the one of the transfer. */
  isBroken: boolean;
  /** What it can pay out for us; null where nobody knows, which stops nothing. */
  floatKobo: Kobo | null;
  /** Whether it pays to the bank of the transfer. */
  reachesBank: boolean;
}

/**
 * Why a company is passed over: nothing is sent to it for a while, our balance there does not cover amount, cost and
 * reserve, the amount is below the smallest that it takes, or it does not pay to this bank.
 */
type PassedOver = 'breaker' | 'float' | 'minimum' | 'bank';

interface RoutedTransfer {
  bankCode: string;
  amountKobo: Kobo;
}

const fits = ({ bankCode, fromKobo, toKobo }: PayoutRoute, transfer: RoutedTransfer): boolean =>
  (bankCode === null || bankCode === transfer.bankCode) &&
  transfer.amountKobo >= fromKobo &&
  (toKobo === null || transfer.amountKobo <= toKobo);

/**
 * The companies for a transfer in their order, whether they can pay or not. Where no route fits, they are those of the
 * configuration. Of two routes with one priority, that of a bank comes before that of every bank.
 * @param companies those of the configuration, the preferred one first. A route to another company counts for nothing.
 */
export function routed<Company extends { name: string }>(
  transfer: RoutedTransfer,
  routes: readonly PayoutRoute[],
  companies: readonly Company[],
): Company[] {
  const found = routes
    .filter((route) => fits(route, transfer))
    .sort((one, other) => one.priority - other.priority || Number(!one.bankCode) - Number(!other.bankCode))
    .flatMap(({ provider }) => companies.filter(({ name }) => name === provider));
  return found.length === 0 ? [...companies] : [...new Set(found)];
}

/**
 * Why a company cannot pay a transfer now; null where it can.
 * @param reserveKobo so much of our balance is never paid out.
 */
export function passedOver(
  { amountKobo }: Pick<RoutedTransfer, 'amountKobo'>,
  { terms, isBroken, floatKobo, reachesBank }: PayoutCompany,
  reserveKobo: Kobo,
): PassedOver | null {
  if (!reachesBank) return 'bank';
  if (terms && amountKobo < terms.minKobo) return 'minimum';
  if (isBroken) return 'breaker';
  const neededKobo = amountKobo + (terms?.costMaxKobo ?? 0) + reserveKobo;
  return floatKobo !== null && floatKobo < neededKobo ? 'float' : null;
}

/** The rate of payouts is that of the last so many hours. */
export const FLOAT_LOOKS_BACK_HOURS = 4;

/**
 * For how many hours our float at a company lasts; null where nobody knows it, or nothing was ordered.
 * @param orderedKobo what was ordered in the last `FLOAT_LOOKS_BACK_HOURS`.
 */
export const floatHours = (floatKobo: Kobo | null, orderedKobo: Kobo): number | null =>
  floatKobo === null || orderedKobo === 0 ? null : (floatKobo * FLOAT_LOOKS_BACK_HOURS) / orderedKobo;
