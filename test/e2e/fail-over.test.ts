/**
 * Live transfers with two companies: the fakes of Paystack and of Monnify are processes that speak HTTP. Where the first
 * company does not take an order, the second one pays, once. The check before going live looks at the same platform.
 */
import { auditCell } from '../support/audit';
import type { Calls } from '../support/calls';
import { runCommand } from '../support/commands';
import { openFakeCompany, type FakeCompany } from '../support/fake-company';
import { openFakePaystack, type FakePaystack } from '../support/fake-paystack';
import { openWallet } from '../support/partners';
import { openPlatform, type Platform } from '../support/platform';
import { PLATFORM_SETTINGS } from '../support/settings';
import { until } from '../support/until';
import { NEW_MONNIFY, type MonnifyState } from '../standins/monnify/state';
import { LIVE_CELL } from '../setup/cells';

jest.setTimeout(120_000);

const AMOUNT_KOBO = 500_000;
const FEE_KOBO = 5_000;

let paystack: FakePaystack;
let monnify: FakeCompany<MonnifyState>;
let platform: Platform;
let settings: Record<string, string>;
let live: Calls;
let walletId: string;
beforeAll(async () => {
  [paystack, monnify] = await Promise.all([openFakePaystack(), openFakeCompany<MonnifyState>('monnify')]);
  const { apiKey, secretKey, sourceAccount } = NEW_MONNIFY.settings;
  settings = {
    LIVE_PAYOUTS: 'paystack,monnify',
    PAYSTACK_SECRET_KEY: paystack.secretKey,
    PAYSTACK_BASE_URL: paystack.url,
    MONNIFY_API_KEY: apiKey,
    MONNIFY_SECRET_KEY: secretKey,
    MONNIFY_SOURCE_ACCOUNT: sourceAccount,
    MONNIFY_BASE_URL: monnify.url,
  };
  platform = await openPlatform({ settings });
  const [url] = await Promise.all([platform.startApi(), platform.startWorker()]);
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
  expect((await paystack.state()).payments).toEqual([]);
  const paid = await platform.sql(
    `SELECT provider, state FROM ${LIVE_CELL}.transfer_attempts WHERE transaction_id = $1 ORDER BY n DESC LIMIT 1`,
    [id],
  );
  expect(paid).toEqual([{ provider: 'monnify', state: 'succeeded' }]);
});

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
  expect(lineOf('clock')).toMatch(/^ok {3}/);
  expect(lineOf('production')).toMatch(/^FAIL .*NODE_ENV=production$/);
  expect(lineOf('companies')).toMatch(/^FAIL .*LIVE_IDENTITY/);
  expect(lineOf('callbacks')).toMatch(/^FAIL .*paystack, monnify/);
  expect(lineOf('operators')).toMatch(/^FAIL .*0 of 2/);
  expect(lineOf('penny')).toMatch(/^FAIL /);
});
