/** The status of a partner, in the schema `platform`. It changes only as the state machine allows (D37, R19). */
import { PARTNER_MACHINE, type PartnerStatus, type PartnerTrigger } from '../../domain/partners';
import type { Queryable } from '../pg/postgres';

/**
 * Changes the status of a partner. A second call is harmless: only a status that has this trigger changes.
 * @returns the new status, or null if nothing has changed.
 */
export async function movePartner(
  db: Queryable,
  partnerId: string,
  trigger: PartnerTrigger,
): Promise<PartnerStatus | null> {
  const moved = await db.query<{ status: PartnerStatus }>(
    `UPDATE platform.partners AS p SET status = m.after
       FROM unnest($2::text[], $3::text[]) AS m(before, after)
      WHERE p.id = $1 AND p.status = m.before RETURNING p.status`,
    [partnerId, ...movesBy(trigger)],
  );
  return moved.rows[0]?.status ?? null;
}

/** When the suspension began that is in force; null where the partner is not suspended. */
export async function suspendedSince(db: Queryable, partnerId: string): Promise<Date | null> {
  const { rows } = await db.query<{ suspended_at: Date }>(
    "SELECT suspended_at FROM platform.partners WHERE id = $1 AND status = 'suspended'",
    [partnerId],
  );
  return rows[0]?.suspended_at ?? null;
}

/**
 * Makes a partner active again that was suspended at this time. The same call again changes nothing.
 * @returns false when the partner is neither suspended nor active by now, or was suspended anew.
 */
export async function reinstatePartner(
  db: Queryable,
  partnerId: string,
  suspendedAt: Date,
): Promise<boolean> {
  const [before, [after]] = movesBy('reinstate');
  const { rowCount } = await db.query(
    'UPDATE platform.partners SET status = $3 WHERE id = $1 AND suspended_at = $2 AND status = ANY($4)',
    [partnerId, suspendedAt, after, [...before, after]],
  );
  return rowCount === 1;
}

/**
 * Lets the status follow a move of the partner's live compliance record. The row remembers the number of the last
 * move that it has followed, so a second call changes nothing, whatever an operator has done in between.
 */
export async function followMove(
  db: Queryable,
  partnerId: string,
  trigger: PartnerTrigger,
  sequence: number,
): Promise<void> {
  await db.query(
    `UPDATE platform.partners AS p SET moves_followed = $4, status = coalesce(
       (SELECT m.after FROM unnest($2::text[], $3::text[]) AS m(before, after) WHERE m.before = p.status), p.status)
      WHERE p.id = $1 AND p.moves_followed < $4`,
    [partnerId, ...movesBy(trigger), sequence],
  );
}

/** The statuses before and after each move that the trigger makes. */
function movesBy(trigger: PartnerTrigger): [before: PartnerStatus[], after: PartnerStatus[]] {
  const rows = PARTNER_MACHINE.filter((row) => row[1] === trigger);
  return [rows.map(([before]) => before), rows.map(([, , after]) => after)];
}
