/** What reconciliation has found: one open row per class and resource, kept for ever once it is closed. */
import type { Finding, FindingClass } from '../domain/findings';
import { newId } from './ids';
import type { Queryable } from './postgres';

/** Writes findings; one that is open already is seen again. */
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

/** Closes what was looked at again and is not there any more. */
export async function closeFindings(
  db: Queryable,
  schema: string,
  gone: readonly Pick<Finding, 'class' | 'resource'>[],
): Promise<void> {
  if (gone.length === 0) return;
  await db.query(
    `UPDATE ${schema}.recon_findings f SET closed_at = now()
       FROM unnest($1::text[], $2::text[]) AS v(class, resource)
      WHERE f.class = v.class AND f.resource = v.resource AND f.closed_at IS NULL`,
    [gone.map((one) => one.class), gone.map((one) => one.resource)],
  );
}

/** The resources with open findings of these classes, those first that were not looked at for longest. */
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
