/**
 * The pages by which the platform is installed, upgraded, restored and looked after, carried out in their order on one
 * machine, as somebody does who follows them.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../../src/administration/project';
import { openMachine, type Machine } from './machine';
import { accountsOf, carryOut, type Walk } from './walk';
import { COMMANDS, runByNpm, theCommands } from './walks/commands';
import { install } from './walks/install';
import { restore } from './walks/restore';
import { runbook } from './walks/runbook';
import { prepareTheDatabase, setUpTheDatabase } from './walks/set-up-the-database';
import { upgrade } from './walks/upgrade';

const WALKS: readonly Walk[] = [
  prepareTheDatabase,
  install,
  setUpTheDatabase,
  upgrade,
  restore,
  runbook,
  theCommands,
];
const PAGES = [...new Set(WALKS.map(({ page }) => page))];

/** The packages are installed twice, which takes half a minute on a quiet machine and many on a busy one. */
jest.setTimeout(900_000);

let machine: Machine;
beforeAll(async () => {
  machine = await openMachine();
});
afterAll(() => machine.close());

test.each(PAGES)('every instruction of %s is carried out, or a row says why not', (page) => {
  expect(accountsOf(page, WALKS)).toEqual([]);
});

test('docs/install.md has every command of an administrator in its table', () => {
  const page = readFileSync(join(projectFolder(), 'docs', 'install.md'), 'utf8');
  const rows = [...page.matchAll(/^\| ((?:`[\w:-]+`,? ?)+) +\| `node /gm)];
  const named = rows.flatMap(([, names = '']) => [...names.matchAll(/`(\S+)`/g)].map(([, name]) => name));
  expect(named.sort()).toEqual(Object.keys(COMMANDS).sort());
});

/** They work on the project, and need the packages for development. */
const OF_DEVELOPMENT =
  /^(build|demo|openapi|sdk|schema|reference|fuzz|nemesis|bench|check|test|lint|format|statements|typecheck|rehearse|clients)(:|$)/;

test('every command of npm that a page names is there, and works where the platform is installed or is one of development', () => {
  const { scripts } = JSON.parse(readFileSync(join(projectFolder(), 'package.json'), 'utf8')) as {
    scripts: object;
  };
  const pages = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'sdk/README.md', '.env.example'].map((page) =>
    join(projectFolder(), page),
  );
  for (const entry of readdirSync(join(projectFolder(), 'docs'), { recursive: true, withFileTypes: true }))
    if (entry.isFile()) pages.push(join(entry.parentPath, entry.name));
  const named = pages.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/npm run (?:--silent )?([\w:-]*\w)/g)].map(
      ([, name = '']) => name,
    ),
  );
  const unknown = [...new Set(named)].filter(
    (name) => !(name in scripts) || !(name in COMMANDS || OF_DEVELOPMENT.test(name)),
  );
  expect(unknown).toEqual([]);
});

/** After a step that failed the later ones would only fail, too. */
let failed: string | null = null;

describe.each(WALKS)('$page', (walk) => {
  test.each(walk.steps)('$does', async (step) => {
    if (failed !== null) throw new Error(`It was not carried out, because this failed before: ${failed}`);
    failed = step.does;
    await carryOut(machine, walk, step);
    failed = null;
  });
});

describe('where nothing but `npm ci --omit=dev` is installed', () => {
  test.each(Object.keys(COMMANDS))('npm run %s works', async (name) => {
    if (failed !== null) throw new Error(`It was not carried out, because this failed before: ${failed}`);
    await runByNpm(name, machine);
  });

  test.each(['rehearse', 'schema'])(
    'npm run %s, which is of development, says what is missing',
    async (name) => {
      const said = await machine.type(`if npm run ${name}; then exit 2; fi`);
      expect(said).toContain('what builds it is not installed. Run npm ci (without --omit=dev)');
    },
  );
});
