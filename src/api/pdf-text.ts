/**
 * A line of text in a PDF, whoever has written it: cut with an ellipsis to the width that it has, in the order in which it is
 * read where some of it runs from right to left, and with a name for each character that the font has no glyph for.
 */
import createBidi from 'bidi-js';
import { folded } from '../domain/plain-text';

const bidi = createBidi();
const graphemes = new Intl.Segmenter('und');
const ELLIPSIS = '…';
/** More characters than fit into any line. */
const LINE_MAX = 400;
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** What pdfkit knows of the font that is set and does not tell. */
interface SetFont {
  hasGlyphForCodePoint: (codePoint: number) => boolean;
  layout: (text: string) => { direction: 'ltr' | 'rtl' };
}
type Direction = 'auto' | 'ltr';

const fontOf = (document: PDFKit.PDFDocument): SetFont =>
  (document as unknown as { _font: { font: SetFont } })._font.font;

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
  let at = left;
  for (const run of runsOf(fontOf(document), fitted(document, shownText(document, text), width), direction)) {
    document.text(run, at, top, { lineBreak: false });
    at += document.widthOfString(run);
  }
}

/** The text in one line of characters that the font has; `[U+5317]` stands for one that it has not. */
function shownText(document: PDFKit.PDFDocument, text: string): string {
  const plain = text.normalize('NFC').replace(/\s+/gu, ' ').trim();
  if (/^[\x20-\x7e]*$/.test(plain)) return plain;
  const font = fontOf(document);
  const hasAll = (some: string): boolean =>
    Array.from(some).every((sign) => font.hasGlyphForCodePoint(sign.codePointAt(0) as number));
  const joiners = RIGHT_TO_LEFT.test(plain) ? /[\u200c\u200d]/ : /(?!)/;
  let isNamed = false;
  const signs = Array.from(plain, (sign) => {
    if (/\p{Cf}/u.test(sign) && !joiners.test(sign)) return '';
    // A mark belongs to what stands before it, which may have no glyph to carry it.
    const isLost = isNamed && /\p{M}/u.test(sign);
    const shown = isLost ? undefined : [sign, sign.normalize('NFKC'), folded(sign)].find(hasAll);
    isNamed = shown === undefined;
    return shown ?? `[U+${(sign.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')}]`;
  });
  return signs.join('');
}

/** The text, or as much of it as fits with an ellipsis. */
function fitted(document: PDFKit.PDFDocument, text: string, width: number): string {
  const fits = (some: string): boolean => document.widthOfString(some) <= width;
  if (text.length <= LINE_MAX && fits(text)) return text;
  const letters = Array.from(graphemes.segment(text.slice(0, LINE_MAX)), ({ segment }) => segment);
  const cut = (count: number): string => letters.slice(0, count).join('').trimEnd() + ELLIPSIS;
  let [least, most] = [0, letters.length];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (fits(cut(middle))) least = middle;
    else most = middle - 1;
  }
  return cut(least);
}

/** The text in parts as they stand from left to right, each of which runs in one direction. */
function runsOf(font: SetFont, text: string, direction: Direction): string[] {
  if (!RIGHT_TO_LEFT.test(text)) return [text];
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
