/**
 * A line of text in a PDF, whoever has written it: cut with an ellipsis to the width that it has, in the order in which it is
 * read where some of it runs from right to left, and with a name for each character that the font has no glyph for.
 */
import createBidi from 'bidi-js';
import { folded } from '../domain/plain-text';

/** Its tables are made when the first such text is drawn. */
let bidi: ReturnType<typeof createBidi> | undefined;
const graphemes = new Intl.Segmenter('und');
const ELLIPSIS = '…';
/** More characters than fit into any line. */
const LINE_MAX = 200;
/** So much is remembered of a font while a document is drawn. */
const KNOWN_MAX = 5_000;
/** How much narrower or wider a line may be than its letters. */
const [SURELY_FITS, SURELY_TOO_WIDE] = [0.9, 1.1];
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** What pdfkit knows of the font that is set and does not tell. */
interface SetFont {
  hasGlyphForCodePoint: (codePoint: number) => boolean;
  layout: (text: string) => { direction: 'ltr' | 'rtl' };
}

const fontOf = (document: PDFKit.PDFDocument): SetFont =>
  (document as unknown as { _font: { font: SetFont } })._font.font;

const sizeOf = (document: PDFKit.PDFDocument): number =>
  (document as unknown as { _fontSize: number })._fontSize;

/** What stands for a sign in a font, and how wide letters are in sizes of the font: to find out takes long. */
interface Known {
  shown: Map<string, string | null>;
  widths: Map<string, number>;
}
const known = new WeakMap<SetFont, Known>();

function knownOf(font: SetFont): Known {
  const found = known.get(font) ?? { shown: new Map(), widths: new Map() };
  known.set(font, found);
  return found;
}

function remembered<Value>(map: Map<string, Value>, key: string, find: () => Value): Value {
  const before = map.get(key);
  if (before !== undefined) return before;
  if (map.size >= KNOWN_MAX) map.clear();
  const value = find();
  map.set(key, value);
  return value;
}

type Direction = 'auto' | 'ltr';

/**
 * Draws one line of text with the font and the size that are set.
 * @param width in points. What does not fit is cut, and ends with an ellipsis.
 * @param direction `ltr` for a line that we compose; a text of somebody runs as its first letter does.
 */
export function drawLine(
  document: PDFKit.PDFDocument,
  text: string,
  { left, top, width }: { left: number; top: number; width: number },
  direction: Direction = 'auto',
): void {
  const font = fontOf(document);
  const line = text.normalize('NFC').replace(/\s+/gu, ' ').trim();
  const fitting = fitted(document, shownText(font, line.slice(0, LINE_MAX)), {
    width,
    isCut: line.length > LINE_MAX,
  });
  const runs = runsOf(font, fitting, direction);
  let at = left;
  for (const run of runs) {
    document.text(run, at, top, { lineBreak: false });
    if (runs.length > 1) at += document.widthOfString(run);
  }
}

/** A line in characters that the font has; `[U+5317]` stands for one that it has not. */
function shownText(font: SetFont, line: string): string {
  if (/^[\x20-\x7e]*$/.test(line)) return line;
  const { shown } = knownOf(font);
  const joiners = RIGHT_TO_LEFT.test(line) ? /[\u200c\u200d]/ : /(?!)/;
  let isNamed = false;
  const signs = Array.from(line, (sign) => {
    if (sign <= '~') {
      isNamed = false;
      return sign;
    }
    if (/\p{Cf}|\p{Cs}/u.test(sign) && !joiners.test(sign)) return '';
    // A mark belongs to what stands before it, which may have no glyph to carry it.
    const isLost = isNamed && /\p{M}/u.test(sign);
    const drawn = isLost ? null : remembered(shown, sign, () => drawnFor(font, sign));
    isNamed = drawn === null;
    return drawn ?? `[U+${(sign.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')}]`;
  });
  return signs.join('');
}

/** A character as the font has it: as it is, in a plainer form, or null. */
function drawnFor(font: SetFont, sign: string): string | null {
  const hasAll = (some: string): boolean =>
    Array.from(some).every((one) => font.hasGlyphForCodePoint(one.codePointAt(0) as number));
  return [sign, sign.normalize('NFKC'), folded(sign)].find(hasAll) ?? null;
}

/** What a person takes for a letter, with its marks. */
const lettersOf = (text: string): Iterable<string> =>
  /^[\x20-\x7e]*$/.test(text) ? text : Array.from(graphemes.segment(text), ({ segment }) => segment);

/** The text, or as much of it as fits with an ellipsis. @param isCut where it goes on behind it. */
function fitted(
  document: PDFKit.PDFDocument,
  text: string,
  { width, isCut }: { width: number; isCut: boolean },
): string {
  const { widths } = knownOf(fontOf(document));
  const size = sizeOf(document);
  // Letters for themselves are about as wide as together; to lay out a text again and again takes long.
  const letters: string[] = [];
  let sum = 0;
  for (const letter of lettersOf(text)) {
    sum += size * remembered(widths, letter, () => document.widthOfString(letter) / size);
    if (sum > width * SURELY_TOO_WIDE) break;
    letters.push(letter);
  }
  if (!isCut && sum <= width * SURELY_TOO_WIDE) {
    if (sum <= width * SURELY_FITS || document.widthOfString(text) <= width) return text;
  }
  for (;;) {
    const cut = letters.join('').trimEnd() + ELLIPSIS;
    if (letters.length === 0 || document.widthOfString(cut) <= width) return cut;
    letters.pop();
  }
}

/** The text in parts as they stand from left to right, each of which runs in one direction. */
function runsOf(font: SetFont, text: string, direction: Direction): string[] {
  if (!RIGHT_TO_LEFT.test(text)) return [text];
  bidi ??= createBidi();
  const { levels } = bidi.getEmbeddingLevels(text, direction);
  const mirrored = bidi.getMirroredCharactersMap(text, levels);
  const runs: { level: number; text: string }[] = [];
  for (let at = 0; at < text.length; at++) {
    const level = levels[at] as number;
    const sign = mirrored.get(at) ?? text.charAt(at);
    const last = runs.at(-1);
    if (last?.level === level) last.text += sign;
    else runs.push({ level, text: sign });
  }
  return inSight(runs).map((run) => asLaidOut(font, run));
}

/** The runs in the order in which they are seen (rule L2 of Unicode's bidirectional algorithm). */
function inSight<Run extends { level: number }>(runs: Run[]): Run[] {
  const seen = [...runs];
  for (let level = Math.max(...runs.map((run) => run.level)); level > 0; level--) {
    for (let from = 0; from < seen.length; from++) {
      let to = from;
      while ((seen[to]?.level ?? 0) >= level) to++;
      seen.splice(from, to - from, ...seen.slice(from, to).reverse());
      from = Math.max(from, to);
    }
  }
  return seen;
}

/** A run as the font must get it: it reverses by itself what it takes for a script that runs from right to left. */
function asLaidOut(font: SetFont, { level, text }: { level: number; text: string }): string {
  // pdfkit lays out word by word, from left to right; a no-break space parts no words.
  const whole = level % 2 === 1 ? text.replaceAll(' ', '\u00a0') : text;
  const isReversed = font.layout(whole).direction === 'rtl';
  return isReversed === (level % 2 === 1) ? whole : Array.from(whole).reverse().join('');
}
