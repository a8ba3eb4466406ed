/** Damages books in ways that no program of the platform can, for the tests of the audit and of reconciliation. */
import type pg from 'pg';
import { SANDBOX_CELL } from '../setup/cells';

/** The same for one statement whose values stand in it, in a transaction of its own. */
export const unchecked = (statement: string): string =>
  `BEGIN; SET LOCAL session_replication_role = replica; ${statement}; COMMIT`;

/** Runs statements in the sandbox's cell with every trigger and foreign key switched off. */
export async function pastChecks(
  owner: pg.Pool,
  statements: readonly (string | pg.QueryConfig)[],
): Promise<void> {
  const client = await owner.connect();
  try {
    await client.query(`SET search_path = ${SANDBOX_CELL}; SET session_replication_role = replica`);
    for (const statement of statements) await client.query(statement);
  } finally {
    client.release(true);
  }
}
