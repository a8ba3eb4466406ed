/** What our books say of our money with a provider: payout by payout, and as balances at the end of a day. */
import { companyAccountId, systemAccountId } from '../../domain/accounts';
import { bankingDayBefore, beginningOf, dayAfter, type Day } from '../../domain/days';
import { payoutReference, type Attempt } from '../../domain/payouts';
import { endedByProvider } from '../ledger/kinds-in-sql';
import { OUR_BANK } from '../../domain/treasury';
import { idNamed } from '../pg/ids';
import type { Cell } from '../pg/postgres';
import type { Statements } from './provider-lines';

/** A payout of the provider with what its lines and our books say of it. */
export interface BookedPayout {
  transactionId: string;
  n: number;
  amountKobo: number;
  state: Attempt['state'];
  /** When the attempt had ended; null while it has not. */
  endedAt: Date | null;
  /** Whether its transfer waits for an outcome. */
  isOpen: boolean;
  lines: readonly { line: string; id: string; changeKobo: number; day: Day }[];
  /** What is booked on our balance because of it, all in all and before the end of the day; below 0 for what left. */
  bookedKobo: number;
  bookedByThenKobo: number;
  bookedPayments: number;
}

interface PayoutRow {
  transaction_id: string;
  n: number;
  state: Attempt['state'];
  updated_at: Date;
  amount_kobo: number;
  is_open: boolean;
  pays: boolean;
  reversal_id: string | null;
}

/** Which attempt of which transfer. */
export interface AttemptName {
  transactionId: string;
  n: number;
}

type AskedRow = Pick<PayoutRow, 'transaction_id' | 'n'>;
const nameOf = ({ transaction_id: id, n }: AskedRow): string => `${id} ${String(n)}`;

/**
 * The payouts that a day may be about: those with a line of the day, and those begun before its end whose transfer is open
 * or has moved since the day began.
 */
export async function payoutsAround(statements: Statements, cell: Cell, day: Day): Promise<BookedPayout[]> {
  const { directory, provider } = statements;
  const { schema, pool } = cell;
  const end = beginningOf(dayAfter(day));
  const { rows: asked } = await pool.query<AskedRow>(
    `SELECT transaction_id, n FROM ${directory}.provider_lines
      WHERE provider = $1 AND day = $2 AND transaction_id IS NOT NULL AND withdrawn_at IS NULL
     UNION
     SELECT a.transaction_id, a.n FROM ${schema}.transactions t
       JOIN ${schema}.transfer_attempts a ON a.transaction_id = t.id
      WHERE t.type IN (${endedByProvider()}) AND t.updated_at >= $3 AND a.provider = $1 AND a.created_at < $4
     UNION
     SELECT a.transaction_id, a.n FROM ${schema}.transactions t
       JOIN ${schema}.transfer_attempts a ON a.transaction_id = t.id
      WHERE t.type IN (${endedByProvider()}) AND t.status = 'processing' AND a.provider = $1 AND a.created_at < $4`,
    [provider, day, beginningOf(day), end],
  );
  const attempts = asked.map((row) => ({ transactionId: row.transaction_id, n: row.n }));
  return bookedPayouts(statements, cell, attempts, day);
}

/** What lines and books say of these payouts. @param day by whose end something is booked or not. */
export async function bookedPayouts(
  statements: Statements,
  cell: Cell,
  asked: readonly AttemptName[],
  day: Day,
): Promise<BookedPayout[]> {
  const { provider } = statements;
  const { schema, pool } = cell;
  const end = beginningOf(dayAfter(day));
  // They go back as arrays, whose length Postgres knows. Of what a part of a statement gives it knows nothing, and it would
  // compare each payout with each line.
  const values = [provider, asked.map(({ transactionId }) => transactionId), asked.map(({ n }) => n)];
  const linesOf = await linesOfPayouts(statements, cell, values);
  const { rows } = await pool.query<PayoutRow>(
    `SELECT a.transaction_id, a.n, a.state, a.updated_at, t.amount_kobo, t.status = 'processing' AS is_open,
            v.reversal_id,
            -- The entries of the transfer belong to the attempt that has paid it.
            a.state = 'succeeded' AND t.psp_meta->>'provider' = a.provider AS pays
       FROM unnest($2::uuid[], $3::integer[]) AS asked(transaction_id, n)
       JOIN ${schema}.transfer_attempts a USING (transaction_id, n)
       JOIN ${schema}.transactions t ON t.id = a.transaction_id
       LEFT JOIN ${schema}.reversals v ON v.original_id = t.id
      WHERE a.provider = $1`,
    values,
  );
  const late = (row: PayoutRow): string => idNamed(payoutReference(row.transaction_id, row.n));
  const ids = rows.flatMap((row) => [
    late(row),
    ...(row.pays ? [row.transaction_id, ...(row.reversal_id === null ? [] : [row.reversal_id])] : []),
  ]);
  const booked = await bookedBy(cell, provider, ids, end);
  return rows.map((row): BookedPayout => {
    const own = row.pays ? [row.transaction_id, ...(row.reversal_id === null ? [] : [row.reversal_id])] : [];
    const entries = [late(row), ...own].flatMap((id) => booked.get(id) ?? []);
    const isFinal = row.state !== 'sending' && row.state !== 'accepted';
    return {
      transactionId: row.transaction_id,
      n: row.n,
      amountKobo: row.amount_kobo,
      state: row.state,
      endedAt: isFinal ? row.updated_at : null,
      isOpen: row.is_open && !isFinal,
      lines: linesOf.get(nameOf(row)) ?? [],
      bookedKobo: entries.reduce((sum, { kobo }) => sum + kobo, 0),
      bookedByThenKobo: entries.reduce((sum, { byThenKobo }) => sum + byThenKobo, 0),
      bookedPayments: entries.reduce((sum, { kobo }) => sum + Math.sign(kobo) * -1, 0),
    };
  });
}

/** The lines of each of these payouts, of whichever day. @param values the provider, and the payouts as two arrays. */
async function linesOfPayouts(
  { directory }: Statements,
  { pool }: Cell,
  values: readonly unknown[],
): Promise<Map<string, BookedPayout['lines']>> {
  const { rows } = await pool.query<
    AskedRow & { id: string; line_id: string; change_kobo: number; day: string }
  >(
    `SELECT transaction_id, n, l.id, l.line_id, l.change_kobo, l.day::text
       FROM unnest($2::uuid[], $3::integer[]) AS asked(transaction_id, n)
       JOIN ${directory}.provider_lines l USING (transaction_id, n)
      WHERE l.provider = $1 AND l.withdrawn_at IS NULL ORDER BY l.at, l.line_id`,
    [...values],
  );
  const found = new Map<string, BookedPayout['lines'][number][]>();
  for (const row of rows) {
    const lines = found.get(nameOf(row)) ?? [];
    lines.push({ line: row.id, id: row.line_id, changeKobo: row.change_kobo, day: row.day });
    found.set(nameOf(row), lines);
  }
  return found;
}

interface Booked {
  kobo: number;
  byThenKobo: number;
}

/** What each step of these transactions has booked on our balance; below 0 for what left. */
async function bookedBy(
  { pool, schema }: Cell,
  provider: string,
  ids: readonly string[],
  end: Date,
): Promise<Map<string, Booked[]>> {
  const { rows } = await pool.query<{ transaction_id: string; kobo: number; by_then: boolean }>(
    `SELECT transaction_id, -amount_kobo AS kobo, created_at < $3 AS by_then FROM ${schema}.entries
      WHERE transaction_id = ANY($1) AND account = $2`,
    [ids, companyAccountId('1200', provider), end],
  );
  const found = new Map<string, Booked[]>();
  for (const { transaction_id: id, kobo, by_then: byThen } of rows) {
    found.set(id, [...(found.get(id) ?? []), { kobo, byThenKobo: byThen ? kobo : 0 }]);
  }
  return found;
}

/** The account whose balance the statement of a provider says. */
export const balanceAccount = (provider: string): string =>
  provider === OUR_BANK ? systemAccountId('1100') : companyAccountId('1200', provider);

/** Our balance with a provider, and what it owes us of incoming money, by our books. */
export interface BookBalances {
  booksKobo: number;
  receivableKobo: number;
}

/**
 * The balances at the end of a day: those of an earlier day, and what was booked since. A treasury entry counts for the day
 * of the line that it explains, whenever it was booked.
 * @param base an earlier day with its balances; null where there is none.
 * @returns the balances, and how much of the receivable is older than two banking days.
 */
export async function bookBalances(
  { pool, directory, provider }: Statements,
  cells: readonly Cell[],
  day: Day,
  base: (BookBalances & { day: Day }) | null,
): Promise<BookBalances & { receivableLateKobo: number }> {
  const since = base ? beginningOf(dayAfter(base.day)) : null;
  const recentDay = bankingDayBefore(day, RECEIVABLE_BANKING_DAYS);
  const recent = beginningOf(recentDay);
  const balance = balanceAccount(provider);
  const receivable = companyAccountId('1300', provider);
  let [booksKobo, receivableKobo, recentKobo] = [base?.booksKobo ?? 0, base?.receivableKobo ?? 0, 0];
  for (const { pool: ofCell, schema } of cells) {
    const { rows } = await ofCell.query<{ books: number; receivable: number; recent: number }>(
      `SELECT coalesce(-sum(amount_kobo) FILTER (WHERE account = $1 AND is_new), 0)::bigint AS books,
              coalesce(-sum(amount_kobo) FILTER (WHERE account = $2 AND is_new), 0)::bigint AS receivable,
              coalesce(-sum(amount_kobo) FILTER (WHERE account = $2 AND amount_kobo < 0 AND created_at >= $5), 0)::bigint
                AS recent
         FROM (SELECT e.account, e.amount_kobo, e.created_at, ($3::timestamptz IS NULL OR e.created_at >= $3) AS is_new
                 FROM ${schema}.transactions t JOIN ${schema}.entries e ON e.transaction_id = t.id
                WHERE ($3::timestamptz IS NULL OR t.updated_at >= least($3, $5)) AND e.account IN ($1, $2) AND e.created_at < $4
                  AND NOT EXISTS (SELECT FROM ${directory}.treasury_entries x WHERE x.transaction_id = t.id)) AS booked`,
      [balance, receivable, since, beginningOf(dayAfter(day)), recent],
    );
    booksKobo += rows[0]?.books ?? 0;
    receivableKobo += rows[0]?.receivable ?? 0;
    recentKobo += rows[0]?.recent ?? 0;
  }
  // Where a refund was taken from our balance, the provider owes us its payment again.
  const { rows } = await pool.query<{ account: string; kobo: number; recent: number }>(
    `SELECT b.account, coalesce(-sum(b.amount_kobo) FILTER (WHERE $3::date IS NULL OR e.day > $3), 0)::bigint AS kobo,
            coalesce(-sum(b.amount_kobo) FILTER (WHERE b.account = $5 AND b.amount_kobo < 0 AND e.day >= $6), 0)::bigint
              AS recent
       FROM ${directory}.treasury_entries e
       JOIN ${cells[0]?.schema ?? ''}.entries b ON b.transaction_id = e.transaction_id
      WHERE (e.provider = $1 OR $7) AND e.day <= $2 AND ($3::date IS NULL OR e.day > $3 OR e.day >= $6)
        AND b.account IN ($4, $5)
      GROUP BY b.account`,
    // Entries of every company move money at our bank.
    [provider, day, base?.day ?? null, balance, receivable, recentDay, provider === OUR_BANK],
  );
  booksKobo += rows.find(({ account }) => account === balance)?.kobo ?? 0;
  const owed = rows.find(({ account }) => account === receivable);
  receivableKobo += owed?.kobo ?? 0;
  recentKobo += owed?.recent ?? 0;
  return { booksKobo, receivableKobo, receivableLateKobo: Math.max(0, receivableKobo - recentKobo) };
}

/** Within so many banking days what came in must be settled. */
const RECEIVABLE_BANKING_DAYS = 2;
