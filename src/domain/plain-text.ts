/**
 * The one door for text that leaves for where only plain letters are known: screens of handsets, QR codes, narrations of
 * banks, and names that are compared. What is written in several ways has one form here. Nothing else folds text.
 */

/** A letter, and what is written for it where it is unknown. Capitals follow from these. */
const LETTERS = {
  // Hausa, Fulfulde and Kanuri; Ŋ is N as passports have it (ICAO Doc 9303).
  ɓ: 'b',
  ɗ: 'd',
  ƙ: 'k',
  ƴ: 'y',
  ŋ: 'n',
  ɲ: 'n',
  ǝ: 'e',
  // Other African languages.
  ə: 'e',
  ɛ: 'e',
  ɔ: 'o',
  ɖ: 'd',
  ƒ: 'f',
  ɠ: 'g',
  ɣ: 'g',
  ɦ: 'h',
  ɩ: 'i',
  ƥ: 'p',
  ƭ: 't',
  ʈ: 't',
  ƈ: 'c',
  ʋ: 'v',
  ʊ: 'u',
  ʒ: 'z',
  ʃ: 's',
  ɑ: 'a',
  ɱ: 'm',
  // Strokes.
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ł: 'l',
  ŧ: 't',
  ƀ: 'b',
  ȼ: 'c',
  ɇ: 'e',
  ǥ: 'g',
  ɨ: 'i',
  ɉ: 'j',
  ƚ: 'l',
  ɵ: 'o',
  ɍ: 'r',
  ʉ: 'u',
  ɏ: 'y',
  ƶ: 'z',
  ⱥ: 'a',
  ⱦ: 't',
  ƞ: 'n',
  ĸ: 'k',
  ı: 'i',
  ȷ: 'j',
  // Ligatures.
  æ: 'ae',
  œ: 'oe',
  ß: 'ss',
  þ: 'th',
} as const satisfies Record<string, string>;

/** What stands for many signs, each of which is written as the first. */
const SIGNS: readonly (readonly [plain: string, signs: string])[] = [
  ["'", '`´‘’‚‛′‵‹›ʹʻʼʽʾʿˈˊˋʔʕɁɂꞋꞌ΄᾽᾿῾´՚׳ߴߵ❛❜＇'],
  ['"', '“”„‟″‶«»ˮ״〃〝〞〟❝❞＂'],
  ['(', '[{⁅〈❨❪❬❮❰❲❴⟦⟨⟪⟬⦃⦅〈《「『【〔〖〘〚﹙﹛﹝［｛｟｢﴾'],
  [')', ']}⁆〉❩❫❭❯❱❳❵⟧⟩⟫⟭⦄⦆〉》」』】〕〗〙〛﹚﹜﹞］｝｠｣﴿'],
  ['-', '~−˗⁃➖'],
  ['/', '\\|⁄∕⧸÷¦'],
  ['.', '·•‧∙⋅・。'],
  [',', '،、؍'],
  [';', '؛'],
  ['?', '؟¿'],
  ['!', '¡'],
  [':', '∶꞉'],
  ['x', '×'],
  ['NGN', '₦'],
  ['EUR', '€'],
  ['GBP', '£'],
  ['JPY', '¥'],
  ['(c)', '©'],
  ['(R)', '®'],
];

const PLAIN: ReadonlyMap<string, string> = new Map([
  ...Object.entries(LETTERS).flatMap(([letter, plain]): [string, string][] => [
    [letter, plain],
    [letter.toUpperCase(), plain.toUpperCase()],
  ]),
  ['ẞ', 'SS'],
  ...SIGNS.flatMap(([plain, signs]) => Array.from(signs, (sign): [string, string] => [sign, plain])),
]);

const plainSigns = (text: string): string =>
  text.replace(/[^A-Za-z0-9 ]/gu, (sign) => PLAIN.get(sign) ?? sign);

/** Marks, what nobody sees, and the stroke that makes Arabic words longer. */
const UNSEEN = /[\p{M}\p{Cf}\u0640]/gu;

/**
 * A text with plain letters for marked, hooked, stroked and joined ones, plain quotation marks and apostrophes, dashes as
 * hyphens, brackets as round ones, `NGN` for the sign of the naira, and each blank as one space. Capitals stay. What cannot be
 * written so, such as Arabic letters, stays as it is.
 */
export const folded = (text: string): string =>
  // Once before, because NFKD makes a space and a mark of some apostrophes; and after it for what it has taken apart.
  plainSigns(plainSigns(text).normalize('NFKD').replace(UNSEEN, ''))
    .replace(/\p{Pd}/gu, '-')
    .replace(/\s/gu, ' ')
    .normalize('NFC');

/**
 * A text in the printable characters of ASCII that the basic alphabet of GSM has, too.
 * @param unknown what is written for each character that cannot be folded.
 */
export const asciiOf = (text: string, unknown: string): string =>
  folded(text).replace(/[^A-Za-z0-9 !"#$%&'()*+,\-./:;<=>?@_]/gu, unknown);

/**
 * A password in the one form in which it is kept and judged: keyboards and systems make the same letters of other
 * characters (NIST SP 800-63B asks for NFKC).
 */
export const passwordForm = (password: string): string => password.normalize('NFKC');
