/** The daily look at the companies' lists of banks on the whole platform in live: a new bank is listed, named and paid to. */
import { auditCell } from '../support/audit';
import type { Calls } from '../support/calls';
import { openFakeCompany, type FakeCompany } from '../support/fake-company';
import { openFakePaystack, type FakePaystack } from '../support/fake-paystack';
import { openWallet } from '../support/partners';
import { openPlatform, type Platform } from '../support/platform';
import { until } from '../support/until';
import { NEW_MONNIFY, type MonnifyState } from '../standins/monnify/state';
import { directoryOf } from '../../src/db/pg/schema';
import { LIVE_CELL } from '../setup/cells';

const GTB = { code: '058', name: 'Guaranty Trust Bank' };
const ALPHA = { code: 'A01', name: 'Alpha Bank' };
const BETA = { code: 'B77', nipBankCode: '090777', name: 'Beta MFB' };

let paystack: FakePaystack;
let monnify: FakeCompany<MonnifyState>;
let platform: Platform;
let live: Calls;
let walletId: string;
beforeAll(async () => {
  [paystack, monnify] = await Promise.all([openFakePaystack(), openFakeCompany<MonnifyState>('monnify')]);
  await paystack.set({ banks: [GTB, ALPHA] });
  // Monnify has another bank under a code of Paystack's.
  await monnify.set({ banks: [GTB, BETA, { ...ALPHA, name: 'Gamma Bank' }] });
  const { apiKey, secretKey, sourceAccount } = NEW_MONNIFY.settings;
  const settings = {
    LIVE_PAYOUTS: 'monnify,paystack',
    PAYSTACK_SECRET_KEY: paystack.secretKey,
    PAYSTACK_BASE_URL: paystack.url,
    MONNIFY_API_KEY: apiKey,
    MONNIFY_SECRET_KEY: secretKey,
    MONNIFY_SOURCE_ACCOUNT: sourceAccount,
    MONNIFY_BASE_URL: monnify.url,
    TRANSFER_REQUERY_MS: '200,400,800,1600,2000',
  };
  platform = await openPlatform({ settings });
  const [url] = await Promise.all([
    platform.startApi(),
    platform.startWorker(),
    // Two workers are as good as one.
    platform.startWorker(),
  ]);
  await paystack.set({ webhookUrl: `${url}/v1/providers/paystack/callback` });
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

/** Has the Schedule run now, and waits until it has. @returns the result of the run. */
async function look(): Promise<unknown> {
  const { temporal } = platform.environments().live;
  const schedule = temporal.schedule.getHandle('bank-lists');
  const runsOf = async () => (await schedule.describe()).info.recentActions.length;
  const before = await runsOf();
  await schedule.trigger();
  return until('a look at the lists', async () => {
    const { info } = await schedule.describe();
    const last = info.recentActions.at(-1);
    if (info.recentActions.length === before || last?.action.type !== 'startWorkflow') return undefined;
    const { workflowId, firstExecutionRunId } = last.action.workflow;
    return temporal.workflow.getHandle(workflowId, firstExecutionRunId).result();
  });
}
const listed = () =>
  platform.sql(`SELECT company, code, name FROM ${directoryOf('live')}.listed_banks ORDER BY company, code`);
const counts = () =>
  platform.sql(`SELECT company, codes, names, gone FROM ${directoryOf('live')}.bank_lists ORDER BY company`);
const pay = async (bankCode: string, accountNumber: string): Promise<string> => {
  const { reference, reply } = await live.bankTransfer(walletId, {
    bankCode,
    accountNumber,
    amountKobo: 500_000,
  });
  expect([reply.status, reply.body.error]).toEqual([202, undefined]);
  return (await live.ended(walletId, reference)).status;
};

test('before the look a new bank is unknown, and after it both companies’ banks are there, each for its company', async () => {
  const { reply } = await live.bankTransfer(walletId, { bankCode: 'A01', amountKobo: 500_000 });
  expect(reply.body).toMatchObject({ error: 'INVALID_BANK_CODE', detail: { bank_code: 'A01' } });

  expect(await look()).toEqual({ monnify: 3, paystack: 2 });
  expect(await counts()).toEqual([
    { company: 'monnify', codes: 0, names: 0, gone: 0 },
    { company: 'paystack', codes: 1, names: 0, gone: 0 },
  ]);
});

test('a new bank is paid through the company that lists it, by the code of that company', async () => {
  // Monnify was read first, so its bank has the code, and Paystack's bank of that code is told and not added.
  await until('the new bank', async () => {
    const found = await live.get('/v1/banks/resolve?bank_code=B77&account_number=0123456789');
    return found.status === 200;
  });
  expect(await pay('B77', '0123456781')).toBe('completed');
  expect(await pay('090777', '0123456782')).toBe('completed');
  expect(await pay('A01', '0123456783')).toBe('completed');
  const { transfers } = await monnify.state();
  expect(transfers.map(({ bankCode }) => bankCode)).toEqual(['B77', 'B77', 'A01']);
  expect((await paystack.state()).transfers).toEqual([]);
});

test('a second look, and one while a company is away, change nothing', async () => {
  const before = await listed();
  expect(await look()).toEqual({ monnify: 0, paystack: 0 });
  const heal = await monnify.faulty(['GET /api/v1/banks'], { does: 'answer', status: 500, body: {} });
  expect(await look()).toMatchObject({ monnify: null });
  await heal();
  expect(await listed()).toEqual(before);
});

test('a bank that is listed no more is counted, and is paid to as before', async () => {
  await monnify.set({ banks: [GTB, { ...ALPHA, name: 'Gamma Bank' }] });
  expect(await look()).toMatchObject({ monnify: 0 });
  expect(await counts()).toContainEqual({ company: 'monnify', codes: 0, names: 0, gone: 1 });
  const { body } = await live.get('/v1/banks');
  expect(body.data).toContainEqual({ code: 'B77', name: 'Beta MFB', slug: 'beta-mfb', nip_code: '090777' });
});
