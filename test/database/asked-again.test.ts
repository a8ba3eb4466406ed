/**
 * What a company may still change after a transfer has ended: its events are lost, it is asked again, and what it says is
 * booked like what an event would have caused. The daily look asks by itself, and never about what is too old.
 */
import { insertPartner } from '../../src/db/partners/credentials';
import { listEndedPayouts } from '../../src/db/payments/ended-payouts';
import { newId } from '../../src/db/pg/ids';
import { askAgain } from '../../src/operations/money/ask-again';
import type { QueryOutcome } from '../../src/domain/payouts';
import type { Facts, Provider } from '../../src/providers/port';
import type { Environment } from '../../src/runtime/environment';
import { openActivities, type TestActivities } from '../support/activities';
import { auditCell } from '../support/audit';
import { openTestCell, type TestCell } from '../support/cell';
import { saying, withFake } from '../support/fakes';
import { testLogger } from '../support/log';
import { bankTransfer, settlement, transactionIdOf } from '../support/movements';
import { SANDBOX_CELL } from '../setup/cells';

const AMOUNT_KOBO = 500_000;
const FUNDED_KOBO = 1_000_000;
const partnerId = newId();
let cell: TestCell;
let activities: TestActivities;
let environment: Environment;
let says: { outcome: QueryOutcome } & Partial<Facts>;
let asked: string[];

const company: Provider = {
  name: 'first',
  can: { failsForGood: false, asksFirst: false },
  payouts: {
    terms: { minKobo: 1, costMaxKobo: 0, takesDuty: false, callsPerMinute: 600_000, changesForDays: 3 },
    submit: () => Promise.reject(new Error('nothing is sent here')),
    query({ reference }) {
      asked.push(reference);
      const { outcome, ...facts } = says;
      return Promise.resolve(saying(outcome, facts));
    },
  },
};

beforeAll(async () => {
  cell = await openTestCell();
  const cells = { sandbox: SANDBOX_CELL, live: SANDBOX_CELL.replace('sandbox', 'live') };
  const names = { businessName: 'Acme Fintech', email: 'ada@acme.example' };
  await insertPartner(cell.owner, { id: partnerId, ...names, status: 'registered' }, cells);
  activities = openActivities(cell.url, { RECONCILE_AFTER_MS: '0' }, (opened) => {
    environment = withFake(opened, () => company);
    return environment;
  });
});
afterAll(async () => {
  expect(await auditCell(cell.url, SANDBOX_CELL)).toEqual([]);
  await activities.close();
  await cell.close();
});
beforeEach(() => {
  says = { outcome: 'success', feeKobo: 1_000 };
  asked = [];
});

interface Sent {
  id: string;
  from: string;
}

/** A transfer that has ended, with one attempt. */
async function transfer(to: 'completed' | 'failed' | null, state: string): Promise<Sent> {
  const from = await cell.wallet({ partnerId, fundKobo: FUNDED_KOBO });
  const writer = cell.openWriter();
  const id = transactionIdOf(await writer.post(bankTransfer({ partnerId, from, amountKobo: AMOUNT_KOBO })));
  await cell.sql(
    `INSERT INTO ${SANDBOX_CELL}.transfer_attempts (transaction_id, n, provider, state, open_posts, provider_ref)
     VALUES ($1, 1, 'first', $2, $3, 'TRF_1')`,
    [id, state, state === 'refused' ? 0 : 1],
  );
  if (to) await writer.post(settlement({ partnerId, transactionId: id, from, to }));
  return { id, from };
}

const ask = async ({ id }: Pick<Sent, 'id'>) =>
  askAgain({ environment, ...(await environment.partner(partnerId)) }, testLogger({ LOG_LEVEL: 'warn' }), id);
const everyDay = () => activities.run('reconcileCell', SANDBOX_CELL, true);

async function standing({ id, from }: Sent) {
  const [row] = await cell.sql(
    `SELECT t.status, a.balance_kobo FROM ${SANDBOX_CELL}.transactions t, ${SANDBOX_CELL}.accounts a
      WHERE t.id = $1 AND a.id = $2`,
    [id, from],
  );
  const events = await cell.sql(
    `SELECT kind FROM ${SANDBOX_CELL}.events WHERE resource_id = $1 ORDER BY id`,
    [id],
  );
  const findings = await cell.sql(
    `SELECT class FROM ${SANDBOX_CELL}.recon_findings WHERE resource = $1 AND closed_at IS NULL ORDER BY class`,
    [id],
  );
  return {
    status: row?.['status'] as string,
    balanceKobo: Number(row?.['balance_kobo']),
    events: events.map(({ kind }) => kind as string),
    findings: findings.map((one) => one['class'] as string),
  };
}
const lateBooked = ({ id }: Sent) =>
  cell.sql(
    `SELECT amount_kobo FROM ${SANDBOX_CELL}.transactions
      WHERE type = 'late_payout' AND metadata->>'original_transaction_id' = $1`,
    [id],
  );

describe.each<[who: string, look: (sent: Sent) => Promise<unknown>]>([
  ['somebody who asks', ask],
  ['the daily look', everyDay],
])('%s', (_who, look) => {
  test('hears of a return after success whose event was lost, and amount and fee are given back once', async () => {
    const sent = await transfer('completed', 'succeeded');
    says = { outcome: 'reversed', reason: 'Returned by the bank' };
    await look(sent);
    await look(sent);
    expect(await standing(sent)).toMatchObject({
      status: 'reversed',
      balanceKobo: FUNDED_KOBO,
      events: expect.arrayContaining(['transaction.reversed']),
      findings: [],
    });
  });

  test('hears of a payment after a failure whose event was lost: booked once, and no wallet is debited', async () => {
    const sent = await transfer('failed', 'failed');
    await look(sent);
    await look(sent);
    expect(await lateBooked(sent)).toEqual([{ amount_kobo: AMOUNT_KOBO }]);
    expect(await standing(sent)).toMatchObject({
      status: 'failed',
      balanceKobo: FUNDED_KOBO,
      findings: ['paid_after_all'],
    });
  });

  test.each<[to: 'completed' | 'failed', state: string, outcome: QueryOutcome]>([
    ['completed', 'succeeded', 'success'],
    ['completed', 'succeeded', 'pending'],
    ['completed', 'succeeded', 'not_found'],
    ['completed', 'succeeded', 'unknown'],
    ['failed', 'failed', 'failed'],
    ['failed', 'failed', 'reversed'],
    ['failed', 'failed', 'not_found'],
    ['failed', 'failed', 'pending'],
  ])(
    'changes nothing about a transfer that is %s (%s) where the company says %s',
    async (to, state, outcome) => {
      const sent = await transfer(to, state);
      const before = await standing(sent);
      says = { outcome };
      await look(sent);
      expect(asked).toContain(`tx-${sent.id}-1`);
      expect(await standing(sent)).toEqual(before);
      expect(await lateBooked(sent)).toEqual([]);
    },
  );

  test('leaves a failure after success to people, with a finding', async () => {
    const sent = await transfer('completed', 'succeeded');
    says = { outcome: 'failed' };
    await look(sent);
    expect(await standing(sent)).toMatchObject({ status: 'completed', findings: ['provider_contradiction'] });
  });
});

test('an answer about another amount or transfer opens a finding at once', async () => {
  const sent = await transfer(null, 'accepted');
  says = {
    outcome: 'unknown',
    isAboutAnother: true,
    reason: 'It answered about another amount',
    saidCode: 'x',
  };
  await activities.run('queryTransfer', { partnerId, transactionId: sent.id, epoch: 0 }, 0);
  expect(await standing(sent)).toMatchObject({ status: 'processing', findings: ['provider_contradiction'] });
  const [row] = await cell.sql(
    `SELECT said, said_code, said_reason FROM ${SANDBOX_CELL}.transfer_attempts WHERE transaction_id = $1`,
    [sent.id],
  );
  expect(row).toEqual({ said: 'unknown', said_code: 'x', said_reason: 'It answered about another amount' });
});

test('a transfer that is under way is left to its workflow', async () => {
  const sent = await transfer(null, 'accepted');
  says = { outcome: 'success' };
  expect(await ask(sent)).toMatchObject({
    status: 'processing',
    said: [{ n: 1, provider: 'first', says: 'success', followedBy: 'workflow_told' }],
  });
  expect(await standing(sent)).toMatchObject({ status: 'processing' });
});

test('the daily look asks once, and not about an attempt that had no order', async () => {
  const [refused, sent] = [await transfer('failed', 'refused'), await transfer('completed', 'succeeded')];
  await everyDay();
  expect(asked.filter((one) => one === `tx-${sent.id}-1`)).toHaveLength(1);
  expect(asked).not.toContain(`tx-${refused.id}-1`);
});

test('it asks about transfers of as many days as the company says, page by page', async () => {
  const sent = [await transfer('completed', 'succeeded'), await transfer('failed', 'failed')];
  const list = (more: { days?: number; after?: string | null; provider?: string; limit?: number }) =>
    listEndedPayouts(cell.cell, { provider: 'first', days: 3, after: null, limit: 1_000, ...more });
  const all = (await list({})).map(({ transactionId }) => transactionId);
  expect(all.slice(-2)).toEqual(sent.map(({ id }) => id));
  expect(await list({ days: 0 })).toEqual([]);
  expect(await list({ provider: 'second' })).toEqual([]);
  expect(await list({ after: sent[0]!.id })).toEqual([{ partnerId, transactionId: sent[1]!.id }]);
  expect(await list({ limit: 1 })).toEqual([{ partnerId, transactionId: all[0] }]);
});

test('a transfer that is no transfer to a bank, or of nobody, cannot be asked about', async () => {
  expect(await ask({ id: newId() })).toBeNull();
});
