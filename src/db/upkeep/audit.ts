/**
 * The operators' trail: a chain of rows, each sealed with an HMAC over the one before it and its own content. The
 * key is not in the database, so somebody who can write to the database cannot write a row that fits (G35).
 */
import { createHmac } from 'node:crypto';
import type pg from 'pg';
import type { AuditEntry, AuditPhase, AuditRow } from '../../domain/audit';
import { inTransaction, type Queryable } from '../pg/postgres';

interface AuditTableRow {
  sequence: number;
  at: Date;
  request_id: string;
  operator_id: string;
  operator_name: string;
  action: string;
  resource: string;
  phase: AuditPhase;
  detail: string;
  hash: Buffer;
}

/** The seal of a row that follows `before`. */
function sealOf(key: Buffer, before: Buffer, row: Omit<AuditTableRow, 'hash'>): Buffer {
  const content = JSON.stringify([
    row.sequence,
    row.at.toISOString(),
    row.request_id,
    row.operator_id,
    row.operator_name,
    row.action,
    row.resource,
    row.phase,
    row.detail,
  ]);
  return createHmac('sha256', key).update(before).update(content).digest();
}

/**
 * Appends one row. Writers wait for each other at the lock on the end of the chain.
 * @returns the row's number and seal, to be noted outside the database.
 */
export function appendAudit(
  pool: pg.Pool,
  key: Buffer,
  entry: AuditEntry,
): Promise<{ sequence: number; hash: string }> {
  return inTransaction(pool, async (trx) => {
    const { rows } = await trx.query<{ sequence: number; hash: Buffer; at: Date }>(
      'SELECT sequence, hash, clock_timestamp()::timestamptz(3) AS at FROM platform.audit_head FOR UPDATE',
    );
    const [end] = rows;
    if (!end) throw new Error('the end of the audit trail is gone');
    const row = {
      sequence: end.sequence + 1,
      at: end.at,
      request_id: entry.requestId,
      operator_id: entry.operator.id,
      operator_name: entry.operator.name,
      action: entry.action,
      resource: entry.resource,
      phase: entry.phase,
      detail: JSON.stringify(entry.detail),
    };
    const hash = sealOf(key, end.hash, row);
    const values = [...Object.values(row), hash];
    await trx.query(
      `INSERT INTO platform.audit (${Object.keys(row).join(', ')}, hash)
       VALUES (${values.map((_, index) => `$${index + 1}`).join(', ')})`,
      values,
    );
    await trx.query('UPDATE platform.audit_head SET sequence = $1, hash = $2', [row.sequence, hash]);
    return { sequence: row.sequence, hash: hash.toString('hex') };
  });
}

/** The result of a check: the chain is whole, or its first broken row is this one. */
export type AuditVerdict =
  { ok: true; rows: number; hash: string } | { ok: false; sequence: number; why: string };

const ROWS_AT_ONCE = 1_000;

/**
 * Checks the chain from its beginning.
 * @returns the first row that was changed, is missing, or was put in; rows and last seal of a whole chain.
 */
export async function verifyAudit(db: Queryable, key: Buffer): Promise<AuditVerdict> {
  // The end is read before the rows, so rows that are appended meanwhile come after it.
  const head = await db.query<{ sequence: number; hash: Buffer }>(
    'SELECT sequence::float8 AS sequence, hash FROM platform.audit_head',
  );
  const [end] = head.rows;
  if (!end) return { ok: false, sequence: 0, why: 'the end of the chain is gone' };
  let before: Buffer = Buffer.alloc(32);
  let last = 0;
  for (;;) {
    const { rows } = await db.query<AuditTableRow>(
      `SELECT sequence::float8 AS sequence, at, request_id, operator_id, operator_name, action, resource, phase,
              detail, hash
         FROM platform.audit WHERE sequence > $1 ORDER BY sequence LIMIT $2`,
      [last, ROWS_AT_ONCE],
    );
    if (rows.length === 0) break;
    for (const { hash, ...row } of rows) {
      if (row.sequence !== last + 1) {
        return { ok: false, sequence: last + 1, why: 'the row is missing' };
      }
      if (!sealOf(key, before, row).equals(hash)) {
        return { ok: false, sequence: row.sequence, why: 'the row was changed or put in' };
      }
      if (row.sequence === end.sequence && !hash.equals(end.hash)) {
        return { ok: false, sequence: row.sequence, why: 'the row is not the one the chain ended with' };
      }
      before = hash;
      last = row.sequence;
    }
  }
  if (last < end.sequence) return { ok: false, sequence: last + 1, why: 'the row is missing' };
  return { ok: true, rows: last, hash: before.toString('hex') };
}

/** The trail, newest first, from a row on. */
export async function listAudit(
  db: Queryable,
  page: { before: number | null; limit: number },
): Promise<AuditRow[]> {
  const { rows } = await db.query<AuditTableRow>(
    `SELECT * FROM platform.audit WHERE $1::bigint IS NULL OR sequence < $1 ORDER BY sequence DESC LIMIT $2`,
    [page.before, page.limit],
  );
  return rows.map((row) => ({
    sequence: row.sequence,
    at: row.at,
    requestId: row.request_id,
    operator: { id: row.operator_id, name: row.operator_name },
    action: row.action,
    resource: row.resource,
    phase: row.phase,
    detail: JSON.parse(row.detail) as Record<string, unknown>,
  }));
}
