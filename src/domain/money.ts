/**
 * Money is whole kobo in JavaScript integers (100 kobo = 1 naira); an amount beyond 2^53 - 1 is refused (D53,
 * D153), so that no sum is ever rounded.
 */
export type Kobo = number;

export const CURRENCY = 'NGN';
export const KOBO_MAX: Kobo = Number.MAX_SAFE_INTEGER;

/** Naira as the interface prints it: two decimal places, no separators (D50): 123450 -> "1234.50". */
export function nairaText(amountKobo: Kobo): string {
  const digits = String(Math.abs(amountKobo)).padStart(3, '0');
  return `${amountKobo < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
