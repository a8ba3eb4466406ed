/** The days of providers: what was compared of each, and that two people have closed it. */
import type { Day } from '../../domain/days';
import { DAY_CLASSES, dayOfFindings, type Finding } from '../../domain/findings';
import type { Cell } from '../pg/postgres';
import { recordFindings } from './findings';
import type { Statements } from './provider-lines';

/** The figures of a day. */
export interface DayFigures {
  openingKobo: number;
  closingKobo: number;
  lines: number;
  booksKobo: number;
  underWayKobo: number;
  receivableKobo: number;
}

export interface ProviderDay extends DayFigures {
  provider: string;
  day: Day;
  checkedAt: Date;
  /** Whether the lines that count for it are still those that were checked. */
  isAsChecked: boolean;
  closedAt: Date | null;
  /** The proposal by which two people closed it. */
  closedBy: string | null;
}

interface DayRow {
  provider: string;
  day: string;
  opening_kobo: number;
  closing_kobo: number;
  lines: number;
  books_kobo: number;
  under_way_kobo: number;
  receivable_kobo: number;
  checked_at: Date;
  is_as_checked: boolean;
  closed_at: Date | null;
  closed_by: string | null;
}

const toDay = (row: DayRow): ProviderDay => ({
  provider: row.provider,
  day: row.day,
  openingKobo: row.opening_kobo,
  closingKobo: row.closing_kobo,
  lines: row.lines,
  booksKobo: row.books_kobo,
  underWayKobo: row.under_way_kobo,
  receivableKobo: row.receivable_kobo,
  checkedAt: row.checked_at,
  isAsChecked: row.is_as_checked,
  closedAt: row.closed_at,
  closedBy: row.closed_by,
});

/** That no line of the day was withdrawn since it was checked: what people have seen of it still counts. */
const NOTHING_WITHDRAWN = (directory: string): string =>
  `NOT EXISTS (SELECT FROM ${directory}.provider_lines l
     WHERE l.provider = provider_days.provider AND l.day = provider_days.day AND l.withdrawn_at >= provider_days.checked_at)`;

const COLUMNS = (directory: string): string =>
  `provider, day::text, opening_kobo, closing_kobo, lines, books_kobo, under_way_kobo, receivable_kobo,
  checked_at, ${NOTHING_WITHDRAWN(directory)} AS is_as_checked, closed_at, closed_by`;

/** The newest days of all providers, the newest first. */
export async function listDays(
  { pool }: Pick<Cell, 'pool'>,
  directory: string,
  limit: number,
): Promise<ProviderDay[]> {
  const { rows } = await pool.query<DayRow>(
    `SELECT ${COLUMNS(directory)} FROM ${directory}.provider_days ORDER BY provider_days.day DESC, provider LIMIT $1`,
    [limit],
  );
  return rows.map(toDay);
}

export async function findDay(
  { pool, directory, provider }: Statements,
  day: Day,
): Promise<ProviderDay | null> {
  const { rows } = await pool.query<DayRow>(
    `SELECT ${COLUMNS(directory)} FROM ${directory}.provider_days WHERE provider = $1 AND day = $2`,
    [provider, day],
  );
  return rows[0] ? toDay(rows[0]) : null;
}

/** The last day before this one that was imported; null where there is none. */
export async function dayBefore(
  { pool, directory, provider }: Statements,
  day: Day,
): Promise<ProviderDay | null> {
  const { rows } = await pool.query<DayRow>(
    `SELECT ${COLUMNS(directory)} FROM ${directory}.provider_days WHERE provider = $1 AND day < $2
      ORDER BY provider_days.day DESC LIMIT 1`,
    [provider, day],
  );
  return rows[0] ? toDay(rows[0]) : null;
}

/** Keeps what was compared. A second check writes the figures of the same day anew, until it is closed. */
export async function keepDay(
  { pool, directory, provider }: Statements,
  day: Day,
  figures: DayFigures,
): Promise<void> {
  await pool.query(
    `INSERT INTO ${directory}.provider_days
       (provider, day, opening_kobo, closing_kobo, lines, books_kobo, under_way_kobo, receivable_kobo)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
     ON CONFLICT (provider, day) DO UPDATE
       SET opening_kobo = excluded.opening_kobo, closing_kobo = excluded.closing_kobo, lines = excluded.lines,
           books_kobo = excluded.books_kobo, under_way_kobo = excluded.under_way_kobo,
           receivable_kobo = excluded.receivable_kobo, checked_at = now()`,
    [
      provider,
      day,
      figures.openingKobo,
      figures.closingKobo,
      figures.lines,
      figures.booksKobo,
      figures.underWayKobo,
      figures.receivableKobo,
    ],
  );
}

const likeOf = (provider: string, day: Day): string => `${dayOfFindings(provider, day)}%`;

/**
 * Writes the findings of a day, and closes those whose cause is gone. One that a person has closed with a note is
 * explained: it does not open again while nothing about it changes.
 * @returns those that are open now, and how many of the others people have explained.
 */
export async function keepFindings(
  cell: Cell,
  { provider }: Statements,
  day: Day,
  findings: readonly Finding[],
): Promise<{ open: Finding[]; explained: number }> {
  const { rows: explained } = await cell.pool.query<{ name: string }>(
    `SELECT class || ' ' || resource || ' ' || detail AS name FROM ${cell.schema}.recon_findings
      WHERE class = ANY($1) AND resource LIKE $2 AND closed_by IS NOT NULL`,
    [DAY_CLASSES, likeOf(provider, day)],
  );
  const names = new Set(explained.map(({ name }) => name));
  const open = findings.filter(
    (one) => !names.has(`${one.class} ${one.resource} ${JSON.stringify(one.detail)}`),
  );
  await recordFindings(cell.pool, cell.schema, open);
  await cell.pool.query(
    `UPDATE ${cell.schema}.recon_findings SET closed_at = now()
      WHERE class = ANY($1) AND resource LIKE $2 AND closed_at IS NULL
        AND class || ' ' || resource <> ALL($3::text[])`,
    [DAY_CLASSES, likeOf(provider, day), open.map((one) => `${one.class} ${one.resource}`)],
  );
  return { open, explained: findings.length - open.length };
}

/** How many findings of a day are open, and how many a person has explained with a note. */
export async function findCountsOfDay(
  cell: Cell,
  provider: string,
  day: Day,
): Promise<{ open: number; explained: number }> {
  const { rows } = await cell.pool.query<{ open: number; explained: number }>(
    `SELECT count(*) FILTER (WHERE closed_at IS NULL)::int AS open,
            count(*) FILTER (WHERE closed_by IS NOT NULL)::int AS explained
       FROM ${cell.schema}.recon_findings WHERE class = ANY($1) AND resource LIKE $2`,
    [DAY_CLASSES, likeOf(provider, day)],
  );
  return rows[0] ?? { open: 0, explained: 0 };
}

/**
 * Closes a day with the figures that people have seen. It stays open where it was checked again since, or a finding of it
 * is open. A second call for the same proposal finds it closed.
 */
export async function closeDay(
  { pool, directory, provider }: Statements,
  firstCell: Cell,
  day: Day,
  seen: { checkedAt: string; proposalId: string },
): Promise<boolean> {
  await pool.query(
    `UPDATE ${directory}.provider_days SET closed_at = now(), closed_by = $4
      WHERE provider = $1 AND day = $2 AND checked_at = $3 AND closed_at IS NULL
        AND ${NOTHING_WITHDRAWN(directory)}
        AND NOT EXISTS (SELECT FROM ${firstCell.schema}.recon_findings
                         WHERE class = ANY($5) AND resource LIKE $6 AND closed_at IS NULL)`,
    [provider, day, seen.checkedAt, seen.proposalId, DAY_CLASSES, likeOf(provider, day)],
  );
  return (await findDay({ pool, directory, provider }, day))?.closedBy === seen.proposalId;
}

/** The first day of each provider that is not closed. A day is one from its end on, whether it was imported or not. */
export async function listDaysToClose(
  { pool }: Pick<Cell, 'pool'>,
  directory: string,
): Promise<{ provider: string; day: Day }[]> {
  const { rows } = await pool.query<{ provider: string; day: string }>(
    `SELECT provider, coalesce(max(day) FILTER (WHERE closed_at IS NOT NULL) + 1, min(day))::text AS day
       FROM ${directory}.provider_days GROUP BY provider`,
  );
  return rows;
}
