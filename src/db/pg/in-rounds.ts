/**
 * A transaction in as few round trips as its decision needs: everything that is read before it is sent together,
 * and everything that is written after it is sent with COMMIT. The statements stay prepared on their connection,
 * so Postgres parses and plans each of them once.
 */
import type pg from 'pg';
import { onConnection, PLANS_THAT_LAST } from './postgres';
import { runRound, type Row, type Statement, type Step } from './round';

const BEGIN: Statement = { text: 'BEGIN' };
const COMMIT: Statement = { text: 'COMMIT' };

/** The setting holds for this transaction only; other statements of the connection are planned as usual. */
const PLANNER: Statement = {
  text: `SELECT ${Object.entries(PLANS_THAT_LAST)
    .map(([name, value]) => `set_config('${name}', '${value}', true)`)
    .join(', ')}`,
};

const opening: readonly Step[] = [BEGIN, PLANNER].map((statement) => ({ statement, values: [] }));
const closing: Step = { statement: COMMIT, values: [] };

/** The writes, in their order, and the result that they have once they are committed. */
export interface Decided<Result> {
  writes: readonly Step[];
  /** @param written the rows of each write. */
  result: (written: readonly Row[][]) => Result;
}

/**
 * Reads, decides, writes and commits: two round trips.
 * @param reads run in order, so that each sees what was committed until the reads before it had their locks.
 * @param decide gets the rows of each read; when it throws, nothing is written.
 * @throws what Postgres answered, with nothing written; without an answer it is not known whether it was.
 */
export const inTwoRounds = <Result>(
  pool: pg.Pool,
  reads: readonly Step[],
  decide: (found: readonly Row[][]) => Decided<Result>,
): Promise<Result> =>
  onConnection(pool, async (client) => {
    const found = await runRound(client, [...opening, ...reads]);
    const { writes, result } = decide(found.slice(opening.length));
    const written = await runRound(client, [...writes, closing]);
    return result(written.slice(0, writes.length));
  });

/** Writes and commits in one round trip. @returns the rows of the step. @throws as `inTwoRounds` does. */
export const inOneRound = (pool: pg.Pool, step: Step): Promise<Row[]> =>
  onConnection(pool, async (client) => {
    const rows = await runRound(client, [...opening, step, closing]);
    return rows[opening.length] ?? [];
  });

/** Makes a schema's statements once: a connection knows a statement that it has parsed by its identity. */
export function perSchema<Statements>(make: (schema: string) => Statements): (schema: string) => Statements {
  const made = new Map<string, Statements>();
  return (schema) => {
    const known = made.get(schema) ?? make(schema);
    made.set(schema, known);
    return known;
  };
}
