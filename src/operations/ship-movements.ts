/**
 * Ships the movements of an environment outside of its database, so that whoever restores it knows what was answered since the
 * backup. A line may be shipped twice, and none is left out: the place moves on only after its lines are there.
 */
import { lineKey, type MovementLine } from '../domain/movements';
import { findShippedUntil, listMovements, noteShipped, VISIBLE_WITHIN_MS } from '../db/upkeep/movements';
import { findDatabaseTime, type Cell, type Queryable } from '../db/pg/postgres';
import { writeMovementLine } from '../wire/movement-lines';

/** Where lines go. */
interface To {
  name: string;
  append(lines: readonly string[], at: Date): Promise<void>;
}

/** So many transactions of a cell are read at once. */
const ROWS_MAX = 5_000;

export interface Shipper {
  /** Ships what is new. @returns how many lines. @throws an outage of the database or of the destination; then nothing is lost. */
  ship(): Promise<number>;
}

/**
 * @param directory of the environment, which keeps the place.
 * @param startsAt where nothing was ever shipped to this destination: from then on.
 */
export function openShipper(
  db: Queryable,
  directory: string,
  cells: readonly Cell[],
  to: To,
  startsAt: Date,
): Shipper {
  /** What was shipped lately, with its time: it is read again, because a commit may show up late. */
  const shipped = new Map<string, number>();
  let until: Date | null = null;

  /** The lines of all cells in a span, in pieces that fit. */
  async function read(cell: Cell, from: Date, end: Date): Promise<MovementLine[]> {
    const found = await listMovements(cell, { from, to: end }, ROWS_MAX);
    if (found) return found;
    const middle = new Date((from.getTime() + end.getTime()) / 2);
    // A commit of a batch has one time, so a moment may have more rows than fit. Then they are read at once.
    if (middle.getTime() === from.getTime()) {
      return (await listMovements(cell, { from, to: end }, Number.MAX_SAFE_INTEGER - 1)) ?? [];
    }
    return [...(await read(cell, from, middle)), ...(await read(cell, middle, end))];
  }

  return {
    async ship() {
      until ??= (await findShippedUntil(db, directory, to.name)) ?? startsAt;
      const now = await findDatabaseTime(db);
      const from = new Date(until.getTime() - VISIBLE_WITHIN_MS);
      const found = (await Promise.all(cells.map((cell) => read(cell, from, now)))).flat();
      const fresh = found.filter((line) => !shipped.has(lineKey(line)));
      if (fresh.length > 0) await to.append(fresh.map(writeMovementLine), now);
      for (const line of fresh) shipped.set(lineKey(line), line.at.getTime());
      for (const [key, at] of shipped) if (at < now.getTime() - 2 * VISIBLE_WITHIN_MS) shipped.delete(key);
      await noteShipped(db, directory, to.name, now);
      until = now;
      return fresh.length;
    },
  };
}
