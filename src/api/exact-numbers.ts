/**
 * Whether every number of a body means what was written. `JSON.parse` rounds a number that no double holds, so two different
 * bodies would be read as one: they would share an Idempotency-Key, and metadata would come back changed. Such a body is refused
 * by its bytes, because what was parsed no longer shows it (D44, D142, R52).
 */
import { refuseFields, type Refused } from '../domain/outcome';
import type { FieldProblem } from '../domain/refusals';

const INEXACT =
  'must be a number that survives JSON: an integer up to 9007199254740991, or a decimal of at most 15 digits; send a longer one as text';
/** The answer names so many numbers, and of a name so many characters. */
const PROBLEMS_MAX = 20;
const NAME_MAX = 64;

const [QUOTE, BACKSLASH, MINUS, PLUS, DOT] = [34, 92, 45, 43, 46];
const isDigit = (byte: number): boolean => byte >= 48 && byte <= 57;
const isOfNumber = (byte: number): boolean =>
  isDigit(byte) || byte === DOT || byte === PLUS || byte === MINUS || byte === 69 || byte === 101;
/** Every integer of so many characters is exact. */
const SURELY_EXACT = 15;
/** A longer number has more digits than a double holds. */
const NUMBER_MAX = 400;

/**
 * @param bytes JSON text that `JSON.parse` has read without an error.
 * @returns VALIDATION_ERROR that names each number that is changed by reading; null where there is none.
 */
export function inexactNumbers(bytes: Uint8Array): Refused | null {
  if (areExact(bytes)) return null;
  const [first, ...others] = problemsOf(Buffer.from(bytes).toString('utf8'));
  if (!first) throw new Error('bug: nothing is wrong with a number that is not exact');
  return refuseFields(first, ...others);
}

/** Looks at all numbers in one pass, which makes nothing of what it reads. */
function areExact(bytes: Uint8Array): boolean {
  const { length } = bytes;
  for (let at = 0; at < length; at++) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) at = endOfString(bytes, at);
    else if (byte === MINUS || isDigit(byte)) {
      const start = at;
      let isPlain = true;
      while (at + 1 < length && isOfNumber(bytes[at + 1] as number)) {
        at++;
        isPlain &&= isDigit(bytes[at] as number);
      }
      if (isPlain && at - start < SURELY_EXACT) continue;
      if (!survives(String.fromCharCode(...bytes.subarray(start, Math.min(at + 1, start + NUMBER_MAX)))))
        return false;
    }
  }
  return true;
}

/** The place of the quote that ends the string which begins here. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

/**
 * Whether a number means the same after it was read and written again. Its spelling may change (`1.50`, `1e2`, `-0`), its value
 * may not; and of two integers beyond 2^53 nobody knows which one was meant.
 */
export function survives(text: string): boolean {
  const number = Number(text);
  if (text.length >= NUMBER_MAX || !Number.isFinite(number)) return false;
  if (Number.isInteger(number) && !Number.isSafeInteger(number)) return false;
  return decimal(text) === decimal(String(number));
}

/** One spelling of a decimal: its sign, its digits without zeros at the ends, and the power of ten of the last. */
function decimal(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const bare = digits.replace(/0+$/, '');
  if (bare === '') return '0';
  return `${sign}${bare}e${String(Number(exponent) - fraction.length + digits.length - bare.length)}`;
}

/** Where a walk through the text is: in a list with the index, or in an object with the name of the member. */
type Place = { index: number } | { name: string; awaitsName: boolean };

const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{},]|-?\d[\d.eE+-]*/gs;

/** The numbers with their places, as the other refusals write them. Only a body that is refused is walked. */
function problemsOf(text: string): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const path: Place[] = [];
  for (const [token] of text.matchAll(TOKENS)) {
    const place = path.at(-1);
    if (problems.length >= PROBLEMS_MAX) break;
    if (token === '{') path.push({ name: '', awaitsName: true });
    else if (token === '[') path.push({ index: 0 });
    else if (token === '}' || token === ']') path.pop();
    else if (token === ',') {
      if (place && 'index' in place) place.index++;
      else if (place) place.awaitsName = true;
    } else if (token.startsWith('"')) {
      if (!place || 'index' in place || !place.awaitsName) continue;
      place.name = JSON.parse(token) as string;
      place.awaitsName = false;
    } else if (!survives(token)) problems.push({ field: written(path), message: INEXACT });
  }
  return problems;
}

const written = (path: readonly Place[]): string =>
  path
    .map((place, depth) => {
      if ('index' in place) return `[${String(place.index)}]`;
      const name = place.name.slice(0, NAME_MAX).toWellFormed();
      return depth === 0 ? name : `.${name}`;
    })
    .join('') || 'body';
