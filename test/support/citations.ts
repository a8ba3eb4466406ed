/**
 * Citations: the numbers (`D45`, `R10`, `G22`) and the headings (`interface: Limits`) by which code, tests and
 * documents say where a rule comes from (R41). Files are named relative to the repository.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { anchorsIn, headingsIn, linksIn } from './markdown';

const ROOT = join(__dirname, '..', '..');

const ROOMS = ['src', 'migrations', 'test', 'bench', 'tools', 'examples', 'docs'];
const READ = /\.(ts|js|mjs|cjs|sql|md)$|^openapi(\.reference)?\.json$/;

export const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** Whatever may cite: the rooms' sources and pages, and the files beside them. */
export function citingFiles(): string[] {
  const inRooms = ROOMS.flatMap((room) =>
    readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' }).map((name) => join(room, name)),
  );
  return [...readdirSync(ROOT), ...inRooms].filter((file) => READ.test(file) && isFile(file));
}

const isFile = (path: string): boolean => existsSync(join(ROOT, path)) && statSync(join(ROOT, path)).isFile();

/** The numbers that a text cites, each number of a range by itself: `D2, D4-D6` is D2, D4, D5 and D6. */
export function numbersIn(text: string): string[] {
  return [...text.matchAll(/\b([DRG])([1-9]\d{0,2})(?:-\1?([1-9]\d{0,2}))?\b/g)].flatMap(
    ([, letter, first, last]) => {
      const length = Math.max(1, Number(last ?? first) - Number(first) + 1);
      return Array.from({ length }, (_, place) => `${String(letter)}${String(Number(first) + place)}`);
    },
  );
}

/** A heading of the interface, and the rules below it that are cited; no rule means the whole section. */
export interface Section {
  heading: string;
  rules: number[];
}

/** What a text cites of the interface: `(interface: Limits, Errors; D45)` is two sections. */
export function sectionsIn(text: string): Section[] {
  const flat = text.replaceAll(/\s*\n\s*(?:\*|\/\/)?\s*/g, ' ');
  return [...flat.matchAll(/(?<=[("`])interface: ([^;)"`]+)/g)].flatMap(([, cited = '']) => {
    const sections: Section[] = [];
    for (const part of cited.split(', ')) {
      const [, first, last] = /^rules? (\d+)(?:-(\d+))?$/.exec(part) ?? [];
      if (first === undefined) sections.push({ heading: part.trim(), rules: [] });
      else sections.at(-1)?.rules.push(Number(first), Number(last ?? first));
    }
    return sections;
  });
}

/** Why a citation of the interface leads nowhere; null where it leads somewhere. */
export function lostSection({ heading, rules }: Section, page: string): string | null {
  const found = headingsIn(page).find(({ title }) => title === heading || title.startsWith(`${heading} `));
  if (!found) return `the interface has no heading "${heading}"`;
  const numbered = [...found.body.matchAll(/^(\d+)\. /gm)].map(([, number]) => Number(number));
  for (const rule of rules) {
    const times = numbered.filter((number) => number === rule).length;
    if (times === 0) return `"${heading}" has no rule ${String(rule)}`;
    if (times > 1)
      return `"${heading}" has rule ${String(rule)} more than once: name the heading right above it`;
  }
  return null;
}

export interface Reading {
  number: string;
  /** The tests that check the reading. */
  tests: string[];
}

/** The rows of docs/readings.md. */
export function readingsIn(page: string, file: string): Reading[] {
  return [...page.matchAll(/^- <a id="(\w+)"><\/a>\*\*(\w+)\.\*\*((?:.|\n(?!- |\n|#))*)/gm)].map(
    ([, id = '', number = '', text = '']) => ({
      number: id === number.toLowerCase() ? number : `${number} with the anchor ${id}`,
      tests: testsIn(text, file),
    }),
  );
}

/** The rows of the table of promises. A promise that is not proved says so in place of its tests. */
export function promisesIn(page: string, file: string): (Reading & { isOpen: boolean })[] {
  return [...page.matchAll(/^\| <a id="(g\d+)"><\/a>(G\d+) +\| .+? +\| (.+) \|$/gm)].map(
    ([, id = '', number = '', proof = '']) => ({
      number: id === number.toLowerCase() ? number : `${number} with the anchor ${id}`,
      tests: testsIn(proof, file),
      isOpen: proof.startsWith('Not proved: '),
    }),
  );
}

const testsIn = (text: string, file: string): string[] =>
  linksIn(text)
    .map((link) => join(dirname(file), link))
    .filter((path) => path.startsWith('test/'));

/** Why a link of a page leads nowhere; null where it leads somewhere, or to another site. */
export function lostLink(file: string, link: string): string | null {
  if (/^[a-z]+:/.test(link)) return null;
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? file : relative(ROOT, join(ROOT, dirname(file), decodeURIComponent(path)));
  if (!existsSync(join(ROOT, target))) return `${link}: there is no ${target}`;
  if (anchor === undefined || !target.endsWith('.md')) return null;
  return anchorsIn(read(target)).includes(anchor) ? null : `${link}: ${target} has no such anchor`;
}
