/**
 * Workflows that are gone before their work is done: terminated by somebody, or lost with a Temporal that
 * was replaced. Reconciliation starts them again, and a message to one starts it at once (R16).
 */
import { auditCell } from '../support/audit';
import { callbackBody, sendCallback } from '../support/callbacks';
import type { Calls, Json } from '../support/calls';
import { saying, withFake } from '../support/fakes';
import { openPlatform, type Platform } from '../support/platform';
import { FREQUENT_SCHEDULES } from '../support/settings';
import { until } from '../support/until';
import { transferOfPayout } from '../../src/domain/payouts';
import { SANDBOX_CELL } from '../setup/cells';

jest.setTimeout(120_000);

let platform: Platform;
let url: string;
let partner: Calls;
let walletId: string;
/** The outside companies: they do not know the result of any transfer until the test lets them. */
let pspKnows = false;
let mfbIssues = true;
/** The name that the simulator would give, because its callbacks are compared with it. */
const refOf = (reference: string): string => `SBX_${transferOfPayout(reference)}`;

beforeAll(async () => {
  platform = await openPlatform({
    settings: { ...FREQUENT_SCHEDULES, TRANSFER_REQUERY_MS: '3600000', SANDBOX_KYC_MS: '0,0' },
  });
  const worker = platform.startWorker((environment) =>
    withFake(environment, ({ accounts }) => ({
      name: 'simulator',
      accounts: {
        issue: (order) => (mfbIssues ? accounts.issue(order) : Promise.reject(new Error('the MFB is away'))),
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
