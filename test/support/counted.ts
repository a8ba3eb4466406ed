/** Work whose reads and writes are counted: Postgres' counters show what other connections did a second later. */
import pg from 'pg';
import { connectionOptions } from '../../src/db/pg/postgres';
import { openTestCell, type TestCell } from './cell';
import { asLogin } from './logins';

export interface CountedCell {
  test: TestCell;
  /** A pool of one connection. */
  pool: pg.Pool;
  /** What Postgres has counted of the connection's work until now. */
  counted: TestCell['sql'];
  close: () => Promise<void>;
}

/** Opens a database of its own, so that no other work is counted. */
export async function openCountedCell(): Promise<CountedCell> {
  const test = await openTestCell();
  const pool = new pg.Pool({ ...connectionOptions(asLogin(test.url, 'sandbox_worker'), 10_000), max: 1 });
  return {
    test,
    pool,
    async counted(text, values) {
      await pool.query('SELECT pg_stat_force_next_flush()');
      return test.sql(text, values);
    },
    async close() {
      await pool.end();
      await test.close();
    },
  };
}
