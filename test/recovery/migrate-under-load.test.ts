/**
 * Migrations of a platform that serves (G36): they expand the busiest tables while partners pay, and no request fails; and
 * where a long transaction holds a table, they give up instead of holding up everybody behind them.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { CELL } from '../../migrations';
import type { CellPlace, Migration } from '../../migrations/place';
import { migrateDatabase, MigrationError } from '../../src/db/upkeep/migrate';
import { openDatabase } from '../../src/db/upkeep/set-up';
import { AREAS } from '../../src/runtime/logins';
import { SANDBOX_CELL, TEST_CELLS } from '../setup/cells';
import type { Calls } from '../support/calls';
import { asOwners } from '../support/logins';
import { openPlatform, type Platform } from '../support/platform';

const LANES = 4;
/** Between two requests of a lane: enough for a request at every moment, and the processor is left to others. */
const PAUSE_MS = 50;
/** What a migration adds to the slowest answers: one wait for a lock, and what has queued up meanwhile. */
const SLOWEST_MS = 1_000;

let platform: Platform;
let partner: Calls;
let wallets: [string, string];

beforeAll(async () => {
  platform = await openPlatform();
  await openDatabase(platform.databaseUrl, AREAS);
  const [api] = await Promise.all([platform.startChild('api'), platform.startChild('worker')]);
  partner = await platform.partner(`http://127.0.0.1:${api.port}`);
  wallets = [(await partner.wallet(100_000_000)).id, (await partner.wallet(100_000_000)).id];
});
afterAll(async () => {
  // Later files of this process share the table.
  for (const name of Object.keys(cellMigrations))
    if (!known.has(name)) Reflect.deleteProperty(cellMigrations, name);
  await platform.close();
});

/** A later version, as the process knows it that migrates; API and worker run without it. */
const LATER: Record<string, Migration<CellPlace>> = {
  '901_channels': ({ cell, app }) => `
    ALTER TABLE ${cell}.transactions ADD COLUMN channel text;
    ALTER TABLE ${cell}.transactions ADD CONSTRAINT channel_is_known CHECK (channel IN ('api', 'ussd')) NOT VALID;
    CREATE TABLE ${cell}.transaction_notes (transaction_id uuid PRIMARY KEY, note text NOT NULL);
    GRANT SELECT, INSERT ON ${cell}.transaction_notes TO ${app};`,
  '902_channels_are_known': ({ cell }) => `
    ALTER TABLE ${cell}.transactions VALIDATE CONSTRAINT channel_is_known;`,
  '903_memos': ({ cell }) => `ALTER TABLE ${cell}.entries ADD COLUMN memo text;`,
  '904_tiers': ({ cell }) => `ALTER TABLE ${cell}.accounts ADD COLUMN tier smallint NOT NULL DEFAULT 1;`,
  '905_entries_by_memo': ({ cell }) => [
    `DROP INDEX CONCURRENTLY IF EXISTS ${cell}.entries_by_memo`,
    `CREATE INDEX CONCURRENTLY entries_by_memo ON ${cell}.entries (memo) WHERE memo IS NOT NULL`,
  ],
};
const cellMigrations = CELL as Record<string, Migration<CellPlace>>;
const known = new Set(Object.keys(cellMigrations));

/** Migrates to a later version. @returns how many migrations were applied. */
async function migrateTo(later: Record<string, Migration<CellPlace>>): Promise<number> {
  Object.assign(cellMigrations, later);
  return (await migrateDatabase(asOwners(platform.databaseUrl), TEST_CELLS)).applied;
}

/** Pays and reads all the time while `work` lasts, and a second longer. @returns how long each answer took. */
async function payingMeanwhile(work: () => Promise<unknown>): Promise<number[]> {
  const took: number[] = [];
  const refused: unknown[] = [];
  let isOver = false;
  const lane = async (name: number): Promise<void> => {
    for (let turn = 0; !isOver; turn++) {
      const [source, dest] = turn % 2 === 0 ? wallets : wallets.toReversed();
      const body = {
        source_wallet: source,
        dest_wallet: dest,
        amount: 100,
        reference: `${String(name)}-${crypto.randomUUID()}`,
      };
      for (const ask of [
        () => partner.post('/v1/transfers/p2p', body),
        () => partner.get(`/v1/wallets/${String(source)}/transactions`),
      ]) {
        const startedAt = performance.now();
        const { status, text } = await ask();
        took.push(performance.now() - startedAt);
        if (status !== 200) refused.push([status, text]);
        await sleep(PAUSE_MS);
      }
    }
  };
  const lanes = Array.from({ length: LANES }, (_, name) => lane(name));
  try {
    await work();
  } finally {
    await sleep(1_000);
    isOver = true;
  }
  await Promise.all(lanes);
  expect(refused).toEqual([]);
  return took.sort((one, other) => one - other);
}

const p99 = (took: number[]): number => took[Math.floor(took.length * 0.99)] ?? 0;

test('columns, a check, a table and an index are added to the busiest tables, and no request fails', async () => {
  let applied = 0;
  const took = await payingMeanwhile(async () => {
    applied = await migrateTo(LATER);
  });
  expect(applied).toBe(Object.keys(LATER).length * 2 * TEST_CELLS);
  expect(p99(took)).toBeLessThan(SLOWEST_MS);
});

test('a migration that waits for a long transaction gives up, payments go on, and it runs when that has ended', async () => {
  const holder = new pg.Client({ connectionString: platform.databaseUrl });
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query(`SELECT FROM ${SANDBOX_CELL}.transactions LIMIT 1`);
  const later: Record<string, Migration<CellPlace>> = {
    '906_origins': ({ cell }) => `ALTER TABLE ${cell}.transactions ADD COLUMN origin text;`,
  };
  let failure: unknown;
  const took = await payingMeanwhile(async () => {
    failure = await migrateTo(later).catch((error: unknown) => error);
  });
  expect(failure).toBeInstanceOf(MigrationError);
  expect(failure).toMatchObject({
    message: expect.stringMatching(/^A migration of sandbox_0 did not get its lock within 30 s/),
  });
  expect(p99(took)).toBeLessThan(SLOWEST_MS);

  await holder.query('COMMIT');
  await holder.end();
  expect(await migrateTo(later)).toBe(2 * TEST_CELLS);
});
