/** Compares a database that was restored with what lies outside of it about each movement. */
import type { Finding } from '../../domain/findings';
import { addLine, forgottenOf, type MovementLine, type ToldTransaction } from '../../domain/movements';
import { recordFindings } from '../reconcile/findings';
import type { Queryable } from '../pg/postgres';
import { statusesOf } from './movements';

const AT_ONCE = 1_000;

/**
 * Writes a finding for each transaction that the database has forgotten, or whose end it has forgotten. A second time finds the
 * same, and writes it to the same rows.
 * @param owner may read transactions and write findings.
 * @param cells of the environment. What lay in a cell that is not there any more is a finding of the first one.
 * @returns how many transactions were compared, and how many of them have a finding.
 */
export async function compareMovements(
  owner: Queryable,
  cells: readonly string[],
  lines: AsyncIterable<MovementLine>,
): Promise<{ compared: number; forgotten: number }> {
  const told = new Map<string, ToldTransaction>();
  for await (const line of lines) addLine(told, line);
  const all = [...told];
  let forgotten = 0;
  for (let from = 0; from < all.length; from += AT_ONCE) {
    const piece = all.slice(from, from + AT_ONCE);
    const ids = piece.map(([id]) => id);
    const has = new Map<string, string>();
    for (const cell of cells)
      for (const [id, status] of await statusesOf(owner, cell, ids)) has.set(id, status);
    const found = new Map<string, Finding[]>();
    for (const [id, one] of piece) {
      const finding = forgottenOf(id, one, has.get(id));
      if (!finding) continue;
      const cell = cells.includes(one.cell) ? one.cell : (cells[0] ?? one.cell);
      found.set(cell, [...(found.get(cell) ?? []), finding]);
    }
    for (const [cell, findings] of found) {
      await recordFindings(owner, cell, findings);
      forgotten += findings.length;
    }
  }
  return { compared: all.length, forgotten };
}
