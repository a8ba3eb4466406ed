/** The routes of payouts: which company pays transfers to which bank, as operators have ordered. */
import type { PayoutRoute } from '../../domain/payout-routes';
import type { Queryable } from '../pg/postgres';

interface RouteRow {
  id: string;
  bank_code: string | null;
  from_kobo: number;
  to_kobo: number | null;
  provider: string;
  priority: number;
}

const toRoute = (row: RouteRow): PayoutRoute => ({
  id: row.id,
  bankCode: row.bank_code,
  fromKobo: row.from_kobo,
  toKobo: row.to_kobo,
  provider: row.provider,
  priority: row.priority,
});

/** All routes of an environment, the first ones first. */
export async function listPayoutRoutes(db: Queryable, directory: string): Promise<PayoutRoute[]> {
  const { rows } = await db.query<RouteRow>(
    `SELECT id, bank_code, from_kobo, to_kobo, provider, priority FROM ${directory}.payout_routes
      ORDER BY priority, bank_code NULLS LAST, created_at, id`,
  );
  return rows.map(toRoute);
}

/** Adds a route. A second one with the same id changes nothing. */
export async function addPayoutRoute(db: Queryable, directory: string, route: PayoutRoute): Promise<void> {
  const { id, bankCode, fromKobo, toKobo, provider, priority } = route;
  await db.query(
    `INSERT INTO ${directory}.payout_routes (id, bank_code, from_kobo, to_kobo, provider, priority)
     VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
    [id, bankCode, fromKobo, toKobo, provider, priority],
  );
}

/** Removes a route. @returns false if there is none with this id, as after a second removal. */
export async function removePayoutRoute(db: Queryable, directory: string, id: string): Promise<boolean> {
  const { rowCount } = await db.query(`DELETE FROM ${directory}.payout_routes WHERE id = $1`, [id]);
  return rowCount === 1;
}
