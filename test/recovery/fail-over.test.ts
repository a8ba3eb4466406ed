/**
 * Live transfers with two companies: the fakes of Paystack and of Monnify are processes that speak HTTP. Where the first
 * company does not take an order, the second one pays, once. The check before going live looks at the same platform.
 */
import { createHmac } from 'node:crypto';
import { companyAccountId } from '../../src/domain/accounts';
import { auditCell } from '../support/audit';
import type { Calls } from '../support/calls';
import { asText, testThatNoneIsReadable } from '../support/canaries';
import { runCommand } from '../support/commands';
import { openFakeCompany, type FakeCompany } from '../support/fake-company';
import { openFakePaystack, type FakePaystack } from '../support/fake-paystack';
import { openWallet } from '../support/partners';
import { openPlatform, type Platform } from '../support/platform';
import { PLATFORM_SETTINGS } from '../support/settings';
import { until } from '../support/until';
import { NEW_MONNIFY, type MonnifyState } from '../standins/monnify/state';
import { LIVE_CELL } from '../setup/cells';

const AMOUNT_KOBO = 500_000;
const FEE_KOBO = 5_000;

let paystack: FakePaystack;
let monnify: FakeCompany<MonnifyState>;
let platform: Platform;
let settings: Record<string, string>;
let live: Calls;
let url: string;
let walletId: string;
beforeAll(async () => {
  [paystack, monnify] = await Promise.all([openFakePaystack(), openFakeCompany<MonnifyState>('monnify')]);
  const { apiKey, secretKey, sourceAccount, contractCode } = NEW_MONNIFY.settings;
  settings = {
    LIVE_PAYOUTS: 'paystack,monnify',
    PAYSTACK_SECRET_KEY: paystack.secretKey,
    PAYSTACK_BASE_URL: paystack.url,
    MONNIFY_API_KEY: apiKey,
    MONNIFY_SECRET_KEY: secretKey,
    MONNIFY_SOURCE_ACCOUNT: sourceAccount,
    MONNIFY_CONTRACT_CODE: contractCode,
    LIVE_ACCOUNTS: 'monnify',
    LIVE_IDENTITY: 'simulator',
    SANDBOX_KYC_MS: '0,0',
    MONNIFY_BASE_URL: monnify.url,
    LOG_LEVEL: 'trace',
  };
  platform = await openPlatform({ settings });
  [url] = await Promise.all([platform.startApi(), platform.startWorker()]);
  live = await platform.inLive(await platform.partner(url), url);
  await platform.sql(`UPDATE platform.partners SET status = 'active' WHERE id = $1`, [live.partnerId]);
  const environment = platform.environments().live;
  walletId = await openWallet(environment, environment.pool, live.partnerId, { fundKobo: 10_000_000 });
});
afterAll(async () => {
  expect(await auditCell(platform.databaseUrl, LIVE_CELL)).toEqual([]);
  await platform.close();
  await Promise.all([paystack.close(), monnify.close()]);
});

test('a wallet gets its number from Monnify once its owner is verified, is paid through it, and gives it back when it is closed', async () => {
  const metadata = { account_name: 'Ada Obi', email: 'ada@acme.example' };
  const { id } = (await live.post('/v1/wallets', { user_ref: 'numbered', metadata })).body.data;
  const provisioning = platform.environments().live.temporal.workflow.getHandle(`wallet/${id}`);
  await until('the wallet that waits for its owner', async () => {
    const history = await provisioning.fetchHistory().catch(() => null);
    return history?.events?.some((event) => event.timerStartedEventAttributes);
  });
  expect((await monnify.state()).reserved).toEqual([]);
  expect(await live.post('/v1/kyc/bvn', { user_ref: 'numbered', bvn: '22222222222' })).toMatchObject({
    status: 202,
  });
  const wallet = await until('the active wallet', async () => {
    const found = (await live.get(`/v1/wallets/${id}`)).body.data.wallet;
    return found.status === 'active' && found;
  });
  const reserved = async () =>
    (await monnify.state()).reserved
      .filter((one) => one.accountReference === id)
      .map(({ accountNumber, status }) => ({ accountNumber, status }));
  expect(wallet).toMatchObject({ account_name: 'ADA OBI', bank_code: '50515' });
  expect(await reserved()).toEqual([{ accountNumber: wallet.account_number, status: 'ACTIVE' }]);
  expect(
    await platform.sql('SELECT bank_code, account_number FROM live_directory.nubans WHERE wallet_id = $1', [
      id,
    ]),
  ).toEqual([{ bank_code: '50515', account_number: wallet.account_number }]);
  const history = asText(await provisioning.fetchHistory());
  expect(history).toContain(id);
  for (const secret of ['22222222222', wallet.account_number, 'ADA OBI', 'ada@acme.example']) {
    expect(history).not.toContain(secret);
  }

  const transactionReference = 'MNFY|04|20260115112842|000170';
  const product = { type: 'RESERVED_ACCOUNT', reference: id };
  const paid = {
    accountReference: id,
    productType: product.type,
    senderName: 'BOLA ADE',
    paidAtMs: Date.now(),
  };
  const amounts = { amountPaid: '5000.00', settlementAmount: '4950.00', paymentStatus: 'PAID' };
  await monnify.set({ incoming: [{ transactionReference, ...paid, ...amounts }] });
  const body = JSON.stringify({
    eventType: 'SUCCESSFUL_TRANSACTION',
    eventData: { transactionReference, product, amountPaid: 1 },
  });
  const signature = createHmac('sha512', NEW_MONNIFY.settings.secretKey).update(body).digest('hex');
  for (const [signed, status] of [
    ['0'.repeat(128), 401],
    [signature, 200],
    [signature, 200],
  ] as const) {
    const headers = { 'content-type': 'application/json', 'monnify-signature': signed };
    const answer = await fetch(`${url}/v1/providers/monnify/callback`, { method: 'POST', headers, body });
    expect(answer.status).toBe(status);
  }
  await until('the credit', async () => (await live.balanceKobo(id)) === AMOUNT_KOBO);
  const entries = await platform.sql(
    `SELECT right(e.account::text, 4) AS code, e.account, e.amount_kobo::int AS kobo
       FROM ${LIVE_CELL}.entries e JOIN ${LIVE_CELL}.inbound_credits c ON c.id = e.transaction_id
      WHERE c.reference = $1 ORDER BY e.amount_kobo`,
    [transactionReference],
  );
  expect(entries).toMatchObject([
    { account: companyAccountId('1300', 'monnify'), kobo: 5_000 - AMOUNT_KOBO },
    { code: '5110', kobo: -5_000 },
    { account: id, kobo: AMOUNT_KOBO },
  ]);

  const { reference } = await live.bankTransfer(id, { amountKobo: AMOUNT_KOBO - FEE_KOBO });
  expect(await live.ended(id, reference)).toMatchObject({ status: 'completed' });
  expect(await live.post(`/v1/wallets/${id}/close`, {})).toMatchObject({ status: 200 });
  await until('the account to be given up', async () => (await reserved())[0]?.status === 'DEALLOCATED');
});

test.each([
  ['Paystack does not take the order, because our float there is too small', { balanceKobo: 0 }],
  [
    'Paystack turns the order away',
    { faults: [{ on: 'POST /transfer', does: 'answer' as const, status: 403, body: '' }] },
  ],
])('where %s, Monnify pays, once', async (_what, trouble) => {
  await paystack.set({ balanceKobo: 1_000_000_000, faults: [], ...trouble });
  const before = await live.balanceKobo(walletId);
  const accountNumber = String(3_000_000_000 + before);
  const { reference, reply } = await live.bankTransfer(walletId, { accountNumber, amountKobo: AMOUNT_KOBO });
  expect(reply.status).toBe(202);
  const { id, status } = await live.ended(walletId, reference);
  expect(status).toBe('completed');
  expect(before - (await live.balanceKobo(walletId))).toBe(AMOUNT_KOBO + FEE_KOBO);

  const { payments, transfers } = await monnify.state();
  const ours = transfers.filter((one) => one.accountNumber === accountNumber);
  expect(ours).toMatchObject([{ amount: 5_000, status: 'SUCCESS' }]);
  expect(payments.filter((one) => one.includes(id))).toHaveLength(1);
  expect((await paystack.state()).payments.filter((one) => one.includes(id))).toEqual([]);
  const paid = await platform.sql(
    `SELECT provider, state FROM ${LIVE_CELL}.transfer_attempts WHERE transaction_id = $1 ORDER BY n DESC LIMIT 1`,
    [id],
  );
  expect(paid).toEqual([{ provider: 'monnify', state: 'succeeded' }]);
});

testThatNoneIsReadable(
  () => platform,
  // Who has paid in, who was paid, who owns the wallet, and the keys of the companies.
  () => ({
    sender: 'BOLA ADE',
    owner: 'ADA OBI',
    asked: 'Ada Obi',
    email: 'ada@acme.example',
    bvn: '22222222222',
    ofMonnify: NEW_MONNIFY.settings.secretKey,
    ofPaystack: paystack.secretKey,
  }),
  { lines: 4, rows: 51, workflows: { 'wallet/': 1, 'inbound/monnify/': 1, 'bank-transfer/': 1 } },
);

test('npm run golive:check names what is not ready, and ends with 1', async () => {
  const { code, said } = await until('the answer of the check', () =>
    runCommand(
      { ...PLATFORM_SETTINGS, ...settings, DATABASE_URL: platform.databaseUrl },
      'golive',
      'check',
      '--confirmed',
      'otp-off',
    ),
  );
  expect(code).toBe(1);
  const lines = said.split('\n');
  const lineOf = (name: string) => lines.find((line) => line.includes(` ${name}: `));
  expect(lineOf('otp-off')).toMatch(/^ok {3}/);
  expect(lineOf('stamp-duty')).toMatch(/^FAIL .*STAMP_DUTY is off/);
  expect(lineOf('clock')).toMatch(/^ok {3}/);
  expect(lineOf('production')).toMatch(/^FAIL .*NODE_ENV=production$/);
  expect(lineOf('companies')).toMatch(/^FAIL .*LIVE_IDENTITY/);
  expect(lineOf('callbacks')).toMatch(/^FAIL .*paystack, monnify/);
  expect(lineOf('accounts')).toMatch(/^ok {3}/);
  expect(lineOf('incoming')).toMatch(/^FAIL .*: paystack/);
  expect(lineOf('operators')).toMatch(/^FAIL .*0 of 2/);
  expect(lineOf('penny')).toMatch(/^FAIL /);
});
