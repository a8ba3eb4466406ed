/**
 * Money is whole kobo in JavaScript integers (100 kobo = 1 naira); an amount beyond 2^53 - 1 is refused (D53,
 * D153), so that no sum is ever rounded.
 */
import { assert } from './assert';

export type Kobo = number;

export const CURRENCY = 'NGN';
export const KOBO_MAX: Kobo = Number.MAX_SAFE_INTEGER;

const WRITTEN_NAIRA = /^([0-9]{1,13})(?:\.([0-9]{1,2}))?$/;

/**
 * The kobo of an amount in naira with decimals, as a company's JSON has it. It is read as a text: a number of at most 15
 * digits survives JSON as it was written, and nothing is ever multiplied or divided.
 * @returns null for anything but a number, and for a fraction of a kobo, less than nothing, or too much.
 */
export function koboOfNaira(naira: unknown): Kobo | null {
  const [, whole, part = ''] = (typeof naira === 'number' && WRITTEN_NAIRA.exec(String(naira))) || [];
  return whole === undefined ? null : Number(whole + part.padEnd(2, '0'));
}

const IN_NAIRA_MAX: Kobo = 999_999_999_999_999;

/** The other way round, for a company's JSON: 500010 kobo are the number 5000.1. */
export function nairaOfKobo(kobo: Kobo): number {
  assert(kobo >= 0 && kobo <= IN_NAIRA_MAX, 'an amount of at most 15 digits');
  return Number(nairaText(kobo));
}

/** Naira as the interface prints it: two decimal places, no separators (D50): 123450 -> "1234.50". */
export function nairaText(amountKobo: Kobo): string {
  const digits = String(Math.abs(amountKobo)).padStart(3, '0');
  return `${amountKobo < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
