/**
 * Connections. Each pool has a login of its own, whose rights end where its work ends, so that no statement of one
 * environment can reach the other's schemas (D104). Whole numbers are read as safe integers, or the read fails.
 */
import { isNativeError } from 'node:util/types';
import pg from 'pg';
import type { Sealing } from '../../secrets/sealing';

export type Queryable = Pick<pg.Pool, 'query'>;

/** One cell: the schema that holds everything of its partners, and the pool of its environment. */
export interface Cell {
  schema: string;
  pool: pg.Pool;
}

/** A cell with the data keys of its environment, for rows that hold a name: it is sealed where the row is written. */
export interface SealedCell extends Cell {
  sealing: Sealing;
}

/** Budget: lock 2 s < statement 3 s < client 3.5 s, all below the 5 s of a request. */
const LOCK_TIMEOUT_MS = 2_000;
const STATEMENT_TIMEOUT_MS = 3_000;
const QUERY_TIMEOUT_MS = 3_500;

const INT8: number = pg.types.builtins.INT8;

/** Whole numbers beyond 2^53 - 1 cannot be represented. Such a number is a bug, and it is never rounded. */
function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`bug: ${text} is not a safe integer`);
  return value;
}

const parserOfOurs = (oid: number, format?: string): unknown =>
  oid === INT8 ? safeInteger : parserOfType(oid, format);
const types: pg.CustomTypesConfig = { getTypeParser: parserOfOurs };
const parserOfType = pg.types.getTypeParser as (oid: number, format?: string) => unknown;

/** Reads the text of a value of this type. */
export const parserOf = (oid: number): ((text: string) => unknown) =>
  parserOfOurs(oid, 'text') as (text: string) => unknown;

/**
 * The settings of a session are part of the connection's options, so that no connection works without them.
 * @param databaseUrl of one login.
 * @param connectWithinMs how long to wait for a new connection, or for a turn in the pool. A caller who waits
 *   longer gets a 503.
 */
export function connectionOptions(
  databaseUrl: string,
  connectWithinMs: number,
  settings: Record<string, string> = {},
): pg.ClientConfig {
  const all: Record<string, string> = {
    timezone: 'UTC',
    lock_timeout: String(LOCK_TIMEOUT_MS),
    statement_timeout: String(STATEMENT_TIMEOUT_MS),
    idle_in_transaction_session_timeout: '5000',
    ...settings,
  };
  return {
    connectionString: databaseUrl,
    options: Object.entries(all)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
    connectionTimeoutMillis: connectWithinMs,
    query_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
    types,
  };
}

/**
 * Opens a pool. It connects with the first query, so a database that is away makes that query fail and not this
 * call.
 * @param onError is told when an idle connection breaks. Without a listener such an error would end the process.
 */
export function openPool(
  databaseUrl: string,
  max: number,
  connectWithinMs: number,
  onError: (error: Error) => void,
): pg.Pool {
  const pool = new pg.Pool({ ...connectionOptions(databaseUrl, connectWithinMs), max });
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));
  return pool;
}

/** The same for a command that compares a whole day, where a statement may take minutes. */
export const openPatientPool = (databaseUrl: string, connectWithinMs: number): pg.Pool =>
  new pg.Pool({
    ...connectionOptions(databaseUrl, connectWithinMs, { statement_timeout: '600000' }),
    query_timeout: 610_000,
    max: 2,
  });

/** Whether Postgres answers at all. */
export function isReachable(pool: pg.Pool): Promise<boolean> {
  return pool.query('SELECT 1').then(
    () => true,
    () => false,
  );
}

/** The time of Postgres now. */
export async function findDatabaseTime(db: Queryable): Promise<Date> {
  const { rows } = await db.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  return rows[0]?.now ?? new Date(Number.NaN);
}

/** Runs `work` in one Postgres transaction. */
export const inTransaction = <T>(pool: pg.Pool, work: (trx: pg.PoolClient) => Promise<T>): Promise<T> =>
  onConnection(pool, async (client) => {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  });

/**
 * Lends a connection to `work`, which begins a transaction and commits it; one that failed is rolled back. A
 * connection whose state is not known (a time-out, a broken socket) is thrown away, never handed to the next
 * request.
 */
export async function onConnection<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  try {
    const result = await work(client);
    client.release();
    return result;
  } catch (error) {
    const usable =
      sqlState(error) !== null &&
      (await client.query('ROLLBACK').then(
        () => true,
        () => false,
      ));
    client.release(!usable);
    throw error;
  }
}

/** The SQLSTATE of an error that Postgres itself answered, else null (a broken connection, a time-out, a bug). */
export function sqlState(error: unknown): string | null {
  return error instanceof pg.DatabaseError ? (error.code ?? null) : null;
}

/** SQLSTATEs that the code knows what to do about. */
export const SQLSTATE = {
  uniqueViolation: '23505',
  lockNotAvailable: '55P03',
  deadlock: '40P01',
  serialization: '40001',
} as const;

/**
 * Settings under which a plan that was made on an empty table stays right when it has grown: rows are found by an
 * index or not at all.
 */
export const PLANS_THAT_LAST = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_bitmapscan: 'off',
};

/**
 * True if the cause of an error is not the request: the database is away, overloaded, or did not answer in time.
 */
export function isOutage(error: unknown): boolean {
  const state = sqlState(error);
  if (state === null) return isNativeError(error) && OUTAGE.test(`${codeOf(error)} ${error.message}`);
  // 08 connection, 53 resources, 57 operator intervention, 58 system, 55P03 lock, 40 conflict, 25006 read-only.
  return /^(08|53|57|58|40|55P03|25006)/.test(state);
}

/** A host with several addresses fails with an AggregateError: a code, and no message at all. */
const codeOf = (error: Error): string => ('code' in error ? String(error.code) : '');
const OUTAGE =
  /connect|timeout|timed out|terminated|ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|closed|Client was closed|not queryable/i;
