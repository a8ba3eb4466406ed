/** When what people must do again and again was last done (`domain/chores.ts`). */
import { CHORE_NAMES, type Chore } from '../../domain/chores';
import type { Queryable } from '../pg/postgres';

/**
 * Notes that it was done. A second note of the same moment changes nothing, and the newest moment counts.
 * @param at of which moment it is: of the data of a backup, or of the end of the trail.
 * @param by what has done it, such as `npm run backup`.
 */
export async function noteChore(db: Queryable, chore: Chore, at: Date, by: string): Promise<void> {
  await db.query(`INSERT INTO platform.chores (chore, at, by) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`, [
    chore,
    at,
    by,
  ]);
}

/** How old the newest one is, in seconds; since the platform was set up where there is none yet. */
export async function choreAges(db: Queryable): Promise<ReadonlyMap<Chore, number>> {
  const { rows } = await db.query<{ chore: Chore; age: number }>(
    `SELECT chore, greatest(0, extract(epoch FROM clock_timestamp() - max(at)))::float8 AS age
       FROM platform.chores WHERE chore = ANY($1) GROUP BY chore`,
    [CHORE_NAMES],
  );
  return new Map(rows.map(({ chore, age }) => [chore, age]));
}
