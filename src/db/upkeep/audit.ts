/**
 * The operators' trail: a chain of rows, each sealed with an HMAC over the one before it and its own content. The
 * key is not in the database, so somebody who can write to the database cannot write a row that fits (G35).
 */
import { createHmac } from 'node:crypto';
import type pg from 'pg';
import type { Anchor, AuditEntry, AuditPhase, AuditRow, KeptSeal } from '../../domain/audit';
import { keyId } from '../../secrets/key-id';
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
  key_id: string;
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
    row.key_id,
  ]);
  return createHmac('sha256', key).update(before).update(content).digest();
}

/** The number and the seal of a row, to be noted outside the database. */
interface Noted {
  sequence: number;
  hash: string;
}

/** Appends one row in a transaction of its own. */
export const appendAudit = (pool: pg.Pool, key: Buffer, entry: AuditEntry): Promise<Noted> =>
  inTransaction(pool, (trx) => appendAuditWith(trx, key, entry));

/**
 * Appends one row inside the caller's transaction, so that it commits together with what it is about. Writers wait
 * for each other at the lock on the end of the chain.
 */
export async function appendAuditWith(trx: Queryable, key: Buffer, entry: AuditEntry): Promise<Noted> {
  const { rows } = await trx.query<{ sequence: number; hash: Buffer; at: Date }>(
    'SELECT sequence::float8 AS sequence, hash, clock_timestamp()::timestamptz(3) AS at FROM platform.audit_head FOR UPDATE',
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
    key_id: keyId(key),
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
}

/** The result of a check: the chain is whole up to this end, or its first broken row is this one. */
export type AuditVerdict = { ok: true; end: Anchor } | { ok: false; sequence: number; why: string };

const ROWS_AT_ONCE = 1_000;

/**
 * Checks the chain from its beginning (G35). The chain alone does not show that its last rows were cut off together
 * with the note of its end, or that somebody with the key wrote it anew. A seal that was kept elsewhere shows both.
 * @param keys the key of new rows and those of earlier rows. Each row names the one that sealed it.
 * @param kept the seal that must be in the trail, with its row where that is known; null if none was kept.
 * @returns the first row that was changed, is missing, or was put in; the end of a whole chain.
 */
export async function verifyAudit(
  db: Queryable,
  keys: readonly Buffer[],
  kept: KeptSeal | null = null,
): Promise<AuditVerdict> {
  // The end is read before the rows, so rows that are appended meanwhile come after it.
  const head = await db.query<{ sequence: number; hash: Buffer }>(
    'SELECT sequence::float8 AS sequence, hash FROM platform.audit_head',
  );
  const [end] = head.rows;
  if (!end) return { ok: false, sequence: 0, why: 'the end of the chain is gone' };
  const byId = new Map(keys.map((key) => [keyId(key), key]));
  let before: Buffer = Buffer.alloc(32);
  let last = 0;
  let isKeptSeen = kept === null || isSealOf(kept, last, before);
  for (;;) {
    const { rows } = await db.query<AuditTableRow>(
      `SELECT sequence::float8 AS sequence, at, request_id, operator_id, operator_name, action, resource, phase,
              detail, key_id, hash
         FROM platform.audit WHERE sequence > $1 ORDER BY sequence LIMIT $2`,
      [last, ROWS_AT_ONCE],
    );
    if (rows.length === 0) break;
    for (const { hash, ...row } of rows) {
      if (row.sequence !== last + 1) {
        return { ok: false, sequence: last + 1, why: 'the row is missing' };
      }
      const key = byId.get(row.key_id);
      if (!key) return { ok: false, sequence: row.sequence, why: 'the key that it names is not known here' };
      if (!sealOf(key, before, row).equals(hash)) {
        return { ok: false, sequence: row.sequence, why: 'the row was changed or put in' };
      }
      if (row.sequence === end.sequence && !hash.equals(end.hash)) {
        return { ok: false, sequence: row.sequence, why: 'the row is not the one the chain ended with' };
      }
      before = hash;
      last = row.sequence;
      isKeptSeen ||= kept !== null && isSealOf(kept, last, before);
    }
  }
  if (last < end.sequence) return { ok: false, sequence: last + 1, why: 'the row is missing' };
  if (kept !== null && !isKeptSeen) return withoutKept(kept, last);
  return { ok: true, end: { sequence: last, seal: before.toString('hex') } };
}

const isSealOf = (kept: KeptSeal, sequence: number, hash: Buffer): boolean =>
  kept.seal === hash.toString('hex') && (kept.sequence === null || kept.sequence === sequence);

/** What it means that a chain, whole in itself, does not have a seal that it had. */
function withoutKept({ sequence }: KeptSeal, last: number): AuditVerdict {
  if (sequence === null) {
    const why = 'the kept seal is in no row: the last rows were cut off, or the trail was rewritten';
    return { ok: false, sequence: last, why };
  }
  return sequence > last
    ? { ok: false, sequence: last + 1, why: `the rows from here to ${String(sequence)} were cut off` }
    : { ok: false, sequence, why: 'the seal is not the kept one: the trail was rewritten' };
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
