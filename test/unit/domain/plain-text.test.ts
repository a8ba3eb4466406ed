/** What is written in several ways has one plain form: the only door of text to screens, codes and narrations. */
import { asciiOf, folded } from '../../../src/domain/plain-text';

test.each([
  ['plain text stays', 'Ada & Sons (Lagos), No. 7 / "best" #1 @ 50% = $5 + 2_000!', null],
  ['hooked letters', 'ɓ ɗ ƙ ƴ ŋ ɲ Ɓ Ɗ Ƙ Ƴ Ŋ Ɲ', 'b d k y n n B D K Y N N'],
  [
    'letters of other African languages',
    'ɛ ɔ ɖ ƒ ɣ ʋ ǝ ə Ɛ Ɔ Ɖ Ƒ Ɣ Ʋ Ǝ Ə',
    'e o d f g v e e E O D F G V E E',
  ],
  ['stroked letters', 'ø đ ł ħ ŧ ð ı Ø Đ Ł Ħ Ŧ Ð ǿ', 'o d l h t d i O D L H T D o'],
  ['ligatures', 'æ œ ß þ Æ Œ ẞ Þ ﬁ ﬃ ĳ ǆ', 'ae oe ss th AE OE SS TH fi ffi ij dz'],
  ['marks, composed and apart', 'ẹ ọ ṣ ị ụ Ẹ Ọ Ṣ Ị Ụ é è ñ İ e\u0301 ọ̀', 'e o s i u E O S I U e e n I e o'],
  ['apostrophes', "' ’ ‘ ‛ ‚ ʼ ʻ ʽ ʾ ʿ ′ ` ´ ˈ ꞌ ＇ ‹ › ŉ", "' ' ' ' ' ' ' ' ' ' ' ' ' ' ' ' ' ' 'n"],
  ['quotation marks', '“ ” „ ‟ « » ″ 〝 〞 ＂', '" " " " " " " " " "'],
  ['brackets', '[a] {b} 〈c〉 【d】 ［e］ ｛f｝ ⟨g⟩ （h）', '(a) (b) (c) (d) (e) (f) (g) (h)'],
  ['dashes', '- ‐ ‑ ‒ – — ― − ﹘ － ~', '- - - - - - - - - - -'],
  ['the naira sign', '₦5,000 for ₦', 'NGN5,000 for NGN'],
  ['other signs', '€ £ ¥ … • × ½ № ™ © \\ |', 'EUR GBP JPY ... . x 1/2 No TM (c) / /'],
  ['full-width letters and digits', 'Ａｄａ１２３', 'Ada123'],
  ['blanks of every kind', 'a\u00a0b\u2003c\u3000d\te\nf', 'a b c d e f'],
  ['what nobody sees', '\ufeffA\u200bd\u00ada\u200d\u202e \u2066Obi\u2069', 'Ada Obi'],
])('%s', (_what, text, expected) => {
  expect(asciiOf(text, '?')).toBe(expected ?? text);
  expect(folded(text)).toBe(expected ?? text);
});

test.each([
  ['北京', '??'],
  ['김', '?'],
  ['Ada 🏦', 'Ada ?'],
  ['عمر', '???'],
  ['Ωμέγα', '?????'],
  ['a\u0000b', 'a?b'],
])('what cannot be folded has the declared sign in its place: %s', (text, expected) => {
  expect(asciiOf(text, '?')).toBe(expected);
  expect(asciiOf(text, '')).toBe(expected.replaceAll('?', ''));
});

test('letters that cannot be folded stay where names are compared', () => {
  expect(folded('محمّد Ƙasimu 北京')).toBe('محمد Kasimu 北京');
});

test('every sign that has a plain form becomes ASCII, and a plain text stays what it is', () => {
  const printable = Array.from({ length: 95 }, (_, place) => String.fromCharCode(32 + place)).join('');
  const once = asciiOf(printable, '?');
  expect(once).toBe(
    printable
      .replace('[', '(')
      .replace(']', ')')
      .replace('{', '(')
      .replace('}', ')')
      .replace('\\', '/')
      .replace('|', '/')
      .replace('`', "'")
      .replace('~', '-')
      .replace('^', '?'),
  );
  expect(asciiOf(once, '?')).toBe(once);
});
