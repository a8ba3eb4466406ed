/** Operators' proposals and their approvals. Each move is guarded under the proposal's lock, and counted by Postgres. */
import type pg from 'pg';
import { present } from '../../domain/assert';
import { next, sources } from '../../domain/machine';
import type { EnvironmentName } from '../../domain/partners';
import {
  approval,
  PROPOSAL_MACHINE,
  PROPOSALS,
  type Person,
  type Proposal,
  type ProposalKind,
  type ProposalOf,
  type ProposalStatus,
  type ProposalTrigger,
} from '../../domain/proposals';
import type { Place } from '../pg/walks';
import { inTransaction, type Queryable } from '../pg/postgres';

interface ProposalRow {
  id: string;
  kind: ProposalKind;
  environment: EnvironmentName;
  partner_id: string | null;
  terms: string;
  status: ProposalStatus;
  refusal: string | null;
  proposer: Person;
  approvers: Person[];
  created_at: Date;
  updated_at: Date;
  expires_at: Date;
}

const toProposal = (row: ProposalRow): Proposal =>
  ({
    id: row.id,
    kind: row.kind,
    environment: row.environment,
    partnerId: row.partner_id,
    terms: JSON.parse(row.terms) as unknown,
    status: row.status,
    refusal: row.refusal,
    proposedBy: row.proposer,
    approvedBy: row.approvers,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    expiresAt: row.expires_at,
  }) as Proposal;

/** A proposal expires by the clock of the database, without anybody writing it. */
const STATUS = `CASE WHEN a.status = 'proposed' AND a.expires_at <= now() THEN 'expired' ELSE a.status END`;

const SELECT = `SELECT a.id, a.kind, a.environment, a.partner_id, a.terms, ${STATUS} AS status, a.refusal,
    a.created_at, a.updated_at, a.expires_at, jsonb_build_object('id', p.id, 'name', p.name) AS proposer,
    coalesce((SELECT jsonb_agg(jsonb_build_object('id', o.id, 'name', o.name) ORDER BY v.approved_at, o.id)
                FROM platform.proposal_approvals v JOIN platform.operators o ON o.id = v.operator_id
               WHERE v.proposal_id = a.id), '[]') AS approvers
  FROM platform.proposals a JOIN platform.operators p ON p.id = a.proposed_by`;

/** Writes a proposal. Every call makes another one; a second one for the same thing finds it done when applied. */
export async function insertProposal<Kind extends ProposalKind>(
  db: Queryable,
  asked: Pick<ProposalOf<Kind>, 'id' | 'kind' | 'environment' | 'terms'> & { partnerId: string | null },
  proposedBy: string,
): Promise<void> {
  const { id, kind, environment, partnerId, terms } = asked;
  await db.query(
    `INSERT INTO platform.proposals (id, kind, approvals_needed, environment, partner_id, terms, proposed_by)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [id, kind, PROPOSALS[kind].approvals, environment, partnerId, JSON.stringify(terms), proposedBy],
  );
}

export async function findProposal(db: Queryable, id: string): Promise<Proposal | null> {
  const { rows } = await db.query<ProposalRow>(`${SELECT} WHERE a.id = $1`, [id]);
  return rows[0] ? toProposal(rows[0]) : null;
}

/** One page of the proposals of both environments, newest first. */
export async function listProposals(
  db: Queryable,
  page: { status: ProposalStatus | null; kind: ProposalKind | null; after: Place | null; limit: number },
): Promise<Proposal[]> {
  const { rows } = await db.query<ProposalRow>(
    `${SELECT} WHERE ($1::text IS NULL OR ${STATUS} = $1) AND ($2::text IS NULL OR a.kind = $2)
        AND ($3::timestamptz IS NULL OR (a.created_at, a.id) < ($3, $4))
      ORDER BY a.created_at DESC, a.id DESC LIMIT $5`,
    [page.status, page.kind, page.after?.createdAt ?? null, page.after?.id ?? null, page.limit],
  );
  return rows.map(toProposal);
}

/**
 * Adds one person's approval. Parallel approvals wait for each other at the row, so each is counted once, and the
 * last one that is needed makes it `approved` exactly once. The same approval again changes nothing.
 */
export function approveProposal(
  pool: pg.Pool,
  id: string,
  operatorId: string,
): Promise<{ answer: ReturnType<typeof approval>; proposal: Proposal }> {
  return inTransaction(pool, async (trx) => {
    const proposal = await locked(trx, id);
    const answer = approval(proposal, operatorId);
    if (answer !== 'counts') return { answer, proposal };
    await trx.query(
      `INSERT INTO platform.proposal_approvals (proposal_id, proposed_by, operator_id, approved_at)
       VALUES ($1, $2, $3, clock_timestamp())`,
      [id, proposal.proposedBy.id, operatorId],
    );
    if (proposal.approvedBy.length + 1 >= PROPOSALS[proposal.kind].approvals) {
      await moveProposal(trx, id, 'approve');
    }
    return { answer, proposal: await locked(trx, id) };
  });
}

async function locked(trx: Queryable, id: string): Promise<Proposal> {
  // The row is locked first by itself: a join would show approvals from before the wait.
  await trx.query('SELECT FROM platform.proposals WHERE id = $1 FOR UPDATE', [id]);
  const { rows } = await trx.query<ProposalRow>(`${SELECT} WHERE a.id = $1`, [id]);
  return toProposal(present(rows[0], 'the proposal'));
}

/**
 * Moves a proposal along its machine; a move that its state does not allow changes nothing.
 * @param refusal the code of the platform's answer, with the trigger `refuse` alone.
 * @returns whether it moved.
 */
export async function moveProposal(
  db: Queryable,
  id: string,
  trigger: Exclude<ProposalTrigger, 'expire'>,
  refusal: string | null = null,
): Promise<boolean> {
  const from = sources(PROPOSAL_MACHINE, trigger);
  const to = present(next(PROPOSAL_MACHINE, present(from[0], 'a source'), trigger), 'a target');
  const { rowCount } = await db.query(
    `UPDATE platform.proposals a SET status = $2, refusal = $3, updated_at = now()
      WHERE a.id = $1 AND ${STATUS} = ANY($4)`,
    [id, to, refusal, from],
  );
  return rowCount === 1;
}
