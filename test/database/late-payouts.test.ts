/**
 * A provider pays after all what was given up: it is asked, the amount is booked once against unexplained debits, and no
 * wallet is debited again (D57).
 */
import { insertPartner } from '../../src/db/partners/credentials';
import { storeCallback } from '../../src/db/payments/callbacks';
import { newId } from '../../src/db/pg/ids';
import { companyAccountId } from '../../src/domain/accounts';
import type { QueryOutcome } from '../../src/domain/payouts';
import type { Provider } from '../../src/providers/port';
import { findTransaction } from '../../src/db/ledger/transactions';
import { openActivities, type TestActivities } from '../support/activities';
import { auditCell } from '../support/audit';
import { openTestCell, type TestCell } from '../support/cell';
import { saying, withFake } from '../support/fakes';
import { bankTransfer, settlement, transactionIdOf } from '../support/movements';
import { SANDBOX_CELL } from '../setup/cells';

const AMOUNT_KOBO = 500_000;
const partnerId = newId();
let cell: TestCell;
let activities: TestActivities;
/** What the company answers when it is asked. */
let says: QueryOutcome | 'nothing';
let asked: string[];

const company: Provider = {
  name: 'first',
  can: { failsForGood: false, asksFirst: false },
  payouts: {
    submit: () => Promise.reject(new Error('nothing is sent here')),
    query({ reference }) {
      asked.push(reference);
      if (says === 'nothing') return Promise.reject(new Error('no answer'));
      return Promise.resolve(saying(says, { feeKobo: 1_000 }));
    },
  },
};

beforeAll(async () => {
  cell = await openTestCell();
  const cells = { sandbox: SANDBOX_CELL, live: SANDBOX_CELL.replace('sandbox', 'live') };
  const names = { businessName: 'Acme Fintech', email: 'ada@acme.example' };
  await insertPartner(cell.owner, { id: partnerId, ...names, status: 'registered' }, cells);
  activities = openActivities(cell.url, { RECONCILE_AFTER_MS: '0' }, (environment) =>
    withFake(environment, () => company),
  );
});
afterAll(async () => {
  expect(await auditCell(cell.url, SANDBOX_CELL)).toEqual([]);
  await activities.close();
  await cell.close();
});
beforeEach(() => {
  says = 'success';
  asked = [];
});

type State = 'released' | 'refused' | 'failed' | 'succeeded' | 'accepted';
/** A transfer that has ended, with attempts in these states. */
async function transfer(to: 'completed' | 'failed' | null, ...states: State[]): Promise<string> {
  const from = await cell.wallet({ partnerId, fundKobo: 1_000_000 });
  const writer = cell.openWriter();
  const id = transactionIdOf(await writer.post(bankTransfer({ partnerId, from, amountKobo: AMOUNT_KOBO })));
  for (const [place, state] of states.entries()) {
    await cell.sql(
      `INSERT INTO ${SANDBOX_CELL}.transfer_attempts (transaction_id, n, provider, state, open_posts, provider_ref)
       VALUES ($1, $2, 'first', $3, $4, $5)`,
      [id, place + 1, state, state === 'refused' ? 0 : 1, `TRF_${String(place + 1)}`],
    );
  }
  if (to) await writer.post(settlement({ partnerId, transactionId: id, from, to }));
  return id;
}

/** The company says that it has paid an attempt. */
async function hear(id: string, n: number, isLast: boolean): Promise<void> {
  const notice = {
    eventId: newId(),
    transferName: id,
    attemptNumber: n,
    providerReference: `TRF_${String(n)}`,
    outcome: 'success',
    amountKobo: AMOUNT_KOBO,
    currency: 'NGN',
    occurredAt: new Date(),
  };
  const found = await findTransaction(cell.cell, partnerId, id);
  const attempt = { providerRef: notice.providerReference, isLast };
  await storeCallback(cell.forApi, 'first', notice, {
    id: newId(),
    bodySealed: 'x',
    transfer: found,
    attempt,
  });
}

const reconcile = (everything = false) => activities.run('reconcileCell', SANDBOX_CELL, everything);
const findingsOf = (id: string) =>
  cell.sql(
    `SELECT class, detail FROM ${SANDBOX_CELL}.recon_findings WHERE resource = $1 AND closed_at IS NULL`,
    [id],
  );
/** The entries of what was booked because of a transfer, by account. */
async function booked(id: string): Promise<Record<string, number>[]> {
  const rows = await cell.sql(
    `SELECT t.id, json_object_agg(e.account, e.amount_kobo) AS entries FROM ${SANDBOX_CELL}.transactions t
       JOIN ${SANDBOX_CELL}.entries e ON e.transaction_id = t.id
      WHERE t.metadata->>'original_transaction_id' = $1 AND t.type = 'late_payout' GROUP BY t.id`,
    [id],
  );
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row['entries'] as Record<string, number>).map(([account, kobo]) => [
        /^0{8}-0{4}-0{4}-0{4}-0{8}(\d{4})$/.exec(account)?.[1] ?? account,
        kobo,
      ]),
    ),
  );
}
const LATE = { 1900: -500_000, 5110: -1_000, [companyAccountId('1200', 'first')]: 501_000 };

test.each<[what: string, to: 'completed' | 'failed' | null, states: State[], n: number]>([
  ['the money was given back', 'failed', ['failed'], 1],
  ['the attempt was released and the money given back', 'failed', ['released', 'refused'], 1],
  ['the attempt was released and another one has paid', 'completed', ['released', 'succeeded'], 1],
  ['the attempt was released and another one is under way', null, ['released', 'accepted'], 1],
])('case 14: paid after %s: booked once, with a finding', async (_what, to, states, n) => {
  const id = await transfer(to, ...states);
  await hear(id, n, n === states.length);
  const before = await cell.sql(`SELECT id, balance_kobo FROM ${SANDBOX_CELL}.accounts ORDER BY id`);
  await reconcile();
  // The company says it again, in another event.
  await hear(id, n, n === states.length);
  await reconcile();
  await reconcile(true);
  expect(await booked(id)).toEqual([LATE]);
  expect(await findingsOf(id)).toEqual([
    { class: 'paid_after_all', detail: { attempt: n, provider: 'first', kobo: AMOUNT_KOBO } },
  ]);
  expect(await cell.sql(`SELECT id, balance_kobo FROM ${SANDBOX_CELL}.accounts ORDER BY id`)).toEqual(before);
});

test.each(['failed', 'reversed', 'pending', 'not_found'] as const)(
  'a company that says %s when it is asked has paid nothing: the contradiction is left to people',
  async (answer) => {
    says = answer;
    const id = await transfer('failed', 'failed');
    await hear(id, 1, true);
    await reconcile();
    await reconcile();
    expect(asked).toEqual([`tx-${id}-1`]);
    expect(await booked(id)).toEqual([]);
    expect(await findingsOf(id)).toMatchObject([
      { class: 'provider_contradiction', detail: { says: answer } },
    ]);
  },
);

test.each(['unknown', 'nothing'] as const)(
  'a company that says %s is asked again by the next run',
  async (answer) => {
    says = answer;
    const id = await transfer('failed', 'failed');
    await hear(id, 1, true);
    await reconcile();
    expect([await booked(id), await findingsOf(id)]).toEqual([[], []]);
    says = 'success';
    await reconcile();
    expect(await booked(id)).toEqual([LATE]);
  },
);

test('nobody has to tell: the company of a released attempt is asked every day', async () => {
  const id = await transfer('failed', 'released', 'refused');
  await reconcile();
  expect(asked).not.toContain(`tx-${id}-1`);
  says = 'not_found';
  await reconcile(true);
  expect(asked).toContain(`tx-${id}-1`);
  expect([await booked(id), await findingsOf(id)]).toEqual([[], []]);
  says = 'success';
  await reconcile(true);
  await reconcile(true);
  expect(await booked(id)).toEqual([LATE]);
  expect(await findingsOf(id)).toMatchObject([{ class: 'paid_after_all' }]);
});
