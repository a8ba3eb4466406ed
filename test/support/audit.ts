/**
 * The books of one cell, audited from the rows alone: each rule is a query for the rows that break it, so that a
 * finding names the row. Any test that moved money ends with it: `expect(await auditCell(...)).toEqual([])`.
 */
import pg from 'pg';
import type { Queryable } from '../../src/db/pg/postgres';
import { sighted, until } from './until';

/** Each query gives the rows that break its rule as `finding`; `$cell` stands for the schema. */
const RULES: Record<string, string> = {
  'all entries sum to zero': `
    SELECT 'sum ' || sum(amount_kobo) AS finding FROM $cell.entries HAVING sum(amount_kobo) <> 0`,

  'the entries of a transaction and step sum to zero': `
    SELECT transaction_id || ' ' || step || ' sums to ' || sum(amount_kobo) AS finding
      FROM $cell.entries GROUP BY transaction_id, step HAVING sum(amount_kobo) <> 0`,

  'a balance is the sum of its entries, its counter their number': `
    SELECT a.id || ' has ' || a.balance_kobo || ' at ' || a.sequence || ', entries give '
           || coalesce(sum(e.amount_kobo), 0) || ' at ' || count(e.id) AS finding
      FROM $cell.accounts a LEFT JOIN $cell.entries e ON e.account = a.id
     GROUP BY a.id HAVING a.balance_kobo <> coalesce(sum(e.amount_kobo), 0) OR a.sequence <> count(e.id)`,

  'what is in flight is the debit of the open bank transfers': `
    SELECT a.id || ' keeps room for ' || a.in_flight_kobo || ', transfers give ' || coalesce(sum(debit), 0) AS finding
      FROM $cell.accounts a
      LEFT JOIN (SELECT t.source_wallet, t.amount_kobo + t.customer_fee_kobo + coalesce(d.amount_kobo, 0) AS debit
                   FROM $cell.transactions t LEFT JOIN $cell.transactions d ON d.reference = 'duty_' || t.id
                  WHERE t.type = 'bank_transfer' AND t.status = 'processing') t ON t.source_wallet = a.id
     GROUP BY a.id HAVING a.in_flight_kobo <> coalesce(sum(debit), 0)`,

  'what is held of a wallet is the sum of its open holds': `
    SELECT a.id || ' holds ' || a.held_kobo || ', holds give ' || coalesce(sum(h.amount_kobo), 0) AS finding
      FROM $cell.accounts a LEFT JOIN $cell.holds h ON h.wallet_id = a.id AND h.status = 'open'
     GROUP BY a.id HAVING a.held_kobo <> coalesce(sum(h.amount_kobo), 0)`,

  'what a wallet under limits has used of its day is what it has paid since, and has not got back': `
    SELECT a.id || ' has used ' || a.day_debit_kobo || ' and by USSD ' || a.day_ussd_kobo || ', payments give '
           || coalesce(sum(paid), 0) || ' and ' || coalesce(sum(by_ussd), 0) AS finding
      FROM $cell.accounts a
      LEFT JOIN (SELECT source_wallet, amount_kobo AS paid, CASE type WHEN 'ussd_payment' THEN amount_kobo ELSE 0 END AS by_ussd,
                        CASE type WHEN 'ussd_payment' THEN completed_at ELSE created_at END AS paid_at
                   FROM $cell.transactions t
                  WHERE type IN ('p2p_transfer', 'bank_transfer', 'qr_payment', 'split_payment', 'ussd_payment')
                    AND (type <> 'ussd_payment' OR status = 'completed')
                    AND NOT EXISTS (SELECT FROM $cell.reversals r WHERE r.original_id = t.id)) t
        ON t.source_wallet = a.id AND t.paid_at >= a.counted_from
     -- A company has no limit of a day, and tests of live make its payments older than they are.
     -- A sandbox that was forwarded counts days that have not come.
     WHERE a.limit_tier IN ('tier_1', 'tier_2') AND a.counted_from <= now()
     GROUP BY a.id HAVING a.day_debit_kobo <> coalesce(sum(paid), 0) OR a.day_ussd_kobo <> coalesce(sum(by_ussd), 0)`,

  'the entries of a wallet run 1..n and their balances chain': `
    SELECT account || ' at ' || sequence || ' shows ' || balance_after_kobo || ', chain gives ' || chained
           || ' at ' || place AS finding
      FROM (SELECT account, sequence, balance_after_kobo,
                   sum(amount_kobo) OVER (PARTITION BY account ORDER BY sequence) AS chained,
                   row_number() OVER (PARTITION BY account ORDER BY sequence) AS place
              FROM $cell.entries WHERE account IN (SELECT id FROM $cell.accounts)) AS chain
     WHERE balance_after_kobo IS DISTINCT FROM chained OR sequence IS DISTINCT FROM place`,

  'only the accounts of the platform keep no balance': `
    SELECT e.account || ' in ' || e.transaction_id AS finding FROM $cell.entries e
      LEFT JOIN $cell.accounts a ON a.id = e.account
     WHERE (a.id IS NULL) <> (e.sequence IS NULL)
        -- The name of a company in ASCII or none, zeros, and the code of the chart.
        OR (a.id IS NULL AND replace(e.account::text, '-', '')
            !~ '^((6[1-9a-f]|7[0-9a])(2d|3[0-9]|6[1-9a-f]|7[0-9a])*)?(00)*[0-9]{4}$')`,

  'a posted transaction has the entries of exactly its steps': `
    SELECT t.id || ' ' || t.type || ' ' || t.status || ' has [' || coalesce(steps, '') || ']' AS finding
      FROM $cell.transactions t
      LEFT JOIN (SELECT transaction_id, string_agg(DISTINCT step, '+' ORDER BY step) AS steps
                   FROM $cell.entries GROUP BY transaction_id) e ON e.transaction_id = t.id
     WHERE coalesce(steps, '') IS DISTINCT FROM CASE
             WHEN t.type = 'reversal' THEN 'return'
             WHEN t.type = 'bank_transfer' AND t.status = 'completed' THEN 'accept+settle'
             -- What no wallet could take back stands in suspense under the transfer itself.
             WHEN t.type = 'bank_transfer' AND t.status = 'reversed' THEN
               CASE WHEN EXISTS (SELECT FROM $cell.suspense_postings p
                                  WHERE p.transaction_id = t.id AND p.class = 'return_unallocated')
                    THEN 'accept+return+settle' ELSE 'accept+settle' END
             WHEN t.type IN ('bank_transfer', 'fee_deduction') OR t.status = 'completed' THEN 'accept'
             ELSE '' END`,

  'a wallet is debited amount and fee, and credited the net amount': `
    SELECT t.id || ' moved ' || e.amount_kobo || ' on ' || e.account AS finding
      FROM $cell.transactions t JOIN $cell.entries e ON e.transaction_id = t.id AND e.sequence IS NOT NULL
     WHERE e.amount_kobo IS DISTINCT FROM CASE e.account
             WHEN t.source_wallet THEN -(t.amount_kobo + t.customer_fee_kobo)
             WHEN t.dest_wallet THEN t.net_amount_kobo END`,

  'exactly the failed and the returned bank transfers have one reversal, of amount and fee, to their source': `
    SELECT t.id || ' ' || t.status || ' reversed by ' || coalesce(r.id::text, 'nothing') AS finding
      FROM $cell.transactions t
      LEFT JOIN $cell.reversals v ON v.original_id = t.id
      LEFT JOIN $cell.transactions r ON r.id = v.reversal_id
     WHERE t.type = 'bank_transfer' AND CASE
           WHEN t.status NOT IN ('failed', 'reversed') THEN v.original_id IS NOT NULL
           WHEN t.status = 'reversed' AND v.original_id IS NULL THEN NOT EXISTS (
             SELECT FROM $cell.entries e WHERE e.transaction_id = t.id AND e.step = 'return')
           ELSE
           (r.type, r.status, r.amount_kobo, r.partner_id, r.reference) IS DISTINCT FROM
           ('reversal', 'completed', t.amount_kobo + t.customer_fee_kobo, t.partner_id, 'rev_' || t.id)
           -- To another wallet only where its own did not take it.
           OR r.dest_wallet <> t.source_wallet AND NOT EXISTS (
             SELECT FROM $cell.entries e WHERE e.transaction_id = t.id AND e.step = 'return') END`,

  'a stamp duty belongs to one bank transfer, and is given back by a reversal exactly where that failed': `
    SELECT d.id || ' ' || d.status || ' of a transfer that is ' || coalesce(t.status, 'missing') AS finding
      FROM $cell.transactions d
      LEFT JOIN $cell.transactions t ON d.reference = 'duty_' || t.id AND t.type = 'bank_transfer'
                                    AND (t.partner_id, t.source_wallet) = (d.partner_id, d.source_wallet)
      LEFT JOIN $cell.reversals v ON v.original_id = d.id
      LEFT JOIN $cell.transactions r ON r.id = v.reversal_id
     WHERE d.type = 'fee_deduction' AND (t.id IS NULL
        OR d.status <> CASE t.status WHEN 'failed' THEN 'reversed' ELSE 'completed' END
        OR (d.status = 'reversed') <> (v.original_id IS NOT NULL)
        OR (r.amount_kobo, r.dest_wallet) IS DISTINCT FROM (d.amount_kobo, d.source_wallet) AND r.id IS NOT NULL)`,

  'every reversal is registered as the reversal of a bank transfer, or of its stamp duty': `
    SELECT r.id::text AS finding FROM $cell.transactions r
      LEFT JOIN $cell.reversals v ON v.reversal_id = r.id
      LEFT JOIN $cell.transactions t ON t.id = v.original_id
     WHERE (r.type = 'reversal') <> (coalesce(t.type, '') IN ('bank_transfer', 'fee_deduction'))`,

  'a reference belongs to the one transaction that used it': `
    SELECT t.id || ' ' || t.reference AS finding FROM $cell.transactions t
      LEFT JOIN $cell.used_references u ON u.transaction_id = t.id
     WHERE (t.type IN ('p2p_transfer', 'bank_transfer', 'qr_payment', 'ussd_payment')
            OR t.type = 'split_payment' AND t.metadata->>'split_index' = '0') <> (u.transaction_id IS NOT NULL)
        OR (u.partner_id, u.reference) IS DISTINCT FROM (t.partner_id, t.reference)
           AND u.transaction_id IS NOT NULL`,

  'what is in an account of suspense is the sum of its open findings, and no posting is without one': `
    SELECT code || ' has ' || balance || ', postings give ' || posted || ', open findings ' || explained AS finding
      FROM (SELECT code,
                   (SELECT coalesce(sum(amount_kobo), 0) FROM $cell.entries
                     WHERE account::text = '00000000-0000-0000-0000-00000000' || code) AS balance,
                   (SELECT coalesce(sum(amount_kobo), 0) FROM $cell.suspense_postings WHERE account = code) AS posted,
                   (SELECT coalesce(sum(kobo), 0) FROM $cell.recon_findings
                     WHERE account = code AND closed_at IS NULL) AS explained
              FROM (VALUES ('1900'), ('2900')) AS accounts(code)) AS compared
     WHERE balance <> posted OR balance <> explained`,

  'the money of a finding is the sum of its postings': `
    SELECT p.class || ' ' || p.resource || ' has ' || coalesce(f.kobo, 0) || ', postings give ' || p.sum AS finding
      FROM (SELECT class, resource, sum(amount_kobo) AS sum FROM $cell.suspense_postings GROUP BY class, resource) p
      LEFT JOIN $cell.recon_findings f ON (f.class, f.resource) = (p.class, p.resource) AND f.closed_at IS NULL
     WHERE coalesce(f.kobo, 0) <> p.sum`,

  'a QR payment is the one payment of its request': `
    SELECT t.id || ' pays ' || coalesce(q.id::text, 'nothing') AS finding FROM $cell.transactions t
      LEFT JOIN $cell.qr_requests q ON q.transaction_id = t.id
     WHERE t.type = 'qr_payment' AND (q.wallet_id, q.amount_kobo, q.reference, q.partner_id, q.paid_by)
           IS DISTINCT FROM (t.dest_wallet, t.amount_kobo, t.reference, t.partner_id, t.source_wallet)`,

  'a USSD payment stands where its session stands': `
    SELECT t.id || ' ' || t.status || ', session ' || coalesce(s.status, 'missing') AS finding
      FROM $cell.transactions t LEFT JOIN $cell.ussd_sessions s ON s.transaction_id = t.id
     WHERE t.type = 'ussd_payment' AND coalesce(s.status, '') <> ALL (CASE t.status
             WHEN 'pending' THEN ARRAY['initiated', 'menu_main', 'pin_entry'] ELSE ARRAY[t.status::text] END)`,

  'all legs of a split are there': `
    SELECT t.id || ' has ' || legs.present || ' of ' || json_array_length(t.split_config) AS finding
      FROM $cell.transactions t CROSS JOIN LATERAL (
        SELECT count(*) AS present FROM $cell.transactions leg
         WHERE leg.partner_id = t.partner_id AND leg.reference = t.reference
           AND leg.source_wallet = t.source_wallet) AS legs
     WHERE t.type = 'split_payment' AND legs.present <> json_array_length(t.split_config)`,

  'no wallet is touched by another partner': `
    SELECT t.id || ' of ' || t.partner_id || ' on ' || a.id || ' of ' || a.partner_id AS finding
      FROM $cell.transactions t JOIN $cell.accounts a ON a.id IN (t.source_wallet, t.dest_wallet)
     WHERE a.partner_id <> t.partner_id`,
};

/**
 * A reset removes what a partner has in several transactions, and other files may be at one: the books are whole
 * before it and after it.
 * @returns what is wrong in a cell, one line per offending row: an empty list for sound books.
 */
export async function auditCell(url: string, schema: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await until('a cell in which no reset is under way', async () => {
      // All rules read one snapshot, because money may still be moving.
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      const { rows } = await client.query(`SELECT partner_id FROM ${schema}.partner_epochs WHERE resetting`);
      const findings = rows.length === 0 ? await auditWith(client, schema) : null;
      await client.query('ROLLBACK');
      if (findings === null) sighted('partners whose reset is under way', rows);
      return findings;
    });
  } finally {
    await client.end();
  }
}

/** Does the same in a transaction that the caller has opened, or while no money moves. */
export async function auditWith(database: Queryable, schema: string): Promise<string[]> {
  const findings: string[] = [];
  for (const [rule, query] of Object.entries(RULES)) {
    const { rows } = await database.query<{ finding: string }>(query.replaceAll('$cell', schema));
    findings.push(...rows.map(({ finding }) => `${rule}: ${finding}`));
  }
  return findings;
}
