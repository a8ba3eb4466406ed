/**
 * What the statements that write plain payments ask of limits, in a cell whose wallets are under limits, as in live (D123).
 * The rules are those of `domain/limits`, as SQL.
 */
import { LIMIT_NAMES, LIMIT_TIERS, LIMITS, type LimitName } from '../../domain/limits';
import { KOBO_MAX } from '../../domain/money';

/** The first moment of this day in Lagos. */
const MIDNIGHT = "date_trunc('day', now(), 'Africa/Lagos')";

const usedToday = (column: string): string =>
  `CASE WHEN counted_from < ${MIDNIGHT} THEN 0 ELSE ${column} END`;

const USED = {
  payment: '0',
  day: usedToday('day_debit_kobo'),
  ussd_day: usedToday('day_ussd_kobo'),
  balance: 'balance_kobo + in_flight_kobo',
};

/** What the tier of a wallet allows. A wallet in no tier is under no limits. */
function allowed(limit: LimitName): string {
  const tiers = Object.entries(LIMIT_TIERS).map(
    ([tier, { allowedKobo }]) => `WHEN '${tier}' THEN ${String(allowedKobo[limit] ?? KOBO_MAX)}`,
  );
  return `CASE limit_tier ${tiers.join(' ')} ELSE ${String(KOBO_MAX)} END`;
}

/** Whether a row of `accounts` stays within its limits. @param asked what is asked of each limit, as SQL. */
export const staysWithinLimits = (asked: (limit: LimitName) => string): string =>
  LIMIT_NAMES.map(
    (limit) => `(${asked(limit)} = 0 OR ${USED[LIMITS[limit].of]} + ${asked(limit)} <= ${allowed(limit)})`,
  ).join(' AND ');

/**
 * What an UPDATE of `accounts` sets, so that the day of a payer counts what it has paid. No plain payment is made by USSD.
 * @param paidKobo what counts; 0 for a wallet that has paid nothing.
 */
export function countDay(paidKobo: string): string {
  const pays = `${paidKobo} > 0 AND a.limit_tier IS NOT NULL`;
  const isNewDay = `a.counted_from < ${MIDNIGHT}`;
  return `counted_from = CASE WHEN ${pays} AND ${isNewDay} THEN ${MIDNIGHT} ELSE a.counted_from END,
        day_debit_kobo = CASE WHEN NOT (${pays}) THEN a.day_debit_kobo WHEN ${isNewDay} THEN ${paidKobo}
          ELSE a.day_debit_kobo + ${paidKobo} END,
        day_ussd_kobo = CASE WHEN ${pays} AND ${isNewDay} THEN 0 ELSE a.day_ussd_kobo END`;
}
