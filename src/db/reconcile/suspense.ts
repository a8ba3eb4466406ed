/** The findings that stand for money in suspense, and the rule that they are all of it (R54). */
import { systemAccountId } from '../../domain/accounts';
import type { Finding } from '../../domain/findings';
import { SUSPENSE_ACCOUNTS, type OpenMoney, type SuspenseAccount } from '../../domain/suspense';
import type { Cell } from '../pg/postgres';

/**
 * Adds postings to their findings: a finding without one is opened, and one that has no money left is closed. It is no upsert,
 * because Postgres would hold what is taken out against the checks of a new row. Two who open the same finding at once meet
 * its unique index, and one of them is decided anew.
 * @param rows a query with finding_id, class, resource, account, amount_kobo and detail, which is null where the posting
 *   says nothing new.
 * @returns parts of a statement, each with its name.
 */
export const explainSuspense = (schema: string, rows: string, now: string): string[] => [
  `suspense_sums AS (
    SELECT (array_agg(finding_id))[1] AS id, class, resource, account, sum(amount_kobo)::bigint AS kobo,
           (array_agg(detail) FILTER (WHERE detail IS NOT NULL))[1] AS detail
      FROM ${rows} GROUP BY class, resource, account)`,
  `suspense_known AS (
    UPDATE ${schema}.recon_findings f
       SET kobo = coalesce(f.kobo, 0) + s.kobo, account = s.account, last_seen = ${now},
           detail = coalesce(s.detail, f.detail),
           closed_at = CASE WHEN coalesce(f.kobo, 0) + s.kobo = 0 THEN ${now} END
      FROM suspense_sums s
     WHERE f.class = s.class AND f.resource = s.resource AND f.closed_at IS NULL
     RETURNING f.class, f.resource)`,
  `suspense_new AS (
    INSERT INTO ${schema}.recon_findings (id, class, resource, detail, account, kobo, first_seen, last_seen, closed_at)
    SELECT id, class, resource, coalesce(detail, '{}'), account, kobo, ${now}, ${now}, CASE kobo WHEN 0 THEN ${now} END
      FROM suspense_sums s
     WHERE NOT EXISTS (SELECT FROM suspense_known k WHERE (k.class, k.resource) = (s.class, s.resource)))`,
];

/** The money of an account of suspense, by the books and by its open findings. */
export interface SuspenseBalance {
  account: SuspenseAccount;
  balanceKobo: number;
  explainedKobo: number;
}

/** Both sides of each account of suspense, in one statement, so that money which moves meanwhile is in both or in neither. */
export async function suspenseBalances({ pool, schema }: Cell): Promise<SuspenseBalance[]> {
  const { rows } = await pool.query<{ account: SuspenseAccount; balance: number; explained: number }>(
    `SELECT code AS account,
            (SELECT coalesce(sum(amount_kobo), 0)::bigint FROM ${schema}.entries
              WHERE account = asked.id AND account IN (${IDS})) AS balance,
            (SELECT coalesce(sum(kobo), 0)::bigint FROM ${schema}.recon_findings
              WHERE closed_at IS NULL AND account = asked.code) AS explained
       FROM unnest($1::text[], $2::uuid[]) AS asked(code, id)`,
    [SUSPENSE_ACCOUNTS, SUSPENSE_ACCOUNTS.map(systemAccountId)],
  );
  return rows.map((row) => ({
    account: row.account,
    balanceKobo: row.balance,
    explainedKobo: row.explained,
  }));
}

/** Named in the text, so that Postgres sees that the small index has them. */
const IDS = SUSPENSE_ACCOUNTS.map((code) => `'${systemAccountId(code)}'`).join(', ');

/** The finding of an account whose balance is not the sum of its findings; for every account, so that others can be closed. */
export const differenceOf = (
  schema: string,
  { account, balanceKobo, explainedKobo }: SuspenseBalance,
): { finding: Finding; differs: boolean } => ({
  finding: {
    class: 'suspense_differs',
    resource: `${schema}/${account}`,
    detail: { account, balance_kobo: balanceKobo, findings_kobo: explainedKobo },
  },
  differs: balanceKobo !== explainedKobo,
});

/** What is left of the money of an open finding; null where it is closed, or stands for none. */
export async function findOpenMoney(
  { pool, schema }: Cell,
  finding: Pick<OpenMoney, 'class' | 'resource'>,
): Promise<OpenMoney | null> {
  const { rows } = await pool.query<OpenMoney>(
    `SELECT class, resource, account, kobo FROM ${schema}.recon_findings
      WHERE class = $1 AND resource = $2 AND closed_at IS NULL AND coalesce(kobo, 0) <> 0`,
    [finding.class, finding.resource],
  );
  return rows[0] ?? null;
}

/** The same by the id of the finding, with its cell, which the id does not tell. */
export async function findMoney<One extends Cell>(
  cells: Iterable<One>,
  findingId: string,
): Promise<(OpenMoney & { cell: One }) | null> {
  for (const cell of cells) {
    const { rows } = await cell.pool.query<OpenMoney>(
      `SELECT class, resource, account, kobo FROM ${cell.schema}.recon_findings
        WHERE id = $1 AND closed_at IS NULL AND coalesce(kobo, 0) <> 0`,
      [findingId],
    );
    if (rows[0]) return { ...rows[0], cell };
  }
  return null;
}
