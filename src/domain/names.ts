/**
 * Names of people: whether two can be one person's, in the ways in which people, banks and registers write them. A name is
 * its words in any order, and each word counts as often as it stands there. An apostrophe or a hyphen within a name is
 * nothing or a blank, as somebody has typed it.
 */
import { folded } from './plain-text';

/** Words that are written before a name, apart or as one word with it. */
const PARTICLES: ReadonlySet<string> = new Set(
  'D L M N O AL AR AS EL UL ABD ABDUL ABDUR DAN YAR MC MAC DA DE DI DU LA LE'.split(' '),
);
/** A name with more compound words is compared with all of them joined and with all of them parted. */
const COMPOUNDS_MAX = 4;
/** So many parts of a compound are one word where a name is looked for in other texts. */
const JOINED_MAX = 4;

/** A word, or several that somebody else writes as one. */
type Compound = readonly string[];

/** The words of a name, compounds kept together: `Umaru Yar'Adua` is `[['UMARU'], ['YAR', 'ADUA']]`. */
function compoundsIn(text: string): Compound[] {
  const plain = folded(text).toUpperCase().replaceAll('.', '');
  const written = plain.match(/[\p{L}\p{N}]+(?:['-]+[\p{L}\p{N}]+)*/gu) ?? [];
  const compounds: string[][] = [];
  for (const word of written.map((one) => one.match(/[\p{L}\p{N}]+/gu) ?? [])) {
    const before = compounds.at(-1);
    if (before && PARTICLES.has(before.at(-1) ?? '')) before.push(...word);
    else compounds.push([...word]);
  }
  return compounds;
}

const joined = (compound: Compound): string => compound.join('');

/** Each way to write a name, as its words. */
function spellingsOf(compounds: readonly Compound[]): string[][] {
  const many = compounds.filter(({ length }) => length > 1).length;
  if (many > COMPOUNDS_MAX) return [compounds.map(joined), compounds.flat()];
  return compounds.reduce<string[][]>(
    (spellings, compound) =>
      compound.length === 1
        ? spellings.map((words) => [...words, ...compound])
        : spellings.flatMap((words) => [
            [...words, joined(compound)],
            [...words, ...compound],
          ]),
    [[]],
  );
}

/** How many names it is at least: a hyphen or a blank parts two, an apostrophe does not. */
const countOf = (text: string): number =>
  (
    folded(text)
      .replace(/['.]/g, '')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).length;

/** Whether each word of the one is among those of the other, as often as it stands there. */
function isWithin(words: readonly string[], among: readonly string[]): boolean {
  const left = [...among];
  return words.every((word) => {
    const at = left.indexOf(word);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

type Test = (shorter: readonly string[], longer: readonly string[]) => boolean;

/** Whether some spelling of the one has all words of some spelling of the other, and is enough. */
function isSame(one: string, other: string, isEnough: Test): boolean {
  const [ofOne, ofOther] = [spellingsOf(compoundsIn(one)), spellingsOf(compoundsIn(other))];
  return ofOne.some((a) =>
    ofOther.some((b) => {
      const [shorter, longer] = a.length <= b.length ? [a, b] : [b, a];
      return shorter.length > 0 && isEnough(shorter, longer) && isWithin(shorter, longer);
    }),
  );
}

/** That both are two names at least, as they are written and as they are compared. */
function haveTwo(one: string, other: string): Test {
  const areTwo = Math.min(countOf(one), countOf(other)) >= 2;
  return (shorter) => areTwo && shorter.length >= 2;
}

/**
 * Whether two full names can be one person's: all of the shorter one's words are among the longer one's, and they are at
 * least two, as first and last name are (D35).
 */
export const isSameName = (one: string, other: string): boolean => isSame(one, other, haveTwo(one, other));

/**
 * Whether two names can be those of one holder of an account: as `isSameName`, or the same words. A company may have one
 * word alone (D59).
 */
export function isSameHolder(one: string, other: string): boolean {
  const areTwo = haveTwo(one, other);
  return isSame(one, other, (shorter, longer) => shorter.length === longer.length || areTwo(shorter, longer));
}

/** Whether a full name can be a first and a last name, as companies that compare names ask for them. */
export const isWholeName = (fullName: string): boolean => writtenWords(fullName).length >= 2;

/** The words of a name as it is written, in plain letters. */
export const writtenWords = (fullName: string): string[] =>
  folded(fullName)
    .split(' ')
    .filter((word) => word !== '');

/** The words of a text in capitals and plain letters, each part of a compound for itself. */
export const wordsIn = (text: string): string[] => compoundsIn(text).flat();

/** Every word of a text, in capitals and plain letters: those of a compound, and up to four of them as one word. */
export function everyWordIn(text: string): ReadonlySet<string> {
  const words = new Set<string>();
  for (const compound of compoundsIn(text)) {
    for (let from = 0; from < compound.length; from++) {
      for (let to = from + 1; to <= Math.min(from + JOINED_MAX, compound.length); to++)
        words.add(joined(compound.slice(from, to)));
    }
  }
  return words;
}
