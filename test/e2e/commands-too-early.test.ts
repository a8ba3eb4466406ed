/** A command that comes before a step of the installation says which step is missing, and a backup where it may not be written. */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase, dropDatabase } from '../../src/db/pg/cluster';
import { openDatabase } from '../../src/db/upkeep/set-up';
import { AREAS } from '../../src/runtime/logins';
import { onDatabase } from '../setup/database';
import { openTestCell, type TestCell } from '../support/cell';
import { runCommand, type Told } from '../support/commands';
import { TEST_SECRETS } from '../support/settings';

let database: TestCell;
let folder: string;
/** Of a database whose logins are set up, and that has no tables. */
let empty: string;

beforeAll(async () => {
  database = await openTestCell();
  folder = mkdtempSync(join(tmpdir(), 'wallet-test-too-early-'));
  empty = onDatabase(database.url, `${new URL(database.url).pathname.slice(1)}_empty`);
  await createDatabase(onDatabase(database.url, 'postgres'), new URL(empty).pathname.slice(1));
  await openDatabase(empty, AREAS);
  expect(await backup('kept')).toMatchObject({ code: 0 });
});
afterAll(async () => {
  await dropDatabase(database.url, new URL(empty).pathname.slice(1));
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

const run = (url: string, program: string, ...words: string[]): Promise<Told> =>
  runCommand({ ...TEST_SECRETS, DATABASE_URL: url }, program, ...words);
const backup = (name: string): Promise<Told> => run(database.url, 'backup', join(folder, name));

const COMMANDS: [program: string, ...words: string[]][] = [
  ['restore', 'the backup'],
  ['restore', '--elsewhere', '2026-01-01T00:00:00Z'],
  ['backup', 'a new folder'],
  ['keys', 'list'],
  ['keys', 'partners'],
  ['audit', 'verify'],
  ['migrate'],
];
const asWritten = (words: string[]): string[] =>
  words.map(
    (word) => ({ 'the backup': join(folder, 'kept'), 'a new folder': join(folder, 'new') })[word] ?? word,
  );

test.each(COMMANDS)('%s %s before the set-up says that the logins are missing', async (program, ...words) => {
  const wrong = new URL(database.url);
  wrong.password = 'another-one';
  const told = await run(wrong.href, program, ...asWritten(words));
  expect(told).toMatchObject({ code: 1, said: '' });
  expect(told.complaint).toMatch(
    /password authentication failed for user "partner_wallet_\w+"[^]*npm run db:set-up/,
  );
});

test.each(COMMANDS)('%s %s without a database says that somebody must make it', async (program, ...words) => {
  const told = await run(onDatabase(database.url, 'of_nobody'), program, ...asWritten(words));
  expect(told).toMatchObject({ code: 1, said: '' });
  expect(told.complaint).toMatch(/database "of_nobody" does not exist[^]*npm run db:set-up/);
});

test.each(COMMANDS.filter(([program, word]) => program !== 'migrate' && word !== 'the backup'))(
  '%s %s before the migrations says that the tables are missing',
  async (program, ...words) => {
    const told = await run(empty, program, ...asWritten(words));
    expect(told).toMatchObject({ code: 1, said: '' });
    expect(told.complaint).toContain('`npm run db:migrate` makes them');
  },
);

test('no backup that failed leaves a folder', () => {
  expect(readdirSync(folder)).toEqual(['kept']);
});

test('a backup refuses a folder that is there before it reads anything, and leaves it as it is', async () => {
  const before = readdirSync(join(folder, 'kept'));
  const told = await backup('kept');
  expect(told).toMatchObject({ code: 1, said: '' });
  expect(told.complaint).toContain('is there already, and is left as it is');
  expect(readdirSync(join(folder, 'kept'))).toEqual(before);
  expect(existsSync(join(folder, 'kept.unfinished'))).toBe(false);
});

test('a backup whose parent is missing says which folder to make', async () => {
  const told = await backup(join('absent', 'backup'));
  expect(told).toMatchObject({ code: 1, said: '' });
  expect(told.complaint).toContain(`There is no folder ${join(folder, 'absent')}`);
});

test('the partners are listed with their ids and names, the newest first', async () => {
  await database.sql(
    `INSERT INTO platform.partners (id, business_name, email, created_at) VALUES
       ('00000000-0000-7000-8000-000000000001', 'Acme', 'a@a.example', now()),
       ('00000000-0000-7000-8000-000000000002', 'Zuma Pay', 'b@a.example', now() + interval '1 minute')`,
  );
  const { said } = await run(database.url, 'keys', 'partners');
  expect(said.split('\n').map((line) => line.replaceAll(/ +/g, ' '))).toEqual([
    expect.stringMatching(/^00000000-0000-7000-8000-000000000002 \w+ Zuma Pay$/),
    expect.stringMatching(/^00000000-0000-7000-8000-000000000001 \w+ Acme$/),
    '',
  ]);
});
