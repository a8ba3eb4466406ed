/** What the lines of providers' statements are about: attempts of payouts, payments that came in, and refunds. */
import { systemAccountId } from '../../domain/accounts';
import { finderOfAttempts, type KnownAttempt, type PaymentOfLine } from '../../domain/day-check';
import { beginningOf, dayAfter, type Day } from '../../domain/days';
import { attemptOfPayout } from '../../domain/payouts';
import { STATES_OF_ONE_REFUND } from '../../domain/refunds';
import { endedByProvider } from '../ledger/kinds-in-sql';
import type { Cell } from '../pg/postgres';
import type { KeptLine, Statements } from './provider-lines';

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
    return attempt ? [{ line: line.line, ...attempt }] : [];
  });
  if (matched.length === 0) return;
  await pool.query(
    `UPDATE ${directory}.provider_lines l SET transaction_id = m.transaction_id, n = m.n
       FROM unnest($1::uuid[], $2::uuid[], $3::integer[]) AS m(line, transaction_id, n)
      WHERE l.id = m.line AND l.transaction_id IS NULL`,
    [
      matched.map(({ line }) => line),
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

/** The payments that these lines name, by the reference or by the provider's id, by the rows of the lines. */
export async function creditsOf(
  cells: readonly Cell[],
  provider: string,
  lines: readonly Pick<KeptLine, 'line' | 'reference' | 'providerRef'>[],
): Promise<Map<string, CreditOfLine>> {
  if (lines.length === 0) return new Map();
  const named = (column: 'reference' | 'provider_ref', schema: string): string =>
    `SELECT told.line, c.id, c.amount_kobo, c.fee_kobo
       FROM unnest($2::uuid[], $3::text[], $4::text[]) AS told(line, reference, provider_ref)
       JOIN ${schema}.inbound_credits c ON c.provider = $1 AND c.${column} = told.${column}`;
  interface CreditRow {
    line: string;
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
        lines.map(({ line }) => line),
        lines.map(({ reference }) => reference),
        lines.map(({ providerRef }) => providerRef),
        systemAccountId('2300'),
      ],
    ),
  );
  const rows = (await Promise.all(found)).flatMap((one) => one.rows);
  return new Map(
    rows.map((row) => [
      row.line,
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
  line: string;
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
  lines: readonly Pick<KeptLine, 'line' | 'reference' | 'providerRef'>[],
): Promise<RefundOfLine[]> {
  if (lines.length === 0) return [];
  const found = cells.map(({ pool, schema }) =>
    pool.query<{ line: string; id: string; amount_kobo: number }>(
      `SELECT DISTINCT ON (r.id) told.line, r.id, r.amount_kobo
         FROM unnest($2::uuid[], $3::text[], $4::text[]) WITH ORDINALITY AS told(line, reference, provider_ref, place)
         JOIN ${schema}.inbound_refunds r
           ON r.provider = $1 AND (r.provider_ref = told.provider_ref OR r.id::text = told.reference)
        WHERE r.state = ANY($5) ORDER BY r.id, told.place`,
      [
        provider,
        lines.map(({ line }) => line),
        lines.map(({ reference }) => reference),
        lines.map(({ providerRef }) => providerRef),
        STATES_OF_ONE_REFUND,
      ],
    ),
  );
  const rows = (await Promise.all(found)).flatMap((one) => one.rows);
  return rows.map((row) => ({ line: row.line, refundId: row.id, amountKobo: row.amount_kobo }));
}
