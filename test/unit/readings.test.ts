/**
 * Citations and links: every cited number and heading is in docs/readings.md, docs/security.md or
 * docs/interface.md, every reading is cited and names its tests, and every link between pages leads somewhere. Decision records have one form.
 */
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  citingFiles,
  lostLink,
  lostSection,
  numbersIn,
  promisesIn,
  read,
  readingsIn,
  sectionsIn,
} from '../support/citations';
import { anchorsIn, headingsIn, linksIn } from '../support/markdown';

const ROOT = join(__dirname, '..', '..');
const READINGS = 'docs/readings.md';
const SECURITY = 'docs/security.md';
const INTERFACE = 'docs/interface.md';

const PAGE = `# States and moves

## Events

### Envelope

1. One

### Payloads

1. One
2. Two

## Errors

4. Four
`;

/** All files except this one, whose samples lead nowhere. */
const files = citingFiles().filter((file) => basename(file) !== basename(__filename));
const pages = files.filter((file) => file.endsWith('.md'));
const readings = readingsIn(read(READINGS), READINGS);
const promises = promisesIn(read(SECURITY), SECURITY);
const known = new Set([...readings, ...promises].map(({ number }) => number));

test('the citations of the whole repository are looked at', () => {
  expect(files).toEqual(
    expect.arrayContaining(['openapi.json', 'README.md', INTERFACE, 'src/domain/fees.ts']),
  );
  expect(readings.length).toBeGreaterThan(150);
});

test('no number has two readings', () => {
  const numbers = readings.map(({ number }) => number);
  expect(numbers.filter((number, place) => numbers.indexOf(number) !== place)).toEqual([]);
});

test('every number that is cited has a reading', () => {
  const lost = files.flatMap((file) =>
    numbersIn(read(file)).flatMap((number) =>
      known.has(number) ? [] : [`${file}: ${number} is in no list`],
    ),
  );
  expect(lost).toEqual([]);
});

test('every case of the books of live is named by a test of the file that proves it', () => {
  const page = read('docs/books-of-live.md');
  const rows = [...page.matchAll(/^\| (\d+) .*\]\(\.\.\/(\S+)\)/gm)];
  expect(new Set(rows.map(([, number]) => Number(number)))).toEqual(
    new Set(Array.from({ length: 33 }, (_, place) => place + 1)),
  );
  const lost = rows.flatMap(([, number = '', file = '']) => {
    const named = [...read(file).matchAll(/['`]cases? ([\d, and]+):/g)].flatMap(([, all = '']) =>
      all.match(/\d+/g),
    );
    return named.includes(number) ? [] : [`case ${number} is not in ${file}`];
  });
  expect(lost).toEqual([]);
});

test('every reading is cited', () => {
  const cited = new Set(files.filter((file) => file !== READINGS).flatMap((file) => numbersIn(read(file))));
  expect(readings.filter(({ number }) => !cited.has(number))).toEqual([]);
});

test('every promise from G1 to G40 names the tests that prove it, or says that none does', () => {
  const all = Array.from({ length: 40 }, (_, place) => `G${String(place + 1)}`);
  expect(promises.map(({ number }) => number)).toEqual(all);
  expect(promises.filter(({ tests, isOpen }) => tests.length > 0 === isOpen)).toEqual([]);
});

test('every reading names the tests that keep it, and they exist', () => {
  const proved = promises.filter(({ isOpen }) => !isOpen);
  const lost = [...readings, ...proved].flatMap(({ number, tests }) =>
    tests.length > 0
      ? tests.filter((path) => !existsSync(join(ROOT, path))).map((path) => `${number}: ${path}`)
      : [`${number}: no test`],
  );
  expect(lost).toEqual([]);
});

test('every heading and rule of the interface that is cited is in docs/interface.md', () => {
  const page = read(INTERFACE);
  const lost = files.flatMap((file) =>
    sectionsIn(read(file)).flatMap((section) => {
      const why = lostSection(section, page);
      return why === null ? [] : [`${file}: ${why}`];
    }),
  );
  expect(lost).toEqual([]);
});

test('every link of a page leads to a file and an anchor', () => {
  const lost = pages.flatMap((page) =>
    linksIn(read(page)).flatMap((link) => {
      const why = lostLink(page, link);
      return why === null ? [] : [`${page}: ${why}`];
    }),
  );
  expect(lost).toEqual([]);
});

test('every page is listed in docs/README.md', () => {
  const index = 'docs/README.md';
  const listed = linksIn(read(index)).map((link) => join('docs', link));
  const own = pages.filter((page) => page.startsWith('docs/') && !page.startsWith('docs/decisions/'));
  expect(own.filter((page) => page !== index && !listed.includes(page))).toEqual([]);
});

test('every page that code names exists', () => {
  const lost = files
    .filter((file) => !file.endsWith('.md'))
    .flatMap((file) =>
      [...read(file).matchAll(/\bdocs\/[\w/-]+\.md\b/g)].flatMap(([page]) =>
        existsSync(join(ROOT, page)) ? [] : [`${file}: ${page}`],
      ),
    );
  expect(lost).toEqual([]);
});

describe('a decision record', () => {
  const folder = 'docs/decisions/';
  const records = pages.filter((page) => page.startsWith(folder) && !page.endsWith('README.md'));

  test('they are numbered without a gap, and the index has them in that order', () => {
    const names = records.map((page) => basename(page)).sort();
    expect(names.map((name) => Number(name.slice(0, 4)))).toEqual(names.map((_, place) => place + 1));
    expect(linksIn(read(`${folder}README.md`)).filter((link) => /^\d/.test(link))).toEqual(names);
  });

  test.each(records)('%s has its number, its date and its parts', (page) => {
    const text = read(page);
    const [title, ...parts] = headingsIn(text).map((heading) => heading.title);
    expect(title).toMatch(new RegExp(`^${basename(page).slice(0, 4)}\\. `));
    expect(text).toMatch(/^Date: \d{4}-\d{2}-\d{2}$/m);
    const all = ['Context', 'Choice', 'What it costs', 'What would change it'];
    expect(all.slice(0, Math.max(3, parts.length))).toEqual(parts);
  });
});

describe('what a citation is', () => {
  test.each([
    ['(D45)', ['D45']],
    ['(D9, R2; G1)', ['D9', 'R2', 'G1']],
    ['D2-D4 and D7', ['D2', 'D3', 'D4', 'D7']],
    ['D2-4', ['D2', 'D3', 'D4']],
    ['response code D02, 0xD45, AD45, D1234', []],
  ])('numbers: %s', (text, numbers) => expect(numbersIn(text)).toEqual(numbers));

  test.each([
    ['(interface: Limits; D45)', [{ heading: 'Limits', rules: [] }]],
    [
      '(interface: Events, rule 3, Errors)',
      [
        { heading: 'Events', rules: [3, 3] },
        { heading: 'Errors', rules: [] },
      ],
    ],
    [
      '/** Held (interface: Partner\n * compliance, rules 1-2). */',
      [{ heading: 'Partner compliance', rules: [1, 2] }],
    ],
    ['the interface: it is published', []],
  ])('headings: %j', (text, sections) => expect(sectionsIn(text)).toEqual(sections));

  test.each([
    [{ heading: 'Events', rules: [2] }, null],
    [{ heading: 'Payloads', rules: [1, 2] }, null],
    [{ heading: 'States', rules: [] }, null],
    [{ heading: 'State', rules: [] }, 'the interface has no heading "State"'],
    [{ heading: 'Events', rules: [4] }, '"Events" has no rule 4'],
    [
      { heading: 'Events', rules: [1] },
      '"Events" has rule 1 more than once: name the heading right above it',
    ],
  ])('%j leads somewhere, or is reported as lost', (section, why) => {
    expect(lostSection(section, PAGE)).toBe(why);
  });

  test('anchors are made as GitHub makes them', () => {
    const page =
      '# USSD session `status`\n## POST /v1/wallets/{id}\n## Rules\n## Rules\n<a id="d45"></a>\n```\n# no\n```\n';
    expect(anchorsIn(page)).toEqual(['ussd-session-status', 'post-v1walletsid', 'rules', 'rules-1', 'd45']);
  });

  test.each([
    ['interface.md#limits', null],
    ['interface.md#no-such', 'interface.md#no-such: docs/interface.md has no such anchor'],
    ['gone.md', 'gone.md: there is no docs/gone.md'],
    ['https://example.com/gone', null],
  ])('the link %s', (link, why) => expect(lostLink(READINGS, link)).toBe(why));
});
