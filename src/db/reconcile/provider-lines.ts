/** The lines of providers' statements, as they are kept. */
import type { Day } from '../../domain/days';
import {
  differenceOf,
  NOT_TOLD,
  type LineSubject,
  type StatementLine,
  type ToldOfLine,
} from '../../domain/statement-lines';
import type { Queryable } from '../pg/postgres';

/** Where a provider's days lie: the directory of an environment. */
export interface Statements {
  pool: Queryable;
  directory: string;
  provider: string;
}

/** A line as it is kept. */
export interface KeptLine extends StatementLine {
  /** Of its row. Two days may have a line of the same id. */
  line: string;
  /** The day on which it happened. */
  ownDay: Day;
  /** The day for which it counts. */
  day: Day;
  transactionId: string | null;
  n: number | null;
  /** What the statement says of it now, where that is something else. */
  toldAgain: ToldOfLine | null;
}

interface LineRow {
  id: string;
  line_id: string;
  at: Date;
  own_day: string;
  day: string;
  about: LineSubject;
  change_kobo: number;
  balance_kobo: number | null;
  reference: string | null;
  provider_ref: string | null;
  session_id: string | null;
  transaction_id: string | null;
  n: number | null;
  told_again: ToldOfLine | null;
}

const toLine = (row: LineRow): KeptLine => ({
  line: row.id,
  id: row.line_id,
  at: row.at,
  ownDay: row.own_day,
  day: row.day,
  about: row.about,
  changeKobo: row.change_kobo,
  balanceKobo: row.balance_kobo,
  reference: row.reference,
  providerRef: row.provider_ref,
  sessionId: row.session_id,
  transactionId: row.transaction_id,
  n: row.n,
  toldAgain: row.told_again,
});

const COLUMNS = `id, line_id, at, own_day::text, day::text, about, change_kobo, balance_kobo, reference, provider_ref,
  session_id, transaction_id, n, told_again`;
/** A line that two people have withdrawn does not count, and is kept. */
const COUNTS = 'withdrawn_at IS NULL';

/** The lines of a day as a statement tells them. */
export interface ToldDay {
  day: Day;
  lines: readonly StatementLine[];
  /** Whether people have made the file. A provider gives each line an id of its own for good; people number them anew. */
  isByHand: boolean;
}

/**
 * Keeps the lines of a day that are not kept yet, and compares the others with what is kept (R52). A line that comes again as it
 * is changes nothing. A line of a day that is closed counts for the first day after it that is open.
 * @returns how many were new, and how many differ.
 */
export async function keepLines(
  statements: Statements,
  told: ToldDay,
): Promise<{ imported: number; differing: number }> {
  const { pool, directory, provider } = statements;
  const before = await knownLines(statements, told);
  const known = new Map(before.map((one) => [one.id, one]));
  const fresh = told.lines.filter(({ id }) => !known.has(id));
  const { rows } = await pool.query<LineRow>(
    `INSERT INTO ${directory}.provider_lines
       (provider, line_id, at, own_day, by_hand, day, about, change_kobo, balance_kobo, reference, provider_ref, session_id)
     SELECT $1, line_id, at, $3, $4, greatest($3::date, (SELECT max(day) + 1 FROM ${directory}.provider_days
                                                         WHERE provider = $1 AND closed_at IS NOT NULL)),
            about, change_kobo, balance_kobo, reference, provider_ref, session_id
       FROM unnest($2::text[], $5::timestamptz[], $6::text[], $7::bigint[], $8::bigint[], $9::text[], $10::text[],
                   $11::text[])
         AS told(line_id, at, about, change_kobo, balance_kobo, reference, provider_ref, session_id)
     ON CONFLICT (provider, own_day, line_id) WHERE ${COUNTS} DO NOTHING RETURNING ${COLUMNS}`,
    [
      provider,
      fresh.map(({ id }) => id),
      told.day,
      told.isByHand,
      fresh.map(({ at }) => at),
      fresh.map(({ about }) => about),
      fresh.map(({ changeKobo }) => changeKobo),
      fresh.map(({ balanceKobo }) => balanceKobo),
      fresh.map(({ reference }) => reference),
      fresh.map(({ providerRef }) => providerRef),
      fresh.map(({ sessionId }) => sessionId),
    ],
  );
  // Another import may have kept some of them at the same moment.
  const kept = rows.length === fresh.length ? before : await knownLines(statements, told);
  const differing = await noteDifferences(statements, kept, told);
  return { imported: rows.length, differing };
}

/**
 * The kept lines with which a statement of a day is compared: those of that day, and those that the provider has told under
 * one of these ids on another day, because its ids are for good.
 */
async function knownLines({ pool, directory, provider }: Statements, told: ToldDay): Promise<KeptLine[]> {
  const { rows } = await pool.query<LineRow>(
    `SELECT ${COLUMNS} FROM ${directory}.provider_lines WHERE provider = $1 AND own_day = $2 AND ${COUNTS}
     UNION ALL
     SELECT ${COLUMNS} FROM ${directory}.provider_lines
      WHERE provider = $1 AND line_id = ANY($3) AND own_day <> $2 AND NOT by_hand AND ${COUNTS}`,
    [provider, told.day, told.isByHand ? [] : told.lines.map(({ id }) => id)],
  );
  return rows.map(toLine);
}

/**
 * Notes beside each kept line what the statement says of it now, where that is something else; a line that it tells as it
 * is kept has nothing beside it any more. The check of this day tells it, or that of the first open one.
 * @returns how many lines differ.
 */
async function noteDifferences(
  { pool, directory, provider }: Statements,
  kept: readonly KeptLine[],
  told: ToldDay,
): Promise<number> {
  const now = new Map(told.lines.map((line) => [line.id, line]));
  const compared = kept.map((line) => {
    const again = now.get(line.id);
    return { line, again: again ? differenceOf(line, again) : NOT_TOLD };
  });
  const changed = compared.filter(
    ({ line, again }) => JSON.stringify(again) !== JSON.stringify(line.toldAgain),
  );
  if (changed.length > 0) {
    await pool.query(
      `UPDATE ${directory}.provider_lines l SET told_again = again,
              told_again_day = CASE WHEN again IS NOT NULL THEN
                greatest(l.day, $4::date, (SELECT max(day) + 1 FROM ${directory}.provider_days
                                  WHERE provider = $1 AND closed_at IS NOT NULL)) END
         FROM unnest($2::uuid[], $3::json[]) AS compared(id, again) WHERE l.id = compared.id`,
      [
        provider,
        changed.map(({ line }) => line.line),
        changed.map(({ again }) => (again ? JSON.stringify(again) : null)),
        told.day,
      ],
    );
  }
  return compared.filter(({ again }) => again !== null).length;
}

/** The lines of which a statement has said something else, and whose difference the check of this day tells. */
export async function linesToldAgain(
  { pool, directory, provider }: Statements,
  day: Day,
): Promise<KeptLine[]> {
  const { rows } = await pool.query<LineRow>(
    `SELECT ${COLUMNS} FROM ${directory}.provider_lines
      WHERE provider = $1 AND told_again_day = $2 AND ${COUNTS} ORDER BY own_day, length(line_id), line_id`,
    [provider, day],
  );
  return rows.map(toLine);
}

/** Whether anything is kept of a provider: a line, or a day. */
export async function isKnownProvider({ pool, directory, provider }: Statements): Promise<boolean> {
  const { rows } = await pool.query<{ known: boolean }>(
    `SELECT EXISTS (SELECT FROM ${directory}.provider_lines WHERE provider = $1)
         OR EXISTS (SELECT FROM ${directory}.provider_days WHERE provider = $1) AS known`,
    [provider],
  );
  return rows[0]?.known === true;
}

/** The lines that count for a day, in the order in which they changed the balance. */
export async function linesOfDay({ pool, directory, provider }: Statements, day: Day): Promise<KeptLine[]> {
  const { rows } = await pool.query<LineRow>(
    `SELECT ${COLUMNS} FROM ${directory}.provider_lines WHERE provider = $1 AND day = $2 AND ${COUNTS}
      ORDER BY at, length(line_id), line_id`,
    [provider, day],
  );
  return rows.map(toLine);
}

/**
 * The lines that have this id at the provider. People number their lines anew each day, so several days may have one.
 * @param ownDay of the line that is meant; null for those that count for a day which is open, or else all.
 */
export async function findLines(
  { pool, directory, provider }: Statements,
  lineId: string,
  ownDay: Day | null,
): Promise<KeptLine[]> {
  const { rows } = await pool.query<LineRow & { is_open: boolean }>(
    `SELECT ${COLUMNS}, NOT EXISTS (SELECT FROM ${directory}.provider_days d
              WHERE d.provider = l.provider AND d.day = l.day AND d.closed_at IS NOT NULL) AS is_open
       FROM ${directory}.provider_lines l
      WHERE provider = $1 AND line_id = $2 AND ($3::date IS NULL OR own_day = $3) AND ${COUNTS} ORDER BY own_day`,
    [provider, lineId, ownDay],
  );
  const open = rows.filter((row) => row.is_open);
  return (open.length > 0 ? open : rows).map(toLine);
}

/** A line by its row, unless it was withdrawn. */
export async function findLine({ pool, directory }: Statements, line: string): Promise<KeptLine | null> {
  const { rows } = await pool.query<LineRow>(
    `SELECT ${COLUMNS} FROM ${directory}.provider_lines WHERE id = $1 AND ${COUNTS}`,
    [line],
  );
  return rows[0] ? toLine(rows[0]) : null;
}

/**
 * Withdraws a line of a day that is open. A second call for the same proposal finds it withdrawn.
 * @returns false where its day is closed, or another proposal has withdrawn it.
 */
export async function withdrawLine(
  { pool, directory }: Statements,
  line: string,
  proposalId: string,
): Promise<boolean> {
  try {
    await pool.query(
      `UPDATE ${directory}.provider_lines SET withdrawn_at = now(), withdrawn_by = $2 WHERE id = $1 AND ${COUNTS}`,
      [line, proposalId],
    );
  } catch (error) {
    if (isOfClosedDay(error)) return false;
    throw error;
  }
  const { rows } = await pool.query<{ withdrawn_by: string | null }>(
    `SELECT withdrawn_by FROM ${directory}.provider_lines WHERE id = $1`,
    [line],
  );
  return rows[0]?.withdrawn_by === proposalId;
}

/** Whether Postgres has refused a change of a day that is closed. */
export const isOfClosedDay = (error: unknown): boolean => (error as { code?: string }).code === '23001';
