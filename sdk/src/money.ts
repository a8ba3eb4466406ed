/** Naira as people write them, and kobo as the platform counts them. Only text is read: floats lose kobo. */
import { WalletError } from './errors.ts';

const NAIRA = /^(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d{1,2}))?$/;

/**
 * @param naira as in `1500`, `1500.5` or `1,500.00`.
 * @returns whole kobo.
 * @throws WalletError for any other text, and for a number.
 */
export function kobo(naira: string): number {
  if (typeof naira !== 'string')
    throw new WalletError("kobo() takes text, as kobo('1,500.00'): a number may have lost kobo");
  const match = NAIRA.exec(naira);
  const [whole = ''] = naira.replaceAll(',', '').split('.');
  const amount = Number(whole + (match?.[1] ?? '').padEnd(2, '0'));
  if (!match || !Number.isSafeInteger(amount))
    throw new WalletError("not an amount in naira, as '1500' or '1,500.00'");
  return amount;
}

/** `150000` is `1500.00`. @throws WalletError for anything but a whole number. */
export function naira(amountKobo: number): string {
  if (!Number.isSafeInteger(amountKobo)) throw new WalletError('not a whole number of kobo, as 150000');
  const digits = String(Math.abs(amountKobo)).padStart(3, '0');
  return `${amountKobo < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** `150000` is `₦1,500.00`. */
export const formatNaira = (amountKobo: number): string => {
  const text = naira(amountKobo).replace(/\B(?=(\d{3})+\.)/g, ',');
  return text.startsWith('-') ? `-₦${text.slice(1)}` : `₦${text}`;
};
