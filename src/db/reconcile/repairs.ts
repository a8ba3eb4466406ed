/**
 * Repairs of the books: proposed by the administrator, approved by an operator, and carried out with the approval in one
 * commit. Only the owner of the schemas writes them. No program of the platform has that login.
 */
import type pg from 'pg';
import { inTransaction, type Cell, type Queryable } from '../pg/postgres';
import { isRowId } from '../../domain/hand-orders';
import { feesFor } from '../../domain/kinds';
import type { FindingClass, FindingRecord } from '../../domain/findings';
import {
  balancingPostings,
  isSameDamage,
  REPAIR_LIFE_MS,
  REPAIRED_CLASSES,
  type PlannedRepair,
} from '../../domain/repairs';
import { newId } from '../pg/ids';
import { findAccountDamage, findStepDamage, findUnbalanced } from './damage';

/** What would end a finding now; nothing where its cause is gone. */
export async function planRepair(
  db: Queryable,
  schema: string,
  { class: of, resource }: Pick<FindingRecord, 'class' | 'resource'>,
): Promise<PlannedRepair[]> {
  if (of === 'balance_mismatch' || of === 'held_mismatch') return planAccount(db, schema, resource);
  const transactions = of === 'ledger_unbalanced' ? await findUnbalanced(db, schema) : [resource];
  const planned: PlannedRepair[] = [];
  for (const id of transactions.filter(isRowId)) planned.push(...(await planSteps(db, schema, id)));
  return planned;
}

async function planSteps(db: Queryable, schema: string, id: string): Promise<PlannedRepair[]> {
  return (await findStepDamage(db, schema, id)).map((terms) => {
    const { transactionId: resource, partnerId, step } = terms;
    return { kind: 'step', resource, partnerId, step, terms };
  });
}

async function planAccount(db: Queryable, schema: string, id: string): Promise<PlannedRepair[]> {
  const terms = isRowId(id) ? await findAccountDamage(db, schema, id) : null;
  if (!terms) return [];
  return [{ kind: 'account', resource: terms.walletId, partnerId: terms.partnerId, step: null, terms }];
}

/** Why a repair is proposed, and by whom. */
export interface RepairProposal {
  findingId: string;
  note: string;
  /** Where it is kept how people know what has happened. */
  evidenceRef: string;
  proposedBy: string;
}

/** Writes a proposal. Every call makes another one; once the damage is gone none of them can be approved. @returns its id. */
export async function insertRepairs(
  db: Queryable,
  schema: string,
  planned: readonly PlannedRepair[],
  { findingId, note, evidenceRef, proposedBy }: RepairProposal,
): Promise<string> {
  const proposalId = newId();
  for (const { kind, resource, partnerId, step, terms } of planned) {
    await db.query(
      `INSERT INTO ${schema}.repairs
         (id, proposal_id, finding_id, partner_id, kind, resource, step, terms, note, evidence_ref, proposed_by)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
      [
        newId(),
        proposalId,
        findingId,
        partnerId,
        kind,
        resource,
        step,
        JSON.stringify(terms),
        note,
        evidenceRef,
        proposedBy,
      ],
    );
  }
  return proposalId;
}

type KeptRepair = PlannedRepair & {
  id: string;
  findingId: string;
  proposedBy: string;
  approvedAt: Date | null;
  isOld: boolean;
};

/** The parts of a proposal; nothing where this cell has no such proposal. */
export async function findRepairs(db: Queryable, schema: string, proposalId: string): Promise<KeptRepair[]> {
  const { rows } = await db.query<KeptRepair>(
    `SELECT id, finding_id AS "findingId", partner_id AS "partnerId", kind, resource, step, terms::json,
            proposed_by AS "proposedBy", approved_at AS "approvedAt",
            proposed_at < now() - interval '${String(REPAIR_LIFE_MS)} milliseconds' AS "isOld"
       FROM ${schema}.repairs WHERE proposal_id = $1 ORDER BY id`,
    [proposalId],
  );
  return rows;
}

/** How an approval ended. After `approved` and `before` the books are repaired. */
export type RepairEnd = 'approved' | 'before' | 'expired' | 'same_person' | 'changed';

/**
 * Approves a proposal and carries it out, in one commit. A second call finds it approved and changes nothing.
 * @returns `changed` where the damage is another one by now: then nothing is written.
 */
export const applyRepairs = (
  pool: pg.Pool,
  schema: string,
  proposalId: string,
  operatorName: string,
): Promise<RepairEnd> =>
  inTransaction(pool, async (trx) => {
    await trx.query(`SELECT FROM ${schema}.repairs WHERE proposal_id = $1 ORDER BY id FOR UPDATE`, [
      proposalId,
    ]);
    const repairs = await findRepairs(trx, schema, proposalId);
    if (repairs.every(({ approvedAt }) => approvedAt !== null)) return 'before';
    if (repairs.some(({ isOld }) => isOld)) return 'expired';
    const isSame = ({ proposedBy }: KeptRepair) => proposedBy.toLowerCase() === operatorName.toLowerCase();
    if (repairs.some(isSame)) return 'same_person';
    for (const repair of repairs) {
      if (!(await isDamagedSo(trx, schema, repair))) return 'changed';
    }
    await trx.query(
      `UPDATE ${schema}.repairs SET approved_by = $2, approved_at = now() WHERE proposal_id = $1`,
      [proposalId, operatorName],
    );
    for (const repair of repairs) await carryOut(trx, schema, repair);
    await trx.query(
      `UPDATE ${schema}.recon_findings SET closed_at = now(), closed_by = $2, closed_note = $3
        WHERE closed_at IS NULL AND resource = ANY($1) AND class = ANY($4)`,
      [repairs.map(({ resource }) => resource), operatorName, `Repaired by ${proposalId}`, REPAIRED_CLASSES],
    );
    return 'approved';
  });

/** Whoever else repairs the same waits here, and then sees what was done. */
async function isDamagedSo(trx: Queryable, schema: string, { kind, resource, step, terms }: KeptRepair) {
  const table = kind === 'step' ? 'transactions' : 'accounts';
  await trx.query(`SELECT FROM ${schema}.${table} WHERE id = $1 FOR UPDATE`, [resource]);
  const plan = kind === 'step' ? planSteps : planAccount;
  const now = (await plan(trx, schema, resource)).find((one) => one.step === step);
  return now !== undefined && isSameDamage(now.terms, terms);
}

async function carryOut(trx: Queryable, schema: string, repair: KeptRepair): Promise<void> {
  if (repair.kind === 'account') {
    const { walletId, balanceKobo, sequence, heldKobo } = repair.terms;
    await trx.query(
      `UPDATE ${schema}.accounts SET balance_kobo = $2, sequence = $3, held_kobo = $4, updated_at = now() WHERE id = $1`,
      [walletId, balanceKobo, sequence, heldKobo],
    );
    return;
  }
  const postings = balancingPostings(repair.terms);
  if (postings.length === 0) return;
  const amountKobo = Math.max(...postings.map((one) => Math.abs(one.amountKobo)));
  const { netAmountKobo } = feesFor('balancing_entry', amountKobo);
  await trx.query(
    `INSERT INTO ${schema}.transactions (id, partner_id, reference, type, status, amount_kobo, customer_fee_kobo,
       merchant_fee_kobo, mfb_cost_kobo, net_amount_kobo, created_at, updated_at, completed_at)
     VALUES ($1, $2, $3, 'balancing_entry', 'completed', $4, 0, 0, 0, $5, now(), now(), now())`,
    [repair.id, repair.partnerId, `repair_${repair.id}`, amountKobo, netAmountKobo],
  );
  await trx.query(
    `INSERT INTO ${schema}.entries (transaction_id, step, account, id, amount_kobo, created_at)
     SELECT $1::uuid, 'accept', v.account, v.id, v.kobo, now() FROM unnest($2::uuid[], $3::uuid[], $4::bigint[]) AS v(account, id, kobo)`,
    [
      repair.id,
      postings.map(({ account }) => account),
      postings.map(() => newId()),
      postings.map((one) => one.amountKobo),
    ],
  );
}

/** The open findings of a cell that a repair ends, the oldest first. */
export async function listRepairable(
  db: Queryable,
  schema: string,
): Promise<Pick<FindingRecord, 'id' | 'class' | 'resource'>[]> {
  const { rows } = await db.query<{ id: string; class: FindingClass; resource: string }>(
    `SELECT id, class, resource FROM ${schema}.recon_findings
      WHERE closed_at IS NULL AND class = ANY($1) ORDER BY first_seen, id`,
    [REPAIRED_CLASSES],
  );
  return rows;
}

/**
 * Whether an open finding says that the books of a wallet are damaged: then no money of it leaves. A finding about a whole
 * cell holds nobody back, because the finding about its transaction says whom it concerns.
 */
export async function isDamaged({ pool, schema }: Cell, walletId: string): Promise<boolean> {
  const { rows } = await pool.query(
    `SELECT FROM ${schema}.recon_findings f
      WHERE f.closed_at IS NULL AND f.class = ANY($2)
        AND (f.resource = $1::uuid::text OR EXISTS (
              SELECT FROM (SELECT CASE WHEN f.resource ~ '^[0-9a-f-]{36}$' THEN f.resource::uuid END AS id) AS about
               WHERE EXISTS (SELECT FROM ${schema}.entries e WHERE e.transaction_id = about.id AND e.account = $1::uuid)
                  OR EXISTS (SELECT FROM ${schema}.transactions t
                              WHERE t.id = about.id AND $1::uuid IN (t.source_wallet, t.dest_wallet)))) LIMIT 1`,
    [walletId, REPAIRED_CLASSES],
  );
  return rows.length > 0;
}
