/**
 * Expand and contract: while a release is rolled out, the processes of the version before work on the new schema. What a
 * released version sends is kept in test/statements, and is tried here on the newest schema (CONTRIBUTING, Schema).
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { readStartConfig } from '../../src/runtime/config';
import { createTestDatabase } from '../setup/database';
import {
  brokenStatements,
  recordedStatements,
  startRecording,
  stopRecording,
  type Statements,
} from '../support/statements';
import { p2p } from '../support/movements';
import { openTestCell } from '../support/cell';
import { newId } from '../../src/db/pg/ids';
import { FIRST_SANDBOX_CELL } from '../setup/cells';

const FOLDER = join(__dirname, '..', 'statements');

test('what every released version sends works on the newest schema', async () => {
  const { url } = await createTestDatabase();
  // There is no such folder before the first release.
  for (const file of existsSync(FOLDER) ? readdirSync(FOLDER) : []) {
    const statements = JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Statements;
    expect([file, await brokenStatements(url, statements)]).toEqual([file, []]);
  }
});

describe('a migration beside the version before', () => {
  const server = readStartConfig().TEST_DATABASE_URL!;
  let sent: Statements;

  beforeAll(async () => {
    await startRecording(server);
    const cell = await openTestCell();
    const partnerId = newId();
    const [from, to] = [
      await cell.wallet({ partnerId, fundKobo: 100_000 }),
      await cell.wallet({ partnerId }),
    ];
    await cell.openWriter().post(p2p({ partnerId, from, to, amountKobo: 1_000 }));
    await cell.close();
    await stopRecording(server);
    sent = await recordedStatements(server, new URL(cell.url).pathname.slice(1));
  });

  // A recorded statement names the first cell, whichever it was sent to.
  const entries = `${FIRST_SANDBOX_CELL}.entries`;
  test.each<[what: string, sql: string, found: { login: string; why: string } | null]>([
    ['changes nothing', 'SELECT 1', null],
    ['adds a column that may be empty', `ALTER TABLE ${entries} ADD COLUMN channel text`, null],
    [
      'adds a column with a default',
      `ALTER TABLE ${entries} ADD COLUMN channel text NOT NULL DEFAULT 'api'`,
      null,
    ],
    [
      'adds a column that must be filled',
      `ALTER TABLE ${entries} ADD COLUMN channel text NOT NULL`,
      { login: 'sandbox_worker', why: 'it does not fill entries.channel' },
    ],
    [
      'drops a column',
      `ALTER TABLE ${FIRST_SANDBOX_CELL}.transactions DROP COLUMN description CASCADE`,
      { login: 'sandbox_worker', why: 'column "description" of relation "transactions" does not exist' },
    ],
    [
      'renames a table',
      `ALTER TABLE ${entries} RENAME TO postings`,
      { login: 'sandbox_worker', why: 'relation "sandbox_0.entries" does not exist' },
    ],
    [
      'takes a right away',
      `REVOKE INSERT ON ${entries} FROM partner_wallet_sandbox_worker`,
      { login: 'sandbox_worker', why: 'permission denied for table entries' },
    ],
  ])('that %s', async (_what, sql, found) => {
    const { url } = await createTestDatabase();
    const owner = new pg.Client({ connectionString: url });
    await owner.connect();
    await owner.query(sql);
    await owner.end();
    const broken = await brokenStatements(url, sent);
    if (found === null) expect(broken).toEqual([]);
    else expect(broken).toContainEqual({ ...found, text: expect.any(String) });
  });

  test('was tried with what the ledger really sends', () => {
    expect(sent.sandbox_worker?.some((text) => text.includes('INSERT INTO sandbox_0.entries'))).toBe(true);
  });
});
