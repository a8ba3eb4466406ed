/**
 * What is measured: a durable Postgres of its own, the built programs as processes of their own, a partner
 * whose limits are out of the way (they are counted all the same) and wallets with money.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startPostgres } from '../../src/cli/embedded-postgres';
import { freePort } from '../../src/cli/ports';
import { SECRET_NAMES } from '../../src/config';
import { startProcess, type RunningProcess } from '../../src/cli/processes';
import { insertPartner } from '../../src/db/credentials';
import { migrateDatabase } from '../../src/db/migrate';
import { present } from '../../src/domain/assert';
import { makeKey } from '../../src/make-key';
import { CELL } from './cell';

export interface Program extends RunningProcess {
  port: number;
}

export interface BenchPartner {
  partnerId: string;
  key: string;
}

/** Its first partner is there from the beginning. */
export interface BenchPlatform extends BenchPartner {
  databaseUrl: string;
  postgresPid: number;
  sql<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<pg.QueryResult<Row>>;
  /** One more partner, with limits out of the way like the first one's. */
  partner(): Promise<BenchPartner>;
  /** Active wallets with this much money each, which came by a booked funding. @returns their ids. */
  wallets(count: number, fundKobo: number, partnerId?: string): Promise<string[]>;
  /** A built program, with its settings laid over the bench's. */
  start(entry: string, settings?: Record<string, string>): Promise<Program>;
  close(): Promise<void>;
}

const secret = (): string => randomBytes(32).toString('base64');

/** Opens a platform without Temporal: what accepts money does not need it. */
export async function openBenchPlatform(): Promise<BenchPlatform> {
  const dataDir = mkdtempSync(join(tmpdir(), 'wallet-bench-'));
  const postgres = await startPostgres({ dataDir, port: 0, durable: true });
  await migrateDatabase(postgres.url, 1);
  const owner = new pg.Pool({ connectionString: postgres.url, max: 4 });
  const first = await makePartner(owner);
  const programs: Program[] = [];
  const settings = {
    NODE_ENV: 'production',
    LOG_LEVEL: 'warn',
    DATABASE_URL: postgres.url,
    TEMPORAL_ADDRESS: '127.0.0.1:1',
    OPERATOR_PORT: '0',
    WORKER_OPERATOR_PORT: '0',
    RATE_LIMIT_SCALE: '100000000',
    ...Object.fromEntries(SECRET_NAMES.map((name) => [name, secret()])),
  };
  return {
    databaseUrl: postgres.url,
    postgresPid: postgres.pid,
    ...first,
    sql: (text, values) => owner.query(text, values),
    partner: () => makePartner(owner),
    wallets: (count, fundKobo, partnerId = first.partnerId) => makeWallets(owner, partnerId, count, fundKobo),
    async start(entry, more = {}) {
      const port = await freePort();
      const order = {
        name: entry,
        entry,
        environment: { ...settings, PORT: String(port), ...more },
        logFile: join(dataDir, `program-${String(programs.length)}.log`),
        readyWithinMs: 20_000,
      };
      const program = { ...(await startProcess(order)), port };
      programs.push(program);
      return program;
    },
    async close() {
      for (const program of programs) await program.stop();
      await owner.end();
      await postgres.stop();
      for (const folder of [dataDir, postgres.folder]) rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function makePartner(owner: pg.Pool): Promise<BenchPartner> {
  const partnerId = randomUUID();
  const partner = { id: partnerId, businessName: 'Bench', email: `${partnerId}@bench.example` };
  await insertPartner(owner, { ...partner, status: 'active' }, { sandbox: CELL, live: 'live_0' });
  await owner.query(`UPDATE platform.partners SET tier = 'scale' WHERE id = $1`, [partnerId]);
  const asked = { partnerId, environment: 'sandbox', label: 'bench', expiresAt: null } as const;
  const { key } = present(await makeKey(owner, asked), 'a key that never expires');
  return { partnerId, key };
}

async function makeWallets(
  owner: pg.Pool,
  partnerId: string,
  count: number,
  fundKobo: number,
): Promise<string[]> {
  const { rows } = await owner.query<{ id: string }>(
    `WITH made AS (SELECT gen_random_uuid() AS id, gen_random_uuid() AS funding FROM generate_series(1, $2)),
     accounts AS (
       INSERT INTO ${CELL}.accounts (id, partner_id, status, balance_kobo, sequence)
       SELECT id, $1, 'active', $3, 1 FROM made),
     wallets AS (
       INSERT INTO ${CELL}.wallets (id, partner_id, user_ref) SELECT id, $1, 'bench-' || id FROM made),
     funded AS (
       INSERT INTO ${CELL}.transactions (id, partner_id, reference, type, status, amount_kobo, dest_wallet,
         customer_fee_kobo, merchant_fee_kobo, mfb_cost_kobo, net_amount_kobo, created_at, updated_at, completed_at)
       SELECT funding, $1, 'fund_' || funding, 'wallet_funding', 'completed', $3, id, 0, 0, 0, $3, now(), now(), now()
         FROM made),
     entered AS (
       INSERT INTO ${CELL}.entries (transaction_id, step, account, id, amount_kobo, sequence, balance_after_kobo,
         created_at)
       SELECT funding, 'accept', account, gen_random_uuid(), amount, sequence, balance, now()
         FROM made, LATERAL (VALUES (id, $3::bigint, 1, $3::bigint),
           ('00000000-0000-0000-0000-000000009000'::uuid, -$3::bigint, NULL, NULL))
           AS v(account, amount, sequence, balance))
     SELECT id FROM made`,
    [partnerId, count, fundKobo],
  );
  return rows.map((row) => row.id);
}

/** Of the books after a load. @throws unless money is conserved and each balance is the sum of its entries. */
export async function checkBooks(platform: BenchPlatform): Promise<void> {
  const { rows } = await platform.sql<{ imbalance: string; wrong: string }>(`
    WITH sums AS (SELECT account, sum(amount_kobo) AS kobo FROM ${CELL}.entries GROUP BY account)
    SELECT (SELECT coalesce(sum(kobo), 0) FROM sums)::text AS imbalance,
           (SELECT count(*) FROM ${CELL}.accounts a LEFT JOIN sums s ON s.account = a.id
             WHERE a.balance_kobo <> coalesce(s.kobo, 0))::text AS wrong`);
  const { imbalance, wrong } = present(rows[0], 'a row of sums');
  if (imbalance !== '0' || wrong !== '0') {
    throw new Error(`the books do not agree: entries sum to ${imbalance}, ${wrong} wrong balances`);
  }
}

/** @throws unless every reference that was answered with a 2xx has its transaction, completed and with entries. */
export async function checkAcknowledged(
  platform: BenchPlatform,
  partnerId: string,
  references: readonly string[],
): Promise<void> {
  const { rows } = await platform.sql<{ missing: number }>(
    `SELECT count(*)::int AS missing FROM unnest($2::text[]) AS acknowledged(reference)
      WHERE NOT EXISTS (
        SELECT FROM ${CELL}.used_references r
          JOIN ${CELL}.transactions t ON t.id = r.transaction_id AND t.status = 'completed'
          JOIN ${CELL}.entries e ON e.transaction_id = t.id
         WHERE r.partner_id = $1 AND r.reference = acknowledged.reference)`,
    [partnerId, references],
  );
  const { missing } = present(rows[0], 'a count');
  if (missing > 0)
    throw new Error(`${missing} of ${references.length} acknowledged transfers are not in the ledger`);
}
