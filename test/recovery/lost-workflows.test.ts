/**
 * Workflows that do not work before their work is done: terminated by somebody, lost with a Temporal that was
 * replaced, completed in a Temporal that knows more than the ledger, or with tasks that keep failing. Reconciliation
 * starts them anew, and a message to one that is gone starts it at once (R16).
 */
import { auditCell } from '../support/audit';
import { callbackBody, sendCallback } from '../support/callbacks';
import type { Calls, Json } from '../support/calls';
import { saying, withFake } from '../support/fakes';
import { openPlatform, type Platform } from '../support/platform';
import { openReceiver } from '../support/receiver';
import { FREQUENT_SCHEDULES } from '../support/settings';
import { until } from '../support/until';
import { submit } from '../support/compliance';
import { transferOfPayout } from '../../src/domain/payouts';
import { readSessionId } from '../../src/wire/ussd';
import { SANDBOX_CELL } from '../setup/cells';

let platform: Platform;
let url: string;
let partner: Calls;
let walletId: string;
/** The outside companies: they do not know the result of any transfer until the test lets them. */
let pspKnows = false;
let mfbIssues = true;
let bureauAnswers = true;
/** The name that the simulator would give, because its callbacks are compared with it. */
const refOf = (reference: string): string => `SBX_${transferOfPayout(reference)}`;

beforeAll(async () => {
  platform = await openPlatform({
    settings: {
      ...FREQUENT_SCHEDULES,
      // A run that hangs is ended after several of its periods.
      RECONCILE_EVERY_MS: '2000',
      TRANSFER_REQUERY_MS: '3600000',
      SANDBOX_KYC_MS: '0,0',
    },
  });
  const worker = platform.startWorker((environment) =>
    withFake(environment, ({ accounts, identity }) => ({
      name: 'simulator',
      accounts: {
        issue: (order) => (mfbIssues ? accounts.issue(order) : Promise.reject(new Error('the MFB is away'))),
      },
      identity: {
        lookUp: (order) =>
          bureauAnswers ? identity.lookUp(order) : Promise.reject(new Error('the bureau is away')),
      },
      payouts: {
        submit: ({ reference }) =>
          Promise.resolve(
            saying('accepted', { providerRef: refOf(reference), pollAfterMs: pspKnows ? 0 : null }),
          ),
        query: ({ reference }) =>
          Promise.resolve(saying(pspKnows ? 'success' : 'unknown', { providerRef: refOf(reference) })),
      },
    })),
  );
  [url] = await Promise.all([platform.startApi(), worker]);
  partner = await platform.partner(url);
  walletId = (await partner.wallet(1_000_000)).id;
});
beforeEach(() => {
  pspKnows = false;
});
afterAll(async () => {
  expect(await auditCell(platform.databaseUrl, SANDBOX_CELL)).toEqual([]);
  await platform.close();
});

/** A transfer that its workflow is waiting for. */
async function open(): Promise<{ id: string; reference: string }> {
  const { reference, reply } = await partner.bankTransfer(walletId);
  const { id } = reply.body.data;
  await until('the submission', async () => {
    const [row] = await platform.sql(`SELECT psp_reference FROM ${SANDBOX_CELL}.transactions WHERE id = $1`, [
      id,
    ]);
    return row?.psp_reference as string | null;
  });
  return { id, reference };
}
const workflow = (id: string) => platform.operator.workflow.getHandle(id);
const findings = (resource: string): Promise<Json[]> =>
  platform.sql(
    `SELECT class, detail, closed_at FROM ${SANDBOX_CELL}.recon_findings WHERE resource = $1 ORDER BY id`,
    [resource],
  );

test('a terminated transfer is found, is started again, and ends; the finding is closed', async () => {
  const { id, reference } = await open();
  await workflow(`bank-transfer/${id}`).terminate('a test');
  pspKnows = true;
  expect((await partner.ended(walletId, reference)).status).toBe('completed');
  await until('the finding to be closed', async () =>
    (await findings(id)).some((one) => one.closed_at !== null),
  );
  expect(await findings(id)).toEqual([
    {
      class: 'workflow_missing',
      detail: { workflow_id: `bank-transfer/${id}`, was: 'TERMINATED' },
      closed_at: expect.any(Date),
    },
  ]);
});

test('the operation complete works at once on a terminated transfer', async () => {
  const { id } = await open();
  await workflow(`bank-transfer/${id}`).terminate('a test');
  const done = await partner.post('/v1/sandbox/bank-transfer/complete', { transaction_id: id });
  expect(done).toMatchObject({ status: 200, body: { status: 'completed' } });
});

/**
 * Puts a workflow that works on nothing in the place of another one.
 * @param type a type that ends at once, or one that no worker knows, so that its tasks keep failing.
 */
async function displace(workflowId: string, type: 'sweep' | 'of an unknown type'): Promise<void> {
  await workflow(workflowId).terminate('a test');
  const start = { workflowId, taskQueue: 'wallet-core', args: [] };
  const { firstExecutionRunId } = await platform.operator.workflow.start(type, start);
  if (type === 'sweep') await workflow(workflowId).result();
  expect(firstExecutionRunId).not.toBe('');
}
const closedFindings = async (resource: string): Promise<Json[]> =>
  (await findings(resource)).filter((one) => one.closed_at !== null);

test('a transfer whose workflow Temporal calls completed is found, is started anew, and ends', async () => {
  const { id, reference } = await open();
  await displace(`bank-transfer/${id}`, 'sweep');
  pspKnows = true;
  expect((await partner.ended(walletId, reference)).status).toBe('completed');
  await until('the finding to be closed', async () => (await closedFindings(id)).length > 0);
  expect(await findings(id)).toMatchObject([{ class: 'workflow_missing', detail: { was: 'COMPLETED' } }]);
});

test.each(['complete', 'fail'])(
  'the operation %s works at once on a transfer whose workflow has completed',
  async (end) => {
    const { id } = await open();
    await displace(`bank-transfer/${id}`, 'sweep');
    const done = await partner.post(`/v1/sandbox/bank-transfer/${end}`, { transaction_id: id });
    expect(done.status).toBe(200);
  },
);

test('an operator with evidence ends a transfer whose workflow is stuck, and one while Temporal is away', async () => {
  const operator = await platform.openOperator();
  const resolve = (id: string) =>
    operator.post(`/ops/sandbox/partners/${partner.partnerId}/bank-transfers/${id}/resolve`, {
      to: 'completed',
      note: 'Confirmed by telephone',
      evidence_ref: 'CASE-17',
    });
  const [stuck, away] = [await open(), await open()];
  await displace(`bank-transfer/${stuck.id}`, 'of an unknown type');
  expect(await resolve(stuck.id)).toMatchObject({ status: 200, body: { data: { status: 'completed' } } });
  await platform.temporal.stop();
  const answers = await Promise.all([resolve(away.id), resolve(away.id)]);
  await platform.temporal.start();
  expect(answers).toMatchObject([{ status: 200 }, { status: 200 }]);
  expect(
    await platform.sql(`SELECT kind FROM ${SANDBOX_CELL}.events WHERE resource_id = $1`, [away.id]),
  ).toEqual([{ kind: 'transaction.completed' }]);
});

test('workflows of every kind whose tasks keep failing are found, are replaced, and do their work', async () => {
  const receiver = await openReceiver();
  const hook = await partner.post('/v1/webhooks', { url: receiver.url, events: ['transaction.completed'] });
  const endpointId: string = hook.body.data.id;
  await partner.post(`/v1/webhooks/${endpointId}/test`, undefined);
  await until('the dispatcher', () => receiver.deliveries.length > 0);
  const { id: merchantId } = await partner.wallet();
  const { id, reference } = await open();
  mfbIssues = false;
  bureauAnswers = false;
  const wallet = (await partner.post('/v1/wallets', { user_ref: 'with-a-stuck-workflow' })).body.data;
  const kyc = await partner.post('/v1/kyc/bvn', { user_ref: 'with-a-stuck-workflow', bvn: '12345678901' });
  const ussd = await partner.post('/v1/payments/ussd/initiate', {
    payer_wallet_id: walletId,
    merchant_wallet_id: merchantId,
    amount_kobo: 5_000,
    merchant_name: 'ADA STORES',
    reference: 'with a stuck workflow',
  });
  expect([wallet.status, kyc.status, ussd.status]).toEqual(['pending', 202, 200]);
  expect((await submit(partner, 'business')).status).toBe(200);
  const resources: Record<string, string> = {
    'bank-transfer': id,
    wallet: wallet.id,
    kyc: kyc.body.data.verification_id,
    ussd: readSessionId(ussd.body.session_id) ?? '',
    kyb: partner.partnerId,
    webhook: endpointId,
  };
  for (const [kind, resource] of Object.entries(resources)) {
    await until(`the workflow of ${kind}`, () =>
      workflow(`${kind}/${resource}`)
        .describe()
        .catch(() => undefined),
    );
    await displace(`${kind}/${resource}`, 'of an unknown type');
  }
  const before = receiver.deliveries.length;
  await partner.post(`/v1/webhooks/${endpointId}/test`, undefined);

  pspKnows = true;
  mfbIssues = true;
  bureauAnswers = true;
  expect((await partner.ended(walletId, reference)).status).toBe('completed');
  await until(
    'the wallet',
    async () => (await partner.get(`/v1/wallets/${wallet.id}`)).body.data.wallet.status === 'active',
  );
  await until('the verification', async () => {
    const { verifications } = (await partner.get('/v1/kyc/with-a-stuck-workflow/status')).body.data;
    return verifications[0].status === 'verified';
  });
  await until('an answer of the session', async () => {
    const paid = { session_id: ussd.body.session_id, action: 'confirm' };
    return (await partner.post('/v1/sandbox/ussd/simulate', paid)).status === 200;
  });
  await until('a step of compliance', async () => (await submit(partner, 'use-case')).status === 200);
  await until('a delivery', () => receiver.deliveries.length > before);
  for (const resource of Object.values(resources)) {
    await until('the finding to be closed', async () => (await closedFindings(resource)).length > 0);
    expect((await findings(resource)).map((one) => one.class)).toContain('workflow_failing');
  }
  await receiver.close();
});

test('a callback that came while Temporal was away reaches the workflow afterwards', async () => {
  const { id, reference } = await open();
  await platform.temporal.stop();
  pspKnows = true;
  expect((await sendCallback(url, callbackBody(id))).status).toBe(200);
  expect((await partner.transaction(walletId, reference)).status).toBe('processing');
  await platform.temporal.start();
  expect((await partner.ended(walletId, reference)).status).toBe('completed');
});

test('an empty Temporal replaces the old one: everything open ends', async () => {
  const { reference } = await open();
  mfbIssues = false;
  const pending = (await partner.post('/v1/wallets', { user_ref: 'waits for its account' })).body.data;
  await until('the wallet’s workflow', () =>
    workflow(`wallet/${pending.id}`)
      .describe()
      .catch(() => undefined),
  );
  await until('its start to be noted', async () => {
    const [row] = await platform.sql(
      `SELECT started_at FROM ${SANDBOX_CELL}.workflow_intentions WHERE resource_id = $1`,
      [pending.id],
    );
    return row?.started_at as Date | null;
  });

  await platform.temporal.replace();
  pspKnows = true;
  mfbIssues = true;
  expect((await partner.ended(walletId, reference)).status).toBe('completed');
  await until('the wallet to be active', async () => {
    return (await partner.get(`/v1/wallets/${pending.id}`)).body.data.wallet.status === 'active';
  });
  const reused = await partner.bankTransfer(walletId);
  expect((await partner.ended(walletId, reused.reference)).status).toBe('completed');
});

test('a run of a Schedule that hangs is ended, and the next one does its work', async () => {
  const schedule = platform.operator.schedule.getHandle('reconcile');
  const run = (workflowType: string) =>
    schedule.update(({ action, ...kept }) => ({ ...kept, action: { ...action, workflowType } }));
  await run('of an unknown type');
  const hanging = await until('a run that hangs', async () => {
    const { info } = await schedule.describe();
    for (const { workflow: one } of info.runningActions) {
      if ((await workflow(one.workflowId).describe()).type === 'of an unknown type') return one.workflowId;
    }
    return undefined;
  });
  await run('reconcile');
  const lastRun = async (): Promise<Date> =>
    (
      await platform.sql(`SELECT updated_at FROM ${SANDBOX_CELL}.recon_progress WHERE pass = 'whole run'`)
    )[0]!['updated_at'];
  const before = await lastRun();
  await until('the next reconciliation', async () => (await lastRun()) > before);
  expect((await workflow(hanging).describe()).status.name).toBe('TIMED_OUT');
});
