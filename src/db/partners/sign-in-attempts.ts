/** The counts of wrong sign-ins, shared by all processes. They run under the access role. */
import type { Pool } from 'pg';
import {
  waitOf,
  withOneMore,
  NETWORK_KNOWN_DAYS,
  type AttemptRule,
  type Attempts,
} from '../../domain/sign-in-attempts';
import { inTransaction, type Queryable } from '../pg/postgres';

/** One count: the 16 bytes that stand for an account or a network, and its rule. */
export interface Counter {
  who: Buffer;
  rule: AttemptRule;
}

/** Whether the user of this email, in lower case, has signed in from this network within the last days. */
export async function isKnownNetwork(db: Queryable, email: string, network: Buffer): Promise<boolean> {
  const { rows } = await db.query(
    `SELECT FROM platform.users u JOIN platform.sessions s ON s.user_id = u.id
      WHERE u.email = $1 AND s.network = $2 AND s.created_at > now() - $3 * interval '1 day' LIMIT 1`,
    [email, network, NETWORK_KNOWN_DAYS],
  );
  return rows.length > 0;
}

/**
 * Counts an attempt before it is checked, so that a thousand at once are counted too. While one of the counters
 * waits, nothing is counted: whoever goes on guessing does not make the wait longer.
 * @returns null when it may be checked, or else how long to wait, and the counters whose owner was not told yet.
 */
export function takeAttempt(
  access: Pool,
  counters: readonly Counter[],
): Promise<{ waitMs: number; untold: Buffer[] } | null> {
  return inTransaction(access, async (trx) => {
    const { rows } = await trx.query<{
      who: Buffer;
      in_a_row: number;
      last_at: Date;
      wait_until: Date | null;
      told: boolean;
      now: Date;
    }>(
      // Sorted, so that two processes lock the rows in the same order and cannot deadlock. The update, which
      // changes nothing, locks a row that exists already.
      `INSERT INTO platform.login_attempts AS a (who, in_a_row, last_at)
       SELECT w, 0, clock_timestamp() FROM unnest($1::bytea[]) AS w ORDER BY w
       ON CONFLICT (who) DO UPDATE SET who = a.who
       RETURNING who, in_a_row, last_at, wait_until, told, clock_timestamp() AS now`,
      [counters.map(({ who }) => who)],
    );
    const counts = rows.map((row) => ({
      who: row.who,
      now: row.now,
      told: row.told,
      rule: ruleOf(counters, row.who),
      before: { inARow: row.in_a_row, lastAt: row.last_at, waitUntil: row.wait_until },
    }));
    const waiting = counts.filter(({ before, now }) => waitOf(before, now) !== null);
    if (waiting.length > 0) {
      await trx.query('UPDATE platform.login_attempts SET told = true WHERE who = ANY ($1) AND NOT told', [
        waiting.map(({ who }) => who),
      ]);
      return {
        waitMs: Math.max(...waiting.map(({ before, now }) => waitOf(before, now) ?? 0)),
        untold: waiting.filter(({ told }) => !told).map(({ who }) => who),
      };
    }
    const after = counts.map(({ before, rule, now }) => withOneMore(before, rule, now));
    await keep(
      trx,
      counts.map(({ who }) => who),
      after,
    );
    return null;
  });
}

function ruleOf(counters: readonly Counter[], who: Buffer): AttemptRule {
  const counter = counters.find((one) => one.who.equals(who));
  if (!counter) throw new Error('bug: the database counted for somebody else');
  return counter.rule;
}

async function keep(db: Queryable, who: readonly Buffer[], after: readonly Attempts[]): Promise<void> {
  await db.query(
    `UPDATE platform.login_attempts a
        SET in_a_row = n.in_a_row, last_at = n.last_at, wait_until = n.wait_until, told = false
       FROM unnest($1::bytea[], $2::int[], $3::timestamptz[], $4::timestamptz[])
              AS n(who, in_a_row, last_at, wait_until)
      WHERE a.who = n.who`,
    [
      who,
      after.map(({ inARow }) => inARow),
      after.map(({ lastAt }) => lastAt),
      after.map(({ waitUntil }) => waitUntil),
    ],
  );
}

/** Takes back one attempt that was counted and was not a guess. A second call takes back another one. */
export async function giveAttemptBack(db: Queryable, who: readonly Buffer[]): Promise<void> {
  await db.query(
    `UPDATE platform.login_attempts SET in_a_row = greatest(in_a_row - 1, 0), wait_until = NULL
      WHERE who IN (SELECT who FROM platform.login_attempts WHERE who = ANY ($1) ORDER BY who FOR UPDATE)`,
    [who],
  );
}

/** How long a count is kept that nothing is added to: longer than any rule looks back. */
const KEPT_DAYS = 2;

/** Forgets the wrong attempts of an account, and everybody's that are too old. A second call finds none. */
export async function forgetAttempts(db: Queryable, who: readonly Buffer[]): Promise<void> {
  await db.query(
    `DELETE FROM platform.login_attempts WHERE who IN (
       SELECT who FROM platform.login_attempts
        WHERE who = ANY ($1) OR last_at < now() - $2 * interval '1 day' ORDER BY who FOR UPDATE SKIP LOCKED)`,
    [who, KEPT_DAYS],
  );
}
