/**
 * What is held of a wallet, by the clock: a hold whose time is over holds nothing, also while no worker has ended it (D203,
 * R33). It is ended in the commit that needs its money, or by its workflow, whichever comes first.
 */

/**
 * What is held of a wallet at this moment, in kobo. The holds of a wallet that has none are not looked for.
 * @param accounts the name of the row of its account.
 */
export const setAsideNow = (schema: string, accounts: string): string =>
  `CASE ${accounts}.held_kobo WHEN 0 THEN 0 ELSE (${accounts}.held_kobo - (
     SELECT coalesce(sum(h.amount_kobo), 0) FROM ${schema}.holds h
      WHERE h.wallet_id = ${accounts}.id AND h.status = 'open' AND h.expires_at <= now()))::bigint END`;

/**
 * The status of a hold, which its time changes without a write.
 * @param clock as SQL. Whoever has the lock of its account reads `clock_timestamp()`, so that nobody who began to wait before
 *   the end captures a hold after a reader was told that it has expired.
 */
export const holdNow = (holds: string, clock = 'now()'): string =>
  `CASE WHEN ${holds}.status = 'open' AND ${holds}.expires_at <= ${clock} THEN 'expired' ELSE ${holds}.status END`;

/**
 * Ends the holds of wallet `$1` whose time is over, and what they have set aside is free. The row of its account is locked,
 * so nobody else ends them meanwhile; a second call finds none. It answers in one row with what is held then, or in none
 * where nothing has ended.
 */
export const endOverdueHolds = (schema: string): string =>
  `WITH ended AS (
      UPDATE ${schema}.holds SET status = 'expired', ended_at = now()
       WHERE wallet_id = $1 AND status = 'open' AND expires_at <= now() RETURNING amount_kobo),
    freed AS (SELECT sum(amount_kobo)::bigint AS kobo FROM ended HAVING count(*) > 0)
    UPDATE ${schema}.accounts a SET held_kobo = a.held_kobo - freed.kobo, updated_at = now()
      FROM freed WHERE a.id = $1 RETURNING a.id, a.held_kobo`;
