/**
 * The figures about the health of a cell. Each uses an index, so they are cheap enough to be read every few
 * seconds.
 */
import type { FindingClass } from '../../domain/findings';
import { unclaimed } from '../events/deliveries';
import { endedByProvider } from '../ledger/kinds-in-sql';
import { firstIdSince } from '../pg/ids';
import type { Cell } from '../pg/postgres';
import { WHOLE_RUN } from '../reconcile/pages';
import { suspenseBalances, type SuspenseBalance } from '../reconcile/suspense';

export interface CellSample {
  /**
   * The age in seconds of the oldest one that waits; 0 when none waits.
   */
  intentionOldestSeconds: number;
  transferOldestSeconds: number;
  /**
   * Of the deliveries that are due at endpoints at which nobody is at work. An endpoint whose last attempt has failed, or
   * whose partner holds its deliveries back for a rehearsal, waits because of its receiver.
   */
  webhookOldestSeconds: number;
  /** Of the wallets without an account number, since nothing of their owner is missing any more. */
  walletOldestSeconds: number;
  /** Of the verifications without a result. */
  verificationOldestSeconds: number;
  /** Since the last reconciliation of the cell has ended; 0 before the first one. */
  reconciledSeconds: number;
  /** Sum of the entries of the newest transactions; anything but 0 is an alarm. */
  imbalanceKobo: number;
  /** Open findings of reconciliation, by class; classes without any are not there. */
  findings: ReadonlyMap<FindingClass, number>;
  /** What is in suspense, by the books and by the open findings. */
  suspense: readonly SuspenseBalance[];
}

type Sampled = Record<
  'intention' | 'transfer' | 'webhook' | 'wallet' | 'verification' | 'reconciled' | 'imbalance',
  number
>;

/** How old a transaction may be to be summed here. The reconciliation sums all of them. */
const RECENT_MS = 60_000;

/**
 * Reads the ages and the balance of what is new.
 * @returns whole seconds, by the database's clock.
 */
export async function sampleCell({ schema, pool }: Cell): Promise<CellSample> {
  const { rows } = await pool.query<Sampled>(
    `SELECT ${age(`SELECT min(created_at) FROM ${schema}.workflow_intentions WHERE started_at IS NULL`)} AS intention,
            ${age(`SELECT min(created_at) FROM ${schema}.transactions
                    WHERE status = 'processing' AND type IN (${endedByProvider()})`)} AS transfer,
            ${age(`SELECT min(due) FROM ${schema}.webhook_endpoints e
                    CROSS JOIN LATERAL (SELECT min(next_attempt_at) AS due FROM ${schema}.deliveries d
                                         WHERE d.endpoint_id = e.id AND next_attempt_at IS NOT NULL
                                           AND ${unclaimed}) d
                    WHERE e.is_active AND e.deleted_at IS NULL AND e.failing_since IS NULL
                      AND (e.fault IS DISTINCT FROM 'delay' OR e.fault_until <= now())
                      AND NOT EXISTS (SELECT FROM ${schema}.deliveries c
                                       WHERE c.endpoint_id = e.id AND c.next_attempt_at <= d.due
                                         AND NOT ${unclaimed})`)} AS webhook,
            ${age(`SELECT w.account_wanted_at FROM ${schema}.wallets w JOIN ${schema}.accounts a ON a.id = w.id
                    WHERE w.account_number IS NULL AND w.account_wanted_at IS NOT NULL AND a.status = 'pending'
                    ORDER BY w.account_wanted_at LIMIT 1`)} AS wallet,
            ${age(`SELECT created_at FROM ${schema}.verifications
                    WHERE status = 'pending' ORDER BY id LIMIT 1`)} AS verification,
            ${age(`SELECT updated_at FROM ${schema}.recon_progress WHERE pass = '${WHOLE_RUN}'`)} AS reconciled,
            (SELECT coalesce(sum(amount_kobo), 0)::bigint FROM ${schema}.entries WHERE transaction_id >= $1) AS imbalance`,
    [firstIdSince(Date.now() - RECENT_MS)],
  );
  const found = await pool.query<{ class: FindingClass; open: number }>(
    `SELECT class, count(*)::int AS open FROM ${schema}.recon_findings WHERE closed_at IS NULL GROUP BY class`,
  );
  const row = rows[0];
  return {
    intentionOldestSeconds: row?.intention ?? 0,
    transferOldestSeconds: row?.transfer ?? 0,
    webhookOldestSeconds: row?.webhook ?? 0,
    walletOldestSeconds: row?.wallet ?? 0,
    verificationOldestSeconds: row?.verification ?? 0,
    reconciledSeconds: row?.reconciled ?? 0,
    imbalanceKobo: row?.imbalance ?? 0,
    suspense: await suspenseBalances({ pool, schema }),
    findings: new Map(found.rows.map(({ class: of, open }) => [of, open])),
  };
}

/** A delivery that is due in the future is not late. */
const age = (since: string): string =>
  `greatest(0, coalesce(extract(epoch FROM clock_timestamp() - (${since})), 0))::float8`;
