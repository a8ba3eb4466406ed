/** The known name that somebody has most probably meant with one that is not known. */

/** A longer name is not compared: its cost is the product of both lengths. */
const NAME_MAX = 64;

interface Nearest {
  name: string;
  /** How many letters are missing, too many or others. */
  letters: number;
}

/**
 * The known name that differs in the fewest letters, and in no more than a third of them. Capitals and the marks between words do
 * not count (`destWallet` is near to `dest_wallet`).
 */
export function nearestTo(written: string, known: readonly string[]): Nearest | null {
  if (written.length > NAME_MAX) return null;
  const asked = bare(written);
  let best: Nearest | null = null;
  for (const name of known) {
    const letters = lettersBetween(asked, bare(name));
    if (letters <= name.length / 3 && letters < (best?.letters ?? Number.POSITIVE_INFINITY)) {
      best = { name, letters };
    }
  }
  return best;
}

const bare = (name: string): string => name.toLowerCase().replace(/[_\- ]/g, '');

/** The distance of Levenshtein. */
function lettersBetween(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let at = 1; at <= other.length; at++) {
      const isSame = one[row - 1] === other[at - 1];
      current[at] = Math.min(
        (above[at] as number) + 1,
        (current[at - 1] as number) + 1,
        (above[at - 1] as number) + (isSame ? 0 : 1),
      );
    }
    above = current;
  }
  return above[other.length] as number;
}
