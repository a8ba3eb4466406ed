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
  const rows = PARTNER_MACHINE.filter((row) => row[1] === trigger);
  const moved = await db.query<{ status: PartnerStatus }>(
    `UPDATE platform.partners AS p SET status = m.after
       FROM unnest($2::text[], $3::text[]) AS m(before, after)
      WHERE p.id = $1 AND p.status = m.before RETURNING p.status`,
    [partnerId, rows.map(([before]) => before), rows.map(([, , after]) => after)],
  );
  return moved.rows[0]?.status ?? null;
}
