/**
 * Live transfers through Paystack on the whole platform. The fake Paystack is a process that speaks HTTP, and has the
 * faults of a real connection: whatever is lost, the transfer is paid once (D57).
 */
import { auditCell } from '../support/audit';
import type { Calls } from '../support/calls';
import { testThatNoneIsReadable } from '../support/canaries';
import { openFakePaystack, type FakePaystack } from '../support/fake-paystack';
import { openWallet } from '../support/partners';
import { openPlatform, type Platform } from '../support/platform';
import { approvedBy } from '../support/operators';
import { runCommand } from '../support/commands';
import { PLATFORM_SETTINGS } from '../support/settings';
import { until } from '../support/until';
import type { FakeFault, FakeRefusal, FakeTransaction } from '../standins/paystack/state';
import { paystackSignature } from '../../src/wire/provider-callbacks';
import { pathSecret } from '../../src/wire/ussd-gateway';
import { CALLBACK_SECRETS } from '../support/callbacks';
import { directoryOf } from '../../src/db/pg/schema';
import { programUrls } from '../../src/runtime/database-urls';
import { dayAfter, dayOf, type Day } from '../../src/domain/days';
import { attemptOfPayout, payoutReference, SECOND_KEY_AFTER_MS } from '../../src/domain/payouts';
import { LIVE_CELL, TEST_CELLS } from '../setup/cells';
import type { Json } from '../support/api';

const FUNDED_KOBO = 10_000_000;
const AMOUNT_KOBO = 500_000;
const FEE_KOBO = 5_000;
const UNKNOWN_ACCOUNT = '0123450404';

let paystack: FakePaystack;
let platform: Platform;
let live: Calls;
let walletId: string;
let settings: Record<string, string>;
const began = dayOf(new Date());
beforeAll(async () => {
  paystack = await openFakePaystack();
  await paystack.set({ unknownAccounts: [UNKNOWN_ACCOUNT] });
  settings = {
    LIVE_PAYOUTS: 'paystack',
    PAYSTACK_SECRET_KEY: paystack.secretKey,
    PAYSTACK_BASE_URL: paystack.url,
    PAYSTACK_ASKS_FIRST: 'true',
    TRANSFER_REQUERY_MS: '200,400,800,1600,2000',
  };
  platform = await openPlatform({ settings });
  const [url] = await Promise.all([platform.startApi(), platform.startWorker()]);
  await paystack.set({
    webhookUrl: `${url}/v1/providers/paystack/callback`,
    approvalUrl: `${url}/v1/providers/paystack/approvals/${pathSecret(CALLBACK_SECRETS.live)}`,
  });
  live = await platform.inLive(await platform.partner(url), url);
  await platform.sql(`UPDATE platform.partners SET status = 'active' WHERE id = $1`, [live.partnerId]);
  const environment = platform.environments().live;
  walletId = await openWallet(environment, environment.pool, live.partnerId, { fundKobo: FUNDED_KOBO });
});
const USUAL = {
  faults: [],
  refusals: {},
  validatingMs: 0,
  pendingMs: 100,
  webhookTimes: 1,
  balanceKobo: 1_000_000_000,
};
afterEach(() => paystack.set(USUAL));
afterAll(async () => {
  expect(await auditCell(platform.databaseUrl, LIVE_CELL)).toEqual([]);
  await platform.close();
  await paystack.close();
});

/** Sends a transfer and waits until it has ended. */
async function pay(accountNumber: string) {
  const before = await live.balanceKobo(walletId);
  const { reference, reply } = await live.bankTransfer(walletId, { accountNumber, amountKobo: AMOUNT_KOBO });
  expect(reply.status).toBe(202);
  const ended = await live.ended(walletId, reference);
  const { payments, transfers } = await paystack.state();
  const ours = transfers.filter((one) => one.reference.includes(ended.id));
  return {
    status: ended.status as string,
    debitKobo: before - (await live.balanceKobo(walletId)),
    paid: payments.filter((one) => one.includes(ended.id)).length,
    transfers: ours.map(({ status, amountKobo }) => ({ status, amountKobo })),
  };
}

const PAID_ONCE = {
  status: 'completed',
  debitKobo: AMOUNT_KOBO + FEE_KOBO,
  paid: 1,
  transfers: [{ status: 'success', amountKobo: AMOUNT_KOBO }],
};

const once = (does: FakeFault['does'], more: Partial<FakeFault> = {}): FakeFault => ({
  on: 'POST /transfer',
  does,
  times: 1,
  ...more,
});

test.each<[what: string, faults: FakeFault[], settings?: { validatingMs: number }]>([
  ['nothing is lost', []],
  ['the order is lost before Paystack has it', [once('drop before')]],
  ['the answer to the order is lost', [once('drop after')]],
  ['the answer is lost, and Paystack still checks the order', [once('drop after')], { validatingMs: 1_500 }],
  ['the answer is an error after the order was taken', [once('answer after', { status: 502 })]],
  ['there are too many requests', [once('answer', { status: 429, headers: { 'x-ratelimit-reset': '1' } })]],
  ['the recipient cannot be made', [once('answer', { on: 'POST /transferrecipient', status: 500 })]],
  ['the name enquiry is not answered', [once('drop before', { on: 'GET /bank/resolve' })]],
  ['a question is not answered', [once('drop before', { on: 'GET /transfer/verify' })]],
])('a transfer is paid once when %s', async (_what, faults, settings = { validatingMs: 0 }) => {
  await paystack.set({ faults, ...settings });
  expect(await pay('0123456789')).toEqual(PAID_ONCE);
});

test.each<[what: string, refused: FakeRefusal, reason: string]>([
  [
    'the recipient is on a watch list',
    {
      of: 'transfer',
      status: 400,
      message: "Sorry, we can't make the transfer to this recipient at the moment",
    },
    'The payment provider makes no transfers to this recipient',
  ],
  [
    'the account is closed',
    { of: 'transfer', status: 400, message: 'Account closed' },
    'The destination account is closed',
  ],
  [
    'no recipient is made for the account',
    { of: 'recipient', status: 400, message: 'Bank is invalid', code: 'invalid_bank_code' },
    'The bank code of the destination is not valid',
  ],
  [
    'Paystack says no in words that nobody knows',
    { of: 'transfer', status: 400, message: 'The moon is full', code: 'full_moon' },
    'The payment provider did not accept the transfer',
  ],
])(
  'where %s, the payer has the money back at once, and the partner is told why',
  async (_what, refused, reason) => {
    // Each has an account of its own, because recipients are remembered.
    const accountNumber = String(2_123_450_000 + reason.length);
    await paystack.set({ refusals: { [accountNumber]: refused } });
    expect(await pay(accountNumber)).toEqual({ status: 'failed', debitKobo: 0, paid: 0, transfers: [] });
    const [row] = await platform.sql(
      `SELECT t.failed_reason, a.state, a.said_code FROM ${LIVE_CELL}.transactions t
       JOIN ${LIVE_CELL}.transfer_attempts a ON a.transaction_id = t.id ORDER BY t.created_at DESC LIMIT 1`,
    );
    expect(row).toEqual({
      failed_reason: reason,
      state: 'refused',
      said_code: refused.code ?? `http_${String(refused.status)}`,
    });
  },
);

test.each([
  ['invalid_transfer_recipient', 400],
  ['invalid_bank_code', 422],
])('a name that Paystack refuses with %s is not resolved, which is no outage', async (code, status) => {
  await paystack.set({ refusals: { '0123456791': { of: 'name', status, message: 'No', code } } });
  const answer = await live.get('/v1/banks/resolve?bank_code=058&account_number=0123456791');
  expect(answer).toMatchObject({ status: 422, body: { error: 'ACCOUNT_RESOLUTION_FAILED' } });
});

/** Sends a transfer that stays pending at Paystack, and waits until its order was taken. */
async function hold(accountNumber: string) {
  await paystack.set({ pendingMs: 3_600_000 });
  const { reference, reply } = await live.bankTransfer(walletId, { accountNumber, amountKobo: AMOUNT_KOBO });
  const id = reply.body.data.id as string;
  await until('the order', async () => (await attemptsOf(id))[0]?.state === 'accepted');
  return { id, reference, payout: payoutReference(id, 1) };
}
const attemptsOf = (id: string) =>
  platform.sql(
    `SELECT state, cause, failed_at FROM ${LIVE_CELL}.transfer_attempts WHERE transaction_id = $1`,
    [id],
  );
const callbacksOf = (id: string) =>
  platform.sql(`SELECT outcome, told_at FROM ${LIVE_CELL}.provider_callbacks WHERE transaction_id = $1`, [
    id,
  ]);

test('an event that Paystack does not confirm ends nothing; the transfer is paid once afterwards', async () => {
  const before = await live.balanceKobo(walletId);
  const { id, reference, payout } = await hold('0123456781');
  await paystack.tell(payout, 'transfer.success');
  await paystack.tell(payout, 'transfer.failed');
  await until('two events that were told', async () => {
    const told = await callbacksOf(id);
    return told.length === 2 && told.every(({ told_at }) => told_at !== null);
  });
  expect((await live.transaction(walletId, reference)).status).toBe('processing');
  expect(await attemptsOf(id)).toEqual([{ state: 'accepted', cause: null, failed_at: null }]);
  await paystack.set({ pendingMs: 0 });
  expect((await live.ended(walletId, reference)).status).toBe('completed');
  expect(before - (await live.balanceKobo(walletId))).toBe(AMOUNT_KOBO + FEE_KOBO);
  expect(await paystack.paid(payout)).toBe(1);
});

test('an event is the second key of a failure, so the payer has the money back before a minute is over', async () => {
  const accountNumber = '0123456782';
  await paystack.set({ endings: { [accountNumber]: 'failed' }, webhookTimes: 3 });
  const started = Date.now();
  expect(await pay(accountNumber)).toMatchObject({ status: 'failed', debitKobo: 0, paid: 0 });
  expect(Date.now() - started).toBeLessThan(SECOND_KEY_AFTER_MS);
});

/** Makes a transfer and its attempts older. */
async function age(id: string, interval: string): Promise<void> {
  for (const [table, key] of [
    ['transactions', 'id'],
    ['transfer_attempts', 'transaction_id'],
  ]) {
    await platform.sql(
      `UPDATE ${LIVE_CELL}.${table} SET created_at = created_at - $2::interval WHERE ${key} = $1`,
      [id, interval],
    );
  }
}

test('an order of unknown fate is given up, and Paystack may not pay the straggler that comes after all', async () => {
  const before = await live.balanceKobo(walletId);
  await paystack.set({
    faults: [
      { on: 'POST /transfer', does: 'late', afterMs: 6_000, times: 1 },
      { on: 'POST /transfer', does: 'drop before' },
    ],
  });
  const { reference, reply } = await live.bankTransfer(walletId, {
    accountNumber: '0123456783',
    amountKobo: AMOUNT_KOBO,
  });
  const id = reply.body.data.id as string;
  await until('the lost order', async () => (await attemptsOf(id))[0]?.state === 'sending');
  await age(id, '5 hours');
  expect((await live.ended(walletId, reference)).status).toBe('failed');
  expect(await attemptsOf(id)).toMatchObject([{ state: 'released' }, { state: 'refused', cause: 'hold' }]);
  expect(await live.balanceKobo(walletId)).toBe(before);
  await paystack.set({ faults: [] });
  await until('the straggler to be rejected', async () => {
    const { transfers } = await paystack.state();
    return transfers.some((one) => one.reference === payoutReference(id, 1) && one.status === 'rejected');
  });
  expect(await paystack.paid(payoutReference(id, 1))).toBe(0);
});

test('a transfer waits while our float at Paystack is too small, and is paid once after the top-up', async () => {
  await paystack.set({ balanceKobo: 0 });
  const paying = pay('0123456780');
  // Either Paystack refuses it, or its balance is known to be too small and nothing is sent.
  await until('a transfer that waits', async () => {
    const rows = await platform.sql(
      `SELECT FROM ${LIVE_CELL}.transactions t LEFT JOIN ${LIVE_CELL}.transfer_attempts a ON a.transaction_id = t.id
        WHERE t.status = 'processing' AND (a.cause = 'float' OR a.n IS NULL AND t.created_at < now() - interval '1 second')`,
    );
    return rows.length > 0;
  });
  await paystack.set({ balanceKobo: 1_000_000_000 });
  expect(await paying).toEqual(PAID_ONCE);
});

test('an account that its bank does not know gets nothing, and the payer has the money back', async () => {
  expect(await pay(UNKNOWN_ACCOUNT)).toEqual({ status: 'failed', debitKobo: 0, paid: 0, transfers: [] });
});

describe('money that comes in', () => {
  const RECEIVED = { amountKobo: 500_000, feeKobo: 5_000, bank: 'Wema Bank' };
  /** What is booked for it, by account; W is the wallet. */
  const CREDITED = { '1300-paystack': -495_000, '5110': -5_000, W: 500_000 };

  /** Gives a wallet an account number at a bank, as if a company had issued it. */
  async function numbered(
    accountNumber: string,
    bankCode = '035',
    status: 'active' | 'frozen' | 'closed' = 'active',
  ) {
    const environment = platform.environments().live;
    const id = await openWallet(environment, environment.pool, live.partnerId, { status });
    await platform.sql(
      `UPDATE ${directoryOf('live')}.nubans SET account_number = $2, bank_code = $3 WHERE wallet_id = $1`,
      [id, accountNumber, bankCode],
    );
    return id;
  }

  /** The books of a payment by account, once it is booked. */
  async function booked(reference: string) {
    const rows = await until(`the booking of ${reference}`, async () => {
      const found = await booksOf(reference);
      return found.length > 0 && found;
    });
    return Object.fromEntries(rows.map((row) => [row.account, row.kobo]));
  }
  const booksOf = async (reference: string) =>
    (
      await platform.sql(
        `SELECT e.account, e.amount_kobo, t.dest_wallet FROM ${LIVE_CELL}.inbound_credits c
           JOIN ${LIVE_CELL}.transactions t ON t.id = c.id JOIN ${LIVE_CELL}.entries e ON e.transaction_id = t.id
          WHERE c.reference = $1`,
        [reference],
      )
    ).map((row) => ({
      account: row.account === row.dest_wallet ? 'W' : codeOf(row.account as string),
      kobo: Number(row.amount_kobo),
    }));
  const codeOf = (account: string): string => {
    const company = account.startsWith('0') ? '' : '-paystack';
    return account.slice(-4) + company;
  };
  const ended = (reference: string) =>
    until(`the end of ${reference}`, async () => {
      const handle = platform
        .environments()
        .live.temporal.workflow.getHandle(`inbound/paystack/${reference}`);
      const { status } = await handle.describe();
      return status.name === 'COMPLETED' && ((await handle.result()) as string);
    });

  test('cases 23, 24 and 26: a payment is credited once, however often it is told, also while the wallet is frozen', async () => {
    const to = await numbered('9930000001', '035', 'frozen');
    await paystack.set({ webhookTimes: 5 });
    await paystack.receive('dva-1', { ...RECEIVED, accountNumber: '9930000001' });
    expect(await booked('dva-1')).toEqual(CREDITED);
    await until('all five events', async () => (await paystack.state()).events.length === 0);
    await paystack.tell('dva-1', 'charge.success');
    expect(await live.balanceKobo(to)).toBe(500_000);
    const events = await platform.sql(
      `SELECT kind FROM ${LIVE_CELL}.events e JOIN ${LIVE_CELL}.inbound_credits c ON c.id = e.resource_id
        WHERE c.reference = 'dva-1'`,
    );
    expect(events).toEqual([{ kind: 'transaction.completed' }]);
    const { body } = await live.get(`/v1/wallets/${to}/transactions`);
    expect(body.data).toMatchObject([
      {
        type: 'wallet_funding',
        metadata: {
          inbound: {
            sender_name: 'RANDALL AKANBI HORTON',
            sender_bank: 'First City Monument Bank',
            sender_account_number: 'XXXXXX0011',
            narration: 'NIP: RHODA CHURCH -1123344343',
          },
        },
      },
    ]);
    const kept = await platform.sql(`SELECT sender_sealed FROM ${LIVE_CELL}.inbound_credits`);
    expect(JSON.stringify(kept)).not.toContain('HORTON');
  });

  const SUSPENDED = { '1300-paystack': -495_000, '5110': -5_000, '2900': 500_000 };
  test.each<[what: string, reference: string, prepare: () => Promise<unknown>]>([
    ['of an account that nobody has', 'dva-nobody', () => Promise.resolve()],
    ['of a closed wallet', 'dva-closed', () => numbered('9930000002', '035', 'closed')],
    ['of a wallet with the same number at another bank', 'dva-bank', () => numbered('9930000002', '057')],
  ])('case 28: a payment %s waits for people, with a finding', async (_what, reference, prepare) => {
    await prepare();
    await paystack.receive(reference, { ...RECEIVED, accountNumber: '9930000002' });
    expect(await booked(reference)).toEqual(SUSPENDED);
    expect(await ended(reference)).toBe('unallocated');
    const findings = await platform.sql(
      `SELECT f.class FROM ${LIVE_CELL}.recon_findings f JOIN ${LIVE_CELL}.inbound_credits c ON c.id::text = f.resource
        WHERE c.reference = $1`,
      [reference],
    );
    expect(findings).toEqual([{ class: 'payment_unallocated' }]);
  });

  test('case 28: a payment that no wallet takes goes back to its payer once, also when the answer to the order is lost', async () => {
    await paystack.receive('dva-back', { ...RECEIVED, accountNumber: '9930000099' });
    expect(await booked('dva-back')).toEqual(SUSPENDED);
    const [credit] = await platform.sql(
      `SELECT id FROM ${LIVE_CELL}.inbound_credits WHERE reference = 'dva-back'`,
    );
    const [ada, bola] = [await platform.openOperator(), await platform.openOperator()];
    await paystack.fault({ on: 'POST /refund', does: 'drop after', times: 1 });
    const path = `/ops/live/credits/${String(credit?.['id'])}/refund`;
    const proposed = await ada.post(path, { note: 'The payer asks for it', evidence_ref: 'CASE-9' });
    expect(await approvedBy(proposed, bola)).toMatchObject({ status: 200 });
    const { id } = proposed.body.data;
    await until('the end of the refund', async () => {
      const handle = platform.environments().live.temporal.workflow.getHandle(`refund/${id}`);
      const { status } = await handle.describe().catch(() => ({ status: { name: 'none' } }));
      return status.name === 'COMPLETED' && (await handle.result()) === 'succeeded';
    });
    const entries = await platform.sql(
      `SELECT account, amount_kobo::int AS kobo FROM ${LIVE_CELL}.entries WHERE transaction_id = $1`,
      [id],
    );
    const byCode = entries.map(({ account, kobo }) => [codeOf(account as string), kobo]);
    expect(Object.fromEntries(byCode)).toEqual({ '2900': -500_000, '1300-paystack': 500_000 });
    expect((await paystack.state()).refunds).toMatchObject([{ amountKobo: 500_000, status: 'processed' }]);
  });

  test.each<[what: string, reference: string, webhookTimes: number]>([
    ['by its event', 'dva-taken', 2],
    ['in the list, where its event is lost', 'dva-taken-lost', 0],
  ])(
    'a payment that Paystack takes back is learned of %s, and taken from its wallet once',
    async (_what, reference, webhookTimes) => {
      const accountNumber = webhookTimes > 0 ? '9930000051' : '9930000052';
      const to = await numbered(accountNumber);
      await paystack.receive(reference, { ...RECEIVED, accountNumber });
      expect(await booked(reference)).toEqual(CREDITED);
      await paystack.set({ webhookTimes });
      await paystack.takeBack(reference);
      if (webhookTimes === 0) {
        await platform.environments().live.temporal.schedule.getHandle('untold-payments').trigger();
      }
      await until('the debit', async () => (await live.balanceKobo(to)) === 0);
      await until('all events', async () => (await paystack.state()).events.length === 0);
      const { body } = await live.get(`/v1/wallets/${to}/transactions`);
      expect(body.data).toMatchObject([
        { type: 'wallet_debit', amount: 500_000 },
        { type: 'wallet_funding' },
      ]);
      expect(body.data).toHaveLength(2);
    },
  );

  test('case 29: one number at two banks is two accounts', async () => {
    const [wema, zenith] = [await numbered('9930000003', '035'), await numbered('9930000003', '057')];
    await paystack.receive('dva-wema', { ...RECEIVED, accountNumber: '9930000003' });
    await paystack.receive('dva-zenith', { ...RECEIVED, accountNumber: '9930000003', bank: 'Zenith Bank' });
    expect([await booked('dva-wema'), await booked('dva-zenith')]).toEqual([CREDITED, CREDITED]);
    expect([await live.balanceKobo(wema), await live.balanceKobo(zenith)]).toEqual([500_000, 500_000]);
  });

  test('a fee that is not told is expected and owed, and is not nothing', async () => {
    await numbered('9930000004');
    await paystack.receive('dva-fee', { ...RECEIVED, accountNumber: '9930000004', feeKobo: null });
    expect(await booked('dva-fee')).toEqual({
      '1300-paystack': -500_000,
      '5110': -5_000,
      '2300': 5_000,
      W: 500_000,
    });
  });

  let unpaid = 9_930_100_000;
  test.each<[what: string, reference: string, payment: Partial<FakeTransaction>]>([
    ['is not confirmed', 'dva-failed', { status: 'failed' }],
    ['was given back to its payer', 'dva-reversed', { status: 'reversed' }],
    ['came by card', 'dva-card', { channel: 'card' }],
    ['is in another currency', 'dva-usd', { currency: 'USD' }],
    ['is of the other world', 'dva-live', { domain: 'live' }],
  ])(
    'case 27: what %s is not booked, although a genuine event tells it',
    async (_what, reference, payment) => {
      const accountNumber = String((unpaid += 1));
      const to = await numbered(accountNumber);
      await paystack.receive(reference, { ...RECEIVED, accountNumber, status: 'pending' });
      await notify(reference);
      await until('the first question', async () => (await answerOf(reference)) === 'asking');
      await paystack.receive(
        reference,
        payment.status === undefined ? { ...payment, status: 'success' } : payment,
      );
      await notify(reference, 2);
      expect(await ended(reference)).toBe('failed');
      expect([await booksOf(reference), await live.balanceKobo(to)]).toEqual([[], 0]);
    },
  );

  test('case 25: a payment whose event is lost is found in the list, and credited once', async () => {
    const to = await numbered('9930000008');
    await paystack.set({ webhookTimes: 0 });
    await paystack.receive('dva-lost', { ...RECEIVED, accountNumber: '9930000008' });
    const { schedule } = platform.environments().live.temporal;
    await schedule.getHandle('untold-payments').trigger();
    expect(await booked('dva-lost')).toEqual(CREDITED);
    await schedule.getHandle('untold-payments-week').trigger();
    await paystack.set({ webhookTimes: 1 });
    await paystack.tell('dva-lost', 'charge.success');
    await until('the late event', async () => (await paystack.state()).events.length === 0);
    expect(await live.balanceKobo(to)).toBe(500_000);
  });

  test('case 27: a forged event is turned away, and nobody asks', async () => {
    await numbered('9930000006');
    await paystack.receive('dva-forged', { ...RECEIVED, accountNumber: '9930000006', status: 'pending' });
    expect(await notify('dva-forged', 1, 'sk_test_guessed')).toBe(401);
    expect(
      await platform.sql(
        `SELECT FROM ${directoryOf('live')}.provider_notices WHERE reference = 'dva-forged'`,
      ),
    ).toEqual([]);
    expect(await booksOf('dva-forged')).toEqual([]);
  });

  test('case 33: a payment of one wallet to the number of another leaves over the rail and comes back', async () => {
    const to = await numbered('9930000007');
    const sent = await pay('9930000007');
    expect(sent).toEqual(PAID_ONCE);
    const entries = await platform.sql(
      `SELECT e.step, e.account, e.amount_kobo::int AS kobo FROM ${LIVE_CELL}.entries e WHERE e.transaction_id = (
         SELECT id FROM ${LIVE_CELL}.transactions WHERE source_wallet = $1 ORDER BY created_at DESC LIMIT 1)`,
      [walletId],
    );
    const ofStep = (step: string) =>
      Object.fromEntries(
        entries
          .filter((row) => row.step === step)
          .map(({ account, kobo }) => [account === walletId ? 'W' : codeOf(account as string), kobo]),
      );
    expect(ofStep('accept')).toEqual({ W: -505_000, '2200': 500_000, '2210': 5_000 });
    expect(ofStep('settle')).toEqual({
      ...{ '2200': -500_000, '2210': -5_000, '5110': -1_000 },
      ...{ '1200-paystack': 501_000, '4110': 4_651, '2400': 349 },
    });
    await paystack.receive('dva-own', { ...RECEIVED, accountNumber: '9930000007' });
    expect(await booked('dva-own')).toEqual(CREDITED);
    expect(await live.balanceKobo(to)).toBe(500_000);
  });

  /** Sends a genuine event by hand, or a forged one. @returns the status of the answer. */
  async function notify(reference: string, n = 1, secretKey = paystack.secretKey): Promise<number> {
    const { webhookUrl } = (await paystack.state()).settings;
    const data = {
      id: n,
      domain: 'test',
      status: 'success',
      reference,
      amount: 500_000,
      channel: 'dedicated_nuban',
    };
    const body = JSON.stringify({ event: 'charge.success', data });
    const headers = {
      'content-type': 'application/json',
      'x-paystack-signature': paystackSignature(body, secretKey),
    };
    return (await fetch(webhookUrl, { method: 'POST', headers, body })).status;
  }
  const answerOf = async (reference: string): Promise<string> => {
    const { workflow } = platform.environments().live.temporal;
    return workflow
      .getHandle(`inbound/paystack/${reference}`)
      .query<string>('state')
      .catch(() => '');
  };
});

test('a partner learns the name of an account', async () => {
  const { status, body } = await live.get('/v1/banks/resolve?bank_code=058&account_number=0123456789');
  expect([status, body.data.account_name]).toEqual([200, 'HOLDER OF 0123456789']);
});

/** Imports a day as an administrator does. */
const importDay = (day: Day) =>
  runCommand(
    {
      ...PLATFORM_SETTINGS,
      ...settings,
      ...programUrls({ DATABASE_URL: platform.databaseUrl }, 'worker'),
      TEMPORAL_ADDRESS: platform.temporal.address,
      CELLS_PER_ENVIRONMENT: String(TEST_CELLS),
    },
    'recon',
    'import',
    ...['--provider', 'paystack', '--day', day],
  );

test('a return whose event was lost is in the statement: Paystack is asked, and the payer has the money back', async () => {
  const before = await live.balanceKobo(walletId);
  await paystack.set({ webhookTimes: 0 });
  const accountNumber = '0123456792';
  expect(await pay(accountNumber)).toEqual(PAID_ONCE);
  const { transfers } = await paystack.state();
  const sent = transfers.at(-1)!;
  await paystack.turn(sent.reference, 'reversed');
  await paystack.book({ model: 'Transfer', row: sent.id, differenceKobo: AMOUNT_KOBO });
  for (let day = began; day <= dayOf(new Date()); day = dayAfter(day)) {
    const { said } = await importDay(day);
    expect(said).not.toContain('status_differs');
  }
  const [row] = await platform.sql(`SELECT status FROM ${LIVE_CELL}.transactions WHERE id = $1`, [
    attemptOfPayout(sent.reference)!.transactionId,
  ]);
  expect(row).toEqual({ status: 'reversed' });
  expect(await live.balanceKobo(walletId)).toBe(before);
});

test('two operators book what only the statement says, and then it agrees with our books', async () => {
  const [ada, bola] = [await platform.openOperator(), await platform.openOperator()];
  const findingsOf = async (day: Day) => {
    const { data } = (await ada.get('/ops/live/findings?limit=100')).body;
    return (data as Json[]).filter(({ resource }) => resource.startsWith(`paystack/${day}/`));
  };
  const book = async (entry: string, lineId: string, kobo: number) => {
    const body = {
      entry,
      provider: 'paystack',
      line_id: lineId,
      amount_kobo: Math.abs(kobo),
      note: 'Statement',
    };
    const booked = await approvedBy(await ada.post('/ops/live/treasury-entries', body), bola);
    expect(booked.body.data.status).toBe('applied');
  };
  for (let day = began; day <= dayOf(new Date()); day = dayAfter(day)) {
    const first = await importDay(day);
    expect(first).toMatchObject({
      code: 1,
      complaint: '',
      said: expect.stringContaining('findings are open'),
    });
    // Money that was sent to the balance and taken from it, and the fees of payouts that failed, which Paystack keeps.
    for (const { class: of, resource, detail } of await findingsOf(day)) {
      if (of === 'line_unmatched') {
        await book(
          detail.kobo.line > 0 ? 'prefund' : 'withdrawal',
          resource.split('line ')[1],
          detail.kobo.line,
        );
      } else if (of === 'fee_differs') {
        expect([detail.state, detail.kobo.booked]).toEqual([expect.stringMatching(/^(failed|released)$/), 0]);
        await book('fee', detail.lines[0].id, 1_000);
      } else expect(of).toBe('balance_differs');
    }
    expect(await importDay(day)).toMatchObject({ code: 0, said: expect.stringContaining('our books agree') });
    expect(await findingsOf(day)).toEqual([]);
  }
  const body = (await ada.get('/ops/live/days')).body.data[0];
  const { settings: at } = await paystack.state();
  expect(body).toMatchObject({ closing_kobo: at.balanceKobo, books_kobo: at.balanceKobo, under_way_kobo: 0 });
});

testThatNoneIsReadable(
  () => platform,
  // Who has paid in, who was paid, and the key, as the fake Paystack and the wallet's owner wrote them.
  () => ({
    sender: 'RANDALL AKANBI HORTON',
    narration: 'RHODA CHURCH',
    holder: 'HOLDER OF 0123456789',
    beneficiary: 'ADA OBI',
    key: paystack.secretKey,
  }),
  { lines: 4, rows: 101, workflows: { 'inbound/paystack/': 8, 'bank-transfer/': 10 } },
);
