/** Amounts as banks and spreadsheets write them. Nothing is rounded, and what can be read in two ways is refused. */
import type { Kobo } from '../../domain/money';

/** Signs of the naira, and the letters that people write for it. */
const CURRENCY = /^(?:₦|NGN|N|#)/i;
const MINUS = /[−–‒﹣－]/g;
const SPACES = /[\s\u00a0\u202f\u2009']/g;

/** How amounts are written in a file. */
export interface Writing {
  unit: 'naira' | 'kobo';
  decimal: '.' | ',';
}

/**
 * Reads an amount: with a sign of the naira, thousands separators, brackets or a minus before or after it, or DR and CR.
 * @returns kobo, below 0 for what is negative; null for an empty cell or a dash; undefined for what is no amount.
 */
export function amountIn(cell: string, { unit, decimal }: Writing): Kobo | null | undefined {
  let text = cell.replace(MINUS, '-').replace(SPACES, '');
  if (/^-*$/.test(text)) return null;
  let minuses = 0;
  const take = (pattern: RegExp, isMinus: boolean): void => {
    if (!pattern.test(text)) return;
    text = text.replace(pattern, (_whole, inner: unknown) => (typeof inner === 'string' ? inner : ''));
    if (isMinus) minuses += 1;
  };
  take(/^\((.*)\)$/, true);
  take(/(?:DR|D)\.?$/i, true);
  take(/(?:CR|C)\.?$/i, false);
  take(/^-/, true);
  take(CURRENCY, false);
  take(/NGN$/i, false);
  take(/^-/, true);
  take(/-$/, true);
  take(/^\+/, false);
  // Two signs of one amount say nothing.
  if (minuses > 1) return undefined;
  const kobo = unit === 'kobo' ? wholeIn(text) : nairaIn(text, decimal);
  return kobo === null ? undefined : minuses === 1 && kobo !== 0 ? -kobo : kobo;
}

const wholeIn = (text: string): number | null => (/^\d{1,15}$/.test(text) ? Number(text) : null);

/** Thousands are parted in threes or not at all, and there are no kobo or two digits of them. */
function nairaIn(text: string, decimal: '.' | ','): number | null {
  const [point, comma] = decimal === '.' ? ['\\.', ','] : [',', '\\.'];
  const pattern = new RegExp(`^(\\d{1,3}(?:${comma}\\d{3})+|\\d{1,13})(?:${point}(\\d{0,2})0*)?$`);
  const [, whole, part = ''] = pattern.exec(/^[.,]\d/.test(text) ? `0${text}` : text) ?? [];
  if (whole === undefined) return null;
  const kobo = Number(whole.replace(/[.,]/g, '') + part.padEnd(2, '0'));
  return Number.isSafeInteger(kobo) ? kobo : null;
}
