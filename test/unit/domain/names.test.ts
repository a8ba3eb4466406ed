/** Which names can be one person's and one holder's, however they are written (D35, D59). */
import { everyWordIn, isSameHolder, isSameName, isWholeName, writtenWords } from '../../../src/domain/names';

const bothWays = (is: (one: string, other: string) => boolean, one: string, other: string): boolean[] => [
  is(one, other),
  is(other, one),
];

const ONE_PERSON: [string, string][] = [
  ['Ada Obi', 'ADA OBI'],
  ['Ada Obi', 'Obi Ada'],
  ['Ada Obi', 'OBI, Ada'],
  ['Ada Obi', 'Ada Ngozi Obi'],
  ['Ada Obi', 'obi ngozi ada'],
  ['Ọláwálé Adébáyọ̀', 'OLAWALE ADEBAYO'],
  ['Ola\u0301wale\u0301 Obi', 'Oláwalé Obi'],
  ['Ada Obi-Eze', 'EZE OBI ADA'],
  ['Ada Obi-Eze', 'ADA OBIEZE'],
  ["N'golo Kante", 'NGOLO KANTE'],
  ['N’golo Kante', "N'GOLO KANTÉ"],
  ['  Ada   Obi ', 'Ada\tObi'],
  ['Ada\u00a0Obi', 'Ada\u3000Obi'],
  ['Ada N. Obi', 'Ada N Obi'],
  ['ＡＤＡ ＯＢＩ', 'Ada Obi'],
  ['A\u200bda O\u00adbi', 'Ada Obi'],
  ['\ufeffAda Obi', 'Ada Obi\u200e'],
  // Hooked, stroked and joined letters.
  ['Ƙasimu Ɗanladi', 'KASIMU DANLADI'],
  ['ƙasimu ɗanladi', 'Danladi Kasimu'],
  ['Ɓello Ƴunusa', 'YUNUSA BELLO'],
  ['Ŋari Ɲalla', 'NARI NALLA'],
  ['Łukasz Østergård', 'LUKASZ OSTERGARD'],
  ['Đorđe Ħasan', 'DORDE HASAN'],
  ['Æsa Þórsson', 'AESA THORSSON'],
  ['Jürgen Groß', 'JURGEN GROSS'],
  ['Işıl Yılmaz', 'ISIL YILMAZ'],
  ['Nnamdị Ụzọ', 'NNAMDI UZO'],
  // Apostrophes and hyphens as nothing and as blanks.
  ...[
    "Yar'Adua",
    'Yar’Adua',
    'YarʼAdua',
    'Yar‘Adua',
    'Yar`Adua',
    'Yar´Adua',
    'Yar-Adua',
    'Yar–Adua',
    "'Yar'adua",
    'Ƴar’adua',
  ].flatMap((written): [string, string][] =>
    ['YAR ADUA', 'YARADUA', "YAR'ADUA"].map((register) => [`Umaru ${written}`, `${register} UMARU`]),
  ),
  ['Umaru Yar Adua', 'UMARU YARADUA'],
  ["Shane O'Neill", 'SHANE ONEILL'],
  ['Shane O’Neill', 'O NEILL SHANE'],
  ['Shane O Neill', 'ONeill Shane'],
  ['Shane O´Neill', "SHANE O' NEILL"],
  ["Sa'adatu Bello", 'SAADATU BELLO'],
  ["Sa'adatu Bello", 'SA ADATU BELLO'],
  ['Nasir El-Rufai', 'NASIR EL RUFAI'],
  ['Nasir El Rufai', 'NASIR ELRUFAI'],
  ['Abdul Rahman Musa', 'ABDULRAHMAN MUSA'],
  ["Abd'ul-Rahman Musa", 'Musa Abdul Rahman'],
  ['Obi-Eze O’Neill', 'ONEILL EZE OBI'],
  // A word counts as often as it stands there.
  ['Musa Musa', 'MUSA MUSA'],
  ['Musa Musa', 'Musa Ibrahim Musa'],
  ['محمد بن علي', 'علي بن محمد'],
];

const TWO_PERSONS: [string, string][] = [
  ['Ada Obi', 'Ada Ojo'],
  ['Ada Obi', 'Adaeze Obi'],
  ['Ada Obi', 'Obi Ngozi'],
  ['Ada Obi', 'Adaobi'],
  ['Ada Obi Eze', 'Adaobi Eze'],
  ['Ada Ada', 'Ada Obi'],
  ['Musa Musa', 'Musa Ibrahim'],
  ['Musa Musa', 'MUSA'],
  ['Ada Ngozi Obi', 'Ada Bola Obi'],
  ['Obi-Eze', 'Obieze Ada'],
  ["O'Neill", "Shane O'Neill"],
  ["Umaru Yar'Adua", 'Umaru Aduayar'],
  ['محمد علي', 'محمد عمر'],
  ['Ada Obi', ''],
  ['', ''],
  ['. ’', "' -"],
];

describe.each([
  ['person', isSameName],
  ['holder', isSameHolder],
])('one %s', (_who, is) => {
  test.each(ONE_PERSON)('%s and %s', (one, other) => {
    expect(bothWays(is, one, other)).toEqual([true, true]);
  });

  test.each(TWO_PERSONS)('but not: %s and %s', (one, other) => {
    expect(bothWays(is, one, other)).toEqual([false, false]);
  });
});

test.each([
  ['JUMIA', 'Jumia'],
  ["Yar'Adua", 'YARADUA'],
  ["O'Neill", 'O NEILL'],
])('one word alone can name a holder, and no person by first and last name: %s and %s', (one, other) => {
  expect(bothWays(isSameHolder, one, other)).toEqual([true, true]);
  expect(bothWays(isSameName, one, other)).toEqual([false, false]);
});

test('a name of very many compound words is compared at once', () => {
  const long = Array.from({ length: 40 }, (_, place) => `a${String(place)}'b-c`).join(' ');
  expect(isSameName(long, long.replaceAll("'", '’'))).toBe(true);
  expect(isSameName(long, long.replaceAll(/['-]/g, ' '))).toBe(true);
  expect(isSameName(long, long.replaceAll(/['-]/g, ''))).toBe(true);
});

test.each([
  ['Ada Obi', true],
  ['Musa Musa', true],
  ['Ada', false],
  ['Ada \u200b', false],
  [' \u00a0Ada\u2003', false],
  ['Ada\u00a0Obi', true],
])('whether "%s" is a first and a last name: %s', (name, isWhole) => {
  expect(isWholeName(name)).toBe(isWhole);
});

test('a company that compares names by itself gets plain letters', () => {
  expect(writtenWords('Ƙasimu  Ɗanladi Ọbí')).toEqual(['Kasimu', 'Danladi', 'Obi']);
});

test.each([
  ["Yar'Adua", ['YAR', 'YARADUA', 'ADUA']],
  ['Yar Adua', ['YAR', 'YARADUA', 'ADUA']],
  ["yar’adua's", ['YAR', 'YARADUA', 'YARADUAS', 'ADUA', 'ADUAS', 'S']],
  ['to Ọbí', ['TO', 'OBI']],
])('the words of %s', (text, words) => {
  expect([...everyWordIn(text)]).toEqual(words);
});
