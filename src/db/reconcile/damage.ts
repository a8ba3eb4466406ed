/**
 * What damage is left in the books, with the repairs that were approved counted: steps of transactions that do not sum to
 * zero, chains of entries that are broken, and rows of wallets that say something else than their entries and holds.
 */
import type { AccountDamage, StepDamage } from '../../domain/repairs';
import type { PostingStep } from '../../domain/postings';
import type { Queryable } from '../pg/postgres';

/**
 * The steps of these transactions that do not sum to zero. A balancing entry counts with the step that it makes good.
 * @param which of the transactions, as a condition that follows their id.
 */
export const unbalancedSteps = (schema: string, which: string): string => `
  SELECT transaction_id, step, sum(amount_kobo) AS sum_kobo FROM (
    SELECT transaction_id, step, amount_kobo FROM ${schema}.entries e
     WHERE transaction_id ${which} AND NOT EXISTS (SELECT FROM ${schema}.repairs WHERE id = e.transaction_id)
    UNION ALL
    SELECT p.resource, p.step, e.amount_kobo
      FROM ${schema}.repairs p JOIN ${schema}.entries e ON e.transaction_id = p.id WHERE p.resource ${which}) AS booked
   GROUP BY transaction_id, step HAVING sum(amount_kobo) <> 0`;

/** The entries of the transactions $1 that do not follow from the entry before them, and by how much. */
export const brokenChains = (schema: string): string => `
  SELECT * FROM (
    SELECT e.transaction_id, e.step, e.account, e.sequence,
           e.balance_after_kobo - coalesce(before.balance_after_kobo, 0) - e.amount_kobo - coalesce(mended.kobo, 0)
             AS break_kobo,
           e.sequence > coalesce(before.sequence, 0) + 1 AND NOT mended.is_known AS has_gap
      FROM ${schema}.entries e
      LEFT JOIN LATERAL (
           SELECT sequence, balance_after_kobo FROM ${schema}.entries
            WHERE account = e.account AND sequence IS NOT NULL AND sequence < e.sequence
            ORDER BY sequence DESC LIMIT 1) AS before ON true
      CROSS JOIN LATERAL (
           SELECT sum(r.amount_kobo) FILTER (WHERE r.account = e.account) AS kobo, count(p.id) > 0 AS is_known
             FROM ${schema}.repairs p LEFT JOIN ${schema}.entries r ON r.transaction_id = p.id
            WHERE p.resource = e.transaction_id AND p.step = e.step AND p.approved_at IS NOT NULL) AS mended
     WHERE e.transaction_id = ANY($1) AND e.sequence IS NOT NULL) AS followed
   WHERE break_kobo <> 0 OR has_gap`;

/** How each step of a transaction is damaged; nothing where all is well, or where there is no such transaction. */
export async function findStepDamage(
  db: Queryable,
  schema: string,
  transactionId: string,
): Promise<StepDamage[]> {
  const { rows: found } = await db.query<{ partner_id: string }>(
    `SELECT partner_id FROM ${schema}.transactions WHERE id = $1`,
    [transactionId],
  );
  const [transaction] = found;
  if (!transaction) return [];
  const { rows: sums } = await db.query<{ step: PostingStep; sum: string }>(
    `SELECT step, sum_kobo::text AS sum FROM (${unbalancedSteps(schema, '= ANY($1)')}) AS unbalanced`,
    [[transactionId]],
  );
  const { rows: breaks } = await db.query<{
    step: PostingStep;
    account: string;
    kobo: string;
    has_gap: boolean;
  }>(
    `SELECT step, account, break_kobo::text AS kobo, has_gap FROM (${brokenChains(schema)}) AS broken ORDER BY account`,
    [[transactionId]],
  );
  const steps = [...new Set([...sums, ...breaks].map(({ step }) => step))].sort();
  return steps.map((step) => {
    const broken = breaks.filter((one) => one.step === step);
    return {
      transactionId,
      partnerId: transaction.partner_id,
      step,
      sumKobo: Number(sums.find((one) => one.step === step)?.sum ?? 0),
      breaks: broken
        .map(({ account, kobo }) => ({ walletId: account, breakKobo: Number(kobo) }))
        .filter(({ breakKobo }) => breakKobo !== 0),
      hasGap: broken.some(({ has_gap: hasGap }) => hasGap),
    };
  });
}

/** So many transactions are repaired together; whatever is left has findings of its own. */
const TOGETHER_MAX = 100;

/** The transactions of a cell with a step that does not sum to zero. It reads all entries. */
export async function findUnbalanced(db: Queryable, schema: string): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT DISTINCT transaction_id AS id FROM (${unbalancedSteps(schema, 'IS NOT NULL')}) AS unbalanced
      ORDER BY 1 LIMIT ${String(TOGETHER_MAX)}`,
  );
  return rows.map(({ id }) => id);
}

/** What the row of a wallet should say; null where it says so, or where there is no such wallet. */
export async function findAccountDamage(
  db: Queryable,
  schema: string,
  walletId: string,
): Promise<AccountDamage | null> {
  const { rows } = await db.query<AccountDamage>(
    `SELECT a.id AS "walletId", a.partner_id AS "partnerId", coalesce(e.balance_after_kobo, 0)::bigint AS "balanceKobo",
            coalesce(e.sequence, 0)::bigint AS sequence, coalesce(h.sum, 0)::bigint AS "heldKobo"
       FROM ${schema}.accounts a
       LEFT JOIN LATERAL (
            SELECT sequence, balance_after_kobo FROM ${schema}.entries
             WHERE account = a.id AND sequence IS NOT NULL ORDER BY sequence DESC LIMIT 1) AS e ON true
       LEFT JOIN LATERAL (
            SELECT sum(amount_kobo) FROM ${schema}.holds WHERE wallet_id = a.id AND status = 'open') AS h ON true
      WHERE a.id = $1
        AND (a.balance_kobo, a.sequence, a.held_kobo) IS DISTINCT FROM
            (coalesce(e.balance_after_kobo, 0), coalesce(e.sequence, 0), coalesce(h.sum, 0))`,
    [walletId],
  );
  return rows[0] ?? null;
}
