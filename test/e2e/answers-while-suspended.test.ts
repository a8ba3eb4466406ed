/**
 * What is answered while the only worker is suspended is true afterwards: what was answered 503 has not happened and does not
 * happen later, and a payer whose PIN was accepted is told so.
 */
import { auditCell } from '../support/audit';
import type { Answer } from '../support/api';
import type { Calls } from '../support/calls';
import type { Child } from '../support/children';
import { openPhone } from '../support/phone';
import { openPlatform, type Platform } from '../support/platform';
import { insist, until } from '../support/until';
import { SANDBOX_CELL } from '../setup/cells';

const FUNDED_KOBO = 500_000;
const AMOUNT_KOBO = 100_000;
let platform: Platform;
let url: string;
let worker: Child;
let [partner, other] = [] as unknown as [Calls, Calls];
let [payer, merchant, kept] = ['', '', ''];

beforeAll(async () => {
  platform = await openPlatform();
  [url, worker] = await Promise.all([platform.startApi(), platform.startChild('worker')]);
  [partner, other] = await Promise.all([platform.partner(url), platform.partner(url)]);
  const wallets = await Promise.all([partner.wallet(FUNDED_KOBO), partner.wallet(), other.wallet()]);
  [payer, merchant, kept] = wallets.map(({ id }) => id) as [string, string, string];
});
afterAll(async () => {
  expect(await auditCell(platform.databaseUrl, SANDBOX_CELL)).toEqual([]);
  await platform.close();
});

async function session() {
  const { body } = await partner.post('/v1/payments/ussd/initiate', {
    payer_wallet_id: payer,
    merchant_wallet_id: merchant,
    amount_kobo: AMOUNT_KOBO,
    merchant_name: 'ADA STORES',
    reference: `ORD-${String(Math.random())}`,
  });
  const phone = openPhone(url, body.dial_code);
  await insist('dialling', async () => ({ status: (await phone.dial()).startsWith('CON') ? 200 : 503 }));
  return { id: body.session_id as string, phone };
}
const simulate = (id: string, action: string): Promise<Answer> =>
  partner.post('/v1/sandbox/ussd/simulate', { session_id: id, action });

test('what is answered while the worker is suspended holds when it goes on', async () => {
  const [paying, simulated] = [await session(), await session()];
  await paying.phone.type('1');
  const account = { bank_code: '058', account_number: '0123456789', account_name: 'ADEYEMI NGOZI' };
  const sent = await partner.post(
    '/v1/transfers/bank',
    { source_wallet: payer, dest_account: account, amount: 10_000, reference: 'held' },
    { 'X-Sandbox-Hold': 'true' },
  );
  const { id: transferId } = sent.body.data;
  const settle = (to: string) =>
    partner.post(`/v1/sandbox/bank-transfer/${to}`, { transaction_id: transferId });
  const transfer = async (): Promise<string> =>
    (await partner.get(`/v1/transactions/${transferId}`)).body.data.status;
  await until('a transfer that waits', async () => (await transfer()) === 'processing');

  process.kill(worker.pid, 'SIGSTOP');
  const [screen, confirmed, completed, emptied] = await Promise.all([
    paying.phone.type('1234'),
    simulate(simulated.id, 'confirm'),
    settle('complete'),
    other.post('/v1/sandbox/reset', undefined),
  ]);
  expect(screen).toMatch(/^END Payment is being processed/);
  expect(await paying.phone.dial()).toMatch(/^END Payment is being processed/);
  expect([confirmed.status, completed.status, emptied.status]).toEqual([503, 503, 503]);
  const withdrawn = await platform.sql(
    `SELECT kind FROM ${SANDBOX_CELL}.hand_orders WHERE withdrawn_at IS NOT NULL AND used_at IS NULL ORDER BY kind`,
  );
  expect(withdrawn.map(({ kind }) => kind)).toEqual(['pay_ussd', 'reset_sandbox', 'settle_transfer']);
  process.kill(worker.pid, 'SIGCONT');

  const paid = `/v1/payments/ussd/${paying.id}`;
  await until('the payment', async () => (await partner.get(paid)).body.data.status === 'completed');
  // Each of these would be refused if what was answered 503 had happened after all.
  expect((await insist('the cancellation', () => simulate(simulated.id, 'cancel'))).status).toBe(200);
  expect((await insist('the failure', () => settle('fail'))).status).toBe(200);
  expect((await other.get(`/v1/wallets/${kept}`)).status).toBe(200);
  expect(await partner.balanceKobo(payer)).toBe(FUNDED_KOBO - AMOUNT_KOBO);
  const empty = await insist('the reset', () => other.post('/v1/sandbox/reset', undefined));
  expect(empty.status).toBe(200);
  expect((await other.get(`/v1/wallets/${kept}`)).status).toBe(404);
}, 120_000);
