/** Breaks books as no program of ours could, for the tests of those who look for that. */
import type pg from 'pg';
import { SANDBOX_CELL } from '../setup/cells';

/** Runs statements in the sandbox's cell past every trigger, foreign key and check of balances. */
export async function pastChecks(owner: pg.Pool, statements: readonly string[]): Promise<void> {
  const client = await owner.connect();
  try {
    await client.query(`SET search_path = ${SANDBOX_CELL}; SET session_replication_role = replica`);
    for (const statement of statements) await client.query(statement);
  } finally {
    client.release(true);
  }
}
