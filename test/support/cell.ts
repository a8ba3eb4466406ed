/**
 * One cell of a real database, reached as the application reaches it (the environment's role, the ledger
 * writer) and as its owner (to prepare, to break and to look). A test file opens one and closes it.
 */
import { valueAs } from './outcomes';
import pg from 'pg';
import { newId } from '../../src/db/pg/ids';
import { openLedgerWriter, type LedgerWriter, type WriterOptions } from '../../src/db/ledger/writer';
import { openPool, type SealedCell } from '../../src/db/pg/postgres';
import type { WalletStatus } from '../../src/domain/wallets';
import { createTestDatabase } from '../setup/database';
import { funding } from './movements';
import { rowsOf } from './rows';
import { SANDBOX_CELL } from '../setup/cells';
import type { Login } from '../../src/runtime/logins';
import { asLogin } from './logins';
import { TEST_SEALING } from './sealing';

export const DAY_MS = 86_400_000;
/** Long, because other work may load the machine and no test is about the time that a connection takes. */
const CONNECT_MS = 10_000;

type SqlRow = Record<string, ReturnType<typeof JSON.parse>>;

export interface TestCell {
  readonly url: string;
  /** The cell, under the worker's login of the sandbox. */
  readonly cell: SealedCell;
  /** The same under the API's login, which alone writes what a request or a callback asks for. */
  readonly forApi: SealedCell;
  /** A pool of the owner of the database, who can use the schemas of all environments. */
  readonly owner: pg.Pool;
  /** Runs a statement as the owner and gives its rows; whole numbers come as numbers. */
  sql(text: string, values?: unknown[]): Promise<SqlRow[]>;
  /** A ledger writer with connections of its own, as another process would have; closed by `close`. */
  openWriter(options?: Partial<WriterOptions>): LedgerWriter;
  /** The process ids of a writer's connections, as Postgres sees them now. */
  backendsOf(writer: LedgerWriter): Promise<number[]>;
  /** Another pool under the sandbox's role, as another process would have; ended by `close`. */
  openPool(): pg.Pool;
  /** A wallet with money from a funding. @returns its id. */
  wallet(of: { partnerId: string; fundKobo?: number; status?: WalletStatus; id?: string }): Promise<string>;
  balanceKobo(walletId: string): Promise<number>;
  /**
   * Makes every such statement on a table wait between reading and writing while `work` runs, so that statements
   * that are sent at once overlap: for a tenth of a second unless `seconds` says otherwise.
   */
  slowly<Result>(
    what: 'INSERT' | 'UPDATE',
    table: string,
    work: () => Promise<Result>,
    seconds?: number,
  ): Promise<Result>;
  close(): Promise<void>;
}

/**
 * Opens cell `schema` of the sandbox on a database of its own, or on `url`, which is not dropped when the cell
 * closes.
 */
export async function openTestCell(schema = SANDBOX_CELL, url?: string): Promise<TestCell> {
  const database = url === undefined ? await createTestDatabase() : { url, drop: () => Promise.resolve() };
  const owner = new pg.Pool({ connectionString: database.url, max: 4, types: TYPES });
  owner.on('error', ignore);
  const pools: pg.Pool[] = [];
  const writers: LedgerWriter[] = [];
  const newPool = (login: Login = 'sandbox_worker'): pg.Pool => {
    const pool = openPool(asLogin(database.url, login), 10, CONNECT_MS, ignore);
    pools.push(pool);
    return pool;
  };
  const newWriter = (options: Partial<WriterOptions> = {}): LedgerWriter => {
    const named = new URL(database.url);
    named.searchParams.set('application_name', nameOf(writers.length));
    const writer = openLedgerWriter({
      databaseUrl: asLogin(named.href, 'sandbox_worker'),
      connectWithinMs: CONNECT_MS,
      cell: schema,
      sealing: TEST_SEALING,
      idempotencyWindowMs: DAY_MS,
      onError: ignore,
      afterCommit: ignore,
      ...options,
    });
    writers.push(writer);
    return writer;
  };
  const cell: SealedCell = { schema, pool: newPool(), sealing: TEST_SEALING };
  const sql = (text: string, values?: unknown[]): Promise<SqlRow[]> => rowsOf(owner, text, values);
  let bank: LedgerWriter | undefined;

  return {
    url: database.url,
    cell,
    forApi: { schema, pool: newPool('sandbox_api'), sealing: TEST_SEALING },
    owner,
    sql,
    openWriter: newWriter,
    async backendsOf(writer) {
      const rows = await sql(
        `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1`,
        [nameOf(writers.indexOf(writer))],
      );
      return rows.map((row) => row['pid']);
    },
    openPool: () => newPool(),
    async wallet({ partnerId, fundKobo = 0, status = 'active', id = newId() }) {
      await sql(
        `WITH account AS (INSERT INTO ${schema}.accounts (id, partner_id, status) VALUES ($1, $2, 'active'))
         INSERT INTO ${schema}.wallets (id, partner_id, user_ref) VALUES ($1, $2, $3)`,
        [id, partnerId, `user-${id}`],
      );
      if (fundKobo > 0) {
        bank ??= newWriter();
        const result = await bank.post(funding({ partnerId, to: id, amountKobo: fundKobo }));
        valueAs(result, 'posted');
      }
      if (status !== 'active') {
        await sql(`UPDATE ${schema}.accounts SET status = $2 WHERE id = $1`, [id, status]);
      }
      return id;
    },
    async balanceKobo(walletId) {
      const [row] = await sql(`SELECT balance_kobo FROM ${schema}.accounts WHERE id = $1`, [walletId]);
      return row?.['balance_kobo'];
    },
    async slowly(what, table, work, seconds = 0.1) {
      await sql(`
        CREATE FUNCTION public.slowly() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN PERFORM pg_sleep(${String(seconds)}); RETURN NULL; END $$;
        CREATE TRIGGER slowly BEFORE ${what} ON ${schema}.${table}
          FOR EACH STATEMENT EXECUTE FUNCTION public.slowly()`);
      try {
        return await work();
      } finally {
        await sql('DROP FUNCTION public.slowly CASCADE');
      }
    },
    async close() {
      await Promise.all(writers.map((writer) => writer.close()));
      await Promise.all([...pools, owner].map((pool) => pool.end()));
      await database.drop();
    },
  };
}

const nameOf = (place: number): string => `ledger-writer-${place}`;

const ignore = (): void => undefined;

const TYPES: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: string): unknown =>
    oid === (pg.types.builtins.INT8 as number) ? Number : parserOf(oid, format),
};
const parserOf = pg.types.getTypeParser as (oid: number, format?: string) => unknown;
