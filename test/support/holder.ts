/** Another connection with an open transaction, like a second process or an operator at a prompt. */
import type pg from 'pg';
import { SANDBOX_CELL } from '../setup/cells';

export interface Holder {
  /** Begins a transaction, runs the statement in it, and leaves it open. */
  begin(text: string, values: unknown[]): Promise<void>;
  /** Begins a transaction that locks one row of the sandbox's test cell. */
  hold(table: 'accounts' | 'transactions' | 'qr_requests', id: string): Promise<void>;
  /** Ends the transaction; harmless when none is open. */
  end(how: 'COMMIT' | 'ROLLBACK'): Promise<void>;
  close(): Promise<void>;
}

/** Takes a connection out of the pool for the holder, which the caller must close. */
export async function openHolder(pool: pg.Pool): Promise<Holder> {
  const client = await pool.connect();
  const begin = async (text: string, values: unknown[]): Promise<void> => {
    await client.query('BEGIN');
    await client.query(text, values);
  };
  const end = async (how: string): Promise<void> => {
    await client.query(how);
  };
  return {
    begin,
    hold: (table, id) => begin(`SELECT FROM ${SANDBOX_CELL}.${table} WHERE id = $1 FOR UPDATE`, [id]),
    end,
    async close() {
      await end('ROLLBACK');
      client.release();
    },
  };
}
