/**
 * What callers meet while workers come and go: a message waits for the next worker, a payer's telephone gets its screen in
 * time, and a worker serves before its Schedules are there (G39).
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { bankTransferIntention, kybIntention } from '../../src/contract/intentions';
import type { Intention } from '../../src/domain/intentions';
import { findTransaction } from '../../src/db/ledger/transactions';
import { replaceWorkflow } from '../../src/relay/revive';
import { auditCell } from '../support/audit';
import type { Calls, Json } from '../support/calls';
import { submit } from '../support/compliance';
import { openPhone } from '../support/phone';
import { openPlatform, type Platform } from '../support/platform';
import { until } from '../support/until';
import type { Environment } from '../../src/runtime/environment';
import { SANDBOX_CELL } from '../setup/cells';

/** A gateway closes a dialogue after this time without an answer. */
const GATEWAY_MS = 5_000;
/** By then Temporal has given the messages to the worker that has asked for them. */
const TAKEN_MS = 500;

let platform: Platform;
let url: string;
let partner: Calls;
let payer: string;
let merchant: string;
let worker: { stop(): Promise<void> };

/** Temporal makes no Schedule until `given`, as one does that has just started and is busy. */
function withoutSchedules(environment: Environment, given: Promise<void>): Environment {
  const { temporal } = environment;
  const create: typeof temporal.schedule.create = async (options) => {
    await given;
    return temporal.schedule.create(options);
  };
  const schedule = Object.create(temporal.schedule, { create: { value: create } });
  return { ...environment, temporal: Object.create(temporal, { schedule: { value: schedule } }) };
}

beforeAll(async () => {
  // The workflows of the transfers have nothing to do until they get a message.
  platform = await openPlatform({ settings: { TRANSFER_REQUERY_MS: '3600000' } });
  url = await platform.startApi();
  partner = await platform.partner(url);
});
afterAll(async () => {
  expect(await auditCell(platform.databaseUrl, SANDBOX_CELL)).toEqual([]);
  await platform.close();
});

test('a worker gives a wallet its account number before Temporal has made the Schedules', async () => {
  let give = (): void => undefined;
  const given = new Promise<void>((resolve) => (give = resolve));
  let isReady = false;
  const starting = platform
    .startWorker((environment) => withoutSchedules(environment, given))
    .then((started) => {
      isReady = true;
      return started;
    });
  try {
    const wallets = await Promise.all([partner.wallet(10_000_000), partner.wallet()]);
    [payer, merchant] = wallets.map(({ id }) => id) as [string, string];
    expect(isReady).toBe(false);
  } finally {
    // A worker that waits for its Schedules would keep the process of a failed test alive.
    give();
  }
  worker = await starting;
});

const held = async (): Promise<string> => {
  const { reply } = await partner.bankTransfer(payer, {}, { 'X-Sandbox-Hold': 'true' });
  const { id } = reply.body.data;
  await until('the workflow of the transfer', () =>
    platform.operator.workflow
      .getHandle(`bank-transfer/${id}`)
      .query('state')
      .catch(() => undefined),
  );
  return id;
};
const initiate = async (): Promise<Json> =>
  (
    await partner.post('/v1/payments/ussd/initiate', {
      payer_wallet_id: payer,
      merchant_wallet_id: merchant,
      amount_kobo: 5_000,
      merchant_name: 'ADA STORES',
      reference: `ussd-${randomUUID()}`,
    })
  ).body;

/** Messages of each kind that need a worker. */
async function messages(): Promise<() => Promise<number[]>> {
  const [one, other, session] = await Promise.all([held(), held(), initiate()]);
  const orders = [
    () => partner.post('/v1/sandbox/bank-transfer/complete', { transaction_id: one }),
    () => partner.post('/v1/sandbox/bank-transfer/fail', { transaction_id: other }),
    () => partner.post('/v1/sandbox/ussd/simulate', { session_id: session.session_id, action: 'confirm' }),
    () => submit(partner, 'use-case'),
  ];
  return async () => (await Promise.all(orders.map((order) => order()))).map(({ status }) => status);
}

test('a payer’s telephone has its screen within five seconds while no worker takes the message', async () => {
  const { dial_code } = await initiate();
  await worker.stop();
  const dialledAt = performance.now();
  expect(await openPhone(url, dial_code).dial()).toBe('END Service unavailable');
  expect(performance.now() - dialledAt).toBeLessThan(GATEWAY_MS);
  worker = await platform.startWorker();
});

test('complete, fail, simulate and compliance wait for the next worker when the only one has ended', async () => {
  const send = await messages();
  await worker.stop();
  const sent = send();
  worker = await platform.startWorker();
  expect(await sent).toEqual([200, 200, 200, 200]);
});

test('complete, fail, simulate and compliance go to another worker when theirs is killed with them in hand', async () => {
  await worker.stop();
  const first = await platform.startChild('worker');
  const send = await messages();
  await platform.startChild('worker');
  // It takes what Temporal gives to it, and does nothing any more.
  process.kill(first.pid, 'SIGSTOP');
  const sent = send();
  await sleep(TAKEN_MS);
  await first.kill();
  expect(await sent).toEqual([200, 200, 200, 200]);
});

/** Ends the run that has taken a message, before the message is answered, and begins the workflow anew. */
async function replaceWhenTaken(intention: Intention): Promise<void> {
  const { sandbox } = platform.environments();
  const run = platform.operator.workflow.getHandle(intention.workflowId);
  await until('a run with the message in hand', async () => {
    const events = (await run.fetchHistory()).events ?? [];
    const of = (kind: string): number =>
      events.filter((event) => (event as Record<string, unknown>)[kind] != null).length;
    return (
      of('workflowExecutionUpdateAcceptedEventAttributes') >
      of('workflowExecutionUpdateCompletedEventAttributes')
    );
  });
  const { runId } = await run.describe();
  await replaceWorkflow(sandbox.temporal, sandbox.taskQueue, {
    intention,
    wrong: 'stale',
    was: 'RUNNING',
    runId,
  });
}

test.each<
  [what: string, table: string, prepare: () => Promise<{ intention: Intention; send: () => Promise<Json> }>]
>([
  [
    'a step of the compliance',
    'compliance_records',
    () =>
      Promise.resolve({
        intention: kybIntention(partner.partnerId),
        send: () => submit(partner, 'use-case'),
      }),
  ],
  [
    'an order to complete a transfer',
    'transactions',
    async () => {
      const id = await held();
      const { cell } = await platform.environments().sandbox.partner(partner.partnerId);
      return {
        intention: bankTransferIntention((await findTransaction(cell, partner.partnerId, id))!),
        send: () => partner.post('/v1/sandbox/bank-transfer/complete', { transaction_id: id }),
      };
    },
  ],
])('%s goes to the next run when the run that has it in hand is replaced', async (_what, table, prepare) => {
  const { intention, send } = await prepare();
  const holder = new pg.Client({ connectionString: platform.databaseUrl });
  await holder.connect();
  await holder.query('BEGIN');
  // So the step of the message cannot end before the run does.
  await holder.query(`SELECT FROM ${SANDBOX_CELL}.${table} WHERE partner_id = $1 FOR UPDATE`, [
    partner.partnerId,
  ]);
  const answer = send();
  await replaceWhenTaken(intention);
  await holder.query('COMMIT');
  await holder.end();
  expect((await answer).status).toBe(200);
});
