/**
 * What is told outside of the database about each movement of money, so that a restore can be compared with it: a transaction
 * as it was written and as it moved on, and the orders to companies that pay it.
 */
import { payoutReference } from '../../domain/payouts';
import type { MovementLine } from '../../domain/movements';
import type { Cell, Queryable } from '../pg/postgres';

/** A commit may become visible so long after the time that its rows carry. No transaction of the platform takes longer. */
export const VISIBLE_WITHIN_MS = 60_000;

interface MovementRow {
  id: string;
  partner_id: string;
  reference: string;
  type: string;
  status: string;
  amount_kobo: number;
  source_wallet: string | null;
  dest_wallet: string | null;
  at: Date;
}
interface OrderRow {
  transaction_id: string;
  partner_id: string;
  n: number;
  provider: string;
  state: string;
  at: Date;
}

/** Up to when everything was shipped to a destination; null before the first time. */
export async function findShippedUntil(
  db: Queryable,
  directory: string,
  destination: string,
): Promise<Date | null> {
  const { rows } = await db.query<{ shipped_until: Date }>(
    `SELECT shipped_until FROM ${directory}.movements_shipped WHERE destination = $1`,
    [destination],
  );
  return rows[0]?.shipped_until ?? null;
}

/** Notes that a destination has everything up to this time. An earlier time than the noted one changes nothing. */
export async function noteShipped(
  db: Queryable,
  directory: string,
  destination: string,
  until: Date,
): Promise<void> {
  await db.query(
    `INSERT INTO ${directory}.movements_shipped AS known (destination, shipped_until) VALUES ($1, $2)
     ON CONFLICT (destination) DO UPDATE SET shipped_until = excluded.shipped_until
      WHERE known.shipped_until < excluded.shipped_until`,
    [destination, until],
  );
}

/** How long ago, in seconds, everything was shipped to the destination that is furthest behind; null where nothing is shipped. */
export async function shippedSeconds(db: Queryable, directory: string): Promise<number | null> {
  const { rows } = await db.query<{ seconds: number | null }>(
    `SELECT extract(epoch FROM clock_timestamp() - min(shipped_until))::float8 AS seconds
       FROM ${directory}.movements_shipped`,
  );
  return rows[0]?.seconds ?? null;
}

/**
 * The movements of a cell that carry a time from `from` on, up to `to` and without it.
 * @param limit at most so many transactions; where there are more, the span is read in smaller pieces.
 * @returns null where there are more than the limit.
 */
export async function listMovements(
  { schema, pool }: Cell,
  { from, to }: { from: Date; to: Date },
  limit: number,
): Promise<MovementLine[] | null> {
  const { rows } = await pool.query<MovementRow>(
    `SELECT id, partner_id, reference, type, status, amount_kobo, source_wallet, dest_wallet, updated_at AS at
       FROM ${schema}.transactions WHERE updated_at >= $1 AND updated_at < $2 ORDER BY updated_at, id LIMIT $3`,
    [from, to, limit + 1],
  );
  if (rows.length > limit) return null;
  // An order of unknown fate does not move its transaction, so it is looked for by what is open.
  const { rows: orders } = await pool.query<OrderRow>(
    `SELECT a.transaction_id, t.partner_id, a.n, a.provider, a.state, a.updated_at AS at
       FROM ${schema}.transactions t JOIN ${schema}.transfer_attempts a ON a.transaction_id = t.id
      WHERE t.status = 'processing' AND a.updated_at >= $1 AND a.updated_at < $2
      ORDER BY a.updated_at, a.transaction_id, a.n`,
    [from, to],
  );
  return [
    ...rows.map((row): MovementLine => ({
      kind: 'movement',
      cell: schema,
      transactionId: row.id,
      partnerId: row.partner_id,
      at: row.at,
      reference: row.reference,
      type: row.type,
      status: row.status,
      amountKobo: row.amount_kobo,
      sourceWalletId: row.source_wallet,
      destWalletId: row.dest_wallet,
    })),
    ...orders.map((row): MovementLine => ({
      kind: 'order',
      cell: schema,
      transactionId: row.transaction_id,
      partnerId: row.partner_id,
      at: row.at,
      company: row.provider,
      reference: payoutReference(row.transaction_id, row.n),
      state: row.state,
    })),
  ];
}

/** The statuses of those of these transactions that a cell has. */
export async function statusesOf(
  db: Queryable,
  schema: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await db.query<{ id: string; status: string }>(
    `SELECT id, status FROM ${schema}.transactions WHERE id = ANY($1)`,
    [ids],
  );
  return new Map(rows.map(({ id, status }) => [id, status]));
}
