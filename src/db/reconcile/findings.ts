/** The findings of the reconciliation: one open row for each class and resource. Closed rows are kept for ever. */
import type { Finding, FindingClass } from '../../domain/findings';
import { newId } from '../pg/ids';
import type { Queryable } from '../pg/postgres';

/** Writes findings. For a finding that is open already, only the time at which it was last seen changes. */
export async function recordFindings(
  db: Queryable,
  schema: string,
  findings: readonly Finding[],
): Promise<void> {
  if (findings.length === 0) return;
  // One statement may not touch a row twice.
  const once = new Map(findings.map((finding) => [`${finding.class} ${finding.resource}`, finding]));
  const rows = [...once.values()];
  await db.query(
    `INSERT INTO ${schema}.recon_findings (id, class, resource, detail)
     SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::json[])
     ON CONFLICT (class, resource) WHERE closed_at IS NULL
       DO UPDATE SET last_seen = now(), detail = excluded.detail`,
    [
      rows.map(() => newId()),
      rows.map((finding) => finding.class),
      rows.map((finding) => finding.resource),
      rows.map((finding) => JSON.stringify(finding.detail)),
    ],
  );
}

/** Closes findings whose resource was looked at again and is all right now. One with money closes when the money has gone. */
export async function closeFindings(
  db: Queryable,
  schema: string,
  gone: readonly Pick<Finding, 'class' | 'resource'>[],
): Promise<void> {
  if (gone.length === 0) return;
  await db.query(
    `UPDATE ${schema}.recon_findings f SET closed_at = now()
       FROM unnest($1::text[], $2::text[]) AS v(class, resource)
      WHERE f.class = v.class AND f.resource = v.resource AND f.closed_at IS NULL AND coalesce(f.kobo, 0) = 0`,
    [gone.map((one) => one.class), gone.map((one) => one.resource)],
  );
}

/**
 * The resources with open findings of these classes. Those that were not looked at for the longest time come
 * first.
 */
export async function openFindings(
  db: Queryable,
  schema: string,
  classes: readonly FindingClass[],
  limit: number,
): Promise<Pick<Finding, 'class' | 'resource'>[]> {
  const { rows } = await db.query<{ class: FindingClass; resource: string }>(
    `SELECT class, resource FROM ${schema}.recon_findings
      WHERE closed_at IS NULL AND class = ANY($1) ORDER BY last_seen LIMIT $2`,
    [classes, limit],
  );
  return rows;
}

/**
 * The findings about rows that are still there, and of partners that are not being reset: a reset takes a
 * partner's rows one after the other, which looks like damage while it lasts. It is called after the check that
 * found them.
 */
export async function withoutResets(
  db: Queryable,
  schema: string,
  findings: readonly Finding[],
): Promise<Finding[]> {
  if (findings.length === 0) return [];
  const { rows } = await db.query<{ id: string }>(
    `SELECT id FROM (
       SELECT id, partner_id FROM ${schema}.transactions WHERE id = ANY($1)
       UNION ALL SELECT id, partner_id FROM ${schema}.accounts WHERE id = ANY($1)
       UNION ALL SELECT id, partner_id FROM ${schema}.ussd_sessions WHERE id = ANY($1)) AS found
      WHERE NOT EXISTS (
        SELECT FROM ${schema}.partner_epochs p WHERE p.partner_id = found.partner_id AND p.resetting)`,
    [findings.map(({ resource }) => resource)],
  );
  const there = new Set(rows.map(({ id }) => id));
  return findings.filter(({ resource }) => there.has(resource));
}
