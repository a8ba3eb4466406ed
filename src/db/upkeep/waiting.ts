/** What waits for a person (`domain/waiting.ts`), the oldest first. */
import { REPAIR_LIFE_MS } from '../../domain/repairs';
import { REVIEWED_STATUSES, type Waiting } from '../../domain/waiting';
import type { Cell, Queryable } from '../pg/postgres';

type InCell = Omit<Waiting, 'environment' | 'cell'>;

const REVIEWED = REVIEWED_STATUSES.map((status) => `'${status}'`).join(', ');

/** What waits in a cell. Neither companies nor payments without an owner are many. */
export async function listWaitingInCell({ pool, schema }: Cell): Promise<InCell[]> {
  const { rows } = await pool.query<InCell>(
    `SELECT 'company' AS kind, r.partner_id::text AS resource, r.partner_id AS "partnerId",
            coalesce((SELECT max(moved_at) FROM ${schema}.compliance_moves m
                       WHERE m.partner_id = r.partner_id AND trigger = 'submit'), r.updated_at) AS since
       FROM ${schema}.compliance_records r WHERE status IN (${REVIEWED})
     UNION ALL
     SELECT 'credit', resource, NULL, first_seen
       FROM ${schema}.recon_findings WHERE closed_at IS NULL AND class = 'payment_unallocated'
     UNION ALL
     SELECT 'repair', proposal_id::text, min(partner_id::text)::uuid, min(proposed_at)
       FROM ${schema}.repairs
      WHERE approved_at IS NULL AND proposed_at > now() - interval '${String(REPAIR_LIFE_MS)} milliseconds'
      GROUP BY proposal_id
      ORDER BY since, resource`,
  );
  return rows;
}

/**
 * What waits in the schema `platform`. A proposal that was approved and could not be carried out waits for the same
 * approval once more. A token belongs to both environments, and counts as live.
 * @param platform under the operators' login.
 */
export async function listWaitingOnPlatform(platform: Queryable): Promise<Waiting[]> {
  const { rows } = await platform.query<Waiting>(
    `SELECT 'proposal' AS kind, environment, 'platform' AS cell, id::text AS resource, partner_id AS "partnerId",
            created_at AS since
       FROM platform.proposals WHERE status = 'approved' OR (status = 'proposed' AND expires_at > now())
     UNION ALL
     SELECT 'operator', 'live', 'platform', id::text, NULL, created_at FROM platform.operators
      WHERE role = 'operator' AND admitted_at IS NULL AND revoked_at IS NULL AND expires_at > now()
      ORDER BY since, resource`,
  );
  return rows;
}
