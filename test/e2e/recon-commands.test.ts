/**
 * `npm run recon:import`, `recon:convert` and `golive:check` as a person runs them beside `npm start`: they find the settings of the
 * local sandbox by themselves, and never say that a statement and our books agree where something was dropped or differs.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dayAfter, dayOf } from '../../src/domain/days';
import { CONFIG_NAMES } from '../../src/runtime/config';
import { SEED_BANKS } from '../../src/domain/banks';
import { FIRST_LIVE_CELL, TEST_CELLS } from '../setup/cells';
import { openFakePaystack } from '../support/fake-paystack';
import { openTestCell, type TestCell } from '../support/cell';
import { runCommand } from '../support/commands';
import { TEST_SECRETS } from '../support/settings';

const AGREE = 'The statement and our books agree.';
const HEADER = 'id,at,about,change_kobo,balance_kobo,reference,provider_ref,session_id';
const TODAY = dayOf(new Date());
const YESTERDAY = dayAfter(TODAY, -1);
const folder = mkdtempSync(join(tmpdir(), 'wallet-recon-'));
let database: TestCell;
beforeAll(async () => {
  database = await openTestCell();
  // What `npm start` leaves in its folder.
  const found = { database_url: database.url, temporal_address: '127.0.0.1:1' };
  writeFileSync(join(folder, 'sandbox.json'), JSON.stringify(found), { mode: 0o600 });
  writeFileSync(join(folder, 'secrets.json'), JSON.stringify(TEST_SECRETS), { mode: 0o600 });
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

/** Runs a command with nothing set but the folder of the sandbox. */
const run = (program: string, ...words: string[]) => runWith({}, program, ...words);
function runWith(settings: Record<string, string>, program: string, ...words: string[]) {
  const nothing = Object.fromEntries(CONFIG_NAMES.map((name) => [name, '']));
  return runCommand(
    { ...nothing, DATA_DIR: folder, CELLS_PER_ENVIRONMENT: String(TEST_CELLS), ...settings },
    program,
    ...words,
  );
}
let files = 0;
function fileOf(lines: readonly string[]): string {
  const file = join(folder, `lines-${String(++files)}.csv`);
  writeFileSync(file, [HEADER, ...lines, ''].join('\n'));
  return file;
}
const importFile = (provider: string, day: string, lines: readonly string[], ...more: string[]) =>
  run('recon', 'import', '--provider', provider, '--day', day, '--file', fileOf(lines), ...more);
const kept = async (provider: string): Promise<number> => {
  const rows = await database.sql(
    'SELECT count(*)::int AS count FROM live_directory.provider_lines WHERE provider = $1',
    [provider],
  );
  return rows[0]!['count'] as number;
};
const zero = (id: string, day: string, balance = 0) =>
  `${id},${day}T09:00:0${id}+01:00,other,0,${String(balance)},,,`;

test('a company that nobody has introduced is not taken; then lines numbered from 1 each day all count', async () => {
  const first = [zero('1', YESTERDAY), zero('2', YESTERDAY)];
  const refused = await importFile('hand-made', YESTERDAY, first);
  expect(refused).toMatchObject({ code: 1, said: '' });
  expect(refused.complaint).toContain('--new-company');
  expect(await kept('hand-made')).toBe(0);
  const explained = await importFile('hand-made', YESTERDAY, first, '--new-company');
  expect(explained.said).toContain('the statement has 2 lines, the last balance NGN 0.00');
  expect(await kept('hand-made')).toBe(2);
  const second = await importFile('hand-made', TODAY, [zero('1', TODAY), zero('2', TODAY)]);
  expect(second.said).toContain('2 new lines, 2 in all');
  expect(await kept('hand-made')).toBe(4);
});

test('a line that comes again with another amount ends with 1, and nobody is told that both agree', async () => {
  const whole = [`1,${TODAY}T09:00:00+01:00,other,500,500,,,`];
  await importFile('corrected', TODAY, whole, '--new-company');
  await database.sql(
    `UPDATE ${FIRST_LIVE_CELL}.recon_findings SET closed_at = now(), closed_by = 'Ada', closed_note = 'known'
      WHERE resource LIKE 'corrected/%'`,
  );
  const explained = await importFile('corrected', TODAY, whole);
  expect(explained.code).toBe(0);
  expect(explained.said).toContain('No finding is open. People have explained 2 with a note.');
  expect(explained.said).not.toContain(AGREE);
  const again = await importFile('corrected', TODAY, [`1,${TODAY}T09:00:00+01:00,other,900,900,,,`]);
  expect(again.code).toBe(1);
  expect(again.said).toContain(`line_differs corrected/${TODAY}/line 1 of ${TODAY}`);
  expect(again.said).not.toContain(AGREE);
  const less = await importFile('corrected', TODAY, []);
  expect(less).toMatchObject({ code: 1 });
  expect(less.said).not.toContain(AGREE);
});

test.each<[what: string, lines: string[], why: string]>([
  [
    'an id twice',
    [zero('1', TODAY), zero('2', TODAY), zero('1', TODAY)],
    'line 4, id: the id 1 stands in line 2 already',
  ],
  [
    'a rounded id',
    [zero('1', TODAY), `9.99999E+29,${TODAY}T09:00:00Z,other,0,0,,,`],
    'line 3, id: is a number as a spreadsheet',
  ],
  ['a rounded session', [`1,${TODAY}T09:00:00Z,other,0,0,,,9.99999E+29`], 'line 2, session_id: is a number'],
])('a file with %s is refused with the line, and nothing is kept', async (_what, lines, why) => {
  const refused = await importFile('refused', TODAY, lines, '--new-company');
  expect(refused).toMatchObject({ code: 1, said: '' });
  expect(refused.complaint).toContain(why);
  expect(await kept('refused')).toBe(0);
});

test('a download is converted, and its lines are imported', async () => {
  const download = join(folder, 'download.csv');
  const rows = [
    `Date;Debit;Credit;Balance`,
    `${TODAY} 10:00;;"₦1,000.00";"₦1,000.00"`,
    `${TODAY} 11:00;(250.50);;"₦749.50"`,
  ];
  writeFileSync(download, rows.join('\r\n'));
  const map = join(folder, 'map.json');
  const columns = { at: 'Date', debit: 'Debit', credit: 'Credit', balance: 'Balance' };
  writeFileSync(map, JSON.stringify({ columns }));
  const words = ['convert', '--from', 'csv', '--map', map, '--day', TODAY];
  const nowhere = await run('recon', ...words, download);
  expect(nowhere).toMatchObject({ code: 1, said: '' });
  expect(nowhere.complaint).toContain('line 2: ');
  expect(nowhere.complaint).toContain('has no zone');
  const out = join(folder, 'converted.csv');
  const converted = await run('recon', ...words, '--zone', 'Africa/Lagos', '--out', out, download);
  expect(converted).toMatchObject({ code: 0, complaint: '2 lines\n' });
  expect(readFileSync(out, 'utf8')).toBe(
    [
      `\ufeff${HEADER}`,
      `1,${TODAY}T09:00:00.000Z,other,100000,100000,,,`,
      `2,${TODAY}T10:00:00.000Z,other,-25050,74950,,,`,
      '',
    ].join('\r\n'),
  );
  const imported = await run(
    'recon',
    'import',
    '--provider',
    'converted',
    '--day',
    TODAY,
    '--file',
    out,
    '--new-company',
  );
  expect(imported.said).toContain('the statement has 2 lines, the last balance NGN 749.50');
  expect(await kept('converted')).toBe(2);
  writeFileSync(download, Buffer.from([0x50, 0x4b, 3, 4]));
  expect((await run('recon', ...words, download)).complaint).toContain('save it as "CSV UTF-8');
});

test('golive:check finds the settings of the sandbox as well', async () => {
  const checked = await run('golive', 'check');
  expect(checked.complaint).not.toMatch(/is required|is known/);
  expect(checked.said).toMatch(/^FAIL production/m);
});

test('golive:check asks the company for its banks, and names the one that it does not pay to', async () => {
  const paystack = await openFakePaystack();
  try {
    const settings = {
      LIVE_PAYOUTS: 'paystack',
      PAYSTACK_SECRET_KEY: paystack.secretKey,
      PAYSTACK_BASE_URL: paystack.url,
    };
    await paystack.set({ banks: SEED_BANKS.map(({ code, name }) => ({ code, name })) });
    expect((await runWith(settings, 'golive', 'check')).said).toMatch(/^ok {3}banks: /m);

    const [missing, ...others] = SEED_BANKS;
    await paystack.set({ banks: others.map(({ code, name }) => ({ code, name })) });
    const pointed = new RegExp(`^FAIL banks: .*${missing!.name}`, 'm');
    expect((await runWith(settings, 'golive', 'check')).said).toMatch(pointed);
  } finally {
    await paystack.close();
  }
});

test('without a sandbox and without settings each command says what to do', async () => {
  const empty = join(folder, 'empty');
  for (const words of [
    ['recon', 'import', '--provider', 'paystack', '--day', TODAY],
    ['golive', 'check'],
  ] as const) {
    const [program, ...rest] = words;
    const nothing = Object.fromEntries(CONFIG_NAMES.map((name) => [name, '']));
    const told = await runCommand({ ...nothing, DATA_DIR: empty }, program, ...rest);
    expect(told).toMatchObject({
      code: 1,
      said: '',
      complaint: expect.stringContaining('Run `npm start` first'),
    });
  }
});
