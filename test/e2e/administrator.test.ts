/** What an administrator does at the command line is in the operators' trail, and the trail can be anchored (G35). */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../../src/administration/project';
import { newId } from '../../src/db/pg/ids';
import { CONFIG_NAMES } from '../../src/runtime/config';
import { ALL_LOGINS, urlVariable } from '../../src/runtime/logins';
import { acceptedOf, SECRET_NAMES } from '../../src/runtime/secret-names';
import { openTestCell, type TestCell } from '../support/cell';
import { runCommand } from '../support/commands';
import { asLogin } from '../support/logins';
import { TEST_SECRETS } from '../support/settings';

let database: TestCell;
let partnerId: string;

beforeAll(async () => {
  database = await openTestCell();
  partnerId = newId();
  await database.sql(
    `INSERT INTO platform.partners (id, business_name, email) VALUES ($1, 'A', 'a@a.example')`,
    [partnerId],
  );
});
afterAll(() => database.close());

const run = (program: string, ...words: string[]) =>
  runCommand({ ...TEST_SECRETS, DATABASE_URL: database.url }, program, ...words);
const trail = () =>
  database.sql('SELECT operator_name, action, resource, phase, detail FROM platform.audit ORDER BY sequence');
const namesIn = (text: string): string[] =>
  [...text.matchAll(/`([A-Z][A-Z_]{4,})`/g)].map(([, name = '']) => name);
const wordAfter = (text: string, word: string): string =>
  new RegExp(`^${word} +(\\S+)`, 'm').exec(text)?.[1] ?? '';

test('whoever makes or ends an operator or a key leaves a row, without the token or the key', async () => {
  const operator = await run('keys', 'operator', 'create', 'Ada Obi');
  const key = await run('keys', 'create', '--partner', partnerId, '--env', 'live', '--label', 'backend');
  const token = await run('keys', 'token', '--partner', partnerId);
  await run('keys', 'revoke', wordAfter(key.said, 'id'));
  await run('keys', 'operator', 'revoke', 'Ada Obi');

  const rows = await trail();
  expect(
    rows.map(({ operator_name: name, action, resource, phase }) => [name, action, resource, phase]),
  ).toEqual([
    ['administrator', 'createOperator', `operators/${wordAfter(operator.said, 'id')}`, 'done'],
    ['administrator', 'createKey', `partners/${partnerId}/api-keys/${wordAfter(key.said, 'id')}`, 'done'],
    ['administrator', 'createAccessToken', `partners/${partnerId}`, 'done'],
    ['administrator', 'revokeKey', `api-keys/${wordAfter(key.said, 'id')}`, 'done'],
    ['administrator', 'revokeOperator', 'operators', 'done'],
  ]);
  const inTwelveHours = Date.now() + 12 * 3_600_000;
  const { expiresAt, ...made } = JSON.parse(rows[0]!['detail']);
  expect(made).toEqual({ name: 'Ada Obi', role: 'operator', works: true, account: expect.any(String) });
  expect(Math.abs(Date.parse(expiresAt) - inTwelveHours)).toBeLessThan(60_000);
  for (const secret of [wordAfter(operator.said, 'token'), wordAfter(key.said, 'key'), token.said.trim()]) {
    expect(secret.length).toBeGreaterThan(30);
    expect(JSON.stringify(rows)).not.toContain(secret);
  }
});

test('an administrator alone makes no second operator, and no partner that is active', async () => {
  const [first, second] = [
    await run('keys', 'operator', 'create', 'Chidi'),
    await run('keys', 'operator', 'create', 'Eve'),
  ];
  expect(first.said).not.toContain('admit');
  expect(second.said).toContain(`POST /ops/operators/${wordAfter(second.said, 'id')}/admit`);
  expect((await run('keys', 'operator', 'list')).said).toMatch(/ waiting .* Eve$/m);
  await database.sql('UPDATE platform.operators SET revoked_at = now()');

  const active = await run('keys', 'create', '--new-partner', 'Eve', '--env', 'live', '--status', 'active');
  expect(active).toMatchObject({ code: 1, said: '' });
  await run('keys', 'create', '--new-partner', 'Eve', '--env', 'live');
  expect(await database.sql("SELECT status FROM platform.partners WHERE business_name = 'Eve'")).toEqual([
    { status: 'registered' },
  ]);
});

test('an operator is not made when the trail cannot be written', async () => {
  await database.sql('ALTER TABLE platform.audit RENAME TO audit_away');
  const refused = await run('keys', 'operator', 'create', 'Dayo');
  await database.sql('ALTER TABLE platform.audit_away RENAME TO audit');
  expect(refused).toMatchObject({ code: 1, said: '' });
  expect(await database.sql("SELECT FROM platform.operators WHERE name = 'Dayo'")).toEqual([]);
});

test('a token that would work for more than 30 days is refused; the list shows when a token ends', async () => {
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const refused = await run('keys', 'operator', 'create', 'Bola', '--expires', day(31));
  expect(refused).toMatchObject({ code: 1, complaint: expect.stringContaining('is more than 30 days away') });
  const end = day(29);
  await run('keys', 'operator', 'create', 'Bola', '--expires', end);
  expect((await run('keys', 'operator', 'list')).said).toMatch(new RegExp(`active {3}${end} {2}Bola$`, 'm'));
});

test('the anchor of the trail is what a later check expects, and another seal is missing', async () => {
  const anchored = await run('audit', 'anchor');
  expect(anchored.said).toMatch(/^\d+:[0-9a-f]{64}\n$/);
  const expecting = (seal: string) => run('audit', 'verify', '--expect', seal);
  const [whole, other, nonsense] = await Promise.all(
    [anchored.said.trim(), 'f'.repeat(64), 'nonsense'].map(expecting),
  );
  expect(whole).toMatchObject({ code: 0, said: expect.stringMatching(/^whole: \d+ rows, last seal /) });
  expect(other).toMatchObject({ code: 1, said: expect.stringContaining('the kept seal is in no row') });
  expect(nonsense).toMatchObject({ code: 1, said: '' });
});

test('an anchor is noted when it was printed, and what another program has done is noted by a command', async () => {
  const newest = async (chore: string) =>
    (
      await database.sql(
        `SELECT by, extract(epoch FROM now() - at)::float8 AS age FROM platform.chores WHERE chore = $1 ORDER BY at DESC LIMIT 1`,
        [chore],
      )
    )[0]!;
  await run('audit', 'anchor');
  expect(await newest('anchor')).toMatchObject({ by: 'npm run audit:anchor' });
  const noted = await run('noted', 'backup', '--by', 'pgbackrest');
  expect(noted).toMatchObject({
    code: 0,
    said: expect.stringMatching(/^noted: backup of .* by pgbackrest\n$/),
  });
  const { by, age } = await newest('backup');
  expect(by).toBe('pgbackrest');
  expect(Math.abs(age)).toBeLessThan(60);
  const later = new Date(Date.now() + 60_000).toISOString();
  for (const words of [
    ['nothing', '--by', 'x'],
    ['backup'],
    ['backup', '--by', 'x', '--at', later],
    ['backup', '--by', 'x', '--at', 'noon'],
  ]) {
    expect(await run('noted', ...words)).toMatchObject({ code: 1, said: '' });
  }
});

describe('docs/how-to/rotate-a-secret.md', () => {
  const page = readFileSync(join(projectFolder(), 'docs', 'how-to', 'rotate-a-secret.md'), 'utf8');
  const [, steps = ''] = page.split('## The steps');

  test('has a row for every secret, and names no variable that there is not', () => {
    const rows = [...steps.matchAll(/^\| (`[A-Z].*?) +\|/gm)].flatMap(([, names = '']) => namesIn(names));
    expect(rows.sort()).toEqual([...SECRET_NAMES].sort());
    const known = [...SECRET_NAMES.flatMap((name) => [name, acceptedOf(name)]), ...CONFIG_NAMES];
    expect(namesIn(page).filter((name) => !known.includes(name))).toEqual([]);
  });

  test('names commands that there are', () => {
    const { scripts } = JSON.parse(readFileSync(join(projectFolder(), 'package.json'), 'utf8'));
    const commands = [...page.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name);
    expect(commands.length).toBeGreaterThan(2);
    expect(commands.filter((name) => !(name in scripts))).toEqual([]);
  });

  test('names what `reseal` needs in production, and no variable too few', async () => {
    const [, needs = ''] = /`npm run secrets -- reseal` needs ([^]*?)\n\n/.exec(page) ?? [];
    const random = () => randomBytes(32).toString('base64');
    const given = namesIn(needs).flatMap((name): [string, string][] => {
      const login = ALL_LOGINS.find((one) => urlVariable(one) === name);
      if (login) return [[name, asLogin(database.url, login)]];
      return name === 'CELLS_PER_ENVIRONMENT' ? [] : [[name, random()]];
    });
    const env = { NODE_ENV: 'production', ...Object.fromEntries(given) };
    const told = await runCommand(env, 'secrets', 'reseal');
    expect(told).toMatchObject({ code: 0, complaint: '' });
    for (const name of ['sandbox', 'live', 'platform']) expect(told.said).toContain(`${name}: DATA_KEY`);
  });

  test('has statements that Postgres takes', async () => {
    const blocks = [...page.matchAll(/```sql\n([^]*?)```/g)].map(([, sql = '']) => sql);
    expect(blocks.length).toBe(2);
    for (const sql of blocks) await database.sql(sql);
  });
});
