/**
 * Forward time in a sandbox (D208). No clock is changed and no timestamp: the deadlines of one partner move earlier, and a
 * row for each forward tells how much older than its timestamp something counts as.
 */
import type { Intention } from '../../domain/intentions';
import { keptCallbackOf, SCENARIO_SECONDS_MAX } from '../../domain/sandbox-scenarios';
import type { TransactionStatus } from '../../domain/transactions';
import { done, type Outcome, type Refused } from '../../domain/outcome';
import { tooMuchDue, type WorkUntil } from '../../domain/scheduled-transfers';
import { forwardSchedules, schedulesInTurn, workAfterForward } from '../payments/scheduled-transfers';
import { newId } from '../pg/ids';
import { inTransaction, type Cell, type Queryable } from '../pg/postgres';
import { assertNotResetting } from './epochs';

/** What a forward has moved, by the ids of those whose workflows are to look again. */
export interface Moved {
  ussdSessions: string[];
  qrRequests: number;
  holds: string[];
  transfers: string[];
  scheduledTransfers: number;
  /** The workflows of those of them that have something to do now. */
  dueSchedules: Intention[];
  /** Transfers about which the simulated bank has still something to say by itself. */
  callbacks: string[];
  verifications: string[];
  deliveries: number;
  /** The endpoints of those deliveries. */
  endpointIds: string[];
  freezes: number;
  idempotencyKeys: number;
}

/** How many workflows of a kind are told. Further ones look at their own time. */
const TOLD_MAX = 1_000;

/**
 * Moves the deadlines of a partner, in one commit under its fence. A second call moves them once more. What it would make due is
 * counted before anything is written, with what earlier ones have made due and nobody has run yet.
 * @param windowMs how long an idempotency key is good for.
 * @param refusalOf what else speaks against so much work; null for nothing.
 * @returns what was moved, or refused: LIMIT_EXCEEDED.
 * @throws an outage while the sandbox is reset.
 */
export const forwardDeadlines = (
  { pool, schema }: Cell,
  partnerId: string,
  {
    seconds,
    windowMs,
    refusalOf,
  }: { seconds: number; windowMs: number; refusalOf: (work: WorkUntil) => Refused | null },
): Promise<Outcome<Moved>> =>
  inTransaction(pool, async (trx) => {
    await assertNotResetting(trx, schema, partnerId);
    await schedulesInTurn(trx, schema, partnerId);
    const work = await workAfterForward(trx, schema, { partnerId, seconds });
    const refused = tooMuchDue(work) ?? refusalOf(work);
    if (refused) return refused;
    await trx.query(
      `INSERT INTO ${schema}.sandbox_forwards (id, partner_id, forwarded_ms, at) VALUES ($1, $2, $3, now())`,
      [newId(), partnerId, seconds * 1_000],
    );
    const earlier = `$2 * interval '1 second'`;
    const change = async (statement: string): Promise<string[]> => {
      const { rows } = await trx.query<{ id: string }>(statement, [partnerId, seconds]);
      return rows.map(({ id }) => id);
    };
    const open = async (statement: string): Promise<string[]> => {
      const { rows } = await trx.query<{ id: string }>(`${statement} LIMIT ${String(TOLD_MAX)}`, [partnerId]);
      return rows.map(({ id }) => id);
    };
    // Their accounts first and in id order, as the ledger locks them, so that neither waits for the other in a circle.
    const { rows: accounts } = await trx.query<{ id: string }>(
      `SELECT id FROM ${schema}.accounts WHERE id IN (
         SELECT wallet_id FROM ${schema}.holds WHERE partner_id = $1 AND status = 'open'
         UNION ALL
         SELECT a.id FROM ${schema}.accounts a JOIN ${schema}.wallets w USING (id)
          WHERE w.partner_id = $1 AND a.frozen_until IS NOT NULL)
        ORDER BY id FOR NO KEY UPDATE`,
      [partnerId],
    );
    const locked = accounts.map(({ id }) => id);
    const changeOf = async (statement: string): Promise<string[]> => {
      const { rows } = await trx.query<{ id: string }>(statement, [partnerId, seconds, locked]);
      return rows.map(({ id }) => id);
    };
    const deliveries = await change(
      `UPDATE ${schema}.deliveries SET next_attempt_at = greatest(now(), next_attempt_at - ${earlier})
        WHERE next_attempt_at > now() AND endpoint_id IN (
          SELECT id FROM ${schema}.webhook_endpoints WHERE partner_id = $1 AND deleted_at IS NULL)
        RETURNING endpoint_id AS id`,
    );
    return done({
      ussdSessions: await change(
        `UPDATE ${schema}.ussd_sessions SET expires_at = expires_at - ${earlier}
          WHERE partner_id = $1 AND status IN ('initiated', 'menu_main', 'pin_entry') RETURNING id`,
      ),
      qrRequests: (
        await change(
          `UPDATE ${schema}.qr_requests SET expires_at = expires_at - ${earlier}
            WHERE partner_id = $1 AND transaction_id IS NULL AND expires_at > now() RETURNING id`,
        )
      ).length,
      holds: await changeOf(
        `UPDATE ${schema}.holds SET expires_at = expires_at - ${earlier}
          WHERE partner_id = $1 AND status = 'open' AND wallet_id = ANY($3) RETURNING id`,
      ),
      transfers: await open(
        `SELECT id FROM ${schema}.transactions
          WHERE partner_id = $1 AND status = 'processing' AND NOT paused ORDER BY created_at`,
      ),
      ...(await forwardSchedules(trx, schema, { partnerId, seconds, limit: TOLD_MAX })),
      callbacks: await openCallbacks(trx, schema, partnerId),
      verifications: await open(
        `SELECT id FROM ${schema}.verifications WHERE partner_id = $1 AND status = 'pending' ORDER BY id`,
      ),
      deliveries: deliveries.length,
      endpointIds: [...new Set(deliveries)],
      freezes: (
        await changeOf(
          // One that is over moves, too, so that it stays before what comes after it.
          `WITH moved AS (
             UPDATE ${schema}.accounts SET frozen_until = frozen_until - ${earlier}
              WHERE partner_id = $1 AND frozen_until IS NOT NULL AND id = ANY($3)
              RETURNING id, frozen_until + ${earlier} > now() AS was_frozen)
           SELECT id FROM moved WHERE was_frozen`,
        )
      ).length,
      idempotencyKeys: await forgetKeys(trx, schema, partnerId, windowMs),
    });
  });

/** Later than the longest time of a scenario nothing waits for its time any more. */
async function openCallbacks(trx: Queryable, schema: string, partnerId: string): Promise<string[]> {
  const { rows } = await trx.query<{ id: string; status: TransactionStatus; scenario: string }>(
    `SELECT id, status, scenario FROM ${schema}.transactions
      WHERE partner_id = $1 AND created_at > now() - $2 * interval '1 second' AND scenario IS NOT NULL
        AND status IN ('processing', 'completed') ORDER BY created_at LIMIT ${String(TOLD_MAX)}`,
    [partnerId, SCENARIO_SECONDS_MAX],
  );
  return rows
    .filter(({ status, scenario }) => {
      const says = keptCallbackOf(scenario);
      return says !== null && (status === 'processing' || says.outcome === 'reversed');
    })
    .map(({ id }) => id);
}

/** Deletes the keys whose window is over by all forwards since they were used. */
async function forgetKeys(
  trx: Queryable,
  schema: string,
  partnerId: string,
  windowMs: number,
): Promise<number> {
  const { rowCount } = await trx.query(
    `DELETE FROM ${schema}.idempotency_keys k WHERE partner_id = $1
        AND k.created_at <= now() - $2 * interval '1 millisecond' + ${sumSince(schema, '$1', 'k.created_at')}`,
    [partnerId, windowMs],
  );
  return rowCount ?? 0;
}

const sumSince = (schema: string, partner: string, since: string): string =>
  `(SELECT coalesce(sum(forwarded_ms), 0) * interval '1 millisecond' FROM ${schema}.sandbox_forwards
     WHERE partner_id = ${partner} AND at >= ${since})`;

/** By how much the calendars of partners `$1` are ahead, as `ahead_ms`; no row for one that has forwarded nothing. */
export const sumOfForwards = (schema: string): string =>
  `SELECT partner_id, sum(forwarded_ms)::bigint AS ahead_ms FROM ${schema}.sandbox_forwards
    WHERE partner_id = ANY($1::uuid[]) GROUP BY partner_id`;

/** How much older something of a sandbox counts as than its timestamp says, in milliseconds. */
export async function forwardedMs({ pool, schema }: Cell, partnerId: string, since: Date): Promise<number> {
  const { rows } = await pool.query<{ ms: number }>(
    `SELECT coalesce(sum(forwarded_ms), 0)::float8 AS ms FROM ${schema}.sandbox_forwards
      WHERE partner_id = $1 AND at >= $2`,
    [partnerId, since],
  );
  return rows[0]?.ms ?? 0;
}
