/**
 * How the reconciliation goes through a cell: it looks at what has moved since its last run, and at a part of
 * everything older. So the cost of a run does not grow with the length of the history.
 */
import { present } from '../../domain/assert';
import { FIRST_UUID } from '../pg/ids';
import type { Cell } from '../pg/postgres';

/** Some transactions, and the wallets on both sides of them. */
export interface Page {
  ids: string[];
  wallets: string[];
  /** Where the next page begins; null after the last one. */
  next: string | null;
}

export async function readPosition(cell: Cell, pass: string): Promise<string | null> {
  const { rows } = await cell.pool.query<{ position: string }>(
    `SELECT position FROM ${cell.schema}.recon_progress WHERE pass = $1`,
    [pass],
  );
  return rows[0]?.position ?? null;
}

/** The pass whose position is written at the end of a run: when it was written tells when a run has last ended. */
export const WHOLE_RUN = 'whole run';

/** The pass whose position is the sum of all entries, and the last transaction that is in it, as `sum|id`. */
export const LEDGER_SUM = 'ledger sum';

/** Remembers how far a pass has come. To check a page twice does no harm. */
export async function writePosition(cell: Cell, pass: string, position: string): Promise<void> {
  await cell.pool.query(
    `INSERT INTO ${cell.schema}.recon_progress (pass, position) VALUES ($1, $2)
     ON CONFLICT (pass) DO UPDATE SET position = excluded.position, updated_at = now()`,
    [pass, position],
  );
}

interface Row {
  id: string;
  source_wallet: string | null;
  dest_wallet: string | null;
}

const toPage = (rows: readonly Row[], next: string | null): Page => ({
  ids: rows.map((row) => row.id),
  wallets: [
    ...new Set(rows.flatMap((row) => [row.source_wallet, row.dest_wallet]).filter((id) => id !== null)),
  ],
  next,
});

/** What is older than this at the first run is left to the passes over everything older. */
const FIRST_LOOK_MS = 3_600_000;

/**
 * Adds the pages that were written since the last time to the index of moves. Without that, every look-up by time
 * reads all of them. Postgres does it by itself with its next clean-up; while that runs, this does nothing.
 */
export async function summarizeMoves(cell: Cell): Promise<void> {
  await cell.pool.query(`SELECT ${cell.schema}.summarize_moves()`);
}

/**
 * What has moved after `position`, in the order in which it moved, and not within the last `settledMs`: a batch
 * that is still being written shows the time at which it began.
 * @param windowMs how much of the time after `position` is sorted for the page.
 * @returns the page; `position` is where the next one begins, and there is none yet where `next` is null.
 */
export async function movedPage(
  cell: Cell,
  position: string | null,
  { settledMs, windowMs, limit }: { settledMs: number; windowMs: number; limit: number },
): Promise<Page & { position: string }> {
  const [from = null, afterId = FIRST_UUID] = position?.split('|') ?? [];
  const { rows: spans } = await cell.pool.query<{ since: Date; until: Date; is_last: boolean }>(
    `SELECT since, is_last, greatest(since, CASE WHEN is_last THEN latest ELSE longest END) AS until
       FROM (SELECT since, latest, longest, latest <= longest AS is_last
               FROM (SELECT since, since + $3 * interval '1 millisecond' AS longest,
                            (now() - $2 * interval '1 millisecond')::timestamptz(3) AS latest
                       FROM (SELECT coalesce($1::timestamptz, now() - $4 * interval '1 millisecond')::timestamptz(3)
                                    AS since) AS a) AS b) AS c`,
    [from, settledMs, windowMs, FIRST_LOOK_MS],
  );
  const span = present(spans[0], 'the time to look at');
  const { rows } = await cell.pool.query<Row & { updated_at: Date }>(
    `SELECT id, source_wallet, dest_wallet, updated_at FROM ${cell.schema}.transactions
      WHERE updated_at >= $1 AND updated_at < $2 AND (updated_at, id) > ($1, $3::uuid)
      ORDER BY updated_at, id LIMIT $4`,
    [span.since, span.until, afterId, limit],
  );
  const last = rows.length === limit ? rows.at(-1) : undefined;
  const reached = last ? place(last.updated_at, last.id) : place(span.until, FIRST_UUID);
  return { ...toPage(rows, !last && span.is_last ? null : reached), position: reached };
}

const place = (at: Date, id: string): string => `${at.toISOString()}|${id}`;

/** The transactions after `afterId`, by id. */
export async function nextTransactions(cell: Cell, afterId: string | null, limit: number): Promise<Page> {
  const { rows } = await cell.pool.query<Row>(
    `SELECT id, source_wallet, dest_wallet FROM ${cell.schema}.transactions
      WHERE id > $1 ORDER BY id LIMIT $2`,
    [afterId ?? FIRST_UUID, limit],
  );
  return toPage(rows, rows.length === limit ? (rows.at(-1)?.id ?? null) : null);
}

/** The wallets after `afterId`, by id. */
export async function nextAccounts(
  cell: Cell,
  afterId: string | null,
  limit: number,
): Promise<{ ids: string[]; next: string | null }> {
  const { rows } = await cell.pool.query<{ id: string }>(
    `SELECT id FROM ${cell.schema}.accounts WHERE id > $1 ORDER BY id LIMIT $2`,
    [afterId ?? FIRST_UUID, limit],
  );
  const ids = rows.map((row) => row.id);
  return { ids, next: ids.length === limit ? (ids.at(-1) ?? null) : null };
}
