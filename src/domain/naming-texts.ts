/**
 * By which texts a person is recognised in what was written about several people at once, such as the metadata of a
 * split. Who is erased must go from it, and what it says of the others stays.
 */
import { everyWordIn, wordsIn } from './names';
import { folded } from './plain-text';
import { fullNameIn, textIn, type Metadata } from './wallets';

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
  /** Texts that name the person wherever they occur, in each form of `formsOf`. */
  texts: readonly string[];
  /** Parts of names. Each names the person where it stands as a word of its own. */
  words: ReadonlySet<string>;
  /** The words of each name of two words and more, which together name the person in any order. */
  names: readonly ReadonlySet<string>[];
  /** The last ten digits of telephone numbers, without the many ways to write what stands before them. */
  phones: readonly string[];
}

/** A shorter text occurs in too many others. */
const TEXT_MIN = 4;
const WORD_MIN = 3;
const PHONE_DIGITS = 10;

const digitsIn = (text: string): string => text.replace(/\D/g, '');
/** A text as people write it again: in plain small letters, its apostrophes and hyphens nothing, or blanks. */
function formsOf(text: string): string[] {
  const plain = folded(text).trim().replace(/ +/g, ' ').toLowerCase();
  const [within, between] = ['', ' '].map((sign) => plain.replace(/ ?['-]+ ?/g, sign).trim());
  return [...new Set([plain, within ?? '', between ?? ''])];
}

/**
 * The texts that name a person: ids, numbers, the names of the account, and every value of the wallet's metadata.
 * The result may name somebody else too who has the same name. Then more goes than has to.
 */
export function namingTexts(person: KnownPerson): NamingTexts {
  const values = [...scalarsIn(person.metadata), ...person.phones];
  const texts = [person.walletId, person.userRef, person.accountName, person.accountNumber, ...values];
  const names = namesOf(person);
  return {
    texts: texts
      .filter((text) => text !== null)
      .flatMap(formsOf)
      .filter((text) => text.length >= TEXT_MIN),
    words: new Set(names.flatMap((name) => [...everyWordIn(name)]).filter((word) => word.length >= WORD_MIN)),
    names: names.map((name) => new Set(wordsIn(name))).filter(({ size }) => size >= 2),
    phones: values
      .map(digitsIn)
      .filter((digits) => digits.length >= PHONE_DIGITS)
      .map((digits) => digits.slice(-PHONE_DIGITS)),
  };
}

/** The person's own names. An account that tells no name is called after the business, which is nobody's name (D171). */
function namesOf({ accountName, accountNumber, metadata }: KnownPerson): string[] {
  const isOfBusiness = accountName?.endsWith(`/${accountNumber?.slice(-6) ?? ''}`) ?? true;
  return [
    isOfBusiness ? '' : (accountName ?? ''),
    fullNameIn(metadata) ?? '',
    textIn(metadata, 'account_name'),
  ];
}

/** Whether a text names the person, however its names are written there. */
export function isAnyNamed(text: string, { texts, words, names, phones }: NamingTexts): boolean {
  const [forms, digits, found] = [formsOf(text), digitsIn(text), everyWordIn(text)];
  return (
    texts.some((known) => forms.some((form) => form.includes(known))) ||
    phones.some((phone) => digits.includes(phone)) ||
    [...found].some((word) => words.has(word)) ||
    names.some((name) => [...name].every((word) => found.has(word)))
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
