/**
 * What must hold after every fault has been healed, one row per rule. A rule gives what breaks it, one line each: an
 * empty list is the only good answer.
 */
import type { Client } from '@temporalio/client';
import type { Queryable } from '../../src/db/pg/postgres';
import { auditWith } from '../support/audit';
import { verifiedLater, type Delivery } from '../support/receiver';
import type { Json } from '../support/send';
import { until } from '../support/until';
import { answerOf, hasUnknown, isAccepted, type Operation } from './load';
import type { Stops } from './faults';

/** When a fault began and ended, by the clock of `performance.now`. */
export interface Window {
  readonly name: string;
  readonly stops: Stops;
  readonly from: number;
  readonly to: number;
}

export interface Evidence {
  readonly db: Queryable;
  /** The schema of the partner's cell. */
  readonly cell: string;
  readonly partnerId: string;
  readonly operations: readonly Operation[];
  readonly deliveries: readonly Delivery[];
  /** The secret of the partner's endpoint, which has subscribed to every event. */
  readonly secret: string;
  readonly windows: readonly Window[];
  /** The ids of the workflows that run although their resource should have ended. */
  readonly running: readonly string[];
}

export type Findings = Readonly<Record<string, readonly string[]>>;

type Rule = (evidence: Evidence) => Promise<string[]> | string[];

/** The workflows that end with their resource. */
const ENDING = ['bankTransfer', 'walletProvisioning', 'kycVerification', 'ussdSession'];

/** The ids of the workflows that run now although they end with their resource. */
export async function runningWorkflows(temporal: Client): Promise<string[]> {
  const types = ENDING.map((type) => `'${type}'`).join(', ');
  const ids: string[] = [];
  const query = `ExecutionStatus = 'Running' AND WorkflowType IN (${types})`;
  for await (const { workflowId } of temporal.workflow.list({ query })) ids.push(workflowId);
  return ids;
}

/** The rows of one query of a partner; `$cell` stands for the schema and $1 for the partner. */
const rows = async ({ db, cell, partnerId }: Evidence, text: string, ...more: unknown[]): Promise<Json[]> =>
  (await db.query(text.replaceAll('$cell', cell), [partnerId, ...more])).rows;

const found = async (evidence: Evidence, text: string, ...more: unknown[]): Promise<string[]> =>
  (await rows(evidence, text, ...more)).map(({ finding }) => String(finding));

/** How many transactions of which amount an accepted operation leaves under its reference. */
function expected({ kind, body }: Operation): { legs: number; amountKobo: number } | null {
  if (kind === 'p2p' || kind === 'bank') return { legs: 1, amountKobo: body['amount'] as number };
  if (kind === 'ussd') return { legs: 1, amountKobo: body['amount_kobo'] as number };
  if (kind !== 'split') return null;
  const splits = body['splits'] as { amount: number }[];
  return { legs: splits.length, amountKobo: splits.reduce((sum, leg) => sum + leg.amount, 0) };
}

const name = ({ kind, reference, path, key }: Operation): string => `${kind} ${reference ?? key ?? path}`;

const RULES: Record<string, Rule> = {
  'the books are sound': ({ db, cell }) => auditWith(db, cell),

  async 'each acknowledged operation is in the books once'(evidence) {
    const sums = new Map<string, { legs: number; amountKobo: number; ids: string[] }>();
    const said = `SELECT reference, count(*)::int AS legs, sum(amount_kobo)::float8 AS amount, array_agg(id::text) AS ids
        FROM $cell.transactions WHERE partner_id = $1 GROUP BY reference`;
    for (const { reference, legs, amount, ids } of await rows(evidence, said)) {
      sums.set(reference as string, { legs, amountKobo: amount, ids });
    }
    const wrong: string[] = [];
    for (const operation of evidence.operations) {
      const answer = answerOf(operation);
      if (!answer || !isAccepted(answer)) continue;
      const is = sums.get(operation.reference ?? '');
      const should = expected(operation);
      if (should && (is?.legs !== should.legs || is.amountKobo !== should.amountKobo)) {
        wrong.push(`${name(operation)} should have ${JSON.stringify(should)} and has ${JSON.stringify(is)}`);
      }
      const { id } = (JSON.parse(answer.text).data ?? {}) as { id?: string };
      if (['p2p', 'bank', 'qr-pay'].includes(operation.kind) && (is?.ids.length !== 1 || is.ids[0] !== id)) {
        wrong.push(
          `${name(operation)} was answered with ${String(id)}, and the books have ${JSON.stringify(is?.ids)}`,
        );
      }
    }
    return wrong;
  },

  async 'each acknowledged wallet, verification and QR request is there'(evidence) {
    const there = new Set(
      (
        await rows(
          evidence,
          `SELECT id::text FROM $cell.wallets WHERE partner_id = $1 UNION ALL
           SELECT id::text FROM $cell.verifications WHERE partner_id = $1 UNION ALL
           SELECT reference FROM $cell.qr_requests WHERE partner_id = $1`,
        )
      ).map(({ id }) => id as string),
    );
    return evidence.operations.flatMap((operation) => {
      const answer = answerOf(operation);
      if (!answer || !isAccepted(answer) || !['wallet', 'kyc', 'qr-create'].includes(operation.kind))
        return [];
      const { id, verification_id, reference } = JSON.parse(answer.text).data;
      const asked = (id ?? verification_id ?? reference) as string;
      return there.has(asked) ? [] : [`${name(operation)}: ${asked} is not there`];
    });
  },

  async 'no refused operation is in the books'(evidence) {
    const refused = evidence.operations.filter((operation) => {
      const answer = answerOf(operation);
      // Where an answer was lost the first call may still have been under way when a later one was refused.
      return answer && !isAccepted(answer) && !hasUnknown(operation) && operation.kind !== 'qr-pay';
    });
    const references = refused.flatMap(({ reference }) => reference ?? []);
    return found(
      evidence,
      `SELECT reference AS finding FROM $cell.transactions WHERE partner_id = $1 AND reference = ANY($2)
       UNION SELECT reference FROM $cell.used_references WHERE partner_id = $1 AND reference = ANY($2)`,
      references,
    );
  },

  async 'nothing is in the books that nobody asked for'(evidence) {
    const references = evidence.operations.flatMap(({ reference }) => reference ?? []);
    return found(
      evidence,
      `SELECT type || ' ' || reference AS finding FROM $cell.transactions
        WHERE partner_id = $1 AND type NOT IN ('reversal', 'wallet_funding') AND reference <> ALL($2)`,
      references,
    );
  },

  'each reference is used once': (evidence) =>
    found(
      evidence,
      `SELECT reference || ' is used by ' || count(*) AS finding FROM $cell.transactions
        WHERE partner_id = $1 AND type <> 'split_payment' GROUP BY reference HAVING count(*) > 1
       UNION ALL
       SELECT t.reference || ' is not registered' FROM $cell.transactions t
         LEFT JOIN $cell.used_references u USING (partner_id, reference)
        WHERE t.partner_id = $1 AND t.type NOT IN ('reversal', 'wallet_funding') AND u.reference IS NULL`,
    ),

  'a repeat gets the bytes of the first answer, and one call alone is the first'({ operations }) {
    return operations.flatMap((operation) => {
      const answers = operation.attempts.filter(isAccepted);
      if (operation.key === null || answers.length === 0) return [];
      const wrong: string[] = [];
      if (new Set(answers.map(({ text }) => text)).size > 1) wrong.push(`${name(operation)}: other bytes`);
      const firsts = answers.filter(({ isReplay }) => !isReplay).length;
      if (firsts > 1 || (firsts === 0 && !hasUnknown(operation))) {
        wrong.push(
          `${name(operation)}: ${String(firsts)} of ${String(answers.length)} answers are no replay`,
        );
      }
      return wrong;
    });
  },

  'every operation was answered': ({ operations }) =>
    operations
      .filter((operation) => !answerOf(operation))
      .map((operation) => `${name(operation)}: ${lastOf(operation)}`),

  'no answer was a bug': ({ operations }) =>
    operations.flatMap((operation) =>
      operation.attempts
        .filter(({ status }) => status !== null && status >= 500 && status !== 503)
        .map(({ status, text }) => `${name(operation)}: ${String(status)} ${text.slice(0, 200)}`),
    ),

  'what was begun has ended': (evidence) =>
    found(
      evidence,
      `SELECT type || ' ' || id || ' is ' || status AS finding FROM $cell.transactions
        WHERE partner_id = $1 AND status IN ('processing', 'pending')
       UNION ALL SELECT 'wallet ' || id || ' is pending' FROM $cell.accounts
        WHERE partner_id = $1 AND status = 'pending'
       UNION ALL SELECT 'verification ' || id || ' is pending' FROM $cell.verifications
        WHERE partner_id = $1 AND status = 'pending'
       UNION ALL SELECT 'USSD session ' || id || ' is ' || status FROM $cell.ussd_sessions
        WHERE partner_id = $1 AND status NOT IN ('completed', 'failed', 'expired')`,
    ),

  async 'what was settled by hand has ended so'(evidence) {
    const status = new Map(
      (
        await rows(evidence, 'SELECT id::text, status::text FROM $cell.transactions WHERE partner_id = $1')
      ).map((row) => [row.id as string, row.status as string]),
    );
    return evidence.operations.flatMap((operation) => {
      if (operation.kind !== 'settle' || !isAccepted(answerOf(operation))) return [];
      const should = operation.path.endsWith('complete') ? 'completed' : 'failed';
      const is = status.get(operation.body['transaction_id'] as string);
      return is === should
        ? []
        : [`${String(operation.body['transaction_id'])} should be ${should} and is ${is ?? 'away'}`];
    });
  },

  'each end has its one event': (evidence) =>
    found(
      evidence,
      `SELECT t.type || ' ' || t.id || ' ' || t.status || ' has ' || count(e.id) || ' events' AS finding
         FROM $cell.transactions t LEFT JOIN $cell.events e ON e.resource_id = t.id
        WHERE t.partner_id = $1 AND t.type <> 'reversal' AND t.status NOT IN ('processing', 'pending')
        GROUP BY t.id HAVING count(e.id) <> 1
       UNION ALL
       SELECT 'verification ' || v.id || ' has ' || count(e.id) || ' events'
         FROM $cell.verifications v LEFT JOIN $cell.events e ON e.resource_id = v.id
        WHERE v.partner_id = $1 AND v.status <> 'pending' GROUP BY v.id HAVING count(e.id) <> 1`,
    ),

  async 'each event was delivered, with a right signature'(evidence) {
    const { deliveries, secret } = evidence;
    const wrong: string[] = [];
    const bytesOf = new Map<string, string>();
    const answers = new Map<string, (number | null)[]>();
    for (const delivery of deliveries) {
      const id = String(delivery.headers['webhook-id']);
      try {
        verifiedLater(delivery, secret);
      } catch (error) {
        wrong.push(`${id}: ${(error as Error).message}`);
        continue;
      }
      const { timestamp: _when, ...payload } = delivery.body as Record<string, unknown>;
      const bytes = JSON.stringify(payload);
      if (bytesOf.has(id) && bytesOf.get(id) !== bytes) wrong.push(`${id} came again with other bytes`);
      bytesOf.set(id, bytes);
      answers.set(id, [...(answers.get(id) ?? []), delivery.answered]);
    }
    const events = await rows(
      evidence,
      `SELECT 'wh_' || md5(d.endpoint_id::text || d.event_id::text) AS id, d.event_name AS name,
              d.delivered_at IS NOT NULL AS delivered,
              format('%s attempts, the last one %s; next attempt %s; claimed until %s; dispatcher %s; now %s',
                     d.attempts, coalesce(d.last_status::text, d.last_error, 'none'),
                     coalesce(d.next_attempt_at::text, 'none'), coalesce(d.claimed_until::text, 'no time'),
                     CASE WHEN w.asleep THEN 'asleep' ELSE 'awake' END, now()) AS facts
         FROM $cell.deliveries d JOIN $cell.events e ON e.id = d.event_id
         JOIN $cell.webhook_endpoints w ON w.id = d.endpoint_id
        WHERE e.partner_id = $1`,
    );
    for (const { id, name: event, delivered, facts } of events) {
      const said = answers.get(id as string) ?? [];
      const wasTaken = said.some((status) => status !== null && status < 300);
      if (wasTaken && delivered === true) continue;
      const told = said.length === 0 ? 'was told nothing' : `answered ${said.join(', ')}`;
      wrong.push(
        `${String(event)} ${String(id)} is ${delivered === true ? '' : 'not '}noted as delivered; its receiver ${told}; ${String(facts)}`,
      );
    }
    return wrong;
  },

  'each event has its delivery': (evidence) =>
    found(
      evidence,
      `SELECT e.kind || ' ' || e.id AS finding FROM $cell.events e
         LEFT JOIN $cell.deliveries d ON d.event_id = e.id WHERE e.partner_id = $1 AND d.event_id IS NULL`,
    ),

  'no workflow is stuck': ({ running }) => [...running],

  'no intention waits': (evidence) =>
    found(
      evidence,
      `SELECT workflow_id AS finding FROM $cell.workflow_intentions WHERE partner_id = $1 AND started_at IS NULL`,
    ),

  'no finding of reconciliation is open': ({ db, cell }) =>
    db
      .query<{ finding: string }>(
        `SELECT class || ' ' || resource || ' ' || detail AS finding FROM ${cell}.recon_findings WHERE closed_at IS NULL`,
      )
      .then(({ rows: open }) => open.map(({ finding }) => finding)),

  'payments go on while only workflows are hurt': (evidence) =>
    refusedWithin(
      evidence,
      (window) => window.stops !== 'everything',
      (kind) => PAYMENTS.includes(kind),
    ),

  'a rolling restart refuses nothing and resets no connection': (evidence) =>
    refusedWithin(
      evidence,
      (window) => window.stops === 'nothing',
      () => true,
    ),

  async 'a rolling restart keeps no healthy receiver waiting'(evidence) {
    const cameAt = new Map<string, number>();
    for (const { headers, cameAt: at } of evidence.deliveries) {
      const id = String(headers['webhook-id']);
      cameAt.set(id, Math.min(at, cameAt.get(id) ?? Infinity));
    }
    const events = await rows(
      evidence,
      `SELECT 'wh_' || md5(d.endpoint_id::text || d.event_id::text) AS id, d.event_name AS name,
              extract(epoch FROM e.created_at)::float8 * 1000 AS at
         FROM $cell.deliveries d JOIN $cell.events e ON e.id = d.event_id WHERE e.partner_id = $1`,
    );
    return events.flatMap(({ id, name: event, at }) => {
      const felt = windowsAt(evidence, (at as number) - performance.timeOrigin);
      const waitedMs = (cameAt.get(id as string) ?? Infinity) - (at as number);
      if (felt.length === 0 || felt.some(({ stops }) => stops !== 'nothing')) return [];
      return waitedMs <= FIRST_ATTEMPT_MS
        ? []
        : [`${String(event)} ${String(id)} waited ${String(Math.round(waitedMs))} ms`];
    });
  },
};

/** How long an event may wait for its first attempt while workers are replaced. */
const FIRST_ATTEMPT_MS = 5_000;

/** The faults that an event may have felt: those under way when it was written, and shortly before. */
const windowsAt = ({ windows }: Evidence, at: number): Window[] =>
  windows.filter(({ from, to }) => at >= from && at <= to + AFTER_MS);

/** The rules that a machine can break that is too busy: they say what is answered in time. */
export const RULES_OF_TIME: readonly string[] = [
  'payments go on while only workflows are hurt',
  'a rolling restart refuses nothing and resets no connection',
  'a rolling restart keeps no healthy receiver waiting',
];

const PAYMENTS = ['p2p', 'split', 'qr-create', 'qr-pay', 'bank', 'ussd', 'wallet', 'kyc'];

/** Reasons of the caller's own, and of a port that is closed, which a load balancer leaves out. */
const OWN_REASONS = ['TimeoutError', 'AbortError', 'ECONNREFUSED'];
/** After a fault its last effects may still be felt: an attempt counts that began before it or long after it. */
const AFTER_MS = 20_000;

/** Attempts that were refused or broken off though only such faults were under way. */
function refusedWithin(
  { operations, windows }: Evidence,
  isAbout: (window: Window) => boolean,
  isKind: (kind: string) => boolean,
): string[] {
  return operations
    .filter(({ kind }) => isKind(kind))
    .flatMap((operation) =>
      operation.attempts.flatMap((attempt) => {
        const { startedAt, tookMs, status, error } = attempt;
        if (error === null || OWN_REASONS.includes(error) || (status !== null && status < 500)) return [];
        const felt = windows.filter(
          ({ from, to }) => startedAt + tookMs >= from && startedAt <= to + AFTER_MS,
        );
        const during = felt.filter(({ from, to }) => startedAt + tookMs >= from && startedAt <= to);
        if (during.length === 0 || !felt.every(isAbout)) return [];
        const when = `${String(Math.round((startedAt - (during[0]?.from ?? 0)) / 100) / 10)} s into ${during[0]?.name ?? ''}`;
        return [
          `${name(operation)}: ${String(status)} ${error} after ${String(Math.round(tookMs))} ms, ${when}`,
        ];
      }),
    );
}

const lastOf = ({ attempts }: Operation): string => {
  const last = attempts.at(-1);
  return last
    ? `${String(last.status)} ${last.error ?? ''} after ${String(attempts.length)} attempts`
    : 'never sent';
};

/** @returns what breaks each rule. */
export async function check(evidence: Evidence): Promise<Findings> {
  const findings: Record<string, string[]> = {};
  for (const [rule, of] of Object.entries(RULES)) findings[rule] = await of(evidence);
  return findings;
}

/** What the platform may still be doing when nothing hurts it any more. */
const STILL_OPEN = [
  'what was begun has ended',
  'each event was delivered, with a right signature',
  'no workflow is stuck',
  'no intention waits',
  'no finding of reconciliation is open',
];

/**
 * Looks again and again until everything that was begun has ended, or for so long.
 * @returns what breaks each rule by the last look.
 * @throws Error with its cause when the last look failed, because then nothing was judged.
 */
export async function checkAtTheEnd(evidence: () => Promise<Evidence>, withinMs: number): Promise<Findings> {
  let findings: Findings = {};
  let failure: unknown;
  await until(
    'the end of everything that was begun',
    async () => {
      try {
        findings = await check(await evidence());
        failure = undefined;
      } catch (error) {
        // Postgres may still be recovering from the last fault.
        failure = error ?? new Error('no reason was given');
        return false;
      }
      return STILL_OPEN.every((rule) => findings[rule]?.length === 0);
    },
    withinMs,
  ).catch(() => undefined);
  if (failure !== undefined)
    throw new Error('The checker could not look, so nothing was judged', { cause: failure });
  return findings;
}
