/** A failing test names its cause: three test files with a seeded fault each are run, and their output is read. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { projectFolder } from '../../src/administration/project';
import { removeRun } from '../setup/kept';

const PROGRAMS = join(projectFolder(), 'node_modules', '.bin');

let output: string;
let folder: string;
/** The output about one file. */
const about = (file: string): string =>
  output
    .split(/^FAIL /m)
    .find((part) => part.startsWith(`seeded-faults test/seeded-faults/${file}.fault.ts`)) ?? '';

beforeAll(() => {
  // The inner run starts its own Postgres; with this variable it would keep its databases on the server of this
  // run.
  const { TEST_DATABASE_URL: _ours, ...env } = process.env;
  const run = spawnSync(
    join(PROGRAMS, 'jest'),
    ['--config', 'test/seeded-faults/jest.config.js', '--maxWorkers', '2', '--no-color'],
    { cwd: projectFolder(), env, encoding: 'utf8' },
  );
  output = run.stdout + run.stderr;
  folder = /npm run test:kept -- (\S+)/.exec(output)?.[1] ?? '';
});
afterAll(() => {
  if (folder !== '') removeRun(folder);
});

it('runs the three files, and each fails once', () => {
  expect(output).toMatch(/^Tests: +3 failed, 1 passed, 4 total$/m);
});

it.each([
  [
    'an SQL error that only an activity saw',
    'swallowed-sql-error',
    /Activity failed[^]*column "account_name_sealed" of relation "wallets" does not exist\n +by src\/db\//,
  ],
  [
    'the row that a wait saw last',
    'swallowed-sql-error',
    /not seen within 5 s: the wallet is active\n +last seen: SELECT status [^\n]*"status":"pending"/,
  ],
  [
    'the failure of the workflow that a wait looked at',
    'wait-that-never-ends',
    /last seen: workflow wallet\/\S+: RUNNING; openAccount is at attempt \d+: the seeded bank is closed/,
  ],
  [
    'the workflows that have not completed',
    'wait-that-never-ends',
    /have not completed:\s+(?:.*\n)*? *wallet-sandbox wallet\/\S+: RUNNING; openAccount [^\n]*the seeded bank is closed/,
  ],
  [
    'a warning before a failed expectation',
    'assertion-after-warning',
    /Expected: 201\n[^]*logged during this test:\s+WARN test: The relay could not do this now; it is left to the sweep[^\n]*\n +ServiceError: [^\n]*UNAVAILABLE/,
  ],
])('shows %s', (_what, file, cause) => {
  expect(about(file)).toMatch(cause);
});

it('says nothing about the test that passed', () => {
  expect(about('assertion-after-warning').match(/left to the sweep/g)).toHaveLength(1);
});

it('keeps the databases of failed files, and opens them at the addresses that were printed', async () => {
  const url = /(postgres:\/\/\S+)/.exec(about('swallowed-sql-error'))?.[1] ?? '';
  const opened = spawn(join(PROGRAMS, 'tsx'), ['test/setup/open-kept.ts', folder], { cwd: projectFolder() });
  try {
    await lineOf(opened, /Ctrl-C/);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query('SELECT status FROM sandbox_0.accounts');
    await client.end();
    expect(rows).toEqual([{ status: 'pending' }]);
  } finally {
    opened.kill('SIGINT');
    await once(opened, 'exit');
  }
});

async function lineOf(program: ChildProcess, wanted: RegExp): Promise<void> {
  for await (const line of createInterface({ input: program.stdout! })) if (wanted.test(line)) return;
  throw new Error(`ended without ${String(wanted)}`);
}
