/** The lines of providers' statements, and which attempt each is about. */
import { companyAccountId, systemAccountId } from '../../domain/accounts';
import { finderOfAttempts, type KnownAttempt, type PaymentOfLine } from '../../domain/day-check';
import { beginningOf, dayAfter, dayOf, type Day } from '../../domain/days';
import { attemptOfPayout } from '../../domain/payouts';
import { STATES_OF_ONE_REFUND } from '../../domain/refunds';
import type { TreasuryEntry } from '../../domain/treasury';
import type { LineSubject, StatementLine } from '../../domain/statement-lines';
import { endedByProvider } from '../ledger/kinds-in-sql';
import type { Cell, Queryable } from '../pg/postgres';

/** Where a provider's days lie: the directory of an environment. */
export interface Statements {
  pool: Queryable;
  directory: string;
  provider: string;
}

/** A line as it is kept. */
export interface KeptLine extends Omit<StatementLine, 'about'> {
  about: LineSubject;
  /** The day for which it counts. */
  day: Day;
  transactionId: string | null;
  n: number | null;
}

interface LineRow {
  line_id: string;
  at: Date;
  day: string;
  about: LineSubject;
  change_kobo: number;
  balance_kobo: number | null;
  reference: string | null;
  provider_ref: string | null;
  session_id: string | null;
  transaction_id: string | null;
  n: number | null;
}

const toLine = (row: LineRow): KeptLine => ({
  id: row.line_id,
  at: row.at,
  day: row.day,
  about: row.about,
  changeKobo: row.change_kobo,
  balanceKobo: row.balance_kobo,
  reference: row.reference,
  providerRef: row.provider_ref,
  sessionId: row.session_id,
  transactionId: row.transaction_id,
  n: row.n,
});

const COLUMNS = `line_id, at, day::text, about, change_kobo, balance_kobo, reference, provider_ref, session_id,
  transaction_id, n`;

/**
 * Keeps lines that are not kept yet. A line that comes again changes nothing. A line of a day that is closed counts for the
 * first day after it that is open.
 * @returns how many were new.
 */
export async function keepLines(
  { pool, directory, provider }: Statements,
  lines: readonly StatementLine[],
): Promise<number> {
  if (lines.length === 0) return 0;
  const { rowCount } = await pool.query(
    `INSERT INTO ${directory}.provider_lines
       (provider, line_id, at, day, about, change_kobo, balance_kobo, reference, provider_ref, session_id)
     SELECT $1, line_id, at, greatest(day, (SELECT max(day) + 1 FROM ${directory}.provider_days
                                             WHERE provider = $1 AND closed_at IS NOT NULL)),
            about, change_kobo, balance_kobo, reference, provider_ref, session_id
       FROM unnest($2::text[], $3::timestamptz[], $4::date[], $5::text[], $6::bigint[], $7::bigint[], $8::text[],
                   $9::text[], $10::text[])
         AS told(line_id, at, day, about, change_kobo, balance_kobo, reference, provider_ref, session_id)
     ON CONFLICT DO NOTHING`,
    [
      provider,
      lines.map(({ id }) => id),
      lines.map(({ at }) => at),
      lines.map(({ at }) => dayOf(at)),
      lines.map(({ about }) => about),
      lines.map(({ changeKobo }) => changeKobo),
      lines.map(({ balanceKobo }) => balanceKobo),
      lines.map(({ reference }) => reference),
      lines.map(({ providerRef }) => providerRef),
      lines.map(({ sessionId }) => sessionId),
    ],
  );
  return rowCount ?? 0;
}

/** The lines that count for a day, in the order in which they changed the balance. */
export async function linesOfDay({ pool, directory, provider }: Statements, day: Day): Promise<KeptLine[]> {
  const { rows } = await pool.query<LineRow>(
    `SELECT ${COLUMNS} FROM ${directory}.provider_lines WHERE provider = $1 AND day = $2
      ORDER BY at, length(line_id), line_id`,
    [provider, day],
  );
  return rows.map(toLine);
}

export async function findLine(
  { pool, directory, provider }: Statements,
  lineId: string,
): Promise<KeptLine | null> {
  const { rows } = await pool.query<LineRow>(
    `SELECT ${COLUMNS} FROM ${directory}.provider_lines WHERE provider = $1 AND line_id = $2`,
    [provider, lineId],
  );
  return rows[0] ? toLine(rows[0]) : null;
}

interface AttemptRow {
  transaction_id: string;
  n: number;
  provider_ref: string | null;
  session_id: string | null;
}

/** A line without our reference is looked for among the payouts whose transfers have moved in so many days before it. */
const LOOKED_BACK_DAYS = 7;

/** Finds the attempts of a day's lines, by the rule of `domain/day-check.ts`. A line that has its attempt keeps it. */
export async function matchLines(
  statements: Statements,
  cells: readonly Cell[],
  lines: readonly KeptLine[],
  day: Day,
): Promise<void> {
  const { pool, directory, provider } = statements;
  const open = lines.filter(({ transactionId, about }) => transactionId === null && about !== 'settlement');
  if (open.length === 0) return;
  const ours = new Set((await attemptsNamed(cells, provider, open)).map(toAttempt));
  // The reference comes before all else, so only lines without ours are looked for by what else they say.
  const byReference = finderOfAttempts(
    [...ours].map((one) => ({ ...one, providerRef: null, sessionId: null })),
  );
  const others = open.filter((line) => byReference(line) === null);
  const since = beginningOf(dayAfter(day, -LOOKED_BACK_DAYS));
  for (const row of await attemptsKnownAs(cells, provider, others, since)) ours.add(toAttempt(row));
  const attemptOf = finderOfAttempts(withoutRepeats([...ours]));
  const matched = open.flatMap((line) => {
    const attempt = attemptOf(line);
    return attempt ? [{ lineId: line.id, ...attempt }] : [];
  });
  if (matched.length === 0) return;
  await pool.query(
    `UPDATE ${directory}.provider_lines l SET transaction_id = m.transaction_id, n = m.n
       FROM unnest($2::text[], $3::uuid[], $4::integer[]) AS m(line_id, transaction_id, n)
      WHERE l.provider = $1 AND l.line_id = m.line_id AND l.transaction_id IS NULL`,
    [
      provider,
      matched.map(({ lineId }) => lineId),
      matched.map(({ transactionId }) => transactionId),
      matched.map(({ n }) => n),
    ],
  );
}

/** An attempt that both ways have found is one. */
const withoutRepeats = (attempts: readonly KnownAttempt[]): KnownAttempt[] => [
  ...new Map(attempts.map((one) => [`${one.transactionId} ${String(one.n)}`, one])).values(),
];

/** The attempts of which lines say our reference. */
async function attemptsNamed(
  cells: readonly Cell[],
  provider: string,
  lines: readonly KeptLine[],
): Promise<AttemptRow[]> {
  const named = lines.flatMap(({ reference }) => attemptOfPayout(reference ?? '') ?? []);
  if (named.length === 0) return [];
  const values = [provider, named.map(({ transactionId }) => transactionId), named.map(({ n }) => n)];
  const found = cells.map(({ pool, schema }) =>
    pool.query<AttemptRow>(
      `SELECT DISTINCT transaction_id, n, provider_ref, session_id
         FROM unnest($2::uuid[], $3::integer[]) AS named(transaction_id, n)
         JOIN ${schema}.transfer_attempts USING (transaction_id, n) WHERE provider = $1`,
      values,
    ),
  );
  return (await Promise.all(found)).flatMap(({ rows }) => rows);
}

/** The attempts of transfers that have moved since then, and of which lines say the provider's id or the session. */
async function attemptsKnownAs(
  cells: readonly Cell[],
  provider: string,
  lines: readonly KeptLine[],
  since: Date,
): Promise<AttemptRow[]> {
  const ids = lines.flatMap(({ providerRef }) => providerRef ?? []);
  const sessions = lines.flatMap(({ sessionId }) => sessionId ?? []);
  if (ids.length + sessions.length === 0) return [];
  const found = cells.map(({ pool, schema }) =>
    pool.query<AttemptRow>(
      `WITH moved AS MATERIALIZED (
         SELECT a.transaction_id, a.n, a.provider_ref, a.session_id FROM ${schema}.transactions t
           JOIN ${schema}.transfer_attempts a ON a.transaction_id = t.id
          WHERE t.updated_at >= $4 AND t.type IN (${endedByProvider()}) AND a.provider = $1)
       SELECT moved.* FROM moved JOIN unnest($2::text[]) AS told(id) ON provider_ref = told.id
        UNION
       SELECT moved.* FROM moved JOIN unnest($3::text[]) AS told(id) ON session_id = told.id`,
      [provider, ids, sessions, since],
    ),
  );
  return (await Promise.all(found)).flatMap(({ rows }) => rows);
}

const toAttempt = (row: AttemptRow): KnownAttempt => ({
  transactionId: row.transaction_id,
  n: row.n,
  providerRef: row.provider_ref,
  sessionId: row.session_id,
});

/**
 * The attempts of a provider with the amount of a line, begun on its day or the day before: what people may compare it
 * with. Nothing follows from that alone.
 */
export async function candidatesFor(
  cells: readonly Cell[],
  provider: string,
  line: Pick<KeptLine, 'changeKobo' | 'day'>,
): Promise<{ transactionId: string; n: number }[]> {
  const found = await Promise.all(
    cells.map((cell) =>
      cell.pool.query<{ transaction_id: string; n: number }>(
        `SELECT a.transaction_id, a.n FROM ${cell.schema}.transactions t
           JOIN ${cell.schema}.transfer_attempts a ON a.transaction_id = t.id
          WHERE t.updated_at >= $2 AND t.type IN (${endedByProvider()}) AND a.provider = $1 AND t.amount_kobo = $4
            AND a.created_at >= $2 AND a.created_at < $3 ORDER BY a.created_at LIMIT 5`,
        [
          provider,
          beginningOf(dayAfter(line.day, -1)),
          beginningOf(dayAfter(line.day)),
          Math.abs(line.changeKobo),
        ],
      ),
    ),
  );
  return found.flatMap(({ rows }) => rows.map((row) => ({ transactionId: row.transaction_id, n: row.n })));
}

/** A payment from outside that a line is about. */
export interface CreditOfLine extends PaymentOfLine {
  creditId: string;
  /** Whether it is in our books. */
  isBooked: boolean;
}

/** What the provider owes us of a payment; null where it has not told its fee. */
export const dueOf = ({ amountKobo, feeKobo }: PaymentOfLine): number | null =>
  feeKobo === null ? null : amountKobo - feeKobo;

/** The payments that these lines name, by the reference or by the provider's id. */
export async function creditsOf(
  cells: readonly Cell[],
  provider: string,
  lines: readonly Pick<KeptLine, 'id' | 'reference' | 'providerRef'>[],
): Promise<Map<string, CreditOfLine>> {
  if (lines.length === 0) return new Map();
  const named = (column: 'reference' | 'provider_ref', schema: string): string =>
    `SELECT told.line_id, c.id, c.amount_kobo, c.fee_kobo
       FROM unnest($2::text[], $3::text[], $4::text[]) AS told(line_id, reference, provider_ref)
       JOIN ${schema}.inbound_credits c ON c.provider = $1 AND c.${column} = told.${column}`;
  interface CreditRow {
    line_id: string;
    id: string;
    amount_kobo: number;
    fee_kobo: number | null;
    owed_kobo: number;
    is_booked: boolean;
  }
  const found = cells.map(({ pool, schema }) =>
    pool.query<CreditRow>(
      `SELECT named.*, booked.owed_kobo, booked.is_booked
         FROM (${named('provider_ref', schema)} UNION ${named('reference', schema)}) AS named
        CROSS JOIN LATERAL (
          SELECT coalesce(sum(amount_kobo) FILTER (WHERE account = $5), 0)::bigint AS owed_kobo, count(*) > 0 AS is_booked
            FROM ${schema}.entries WHERE transaction_id = named.id) AS booked`,
      [
        provider,
        lines.map(({ id }) => id),
        lines.map(({ reference }) => reference),
        lines.map(({ providerRef }) => providerRef),
        systemAccountId('2300'),
      ],
    ),
  );
  const rows = (await Promise.all(found)).flatMap((one) => one.rows);
  return new Map(
    rows.map((row) => [
      row.line_id,
      {
        creditId: row.id,
        amountKobo: row.amount_kobo,
        feeKobo: row.fee_kobo,
        owedKobo: row.owed_kobo,
        isBooked: row.is_booked,
      },
    ]),
  );
}

/** A refund that a line is about. */
export interface RefundOfLine {
  lineId: string;
  refundId: string;
  amountKobo: number;
}

/**
 * The refunds that these lines name, by our id of the refund or the provider's; not those that have failed, about which people
 * decide. A refund is taken by one line: of several only the first has it.
 */
export async function refundsOf(
  cells: readonly Cell[],
  provider: string,
  lines: readonly Pick<KeptLine, 'id' | 'reference' | 'providerRef'>[],
): Promise<RefundOfLine[]> {
  if (lines.length === 0) return [];
  const found = cells.map(({ pool, schema }) =>
    pool.query<{ line_id: string; id: string; amount_kobo: number }>(
      `SELECT DISTINCT ON (r.id) told.line_id, r.id, r.amount_kobo
         FROM unnest($2::text[], $3::text[], $4::text[]) WITH ORDINALITY AS told(line_id, reference, provider_ref, place)
         JOIN ${schema}.inbound_refunds r
           ON r.provider = $1 AND (r.provider_ref = told.provider_ref OR r.id::text = told.reference)
        WHERE r.state = ANY($5) ORDER BY r.id, told.place`,
      [
        provider,
        lines.map(({ id }) => id),
        lines.map(({ reference }) => reference),
        lines.map(({ providerRef }) => providerRef),
        STATES_OF_ONE_REFUND,
      ],
    ),
  );
  const rows = (await Promise.all(found)).flatMap((one) => one.rows);
  return rows.map((row) => ({ lineId: row.line_id, refundId: row.id, amountKobo: row.amount_kobo }));
}

/** What treasury entries have booked to explain each of these lines, on the account that the line changes. */
export async function explainedOf(
  { pool, directory, provider }: Statements,
  firstCell: Cell,
  lines: readonly Pick<KeptLine, 'id' | 'about'>[],
): Promise<Map<string, { kobo: number; payments: number }>> {
  if (lines.length === 0) return new Map();
  const { rows } = await pool.query<{ line_id: string; kobo: number; payments: number }>(
    `SELECT e.line_id, sum(CASE WHEN l.about = 'settlement' THEN b.amount_kobo ELSE -b.amount_kobo END)::bigint AS kobo,
            sum(CASE e.entry WHEN 'paid_twice' THEN 1 WHEN 'recovered' THEN -1 ELSE 0 END)::int AS payments
       FROM ${directory}.treasury_entries e
       JOIN ${directory}.provider_lines l USING (provider, line_id)
       JOIN ${firstCell.schema}.entries b ON b.transaction_id = e.transaction_id
        AND b.account = CASE WHEN l.about = 'settlement' THEN $3::uuid ELSE $4::uuid END
      WHERE e.provider = $1 AND e.line_id = ANY($2) GROUP BY e.line_id`,
    [
      provider,
      lines.map(({ id }) => id),
      companyAccountId('1300', provider),
      companyAccountId('1200', provider),
    ],
  );
  return new Map(rows.map(({ line_id: id, kobo, payments }) => [id, { kobo, payments }]));
}

/**
 * Notes which line a treasury entry explains, before its money is booked. A second note of the same entry changes nothing.
 * @returns false where another entry of its kind explains the line, or the day of the line is closed.
 */
export async function noteEntry(
  { pool, directory, provider }: Statements,
  id: string,
  { entry, lineId, day }: Pick<TreasuryEntry, 'entry' | 'lineId' | 'day'>,
): Promise<boolean> {
  const values = [id, entry, provider, lineId, day];
  try {
    await pool.query(
      `INSERT INTO ${directory}.treasury_entries (transaction_id, entry, provider, line_id, day)
       SELECT $1, $2, $3, $4, $5::date WHERE NOT EXISTS (
         SELECT FROM ${directory}.treasury_entries WHERE transaction_id = $1) ON CONFLICT DO NOTHING`,
      values,
    );
  } catch (error) {
    if ((error as { code?: string }).code === RESTRICTED) return false;
    throw error;
  }
  const { rows } = await pool.query(`SELECT FROM ${directory}.treasury_entries WHERE transaction_id = $1`, [
    id,
  ]);
  return rows.length === 1;
}

/** What Postgres answers for a day that is closed. */
const RESTRICTED = '23001';
