/** A partner's work from its first wallet to its last transfer, and what an operator sees of it in Temporal. */
import { isNuban } from '../../src/domain/nuban';
import { auditCell } from '../support/audit';
import { GOOD_ACCOUNT, type Calls, type Json } from '../support/calls';
import { sharedPlatform, type SharedPlatform } from '../support/shared-platform';
import { openReceiver, type Receiver } from '../support/receiver';
import { until } from '../support/until';
import { SANDBOX_CELL } from '../setup/cells';

const SANDBOX_MFB = '50999';
const BANK_FEE_KOBO = 5_000;

let platform: SharedPlatform;
let partner: Calls;
let receiver: Receiver;

beforeAll(async () => {
  platform = await sharedPlatform();
  receiver = await openReceiver();
  partner = await platform.partner(platform.url);
  const events = ['transaction.completed', 'transaction.failed', 'wallet.activated'];
  await partner.post('/v1/webhooks', { url: receiver.url, events });
});

afterAll(async () => {
  expect(await auditCell(platform.databaseUrl, SANDBOX_CELL)).toEqual([]);
  await platform.close();
  await receiver.close();
});

/** The one event about a resource; it fails when there are two. */
async function eventAbout(resourceId: string): Promise<Json> {
  const delivery = await until(`the event of ${resourceId}`, () => receiver.about(resourceId)[0]);
  expect(new Set(receiver.about(resourceId).map(({ body }) => body.webhook_id)).size).toBe(1);
  return delivery.body;
}

describe('wallets', () => {
  test('a new wallet is pending and empty, then active with an account number of the MFB', async () => {
    const created = await partner.post('/v1/wallets', { user_ref: 'ada', metadata: { first_name: 'Ada' } });
    expect(created).toMatchObject({
      status: 202,
      body: { data: { status: 'pending', account_status: 'provisioning', account_number: '' } },
    });
    const { id } = created.body.data;
    const active = await until('the active wallet', async () => {
      const { data } = (await partner.get(`/v1/wallets/${id}`)).body;
      return data.wallet.status === 'active' && data;
    });
    expect(active).toMatchObject({
      balance_kobo: 0,
      wallet: {
        account_status: 'active',
        account_name: expect.stringMatching(/^ACME FINTECH\/[0-9]{6}$/),
        bank_code: SANDBOX_MFB,
        mfb_reference: `SBX-VA-${active.wallet.account_number}`,
      },
    });
    expect(isNuban(SANDBOX_MFB, active.wallet.account_number)).toBe(true);
    expect(await eventAbout(id)).toMatchObject({
      event: 'wallet.activated',
      data: { user_ref: 'ada', status: 'active', account_number: active.wallet.account_number },
    });
  });

  test('a sandbox funding credits the wallet and sends an event', async () => {
    const { id } = await partner.wallet();
    const funded = await partner.post(`/sandbox/wallets/${id}/fund`, {
      amount_kobo: 250_000,
      note: 'payday',
    });
    expect(funded).toMatchObject({ status: 200, body: { balance_kobo: 250_000, balance_naira: '2500.00' } });
    expect(await eventAbout(funded.body.transaction_id)).toMatchObject({
      event: 'transaction.completed',
      data: { type: 'wallet_funding', amount_kobo: 250_000, source_wallet_id: null, dest_wallet_id: id },
    });
  });
});

describe('a P2P transfer', () => {
  test('is completed when it is answered, moves amount and fee, and sends an event', async () => {
    const [source, dest] = await Promise.all([partner.wallet(500_000), partner.wallet()]);
    const body = { source_wallet: source.id, dest_wallet: dest.id, amount: 100_000, reference: 'rent-1' };
    const { status, body: answer } = await partner.post('/v1/transfers/p2p', body);
    expect({ status, ...answer.data }).toMatchObject({ status: 'completed', type: 'p2p_transfer' });
    expect(await partner.balanceKobo(source.id)).toBe(500_000 - 100_000 - 500);
    expect(await partner.balanceKobo(dest.id)).toBe(100_000);
    expect(await eventAbout(answer.data.id)).toMatchObject({
      event: 'transaction.completed',
      data: {
        reference: 'rent-1',
        amount_kobo: 100_000,
        source_wallet_id: source.id,
        dest_wallet_id: dest.id,
      },
    });
  });

  test('sent again with its key answers the same bytes and moves nothing', async () => {
    const [source, dest] = await Promise.all([partner.wallet(500_000), partner.wallet()]);
    const body = { source_wallet: source.id, dest_wallet: dest.id, amount: 20_000, reference: 'rent-2' };
    const key = { 'Idempotency-Key': 'rent-2-key' };
    const first = await partner.post('/v1/transfers/p2p', body, key);
    const again = await partner.post('/v1/transfers/p2p', body, key);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await partner.balanceKobo(dest.id)).toBe(20_000);
  });
});

describe('a bank transfer', () => {
  test('is debited at once and completed when the provider says so', async () => {
    const { id } = await partner.wallet(100_000);
    const { reference, reply } = await partner.bankTransfer(id, { amountKobo: 40_000 });
    expect(reply).toMatchObject({ status: 202, body: { data: { status: 'processing' } } });
    expect(await partner.balanceKobo(id)).toBe(100_000 - 40_000 - BANK_FEE_KOBO);
    expect(await partner.ended(id, reference)).toMatchObject({
      status: 'completed',
      psp_reference: `SBX_${reply.body.data.id}`,
      psp_meta: { provider: 'simulator', response_code: '00' },
      failed_reason: null,
    });
    expect(await partner.balanceKobo(id)).toBe(100_000 - 40_000 - BANK_FEE_KOBO);
    expect(await eventAbout(reply.body.data.id)).toMatchObject({
      event: 'transaction.completed',
      data: { type: 'bank_transfer', reference, psp_reference: `SBX_${reply.body.data.id}` },
    });
  });

  test.each([
    { ending: '0000', accountNumber: '0123450000', code: '05', reason: 'Do not honor' },
    { ending: '0404', accountNumber: '0123450404', code: '07', reason: 'Invalid account' },
  ])(
    'to a number ending in $ending fails with code $code, and gives back amount and fee once',
    async ({ accountNumber, code, reason }) => {
      const { id } = await partner.wallet(100_000);
      const { reference, reply } = await partner.bankTransfer(id, { accountNumber, amountKobo: 40_000 });
      const transferId: string = reply.body.data.id;
      expect(await partner.ended(id, reference)).toMatchObject({
        status: 'failed',
        failed_reason: reason,
        psp_meta: { response_code: code },
      });
      expect(await partner.balanceKobo(id)).toBe(100_000);
      const reversal = await partner.transaction(id, `rev_${transferId}`);
      expect(reversal).toMatchObject({
        type: 'reversal',
        status: 'completed',
        amount: 40_000 + BANK_FEE_KOBO,
        source_wallet: null,
        dest_wallet: id,
        metadata: { original_transaction_id: transferId, original_reference: reference },
      });
      expect(await eventAbout(transferId)).toMatchObject({
        event: 'transaction.failed',
        data: {
          status: 'failed',
          failure_reason: reason,
          reversal: { reversed: true, reversal_tx_id: reversal.id, amount_kobo: 40_000 + BANK_FEE_KOBO },
          reversal_status: 'completed',
        },
      });
      expect(receiver.about(reversal.id)).toEqual([]);
    },
  );

  test('to a wallet of our own MFB credits it once, as a wallet funding', async () => {
    const [source, dest] = await Promise.all([partner.wallet(100_000), partner.wallet()]);
    const { reference } = await partner.bankTransfer(source.id, {
      bankCode: SANDBOX_MFB,
      accountNumber: dest.accountNumber,
      amountKobo: 30_000,
    });
    expect((await partner.ended(source.id, reference)).status).toBe('completed');
    expect(await partner.balanceKobo(dest.id)).toBe(30_000);
    const received = (await partner.get(`/v1/wallets/${dest.id}/transactions`)).body.data;
    expect(received).toMatchObject([{ type: 'wallet_funding', amount: 30_000, status: 'completed' }]);
    expect(await eventAbout(received[0].id)).toMatchObject({ data: { type: 'wallet_funding' } });
  });

  test('to a number that our own MFB has not issued fails with code 07', async () => {
    const { id } = await partner.wallet(100_000);
    const unknown = { bankCode: SANDBOX_MFB, accountNumber: GOOD_ACCOUNT };
    const { reference } = await partner.bankTransfer(id, unknown);
    const transfer = await partner.ended(id, reference);
    expect(transfer).toMatchObject({ status: 'failed', psp_meta: { response_code: '07' } });
    expect(await partner.balanceKobo(id)).toBe(100_000);
  });
});

describe('an operator finds in Temporal', () => {
  /** Searches until something is found, because Temporal's visibility lags a moment. */
  const found = (query: string) =>
    until(query, async () => {
      for await (const execution of platform.operator.workflow.list({ query })) return execution;
      return undefined;
    });

  test('a wallet by partner, resource and state', async () => {
    const { id } = await partner.wallet();
    const query = `PartnerId='${partner.partnerId}' AND ResourceId='${id}' AND BusinessState='active'`;
    expect(await found(query)).toMatchObject({ workflowId: `wallet/${id}`, type: 'walletProvisioning' });
  });

  test.each([
    { state: 'completed', accountNumber: GOOD_ACCOUNT },
    { state: 'failed', accountNumber: '1111110000' },
  ])('a $state transfer by its state, with a line that says what it is', async ({ state, accountNumber }) => {
    const { id } = await partner.wallet(200_000);
    const { reply } = await partner.bankTransfer(id, { accountNumber, amountKobo: 123_456 });
    const transferId: string = reply.body.data.id;
    const execution = await found(`ResourceId='${transferId}' AND BusinessState='${state}'`);
    expect(execution).toMatchObject({ workflowId: `bank-transfer/${transferId}`, type: 'bankTransfer' });
    const handle = platform.operator.workflow.getHandle(execution.workflowId);
    expect(await (await handle.describe()).staticSummary()).toBe('NGN 1234.56 to bank 058');
    expect(await handle.result()).toBe(state);
    expect(await handle.query('state')).toBe(state);
  });
});
