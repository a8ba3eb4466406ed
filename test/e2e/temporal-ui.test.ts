/**
 * What an operator reads in the Temporal UI of each kind of workflow: the test asks the real server for the same
 * data as the UI.
 */
import { historyText } from '../support/histories';
import { submitAll } from '../support/compliance';
import { openPlatform, type Platform } from '../support/platform';
import { openReceiver, type Receiver } from '../support/receiver';
import { readSessionId } from '../../src/wire/ussd';
import type { Calls } from '../support/calls';
import { callbackBody, sendCallback } from '../support/callbacks';
import { saying, withFake } from '../support/fakes';
import { readConfig } from '../../src/runtime/config';
import type { Environment } from '../../src/runtime/environment';
import { bringSchedules } from '../../src/worker/schedules';
import { FREQUENT_SCHEDULES, PLATFORM_SETTINGS } from '../support/settings';
import { until } from '../support/until';

/** Secrets that may not be readable. Each occurs in one place of what a partner sends. */
const SECRETS = { bvn: '22222222222', query: 's3cr3t', phone: '+2348031234567', owner: 'NGOZI ADICHIE' };
const SETTINGS = {
  ...FREQUENT_SCHEDULES,
  SANDBOX_KYC_MS: '60000,60000',
  WEBHOOK_RETRY_MS: '0,60000,60000',
  TRANSFER_REQUERY_MS: '60000',
  PROVISIONING_PARK_AFTER_MS: '4000',
};
const MOMENT = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC`;

let platform: Platform;
let url: string;
let partner: Calls;
let broken: Receiver;
let mfbIsDown = false;
let nothingIsKnown = false;

beforeAll(async () => {
  platform = await openPlatform({ settings: SETTINGS });
  const faked = (environment: Environment): Environment =>
    withFake(environment, ({ accounts, payouts }) => ({
      name: 'simulator',
      accounts: {
        issue: (order) =>
          mfbIsDown ? Promise.reject(new Error('the MFB does not answer')) : accounts.issue(order),
      },
      payouts: {
        ...payouts,
        query: (order) => (nothingIsKnown ? Promise.resolve(saying('unknown')) : payouts.query(order)),
      },
    }));
  [url] = await Promise.all([platform.startApi(), platform.startWorker(faked)]);
  partner = await platform.partner(url);
  broken = await openReceiver(() => 503);
});

afterAll(async () => {
  await broken.close();
  await platform.close();
});

const handleOf = (workflowId: string) => platform.operator.workflow.getHandle(workflowId);

/** The lines that the UI shows as current details; empty as long as the workflow is not there. */
async function details(workflowId: string): Promise<string> {
  const asked = handleOf(workflowId).query<{ currentDetails?: string }>('__temporal_workflow_metadata');
  return (await asked.catch(() => undefined))?.currentDetails ?? '';
}

/** Waits until the details match, and checks that nothing in details, titles and history is secret. */
async function reads(workflowId: string, ...lines: RegExp[]): Promise<void> {
  const wanted = lines.map(({ source }) => source);
  const seen = await until(`details like ${wanted.join(' / ')}`, async () => {
    const text = await details(workflowId);
    return lines.every((line) => text.match(line)) && text;
  });
  const handle = handleOf(workflowId);
  const title = await (await handle.describe()).staticSummary();
  const readable = `${seen} ${title ?? ''} ${historyText(await handle.fetchHistory())}`;
  for (const secret of Object.values(SECRETS)) expect(readable).not.toContain(secret);
}

test('a bank transfer says what the provider answered last, when, and when it is asked next', async () => {
  const { id } = await partner.wallet(1_000_000);
  const { reply } = await partner.bankTransfer(id, {}, { 'X-Sandbox-Hold': 'true' });
  const workflowId = `bank-transfer/${reply.body.data.id}`;
  const about = `about \`tx-${reply.body.data.id as string}-1\``;
  const answered = (word: string) =>
    String.raw`The last answer of the provider of \`[\w ]+\` ${about}: \`${word}\`.*, at ${MOMENT}`;
  await reads(
    workflowId,
    /\*\*processing\*\* · transfer/,
    new RegExp(answered('(pending|accepted)')),
    new RegExp(`It is asked again at ${MOMENT}`),
  );
  nothingIsKnown = true;
  await handleOf(workflowId).signal('providerOutcome');
  await reads(workflowId, new RegExp(answered('unknown')), new RegExp(`It is asked again at ${MOMENT}`));
  nothingIsKnown = false;
  await partner.post('/v1/sandbox/bank-transfer/complete', { transaction_id: reply.body.data.id });
  await reads(workflowId, /\*\*completed\*\*/, new RegExp(answered('unknown')));
});

test('a return says that the provider did not know the result, and in the end that it confirmed nothing', async () => {
  const { id } = await partner.wallet(1_000_000);
  const { reply } = await partner.bankTransfer(id);
  const transferId: string = reply.body.data.id;
  // The relay starts the workflow after the answer, so at first it may not be there.
  await until('the end of the transfer', async () =>
    (await details(`bank-transfer/${transferId}`)).includes('**completed**'),
  );
  nothingIsKnown = true;
  await sendCallback(url, callbackBody(transferId, { outcome: 'reversed' }));
  const workflowId = `bank-return/${transferId}`;
  await reads(
    workflowId,
    /\*\*asking\*\* · a return of transfer/,
    new RegExp(`At ${MOMENT} the provider did not know`),
    new RegExp(`It is asked again at ${MOMENT}`),
  );
  nothingIsKnown = false;
  await handleOf(workflowId).signal('providerOutcome');
  await reads(workflowId, /\*\*completed\*\*/, /The provider’s answer contradicts its callback/);
});

test('a wallet says how long it waits for its account, why it is parked, and how it continues', async () => {
  mfbIsDown = true;
  const metadata = { account_name: SECRETS.owner };
  const asked = await partner.post('/v1/wallets', { user_ref: 'ngozi', metadata });
  const workflowId = `wallet/${asked.body.data.id}`;
  await reads(workflowId, /\*\*pending\*\*/, new RegExp(`waits for an operator from ${MOMENT} on`));
  await reads(
    workflowId,
    /\*\*parked\*\* · wallet/,
    new RegExp(`Since ${MOMENT} the wallet waits for an operator: .*the MFB does not answer`),
    /The update `retryNow` asks the MFB again/,
  );
  mfbIsDown = false;
  await handleOf(workflowId).executeUpdate('retryNow');
  await reads(workflowId, /\*\*active\*\*/);
});

test('a dispatcher shows where it sends, how many deliveries wait, and their last error', async () => {
  const hook = { url: `${broken.url}?token=${SECRETS.query}`, events: ['transaction.completed'] };
  const endpointId: string = (await partner.post('/v1/webhooks', hook)).body.data.id;
  const { id } = await partner.wallet();
  for (const amount_kobo of [1, 2]) {
    await partner.post(`/v1/sandbox/wallets/${id}/fund`, { amount_kobo });
  }
  await reads(
    `webhook/${endpointId}`,
    new RegExp(`\\*\\*retrying\\*\\* · endpoint \`${endpointId}\``),
    new RegExp(`It is sent to \`${broken.url}\``),
    new RegExp(`Deliveries that wait: 2\\. The next one is due at: ${MOMENT}`),
    /The last error of those that wait: HTTP 503/,
  );

  await partner.delete(`/v1/webhooks/${endpointId}`);
  await handleOf(`webhook/${endpointId}`).signal('wake');
  await reads(`webhook/${endpointId}`, /The endpoint is disabled or deleted/);
});

test('a verification says what the identity provider did and when it is asked again', async () => {
  const asked = await partner.post('/v1/kyc/bvn', { user_ref: 'ada', bvn: SECRETS.bvn });
  await reads(
    `kyc/${asked.body.data.verification_id}`,
    /\*\*pending\*\* · verification/,
    new RegExp(`At ${MOMENT} the identity provider was still at work`),
    new RegExp(`It is asked again at ${MOMENT}, or when the signal \`lookAgain\` comes`),
    new RegExp(`\`PROVIDER_UNAVAILABLE\` at ${MOMENT}`),
  );
});

test('a compliance record names its reviewer', async () => {
  const operator = await platform.openOperator();
  const other = await platform.partner(url);
  await submitAll(other);
  await reads(
    `kyb/${other.partnerId}`,
    /\*\*submitted\*\*/,
    /☑ business_info, ☑ directors/,
    /Reviewer: none yet/,
  );
  const path = `/ops/sandbox/partners/${other.partnerId}/compliance/claim`;
  expect(await operator.post(path, {})).toMatchObject({ status: 200 });
  await reads(`kyb/${other.partnerId}`, /\*\*under_review\*\*/, new RegExp(`Reviewer: ${operator.name}`));
});

test('a USSD session says how long the payer has, and why it failed', async () => {
  const [payer, merchant] = await Promise.all([partner.wallet(), partner.wallet()]);
  const { body } = await partner.post('/v1/payments/ussd/initiate', {
    payer_wallet_id: payer.id,
    merchant_wallet_id: merchant.id,
    amount_kobo: 1_000,
    merchant_name: 'ADA STORES',
    phone: SECRETS.phone,
    reference: 'ussd-read',
  });
  const workflowId = `ussd/${readSessionId(body.session_id)}`;
  await reads(workflowId, /\*\*initiated\*\*/, new RegExp(`The payer has until ${MOMENT}`));
  await partner.post('/v1/sandbox/ussd/simulate', { session_id: body.session_id, action: 'cancel' });
  await reads(workflowId, /\*\*failed\*\*/, /It failed with `CANCELLED`/);
});

test('operators can list workflows without the runs of Schedules, and these runs alone', async () => {
  await partner.wallet();
  const typesOf = async (query: string): Promise<string[]> => {
    const types = new Set<string>();
    for await (const { type } of platform.operator.workflow.list({ query })) types.add(type);
    return [...types];
  };
  const scheduled = await until('runs of two Schedules', async () => {
    const types = await typesOf('TemporalScheduledById IS NOT NULL');
    return types.length >= 2 && types;
  });
  // The last three run when a day, an hour and a quarter of an hour begin, so mostly not during a test.
  const known = ['sweep', 'reconcile', 'bankLists', 'retention', 'untoldPayments'];
  expect(known).toEqual(expect.arrayContaining(scheduled));
  const own = await typesOf('TemporalScheduledById IS NULL');
  expect(own).toContain('walletProvisioning');
  expect(own).not.toEqual(expect.arrayContaining(['sweep']));
  expect(own).not.toEqual(expect.arrayContaining(['reconcile']));
});

test('a worker writes the Schedules that its configuration changes, and no others', async () => {
  const written = async (): Promise<Record<string, [every: unknown, updated: Date | undefined]>> => {
    const seen: Record<string, [unknown, Date | undefined]> = {};
    for (const id of ['sweep', 'retention', 'untold-payments']) {
      const { spec, info } = await platform.operator.schedule.getHandle(id).describe();
      seen[id] = [spec.intervals?.[0]?.every, info.lastUpdatedAt];
    }
    return seen;
  };
  const settings = { ...PLATFORM_SETTINGS, ...SETTINGS, DATABASE_URL: platform.databaseUrl };
  const before = await written();
  await bringSchedules(platform.operator, readConfig(settings));
  expect(await written()).toEqual(before);

  await bringSchedules(platform.operator, readConfig({ ...settings, RETENTION_EVERY_MS: '7200000' }));
  const { retention, ...others } = await written();
  const { retention: _retention, ...othersBefore } = before;
  expect(others).toEqual(othersBefore);
  expect(retention).toEqual([7_200_000, expect.any(Date)]);
});
