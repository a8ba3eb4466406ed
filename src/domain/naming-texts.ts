/**
 * By which texts a person is recognised in what was written about several people at once, such as the metadata of a
 * split. Who is erased must go from it, and what it says of the others stays.
 */
import type { Metadata } from './wallets';

/** What is known of a person before the erasure. */
export interface KnownPerson {
  walletId: string;
  userRef: string;
  accountName: string | null;
  accountNumber: string | null;
  metadata: Metadata;
  /** From which the person has dialled. */
  phones: readonly string[];
}

export interface NamingTexts {
  /** Texts that name the person wherever they occur, in lower case. */
  texts: readonly string[];
  /** Names, in lower case. Each names the person where it stands as a word of its own. */
  words: ReadonlySet<string>;
  /** The last ten digits of telephone numbers, without the many ways to write what stands before them. */
  phones: readonly string[];
}

/** A shorter text occurs in too many others. */
const TEXT_MIN = 4;
const WORD_MIN = 3;
const PHONE_DIGITS = 10;

const digitsIn = (text: string): string => text.replace(/\D/g, '');
const wordsIn = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/**
 * The texts that name a person: ids, numbers, the names of the account, and every value of the wallet's metadata.
 * The result may name somebody else too who has the same name. Then more goes than has to.
 */
export function namingTexts(person: KnownPerson): NamingTexts {
  const values = [...scalarsIn(person.metadata), ...person.phones];
  const texts = [person.walletId, person.userRef, person.accountName, person.accountNumber, ...values]
    .filter((text) => text !== null)
    .map((text) => text.trim().toLowerCase());
  return {
    texts: texts.filter((text) => text.length >= TEXT_MIN),
    words: new Set(wordsIn(nameOf(person)).filter((word) => word.length >= WORD_MIN)),
    phones: values
      .map(digitsIn)
      .filter((digits) => digits.length >= PHONE_DIGITS)
      .map((digits) => digits.slice(-PHONE_DIGITS)),
  };
}

/** The person's own name. An account that tells no name is called after the business, which is nobody's name (D171). */
const nameOf = ({ accountName, accountNumber }: KnownPerson): string =>
  accountName?.endsWith(`/${accountNumber?.slice(-6) ?? ''}`) ? '' : (accountName ?? '');

/** Whether a text names the person. */
export function isAnyNamed(text: string, { texts, words, phones }: NamingTexts): boolean {
  const [lower, digits] = [text.toLowerCase(), digitsIn(text)];
  return (
    texts.some((known) => lower.includes(known)) ||
    phones.some((phone) => digits.includes(phone)) ||
    wordsIn(text).some((word) => words.has(word))
  );
}

/** The metadata without each entry whose name or value names the person, on every level. */
export const withoutNamed = (metadata: Metadata, naming: NamingTexts): Metadata =>
  stripped(metadata, naming) as Metadata;

function stripped(value: unknown, naming: NamingTexts): unknown {
  const isKept = (inner: unknown): boolean =>
    typeof inner === 'object' ||
    !isAnyNamed(typeof inner === 'string' ? inner : JSON.stringify(inner), naming);
  if (Array.isArray(value)) return value.filter(isKept).map((inner) => stripped(inner, naming));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, inner]) => !isAnyNamed(key, naming) && isKept(inner))
      .map(([key, inner]) => [key, stripped(inner, naming)]),
  );
}

/** Every text and number of a metadata object, as texts. */
const scalarsIn = (value: unknown): string[] => {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(scalarsIn);
  return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
};
