/**
 * Compliance records: a request is kept first, and then applied once under the lock of the record. The moves that
 * it makes are numbered, so that the partner's own status can follow them later, in their order.
 */
import {
  COMPLIANCE_MACHINE,
  freshCompliance,
  progress,
  type BusinessType,
  type ComplianceAsk,
  type ComplianceRecord,
  type ComplianceRequest,
  type ComplianceStatus,
  type ComplianceTrigger,
  type StoredDirector,
} from '../../domain/compliance';
import { present } from '../../domain/assert';
import { isOld, NOT_ORDERED, TOO_OLD } from '../../domain/hand-orders';
import { sources } from '../../domain/machine';
import { done, refuse, type Outcome } from '../../domain/outcome';
import { FIRST_UUID } from '../pg/ids';
import { inTransaction, type Cell, type Queryable } from '../pg/postgres';

interface RecordRow {
  partner_id: string;
  status: ComplianceStatus;
  cac_number: string;
  business_type: BusinessType | '';
  terms_version: string;
  terms_accepted_at: Date | null;
  aml_policy_accepted_at: Date | null;
  dpa_accepted_at: Date | null;
  directors_set_id: string | null;
  directors_submitted_at: Date | null;
  use_case_description: string;
  rejection_reason: string | null;
  reviewer: string | null;
  moves: number;
}

const toRecord = (row: RecordRow): ComplianceRecord => ({
  partnerId: row.partner_id,
  status: row.status,
  cacNumber: row.cac_number,
  businessType: row.business_type,
  termsVersion: row.terms_version,
  termsAcceptedAt: row.terms_accepted_at,
  amlPolicyAcceptedAt: row.aml_policy_accepted_at,
  dpaAcceptedAt: row.dpa_accepted_at,
  directorsSetId: row.directors_set_id,
  directorsSubmittedAt: row.directors_submitted_at,
  useCaseDescription: row.use_case_description,
  rejectionReason: row.rejection_reason,
  reviewer: row.reviewer,
  moves: row.moves,
});

/** The partners that have submitted something, a page in the order of their ids. */
export async function partnersWithRecord(
  cell: Cell,
  page: { afterId: string | null; limit: number; among?: readonly string[] },
): Promise<string[]> {
  const { rows } = await cell.pool.query<{ partner_id: string }>(
    `SELECT partner_id FROM ${cell.schema}.compliance_records
      WHERE partner_id > $1 AND ($3::uuid[] IS NULL OR partner_id = ANY($3)) ORDER BY partner_id LIMIT $2`,
    [page.afterId ?? FIRST_UUID, page.limit, page.among ?? null],
  );
  return rows.map((row) => row.partner_id);
}

/** The record, or a new one if nothing was ever submitted. */
export async function findCompliance(cell: Cell, partnerId: string): Promise<ComplianceRecord> {
  const { rows } = await cell.pool.query<RecordRow>(
    `SELECT * FROM ${cell.schema}.compliance_records WHERE partner_id = $1`,
    [partnerId],
  );
  return rows[0] ? toRecord(rows[0]) : freshCompliance(partnerId);
}

/**
 * Keeps a request before the workflow is told of it. A request that is kept and never applied has no effect, and one
 * that was kept before stays as it is.
 */
export async function keepComplianceRequest(
  cell: Cell,
  request: { id: string; partnerId: string; actor: string; ask: ComplianceAsk },
  directors: readonly StoredDirector[],
): Promise<void> {
  const { kind, ...content } = request.ask;
  const values = [request.id, request.partnerId, kind, JSON.stringify(content), request.actor];
  await inTransaction(cell.pool, async (trx) => {
    await trx.query(
      `INSERT INTO ${cell.schema}.compliance_requests (id, partner_id, kind, content, actor)
       VALUES ($1, $2, $3, $4, $5) ON CONFLICT (id) DO NOTHING`,
      values,
    );
    await trx.query(
      `INSERT INTO ${cell.schema}.directors
         (id, set_id, partner_id, position, full_name, role, bvn_sealed, nin_sealed)
       SELECT v.id, $1, $2, v.position, v.full_name, v.role, v.bvn_sealed, v.nin_sealed
         FROM unnest($3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[])
              WITH ORDINALITY AS v(id, full_name, role, bvn_sealed, nin_sealed, position)`,
      [
        request.id,
        request.partnerId,
        directors.map((director) => director.id),
        directors.map((director) => director.fullName),
        directors.map((director) => director.role),
        directors.map((director) => director.bvnSealed),
        directors.map((director) => director.ninSealed),
      ],
    );
  });
}

/**
 * Keeps the request that takes back what was submitted since a time, or all where it is null. A second call changes nothing.
 * @param id made of the proof that takes it back.
 * @returns false when nothing was submitted that is not taken back already.
 */
export async function keepWithdrawal(
  cell: Cell,
  asked: { id: string; partnerId: string; since: Date | null },
): Promise<boolean> {
  const { rows } = await cell.pool.query<{ is_kept: boolean }>(
    `SELECT ${cell.schema}.keep_withdrawal($1, $2, $3) AS is_kept`,
    [asked.id, asked.partnerId, asked.since],
  );
  return rows[0]?.is_kept ?? false;
}

/** The directors of one request, in the order in which they came. */
export async function listDirectors(db: Queryable, schema: string, setId: string): Promise<StoredDirector[]> {
  const { rows } = await db.query<{
    id: string;
    full_name: string;
    role: string;
    bvn_sealed: string | null;
    nin_sealed: string | null;
  }>(`SELECT * FROM ${schema}.directors WHERE set_id = $1 ORDER BY position`, [setId]);
  return rows.map((row) => ({
    id: row.id,
    fullName: row.full_name,
    role: row.role,
    bvnSealed: row.bvn_sealed,
    ninSealed: row.nin_sealed,
  }));
}

/**
 * Applies a kept request in one commit: the record along its machine, and the move that it made. A second call is
 * harmless: a request that has made its move makes no other.
 * @param alongside what else is written in the commit that applies the request.
 * @returns the record; or refused: by the machine, or FORBIDDEN where the partner has kept no such request lately.
 */
export async function applyComplianceRequest(
  cell: Cell,
  partnerId: string,
  requestId: string,
  alongside: (trx: Queryable, request: ComplianceRequest) => Promise<void>,
): Promise<Outcome<ComplianceRecord>> {
  const { schema } = cell;
  return inTransaction(cell.pool, async (trx): Promise<Outcome<ComplianceRecord>> => {
    await trx.query(
      `INSERT INTO ${schema}.compliance_records (partner_id) VALUES ($1) ON CONFLICT DO NOTHING`,
      [partnerId],
    );
    const locked = await trx.query<RecordRow>(
      `SELECT * FROM ${schema}.compliance_records WHERE partner_id = $1 FOR UPDATE`,
      [partnerId],
    );
    const before = toRecord(present(locked.rows[0], 'the compliance record'));
    if (await hasMoved(trx, schema, requestId)) return done(before);
    const found = await findRequest(trx, schema, partnerId, requestId);
    if (!found) return NOT_ORDERED;
    const { request, now, isTakenBack } = found;
    if (isTakenBack) return TAKEN_BACK;
    // What was submitted under an unproved address is taken back however long nothing worked.
    if (request.ask.kind !== 'withdraw' && isOld(request.askedAt, now)) return TOO_OLD;
    const progressed = progress(before, request);
    if (!progressed.ok) return progressed;
    const { record, trigger } = progressed.value;
    await writeRecord(trx, schema, record, trigger);
    await trx.query(
      `INSERT INTO ${schema}.compliance_moves
         (request_id, partner_id, sequence, trigger, from_status, to_status) VALUES ($1, $2, $3, $4, $5, $6)`,
      [requestId, partnerId, record.moves, trigger, before.status, record.status],
    );
    await alongside(trx, request);
    return done(record);
  });
}

/** The request was kept before everything was taken back, by whoever was able to submit then. */
const TAKEN_BACK = refuse('FORBIDDEN', { message: 'What was asked then was taken back' });

/** Whether a request has been applied, for a caller who did not get the answer. */
export const wasApplied = (cell: Cell, requestId: string): Promise<boolean> =>
  hasMoved(cell.pool, cell.schema, requestId);

async function hasMoved(db: Queryable, schema: string, requestId: string): Promise<boolean> {
  const { rowCount } = await db.query(`SELECT FROM ${schema}.compliance_moves WHERE request_id = $1`, [
    requestId,
  ]);
  return rowCount === 1;
}

async function findRequest(
  trx: Queryable,
  schema: string,
  partnerId: string,
  requestId: string,
): Promise<{ request: ComplianceRequest; now: Date; isTakenBack: boolean } | null> {
  const { rows } = await trx.query<{
    kind: string;
    content: object;
    actor: string;
    asked_at: Date;
    now: Date;
    is_taken_back: boolean;
  }>(
    `SELECT r.kind, r.content, r.actor, r.asked_at, now()::timestamptz(3) AS now,
            EXISTS (SELECT FROM ${schema}.compliance_moves m JOIN ${schema}.compliance_requests w ON w.id = m.request_id
                     WHERE m.partner_id = $2 AND m.trigger = 'withdraw' AND w.asked_at >= r.asked_at) AS is_taken_back
       FROM ${schema}.compliance_requests r WHERE r.id = $1 AND r.partner_id = $2`,
    [requestId, partnerId],
  );
  if (!rows[0]) return null;
  const { kind, content, actor, asked_at: askedAt, now } = rows[0];
  const ask = { kind, ...content } as ComplianceAsk;
  const isTakenBack = rows[0].is_taken_back;
  return { request: { id: requestId, partnerId, actor, ask, askedAt }, now, isTakenBack };
}

async function writeRecord(
  trx: Queryable,
  schema: string,
  record: ComplianceRecord,
  trigger: ComplianceTrigger,
): Promise<void> {
  const written = await trx.query(
    `UPDATE ${schema}.compliance_records
        SET status = $3, cac_number = $4, business_type = $5, terms_version = $6, terms_accepted_at = $7,
            aml_policy_accepted_at = $8, dpa_accepted_at = $9, directors_set_id = $10,
            directors_submitted_at = $11, use_case_description = $12, rejection_reason = $13, reviewer = $14,
            moves = $15, updated_at = now()
      WHERE partner_id = $1 AND status = ANY($2)`,
    [
      record.partnerId,
      sources(COMPLIANCE_MACHINE, trigger),
      record.status,
      record.cacNumber,
      record.businessType,
      record.termsVersion,
      record.termsAcceptedAt,
      record.amlPolicyAcceptedAt,
      record.dpaAcceptedAt,
      record.directorsSetId,
      record.directorsSubmittedAt,
      record.useCaseDescription,
      record.rejectionReason,
      record.reviewer,
      record.moves,
    ],
  );
  if (written.rowCount !== 1) throw new Error(`bug: the locked record has no status that ${trigger} moves`);
}

/** A move of a record, with its place among the moves of its partner. */
interface MoveToFollow {
  trigger: ComplianceTrigger;
  sequence: number;
}

/** The moves that the partner's own status has not followed yet, oldest first. */
export async function movesToFollow(
  db: Queryable,
  schema: string,
  partnerId: string,
): Promise<MoveToFollow[]> {
  const { rows } = await db.query<MoveToFollow>(
    `SELECT m.trigger, m.sequence FROM ${schema}.compliance_moves m JOIN ${schema}.compliance_records r USING (partner_id)
      WHERE partner_id = $1 AND m.sequence > r.followed ORDER BY m.sequence`,
    [partnerId],
  );
  return rows;
}

/**
 * Makes the partner's status follow the moves that it has not followed yet, in their order, under the lock of the
 * record. The status may lie on another server, so it is written first, and the note here after it. After a crash
 * in between, a second call hands over the same moves, and whoever follows them knows their numbers.
 */
export async function followMoves(
  cell: Cell,
  partnerId: string,
  follow: (move: MoveToFollow) => Promise<void>,
): Promise<void> {
  const { schema } = cell;
  await inTransaction(cell.pool, async (trx) => {
    await trx.query(`SELECT FROM ${schema}.compliance_records WHERE partner_id = $1 FOR UPDATE`, [partnerId]);
    for (const move of await movesToFollow(trx, schema, partnerId)) await follow(move);
    await trx.query(
      `UPDATE ${schema}.compliance_records SET followed = moves WHERE partner_id = $1 AND followed < moves`,
      [partnerId],
    );
  });
}
