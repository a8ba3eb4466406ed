/**
 * Runs every path of every workflow for real and keeps its history in `test/histories`, where the replay test
 * finds it: `npx tsx test/support/keep-histories.ts`, then `npm run format`. It takes a good minute, because a
 * dispatcher ends after a quiet one. From the first release on kept histories stay:
 * docs/how-to/change-a-workflow.md says how a changed workflow gets new ones beside them.
 */
import { closeRun, preparePostgres } from '../setup/run';
import { walletIntention } from '../../src/contract/intentions';
import { startOptions } from '../../src/relay/start-options';
import { readSessionId } from '../../src/wire/ussd';
import type { Calls } from './calls';
import { keepComplianceHistories } from './compliance-histories';
import { withFake } from './fakes';
import { payWhileHeld } from './held-settlements';
import { keepHistory } from './histories';
import { INBOUND_COMPANY, keepInboundHistories, receivingFake } from './inbound-histories';
import { openPhone } from './phone';
import { openPlatform, type Platform } from './platform';
import { keepRailHistories } from './rail-histories';
import { openReceiver } from './receiver';
import { until } from './until';

async function keep(platform: Platform, name: string, workflowId: string): Promise<void> {
  const handle = platform.operator.workflow.getHandle(workflowId);
  await until(`the workflow ${workflowId}`, () => handle.describe().catch(() => undefined));
  await handle.result();
  keepHistory(name, await handle.fetchHistory());
}

async function keepAll(platform: Platform): Promise<void> {
  let mfbIsDown = false;
  let bureauIsDown = false;
  const [url] = await Promise.all([
    platform.startApi(),
    platform.startWorker((environment) =>
      withFake(environment, ({ accounts, identity }) => ({
        name: INBOUND_COMPANY,
        accounts: {
          issue: (order) =>
            mfbIsDown ? Promise.reject(new Error('the MFB is down')) : accounts.issue(order),
          close: () => Promise.resolve('closed'),
        },
        identity: {
          lookUp: (order) =>
            bureauIsDown ? Promise.reject(new Error('the bureau is down')) : identity.lookUp(order),
        },
        ...receivingFake(),
      })),
    ),
  ]);
  const partner = await platform.partner(url);
  const wallet = await partner.wallet(1_000_000);
  await keep(platform, 'wallet-provisioning-active', `wallet/${wallet.id}`);

  const { id: closed } = await partner.wallet();
  await partner.post(`/v1/wallets/${closed}/close`, {});
  await keep(platform, 'account-closing-closed', `account-closing/${closed}`);

  mfbIsDown = true;
  const { id } = (await partner.post('/v1/wallets', { user_ref: 'parked' })).body.data;
  const parked = platform.operator.workflow.getHandle(`wallet/${id}`);
  await until('a parked wallet', async () => {
    return (await parked.query('state').catch(() => undefined)) === 'parked';
  });
  mfbIsDown = false;
  await parked.executeUpdate('retryNow');
  await keep(platform, 'wallet-provisioning-parked', `wallet/${id}`);

  const ends = { completed: '0123456789', failed: '0123450000', 'failed-at-enquiry': '0123450404' };
  for (const [name, accountNumber] of Object.entries(ends)) {
    const { reply } = await partner.bankTransfer(wallet.id, { accountNumber });
    await keep(platform, `bank-transfer-${name}`, `bank-transfer/${reply.body.data.id}`);
  }
  for (const operation of ['complete', 'fail']) {
    const { reply } = await partner.bankTransfer(wallet.id, {}, { 'X-Sandbox-Hold': 'true' });
    const transferId = reply.body.data.id;
    const workflowId = `bank-transfer/${transferId}`;
    const handle = platform.operator.workflow.getHandle(workflowId);
    await until('questions to the provider', async () => {
      const { events } = await handle.fetchHistory().catch(() => ({ events: [] }));
      return (events?.length ?? 0) > 25;
    });
    await partner.post(`/v1/sandbox/bank-transfer/${operation}`, { transaction_id: transferId });
    await keep(platform, `bank-transfer-${operation}-by-hand`, workflowId);
  }

  const verify = async (bvn: string): Promise<string> =>
    (await partner.post('/v1/kyc/bvn', { user_ref: 'ada', bvn })).body.data.verification_id;
  const bvns = { verified: '22222222222', failed: '00000000002', unavailable: '00000000003' };
  for (const [name, bvn] of Object.entries(bvns)) {
    await keep(platform, `kyc-verification-${name}`, `kyc/${await verify(bvn)}`);
  }
  bureauIsDown = true;
  await keep(platform, 'kyc-verification-given-up', `kyc/${await verify('22222222222')}`);
  const late = await verify('22222222222');
  const waiting = platform.operator.workflow.getHandle(`kyc/${late}`);
  await until('a verification that waits', async () => {
    const { events } = await waiting.fetchHistory().catch(() => ({ events: [] }));
    return events?.some((event) => event.timerStartedEventAttributes);
  });
  bureauIsDown = false;
  await waiting.signal('lookAgain');
  await keep(platform, 'kyc-verification-looked-again', `kyc/${late}`);

  await keepComplianceHistories(platform, url);
  await keepUssd(platform, partner, url, wallet.id);
  const { session } = await payWhileHeld(platform, partner, url, wallet.id);
  await keep(platform, 'ussd-settled-late', session.workflowId);
  await keepRailHistories(platform, partner, wallet.id, url);

  await keepInboundHistories(platform, wallet.accountNumber);
  await keepBulk(platform, partner, wallet.id);
  await keepHolds(platform, partner, wallet.id);
  await keepScheduled(platform, partner, wallet.id);

  await until('a sweep', async () => {
    const query = `WorkflowType='sweep' AND ExecutionStatus='Completed'`;
    for await (const { workflowId } of platform.operator.workflow.list({ query })) {
      await keep(platform, 'sweep', workflowId);
      return true;
    }
    return false;
  });

  const receiver = await openReceiver((_delivery, before) => (before === 0 ? 500 : 200));
  const hook = await partner.post('/v1/webhooks', { url: receiver.url, events: ['transaction.completed'] });
  await partner.post(`/v1/sandbox/wallets/${wallet.id}/fund`, { amount_kobo: 1 });
  await until('the second attempt', () => receiver.deliveries.length === 2);
  await partner.post(`/v1/sandbox/wallets/${wallet.id}/fund`, { amount_kobo: 1 });
  await keepLongDispatcher(platform, `webhook/${hook.body.data.id}`);
  await keep(platform, 'webhook-dispatcher-idle', `webhook/${hook.body.data.id}`);
  await receiver.close();
  await keepReset(platform, partner, wallet.id);
}

/** One that is woken so often that it goes on as a new run. */
async function keepLongDispatcher(platform: Platform, workflowId: string): Promise<void> {
  const handle = platform.operator.workflow.getHandle(workflowId);
  const { runId } = await handle.describe();
  await until('a new run', async () => {
    const at = await handle.describe();
    if (at.runId === runId && at.historyLength <= 200) await handle.signal('wake');
    return at.runId !== runId;
  });
  const long = platform.operator.workflow.getHandle(workflowId, runId);
  keepHistory('webhook-dispatcher-continued', await long.fetchHistory());
}

/** One that comes a little before its due time, waits for it and pays. */
async function keepScheduled(platform: Platform, partner: Calls, source: string): Promise<void> {
  const { id: dest } = await partner.wallet();
  const due_at = new Date(Date.now() + 3_000).toISOString();
  const asked = { source_wallet: source, dest_wallet: dest, amount: 1, reference: 'scheduled', due_at };
  const { body } = await partner.post('/v1/transfers/scheduled', asked);
  const query = `ResourceId='${body.data.id}' AND ExecutionStatus='Completed'`;
  const workflowId = await until('its workflow', async () => {
    for await (const one of platform.operator.workflow.list({ query })) return one.workflowId;
    return false;
  });
  await keep(platform, 'scheduled-transfer-waited', workflowId);
}

/** One whose time runs out, and one that was released before. */
async function keepHolds(platform: Platform, partner: Calls, walletId: string): Promise<void> {
  const place = async (reference: string): Promise<string> => {
    const asked = { wallet_id: walletId, amount: 1, reference, expires_in_seconds: 2 };
    return (await partner.post('/v1/holds', asked)).body.data.id;
  };
  await keep(platform, 'hold-expired', `hold/${await place('hold-expired')}`);
  const released = await place('hold-released');
  await partner.post(`/v1/holds/${released}/release`, undefined);
  await keep(platform, 'hold-released', `hold/${released}`);
}

/** One that runs to its end, and one that is paused and resumed. */
async function keepBulk(platform: Platform, partner: Calls, source: string): Promise<void> {
  const dest = await partner.wallet();
  const begin = async (reference: string, lines: number): Promise<string> => {
    const transfers = Array.from({ length: lines }, (_, n) => ({
      source_wallet: source,
      dest_wallet: dest.id,
      amount: 1,
      reference: `${reference}-${String(n)}`,
    }));
    const { body } = await partner.post('/v1/transfers/bulk', { reference, transfers });
    return body.data.id;
  };
  await keep(platform, 'bulk-transfer-completed', `bulk/${await begin('bulk', 1)}`);
  const paused = await begin('bulk-paused', 200);
  await partner.post(`/v1/transfers/bulk/${paused}/pause`, undefined);
  await keep(platform, 'bulk-transfer-paused', `bulk/${paused}`);
}

/** Runs last, because a reset ends every other workflow of the partner. */
async function keepReset(platform: Platform, partner: Calls, walletId: string): Promise<void> {
  await partner.post('/v1/sandbox/reset', undefined);
  await keep(platform, 'sandbox-reset', `sandbox-reset/${partner.partnerId}`);
  // The provisioning starts after the reset and finds its wallet gone.
  const intention = walletIntention({ partnerId: partner.partnerId, walletId, parkAfterMs: 60_000 });
  const late = { ...intention, workflowId: 'wallet/late' };
  await platform.operator.workflow.start(intention.workflowType, startOptions(late, 'wallet-core'));
  await keep(platform, 'wallet-provisioning-reset', 'wallet/late');
}

/** One session for every way in which it ends. */
async function keepUssd(platform: Platform, partner: Calls, url: string, payer: string): Promise<void> {
  const merchant = await partner.wallet();
  const ends: Record<string, { typed?: string[]; simulated?: 'confirm' | 'cancel'; amountKobo?: number }> = {
    completed: { typed: ['1', '0000', '1234'] },
    cancelled: { typed: ['2'] },
    'pin-exhausted': { typed: ['1', '0000', '0000', '0000'] },
    expired: {},
    'paid-by-hand': { simulated: 'confirm' },
    'cancelled-by-hand': { simulated: 'cancel' },
    unpaid: { simulated: 'confirm', amountKobo: 100_000_000 },
  };
  for (const [name, { typed, simulated, amountKobo = 1_000 }] of Object.entries(ends)) {
    const { body } = await partner.post('/v1/payments/ussd/initiate', {
      payer_wallet_id: payer,
      merchant_wallet_id: merchant.id,
      amount_kobo: amountKobo,
      reference: `ussd-${name}`,
    });
    const phone = openPhone(url, body.dial_code);
    if (typed) await phone.dial();
    for (const input of typed ?? []) await phone.type(input);
    if (simulated) {
      await partner.post('/v1/sandbox/ussd/simulate', { session_id: body.session_id, action: simulated });
    }
    await keep(platform, `ussd-${name}`, `ussd/${readSessionId(body.session_id) ?? ''}`);
  }
}

async function main(): Promise<void> {
  await preparePostgres();
  const settings = {
    SANDBOX_PROVISIONING_MS: '50,100',
    PROVISIONING_PARK_AFTER_MS: '2000',
    USSD_SESSION_MS: '5000',
    SANDBOX_KYC_MS: '300,300',
    SANDBOX_KYC_UNAVAILABLE_MS: '1500',
    KYC_GIVE_UP_AFTER_MS: '4000',
    RETENTION_EVERY_MS: '2000',
  };
  const platform = await openPlatform({ settings });
  try {
    await keepAll(platform);
  } finally {
    await platform.close();
    await closeRun();
  }
}

void main();
