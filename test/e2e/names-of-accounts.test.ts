/**
 * A bank transfer whose account has another name at its bank than was sent: paid, held until its partner decides, or failed, as
 * its partner wants it (D59).
 */
import { randomUUID } from 'node:crypto';
import { auditCell } from '../support/audit';
import type { Calls } from '../support/calls';
import { openPlatform, type Platform } from '../support/platform';
import { sharedPlatform, type SharedPlatform } from '../support/shared-platform';
import { until } from '../support/until';
import { SANDBOX_CELL } from '../setup/cells';

const FUNDED_KOBO = 1_000_000;
const DEBIT_KOBO = 10_000 + 5_000;
const ACCOUNT = { bank_code: '058', account_number: '0123456789' };

let platform: SharedPlatform;
let partner: Calls;
let walletId: string;
/** The name that the simulated bank has for the account. */
let holder: string;

beforeAll(async () => {
  platform = await sharedPlatform();
  partner = await platform.partner(platform.url);
  walletId = (await partner.wallet(FUNDED_KOBO)).id;
  const query = new URLSearchParams(ACCOUNT);
  holder = (await partner.get(`/v1/banks/resolve?${query.toString()}`)).body.data.account_name;
});
afterAll(async () => {
  expect(await auditCell(platform.databaseUrl, SANDBOX_CELL)).toEqual([]);
  await platform.close();
});

async function send(calls: Calls, source: string, more: object, name = 'SOMEBODY ELSE', headers = {}) {
  const reference = `named-${randomUUID()}`;
  const body = {
    source_wallet: source,
    dest_account: { ...ACCOUNT, account_name: name },
    amount: 10_000,
    reference,
    ...more,
  };
  const { status, body: answer } = await calls.post('/v1/transfers/bank', body, headers);
  expect(status).toBe(202);
  return { id: answer.data.id as string, reference };
}

async function eventsAbout(id: string, at: Pick<Platform, 'sql'> = platform) {
  const rows = await at.sql(
    `SELECT kind, data FROM ${SANDBOX_CELL}.events WHERE resource_id = $1 ORDER BY id`,
    [id],
  );
  return rows.map(({ kind, data }) => ({ kind: String(kind), data: JSON.parse(String(data)) as unknown }));
}
const heldFor = (id: string, at?: Pick<Platform, 'sql'>) =>
  until('the event that it is held', async () => (await eventsAbout(id, at))[0]);
const decide = (id: string, decision: string) =>
  partner.post(`/v1/transactions/${id}/name-decision`, { decision });

test.each([
  ['continue', 'SOMEBODY ELSE', false],
  [undefined, 'SOMEBODY ELSE', false],
  ['hold', undefined, true],
  ['fail', undefined, true],
])('with %s, to %s: paid, and the event says whether the name fits', async (action, name, matches) => {
  const { id, reference } = await send(partner, walletId, { on_name_mismatch: action }, name ?? holder);
  expect(await partner.ended(walletId, reference)).toMatchObject({
    status: 'completed',
    dest_account: { resolved_name: holder, name_matches: matches, on_name_mismatch: action ?? 'continue' },
  });
  expect(await eventsAbout(id)).toMatchObject([
    { kind: 'transaction.completed', data: { name_matches: matches } },
  ]);
  const timeline = (await partner.get(`/v1/transactions/${id}/timeline`)).body.data as { what: string }[];
  expect(timeline.some(({ what }) => what === 'other_name')).toBe(!matches);
});

test('with fail, to another name: the money is back at once, no order was sent, and the reason says why', async () => {
  const before = await partner.balanceKobo(walletId);
  const { id, reference } = await send(partner, walletId, { on_name_mismatch: 'fail' });
  expect(await partner.ended(walletId, reference)).toMatchObject({
    status: 'failed',
    failed_reason: 'The bank has another name for the account',
    psp_reference: null,
  });
  expect(await partner.balanceKobo(walletId)).toBe(before);
  expect((await eventsAbout(id)).map(({ kind }) => kind)).toEqual(['transaction.failed']);
});

describe('with hold, to another name', () => {
  test('nothing is sent before the partner has decided, and then it is paid once', async () => {
    const { id, reference } = await send(partner, walletId, { on_name_mismatch: 'hold', purpose: 'rent' });
    expect((await heldFor(id)).kind).toBe('transaction.name_mismatch');
    expect(await partner.transaction(walletId, reference)).toMatchObject({
      status: 'processing',
      psp_reference: null,
      dest_account: {
        account_name: 'SOMEBODY ELSE',
        resolved_name: holder,
        name_matches: false,
        on_name_mismatch: 'hold',
        purpose: 'rent',
      },
    });
    const attempts = `SELECT n FROM ${SANDBOX_CELL}.transfer_attempts WHERE transaction_id = $1`;
    expect(await platform.sql(attempts, [id])).toEqual([]);
    const timeline = (await partner.get(`/v1/transactions/${id}/timeline`)).body.data as { what: string }[];
    expect(timeline.map(({ what }) => what)).toContain('transaction.name_mismatch');

    expect((await decide(id, 'continue')).status).toBe(200);
    expect(await partner.ended(walletId, reference)).toMatchObject({
      status: 'completed',
      dest_account: { name_matches: false, on_name_mismatch: 'hold', name_decision: 'continue' },
    });
    expect((await eventsAbout(id)).map(({ kind }) => kind)).toEqual([
      'transaction.name_mismatch',
      'transaction.completed',
    ]);
    expect((await decide(id, 'continue')).body).toMatchObject({ error: 'TRANSACTION_NOT_PROCESSING' });
  });

  test('the partner has it fail: the money is back', async () => {
    const before = await partner.balanceKobo(walletId);
    const { id, reference } = await send(partner, walletId, { on_name_mismatch: 'hold' });
    await heldFor(id);
    expect(await partner.balanceKobo(walletId)).toBe(before - DEBIT_KOBO);
    expect((await decide(id, 'fail')).status).toBe(200);
    expect(await partner.ended(walletId, reference)).toMatchObject({
      status: 'failed',
      failed_reason: 'The bank has another name for the account',
    });
    expect(await partner.balanceKobo(walletId)).toBe(before);
  });

  test('decided twice alike is one decision, and another one is refused', async () => {
    const hold = { 'X-Sandbox-Hold': 'true' };
    const { id, reference } = await send(partner, walletId, { on_name_mismatch: 'hold' }, undefined, hold);
    await heldFor(id);
    expect([(await decide(id, 'continue')).status, (await decide(id, 'continue')).status]).toEqual([
      200, 200,
    ]);
    expect(await decide(id, 'fail')).toMatchObject({ status: 422, body: { error: 'NO_DECISION_NEEDED' } });
    await partner.post('/v1/sandbox/bank-transfer/complete', { transaction_id: id });
    expect(await partner.ended(walletId, reference)).toMatchObject({ status: 'completed' });
  });
});

test('a transfer that is not to be held has nothing to decide', async () => {
  const { id } = await send(partner, walletId, {}, undefined, { 'X-Sandbox-Hold': 'true' });
  expect(await decide(id, 'continue')).toMatchObject({ status: 422, body: { error: 'NO_DECISION_NEEDED' } });
  await partner.post('/v1/sandbox/bank-transfer/fail', { transaction_id: id });
});

test('a line of a bulk transfer, a scheduled transfer and a captured hold follow it as well', async () => {
  const dest_account = { ...ACCOUNT, account_name: 'SOMEBODY ELSE' };
  const [bulk, schedule, held] = ['bulk', 'due', 'held'].map((kind) => `${kind}-${randomUUID()}`);
  const line = { source_wallet: walletId, dest_account, amount: 10_000, on_name_mismatch: 'fail' };
  await partner.post('/v1/transfers/bulk', {
    reference: `${bulk}-all`,
    transfers: [{ ...line, reference: bulk }],
  });
  await partner.post('/v1/transfers/scheduled', {
    ...line,
    reference: schedule,
    due_at: new Date(Date.now() + 1_000).toISOString(),
  });
  const placed = await partner.post('/v1/holds', { wallet_id: walletId, amount: 20_000, reference: held });
  await partner.post(`/v1/holds/${placed.body.data.id}/capture`, {
    amount: 10_000,
    dest_account,
    on_name_mismatch: 'fail',
  });
  for (const reference of [bulk, `${schedule}-1`, held]) {
    expect(await partner.ended(walletId, String(reference))).toMatchObject({
      status: 'failed',
      failed_reason: 'The bank has another name for the account',
    });
  }
});

test('nobody decides until the hold of payouts is over: the money is back', async () => {
  const own = await openPlatform({ settings: { PAYOUT_HOLD_MS: '1500' } });
  try {
    const [url] = await Promise.all([own.startApi(), own.startWorker()]);
    const trader = await own.partner(url);
    const { id: source } = await trader.wallet(FUNDED_KOBO);
    const { id, reference } = await send(trader, source, { on_name_mismatch: 'hold' });
    await heldFor(id, own);
    expect(await trader.ended(source, reference)).toMatchObject({
      status: 'failed',
      failed_reason: 'The bank has another name for the account, and nobody has confirmed it in time',
    });
    expect(await trader.balanceKobo(source)).toBe(FUNDED_KOBO);
  } finally {
    await own.close();
  }
});
