/**
 * Callbacks of providers on the whole platform: a callback makes the platform ask and is never an answer, a
 * hundred contradicting ones end a transfer once, and money that came back is given back once (D30, D115, G11).
 */
import { randomUUID } from 'node:crypto';
import { auditCell } from '../support/audit';
import { CALLBACK_SECRETS, callbackBody, sendCallback } from '../support/callbacks';
import type { Calls, Json } from '../support/calls';
import { saying, withFake } from '../support/fakes';
import { openPlatform, type Platform } from '../support/platform';
import { FREQUENT_SCHEDULES, REHEARSAL } from '../support/settings';
import { openReceiver, type Receiver } from '../support/receiver';
import { until } from '../support/until';
import type { Environment } from '../../src/runtime/environment';
import type { Queried } from '../../src/providers/port';
import { transferOfPayout, type PayoutOrder, type QueryOutcome } from '../../src/domain/payouts';
import { fundingReference } from '../../src/domain/transactions';
import { newId } from '../../src/db/pg/ids';
import { LIVE_CELL, SANDBOX_CELL } from '../setup/cells';

const FUNDED_KOBO = 1_000_000;
const DEBIT_KOBO = 15_000;
/** The provider does not know the result of a transfer to this account until the test sets it. */
const SILENT_ACCOUNT = '1000000001';

let platform: Platform;
let url: string;
let partner: Calls;
let live: Environment;
let receiver: Receiver;
let worker: { stop(): Promise<void> };
const fates = new Map<string, QueryOutcome>();
/** The name that the simulator would give, because its callbacks are compared with it. */
const refOf = ({ reference }: PayoutOrder) => ({ providerRef: `SBX_${transferOfPayout(reference)}` });
function fateOf(order: PayoutOrder): Queried {
  const outcome = fates.get(transferOfPayout(order.reference) ?? '') ?? 'unknown';
  return saying(outcome, { ...refOf(order), reason: outcome === 'failed' ? 'Do not honor' : null });
}

const startWorker = () =>
  platform.startWorker((environment) => {
    if (environment.requiresActivePartner) live = environment;
    return withFake(environment, ({ payouts: simulated }) => ({
      name: 'simulator',
      payouts: {
        submit: (order) =>
          order.accountNumber === SILENT_ACCOUNT
            ? Promise.resolve(saying('accepted', refOf(order)))
            : simulated.submit(order),
        query: (order) =>
          order.accountNumber === SILENT_ACCOUNT ? Promise.resolve(fateOf(order)) : simulated.query(order),
      },
    }));
  });

beforeAll(async () => {
  platform = await openPlatform({
    settings: {
      ...FREQUENT_SCHEDULES,
      ...REHEARSAL,
      SANDBOX_TRANSFER_MS: '1500,2500',
      // Only a callback can make the workflow ask before the test is over.
      TRANSFER_REQUERY_MS: '3600000',
    },
  });
  [url, worker] = await Promise.all([platform.startApi(), startWorker()]);
  partner = await platform.partner(url);
  receiver = await openReceiver();
});
afterAll(async () => {
  expect(await auditCell(platform.databaseUrl, SANDBOX_CELL)).toEqual([]);
  await receiver.close();
  await platform.close();
});

interface Sent {
  walletId: string;
  id: string;
  reference: string;
}
async function send(accountNumber: string, by = partner): Promise<Sent> {
  const { id: walletId } = await by.wallet(FUNDED_KOBO);
  const { reference, reply } = await by.bankTransfer(walletId, { accountNumber });
  return { walletId, id: reply.body.data.id, reference };
}
const submitted = (id: string) =>
  until(`the submission of ${id}`, async () => {
    const [row] = await platform.sql(`SELECT psp_reference FROM ${SANDBOX_CELL}.transactions WHERE id = $1`, [
      id,
    ]);
    return row?.psp_reference as string | null;
  });
async function books(id: string): Promise<Json> {
  const [row] = await platform.sql(
    `SELECT status, (SELECT count(*)::int FROM ${SANDBOX_CELL}.reversals WHERE original_id = t.id) AS reversals,
            (SELECT json_agg(kind ORDER BY id) FROM ${SANDBOX_CELL}.events WHERE resource_id = t.id) AS events
       FROM ${SANDBOX_CELL}.transactions t WHERE id = $1`,
    [id],
  );
  return row;
}
const findingsOf = async (id: string) =>
  (
    await platform.sql(
      `SELECT class FROM ${SANDBOX_CELL}.recon_findings WHERE resource = $1 AND closed_at IS NULL ORDER BY class`,
      [id],
    )
  ).map((row) => row.class as string);
const statusOf = (id: string, status: string) =>
  until(`transfer ${id} to be ${status}`, async () => (await books(id)).status === status);

test.each(['success', 'failed'] as const)(
  'a callback makes the platform ask the provider at once, and the answer decides: %s',
  async (truth) => {
    const { id, walletId, reference } = await send(SILENT_ACCOUNT);
    await submitted(id);
    // The callback says the opposite of what the provider answers.
    fates.set(id, truth);
    await sendCallback(url, callbackBody(id, { outcome: truth === 'success' ? 'failed' : 'success' }));
    const ended = await partner.ended(walletId, reference);
    expect(ended.status).toBe(truth === 'success' ? 'completed' : 'failed');
    expect(await partner.balanceKobo(walletId)).toBe(FUNDED_KOBO - (truth === 'success' ? DEBIT_KOBO : 0));
    await until('the finding', async () => (await findingsOf(id)).join() === 'provider_contradiction');
  },
);

test('a hundred contradicting callbacks on each transfer: one end, one reversal at most, one event', async () => {
  const transfers = await Promise.all([send('0123456789'), send('0123450000'), send('0123450505')]);
  await Promise.all(
    transfers.flatMap(({ id }) =>
      Array.from({ length: 100 }, (_, n) =>
        sendCallback(
          url,
          callbackBody(id, {
            event_id: n % 10 === 9 ? `evt_twice_${id}` : `evt_${randomUUID()}`,
            outcome: ['success', 'failed', 'reversed', 'weird'][n % 4],
            amount_kobo: n % 5 === 0 ? 9_999 : 10_000,
          }),
        ),
      ),
    ),
  );
  const [good, bad, returned] = transfers;
  for (const { walletId, reference } of transfers) await partner.ended(walletId, reference);
  await statusOf(returned.id, 'reversed');
  expect(await books(good.id)).toEqual({
    status: 'completed',
    reversals: 0,
    events: ['transaction.completed'],
  });
  expect(await books(bad.id)).toEqual({ status: 'failed', reversals: 1, events: ['transaction.failed'] });
  expect(await books(returned.id)).toEqual({
    status: 'reversed',
    reversals: 1,
    events: ['transaction.completed', 'transaction.reversed'],
  });
  expect(await Promise.all(transfers.map(({ walletId }) => partner.balanceKobo(walletId)))).toEqual([
    FUNDED_KOBO - DEBIT_KOBO,
    FUNDED_KOBO,
    FUNDED_KOBO,
  ]);
  for (const { id } of transfers) {
    await until('the finding', async () => (await findingsOf(id)).join() === 'provider_contradiction');
  }
});

test('a completed transfer that came back: reversed once, with one event to each endpoint', async () => {
  const hooks = [['transaction.reversed', 'transaction.failed'], ['transaction.failed'], ['transfer.failed']];
  for (const [n, events] of hooks.entries()) {
    await partner.post('/v1/webhooks', { url: `${receiver.url}/${n}`, events });
  }
  const { id, walletId, reference } = await send(SILENT_ACCOUNT);
  await submitted(id);
  fates.set(id, 'success');
  await sendCallback(url, callbackBody(id));
  await statusOf(id, 'completed');
  fates.set(id, 'reversed');
  expect(await partner.balanceKobo(walletId)).toBe(FUNDED_KOBO - DEBIT_KOBO);

  const told = callbackBody(id, { outcome: 'reversed' });
  await Promise.all([sendCallback(url, told), sendCallback(url, told)]);
  await sendCallback(url, callbackBody(id, { outcome: 'reversed' }));
  await statusOf(id, 'reversed');
  expect(await partner.balanceKobo(walletId)).toBe(FUNDED_KOBO);
  expect(await partner.transaction(walletId, reference)).toMatchObject({
    status: 'reversed',
    failed_reason: 'Returned by the bank',
  });
  await until('all deliveries', () => receiver.about(id).length >= hooks.length);
  const names = receiver.about(id).map(({ path, body }) => [path.split('/').at(-1), body.event]);
  expect(names.sort()).toEqual([
    ['0', 'transaction.reversed'],
    ['1', 'transaction.failed'],
    ['2', 'transfer.failed'],
  ]);
  for (const { body } of receiver.about(id)) {
    expect(body.data).toMatchObject({
      status: 'reversed',
      reversal: { reversed: true, amount_kobo: DEBIT_KOBO },
      reversal_status: 'completed',
    });
  }
});

describe('the simulated bank calls back by itself, and what it is asked decides', () => {
  test.each([
    ['0123450606', 'completed', 'success', null],
    ['0123450707', 'completed', 'failed', { outcome: 'failed', rehearsed: 'callback_contradicts' }],
    ['0123450505', 'reversed', 'reversed', null],
  ])('about account %s: it is %s after "%s"', async (account, status, outcome, finding) => {
    const { id, walletId } = await send(account);
    await statusOf(id, status);
    expect(await partner.balanceKobo(walletId)).toBe(FUNDED_KOBO - (status === 'reversed' ? 0 : DEBIT_KOBO));
    const kept = await platform.sql(
      `SELECT outcome FROM ${SANDBOX_CELL}.provider_callbacks WHERE transaction_id = $1`,
      [id],
    );
    expect(kept).toEqual([{ outcome }]);
    if (finding === null) return;
    const { detail, isClosed } = await until('the finding', async () => {
      const [row] = await platform.sql(
        `SELECT detail, closed_at IS NOT NULL AS "isClosed" FROM ${SANDBOX_CELL}.recon_findings WHERE resource = $1`,
        [id],
      );
      return row;
    });
    // A partner has asked for it, so no operator has to look at it.
    expect([detail, isClosed]).toMatchObject([finding, true]);
  });

  test('also when the worker has stopped in between', async () => {
    const { id, walletId } = await send('0123450505');
    await statusOf(id, 'completed');
    await worker.stop();
    worker = await startWorker();
    await statusOf(id, 'reversed');
    expect(await partner.balanceKobo(walletId)).toBe(FUNDED_KOBO);
  });
});

test('a return that the provider does not confirm moves nothing, and is a finding for operators', async () => {
  const { id, walletId } = await send('0123456789');
  await statusOf(id, 'completed');
  await sendCallback(url, callbackBody(id, { outcome: 'reversed' }));
  await until('the finding', async () => (await findingsOf(id)).join() === 'provider_contradiction');
  expect(await books(id)).toMatchObject({ status: 'completed', reversals: 0 });
  expect(await partner.balanceKobo(walletId)).toBe(FUNDED_KOBO - DEBIT_KOBO);
});

test('a return that is reported before the company admits it: the finding closes when the return is booked', async () => {
  const { id, walletId } = await send(SILENT_ACCOUNT);
  await submitted(id);
  fates.set(id, 'success');
  await sendCallback(url, callbackBody(id, { outcome: 'success' }));
  await statusOf(id, 'completed');
  await sendCallback(url, callbackBody(id, { outcome: 'reversed' }));
  await until('the finding', async () => (await findingsOf(id)).join() === 'provider_contradiction');
  fates.set(id, 'reversed');
  await sendCallback(url, callbackBody(id, { outcome: 'reversed' }));
  await statusOf(id, 'reversed');
  await until('no finding', async () => (await findingsOf(id)).length === 0);
  expect(await partner.balanceKobo(walletId)).toBe(FUNDED_KOBO);
});

test('in the sandbox: a transfer comes back to a closed wallet, an operator allocates it, and the partner hears of both', async () => {
  const { id: walletId } = await partner.wallet(DEBIT_KOBO);
  const { reply } = await partner.bankTransfer(walletId, {}, { 'X-Sandbox-Scenario': 'returned:6' });
  const { id } = reply.body.data;
  await statusOf(id, 'completed');
  expect(await partner.post(`/v1/wallets/${walletId}/close`, {})).toMatchObject({ status: 200 });
  await statusOf(id, 'reversed');
  expect(await findingsOf(id)).toEqual(['return_unallocated']);
  const { id: other } = await partner.wallet();
  const ada = await platform.openOperator();
  const allocated = await ada.post(`/ops/sandbox/partners/${partner.partnerId}/credits/${id}/allocate`, {
    wallet_id: other,
    note: 'The customer has a new wallet',
    evidence_ref: 'CASE-1',
  });
  expect(allocated).toMatchObject({ status: 200, body: { data: { type: 'reversal' } } });
  expect(await findingsOf(id)).toEqual([]);
  expect(await partner.balanceKobo(other)).toBe(DEBIT_KOBO);
  const told = await platform.sql(
    `SELECT data::json->>'reversal_status' AS status FROM ${SANDBOX_CELL}.events
      WHERE resource_id = $1 AND kind = 'transaction.reversed' ORDER BY id`,
    [id],
  );
  expect(told).toEqual([{ status: 'pending' }, { status: 'completed' }]);
});

test('a success that comes after failure and reversal debits nobody again', async () => {
  const { id, walletId } = await send('0123450000');
  await statusOf(id, 'failed');
  await sendCallback(url, callbackBody(id, { outcome: 'success' }));
  await until('the finding', async () => (await findingsOf(id)).join() === 'provider_contradiction');
  expect(await books(id)).toEqual({ status: 'failed', reversals: 1, events: ['transaction.failed'] });
  expect(await partner.balanceKobo(walletId)).toBe(FUNDED_KOBO);
});

test('live with the simulator: a wallet, a transfer and its callback, separate from the sandbox', async () => {
  const registered = await platform.partner(url);
  await platform.sql(`UPDATE platform.partners SET status = 'active' WHERE id = $1`, [registered.partnerId]);
  const trader = await platform.inLive(registered, url);
  const { id: walletId } = await trader.wallet();
  // As after a check of its owner (D123).
  await platform.sql(`UPDATE ${LIVE_CELL}.accounts SET limit_tier = 'tier_1' WHERE id = $1`, [walletId]);
  const { cell } = await live.partner(trader.partnerId);
  const transactionId = newId();
  await cell.ledger.post({
    movement: {
      kind: 'open',
      type: 'wallet_funding',
      from: { kind: 'own_mfb', bankTransferId: newId() },
      transactionId,
      partnerId: trader.partnerId,
      destWalletId: walletId,
      reference: fundingReference(transactionId),
      amountKobo: FUNDED_KOBO,
      description: '',
      metadata: {},
      key: null,
    },
    announce: () => [],
  });
  const { reference, reply } = await trader.bankTransfer(walletId, { accountNumber: SILENT_ACCOUNT });
  expect(reply.status).toBe(202);
  const { id } = reply.body.data;
  fates.set(id, 'success');
  // The sandbox's signature leads to the sandbox, where there is no such transfer.
  await sendCallback(url, callbackBody(id));
  expect((await trader.transaction(walletId, reference)).status).toBe('processing');
  await until('the end of the live transfer', async () => {
    await sendCallback(url, callbackBody(id), { secret: CALLBACK_SECRETS.live });
    return (await trader.transaction(walletId, reference)).status === 'completed';
  });
  expect((await trader.post(`/v1/sandbox/wallets/${walletId}/fund`, { amount_kobo: 1 })).status).toBe(403);
});
