/**
 * The day of a provider: its statement is compared with our books line by line, what differs is a finding, people book
 * what the statement says, and two of them close the day. The cases are those of a company whose fee is 1,000 kobo.
 */
import { insertPartner } from '../../../src/db/partners/credentials';
import { idNamed, newId } from '../../../src/db/pg/ids';
import { closeDay, findDay } from '../../../src/db/reconcile/provider-days';
import { companyAccountId, systemAccountId } from '../../../src/domain/accounts';
import { beginningOf, dayAfter, dayOf } from '../../../src/domain/days';
import { receiptOf } from '../../../src/domain/inbound';
import { payoutReference } from '../../../src/domain/payouts';
import type { StatementLine } from '../../../src/domain/statement-lines';
import type { TreasuryEntryKind } from '../../../src/domain/treasury';
import { importDay } from '../../../src/operations/days/import-day';
import { ownBooks } from '../../../src/operations/days/own-books';
import { bookEntry, entryFor } from '../../../src/operations/days/treasury-entries';
import { FIRST_SANDBOX_CELL, SANDBOX_CELL } from '../../setup/cells';
import { openActivities, type TestActivities } from '../../support/activities';
import { auditCell } from '../../support/audit';
import { openTestCell, type TestCell } from '../../support/cell';
import { bankTransfer, funding, settlement, transactionIdOf } from '../../support/movements';

const AMOUNT_KOBO = 500_000;
const FEE_KOBO = 1_000;
const TODAY = dayOf(new Date());
const DIRECTORY = 'sandbox_directory';
const partnerId = newId();
let cell: TestCell;
let activities: TestActivities;
beforeAll(async () => {
  cell = await openTestCell();
  const cells = { sandbox: SANDBOX_CELL, live: SANDBOX_CELL.replace('sandbox', 'live') };
  const names = { businessName: 'Acme Fintech', email: 'ada@acme.example' };
  await insertPartner(cell.owner, { id: partnerId, ...names, status: 'registered' }, cells);
  activities = openActivities(cell.url);
});
afterAll(async () => {
  for (const one of new Set([FIRST_SANDBOX_CELL, SANDBOX_CELL])) {
    expect(await auditCell(cell.url, one)).toEqual([]);
  }
  await activities.close();
  await cell.close();
});

/** A company of its own for each case, so that no case sees another one's balance. */
let companies = 0;
const freshCompany = (): string => `company-${String(++companies)}`;

type Ended = 'completed' | 'failed' | 'reversed' | null;
/** A transfer that a company has been given, with what our books say of it. */
async function transfer(
  provider: string,
  state: 'accepted' | 'succeeded' | 'failed' | 'released' | 'refused',
  to: Ended,
  feeKobo: number | null = FEE_KOBO,
): Promise<string> {
  const from = await cell.wallet({ partnerId, fundKobo: 1_000_000 });
  const writer = cell.openWriter();
  const id = transactionIdOf(await writer.post(bankTransfer({ partnerId, from, amountKobo: AMOUNT_KOBO })));
  await cell.sql(
    `INSERT INTO ${SANDBOX_CELL}.transfer_attempts
       (transaction_id, n, provider, state, open_posts, provider_ref, session_id, fee_kobo)
     VALUES ($1, 1, $2, $3, $4, $5, $6, $7)`,
    [id, provider, state, state === 'refused' ? 0 : 1, `TRF_${id}`, `999${id}`, feeKobo],
  );
  const facts = { provider, sessionId: null, responseCode: null, feeKobo, dutyKobo: null };
  const ends = to === 'reversed' ? (['completed', 'reversed'] as const) : to ? [to] : [];
  for (const end of ends) {
    const item = settlement({ partnerId, transactionId: id, from, to: end });
    await writer.post({ ...item, movement: { ...item.movement, facts } as typeof item.movement });
  }
  return id;
}

let lines = 0;
/** A line of today, with a balance that follows from the lines before it in the same case. */
function line(changeKobo: number, more: Partial<StatementLine> = {}): StatementLine {
  return {
    id: String(++lines),
    at: new Date(beginningOf(TODAY).getTime() + lines),
    about: 'payout',
    changeKobo,
    balanceKobo: null,
    reference: null,
    providerRef: null,
    sessionId: null,
    ...more,
  };
}
/** The first line says the balance, so that the beginning is known: it was nothing. */
const withBalances = (all: readonly StatementLine[]): StatementLine[] => {
  let balanceKobo = 0;
  return all.map((one) => {
    if (one.about === 'settlement') return one;
    balanceKobo += one.changeKobo;
    return { ...one, balanceKobo };
  });
};

const statementsOf = (provider: string) => ({
  pool: activities.sandbox.reconcilePool!,
  directory: DIRECTORY,
  provider,
});
async function check(provider: string, told: readonly StatementLine[], day = TODAY) {
  const cells = [...activities.sandbox.cells.values()].map(({ schema }) => ({
    schema,
    pool: activities.sandbox.reconcilePool!,
  }));
  const { cell: own } = ownBooks(activities.sandbox);
  const outcome = await importDay(statementsOf(provider), own, cells, null, day, withBalances(told));
  if (!outcome.ok) throw new Error(outcome.refusal.message);
  const { open, figures, imported } = outcome.value;
  const found = open.map((one) => [one.class, one.resource.slice(`${provider}/${day}/`.length)]);
  return { found: found.sort(), figures, imported };
}

/** Books an entry as an approved proposal does. @returns the entries by account, the company's own without its name. */
async function book(
  provider: string,
  entry: TreasuryEntryKind,
  lineId: string,
  amountKobo: number,
  feeKobo = 0,
  findingId: string | null = null,
): Promise<Record<string, number>> {
  const own = {
    ...ownBooks(activities.sandbox),
    environment: { ...activities.sandbox, pool: cell.forApi.pool },
  };
  const asked = await entryFor(own, {
    entry,
    provider,
    lineId,
    amountKobo,
    feeKobo,
    findingId,
    note: 'As the statement says',
  });
  if (!asked.ok) throw new Error(asked.refusal.message);
  const id = newId();
  const statements = { ...statementsOf(provider), pool: cell.forApi.pool };
  expect(await bookEntry(statements, own.cell, id, asked.value)).toEqual({ ok: true, value: {} });
  // The same approval again finds what the first one has done.
  expect(await bookEntry(statements, own.cell, id, asked.value)).toEqual({ ok: true, value: {} });
  return entriesOf(provider, id, FIRST_SANDBOX_CELL);
}
async function entriesOf(provider: string, id: string, schema: string): Promise<Record<string, number>> {
  const rows = await cell.sql(
    `SELECT account, amount_kobo FROM ${schema}.entries WHERE transaction_id = $1`,
    [id],
  );
  const names = new Map(
    ['1200', '1300'].map((code) => [companyAccountId(code as '1200', provider), `${code}-p`]),
  );
  return Object.fromEntries(
    rows.map(({ account, amount_kobo: kobo }) => [names.get(account) ?? account.slice(-4), kobo]),
  );
}

const paid = (id: string, changeKobo = -(AMOUNT_KOBO + FEE_KOBO)) =>
  line(changeKobo, { reference: payoutReference(id, 1) });

test('a day on which both sides agree has no finding, and what is under way is explained', async () => {
  const company = freshCompany();
  const top = line(2_000_000, { about: 'other' });
  const done = await transfer(company, 'succeeded', 'completed');
  const failed = await transfer(company, 'failed', 'failed');
  const open = await transfer(company, 'accepted', null);
  const told = [
    top,
    paid(done),
    paid(failed, -AMOUNT_KOBO),
    // Lines that do not have our reference: the company's own id, and the session.
    line(AMOUNT_KOBO, { providerRef: `TRF_${failed}` }),
    line(-(AMOUNT_KOBO + FEE_KOBO), { sessionId: `999${open}` }),
  ];
  const first = await check(company, told);
  expect(first.found).toEqual([
    ['balance_differs', 'balance'],
    ['line_unmatched', `line ${top.id}`],
  ]);
  expect(await book(company, 'prefund', top.id, 2_000_000)).toEqual({
    '1200-p': -2_000_000,
    1100: 2_000_000,
  });
  expect(await check(company, told)).toEqual({
    found: [],
    imported: 0,
    figures: {
      openingKobo: 0,
      closingKobo: 998_000,
      lines: 5,
      booksKobo: 1_499_000,
      underWayKobo: -501_000,
      receivableKobo: 0,
    },
  });
});

test('case 31: a fee of 1,500 on the line, 1,000 in our books', async () => {
  const company = freshCompany();
  const id = await transfer(company, 'succeeded', 'completed');
  const told = [paid(id, -501_500)];
  expect((await check(company, told)).found).toEqual([
    ['balance_differs', 'balance'],
    ['fee_differs', payoutReference(id, 1)],
  ]);
  expect(await book(company, 'fee', told[0]!.id, 500)).toEqual({ 5110: -500, '1200-p': 500 });
  expect((await check(company, told)).found).toEqual([]);
});

test('case 12: a company that keeps its fee of a payout that has failed', async () => {
  const company = freshCompany();
  const id = await transfer(company, 'failed', 'failed');
  const told = [paid(id), paid(id, AMOUNT_KOBO)];
  expect((await check(company, told)).found).toContainEqual(['fee_differs', payoutReference(id, 1)]);
  expect(await book(company, 'fee', told[0]!.id, FEE_KOBO)).toEqual({ 5110: -1_000, '1200-p': 1_000 });
  expect((await check(company, told)).found).toEqual([]);
});

test('case 32: two lines for one transfer are booked as a payment that nobody has to pay for', async () => {
  const company = freshCompany();
  const id = await transfer(company, 'succeeded', 'completed');
  const told = [paid(id), paid(id)];
  expect((await check(company, told)).found).toContainEqual(['paid_twice', payoutReference(id, 1)]);
  const booked = await book(company, 'paid_twice', told[1]!.id, AMOUNT_KOBO, FEE_KOBO);
  expect(booked).toEqual({ 1900: -500_000, 5110: -1_000, '1200-p': 501_000 });
  expect((await check(company, told)).found).toEqual([]);

  // It waits in a finding until people get it back, in two parts.
  const resource = `${company}/line ${told[1]!.id}`;
  const waiting = () =>
    cell.sql(
      `SELECT id, class, account, kobo::int, closed_at IS NOT NULL AS closed FROM ${SANDBOX_CELL}.recon_findings
        WHERE resource = $1`,
      [resource],
    );
  const [finding] = await waiting();
  expect(finding).toMatchObject({
    class: 'debit_unexplained',
    account: '1900',
    kobo: -500_000,
    closed: false,
  });
  const findingId = finding!['id'] as string;
  const back = [paid(id, 300_000), paid(id, 200_000)];
  await check(company, [...told, ...back]);
  await expect(book(company, 'recovered', back[0]!.id, 300_000)).rejects.toThrow('needs the finding_id');
  expect(await book(company, 'recovered', back[0]!.id, 300_000, 0, findingId)).toEqual({
    1900: 300_000,
    '1200-p': -300_000,
  });
  expect(await waiting()).toMatchObject([{ kobo: -200_000, closed: false }]);
  await book(company, 'recovered', back[1]!.id, 200_000, 0, findingId);
  expect(await waiting()).toMatchObject([{ kobo: 0, closed: true }]);
});

test('case 30: a settlement that has arrived at our bank', async () => {
  const company = freshCompany();
  const settled = line(495_000, { about: 'settlement' });
  const told = [line(0, { about: 'other' }), settled];
  expect((await check(company, told)).found).toContainEqual(['line_unmatched', `line ${settled.id}`]);
  const booked = await book(company, 'settlement_to_bank', settled.id, 495_000);
  expect(booked).toEqual({ 1100: -495_000, '1300-p': 495_000 });
  expect((await check(company, told)).found).toEqual([]);
});

test('a fee that was expected is cleared by its line', async () => {
  const company = freshCompany();
  const id = await transfer(company, 'succeeded', 'completed', null);
  const told = [paid(id)];
  expect((await check(company, told)).found).toContainEqual(['fee_differs', payoutReference(id, 1)]);
  expect(await book(company, 'fee_owed', told[0]!.id, 1_000)).toEqual({ 2300: -1_000, '1200-p': 1_000 });
  expect((await check(company, told)).found).toEqual([]);
});

test.each<[what: string, state: 'succeeded' | 'failed', to: Ended, changes: number[], found: string]>([
  ['our books have a payout without a line', 'succeeded', 'completed', [], 'booked_not_at_provider'],
  ['a payout that failed was paid', 'failed', 'failed', [-501_000], 'status_differs'],
  ['a payout that was paid came back', 'succeeded', 'completed', [-501_000, 500_000], 'status_differs'],
  ['a line has another amount', 'succeeded', 'completed', [-401_000], 'amount_differs'],
])('%s', async (_what, state, to, changes, found) => {
  const company = freshCompany();
  const id = await transfer(company, state, to);
  const told = [line(0, { about: 'other' }), ...changes.map((change) => paid(id, change))];
  expect((await check(company, told)).found).toContainEqual([found, payoutReference(id, 1)]);
});

test('case 15: a payout that came back is told and booked by two lines', async () => {
  const company = freshCompany();
  const id = await transfer(company, 'succeeded', 'reversed');
  const told = [line(1_000, { about: 'other' }), paid(id), paid(id, AMOUNT_KOBO)];
  await check(company, told);
  await book(company, 'prefund', told[0]!.id, 1_000);
  expect(await check(company, told)).toMatchObject({ found: [], figures: { closingKobo: 0, booksKobo: 0 } });
});

test('case 14: a payout after all is told by one line, and booked apart from its transfer', async () => {
  const company = freshCompany();
  const id = await transfer(company, 'failed', 'failed');
  const told = [paid(id)];
  expect((await check(company, told)).found).toContainEqual(['status_differs', payoutReference(id, 1)]);
  const late = idNamed(payoutReference(id, 1));
  await cell.openWriter().post({
    movement: {
      kind: 'open',
      type: 'late_payout',
      by: { company, feeKobo: FEE_KOBO, dutyKobo: null },
      originalId: id,
      attempt: 1,
      transactionId: late,
      partnerId,
      reference: `late_${late}`,
      amountKobo: AMOUNT_KOBO,
      description: '',
      metadata: {},
      key: null,
    },
    announce: () => [],
  });
  const booked = { 1900: -500_000, 5110: -1_000, '1200-p': 501_000 };
  expect(await entriesOf(company, late, SANDBOX_CELL)).toEqual(booked);
  expect((await check(company, told)).found).toEqual([]);
});

test('what came in and is not settled within two banking days is a finding', async () => {
  const company = freshCompany();
  const told = [line(0, { about: 'other' })];
  // Until a provider credits wallets, only a settlement moves the account: one that was booked too high.
  const receivable = async (kobo: number, daysAgo: number): Promise<void> => {
    const id = newId();
    const at = new Date(beginningOf(TODAY).getTime() - daysAgo * 86_400_000);
    await cell.sql(
      `INSERT INTO ${SANDBOX_CELL}.transactions (id, partner_id, reference, type, status, amount_kobo, customer_fee_kobo,
         merchant_fee_kobo, mfb_cost_kobo, net_amount_kobo, created_at, updated_at, completed_at)
       VALUES ($1::uuid, $2, $1::uuid::text, 'late_payout', 'completed', $3::bigint, 0, 0, 0, $3::bigint, $4, $4, $4)`,
      [id, partnerId, kobo, at],
    );
    await cell.sql(
      `INSERT INTO ${SANDBOX_CELL}.entries (transaction_id, step, account, id, amount_kobo, created_at)
       SELECT $1, 'accept', account, gen_random_uuid(), kobo, $5
         FROM unnest(ARRAY[$2::uuid, $3::uuid], ARRAY[-$4::bigint, $4::bigint]) AS v(account, kobo)`,
      [id, companyAccountId('1300', company), systemAccountId('5110'), kobo, at],
    );
  };
  await receivable(300, 0);
  expect(await check(company, told)).toMatchObject({ found: [], figures: { receivableKobo: 300 } });
  await receivable(200, 8);
  expect((await check(company, told)).found).toEqual([['balance_differs', 'receivable']]);
});

test('the closing is the opening and the lines, or a finding', async () => {
  const company = freshCompany();
  const [one, other] = withBalances([line(5, { about: 'other' }), line(7, { about: 'other' })]);
  const wrong = { ...other!, balanceKobo: 13 };
  const cells = [{ schema: FIRST_SANDBOX_CELL, pool: activities.sandbox.reconcilePool! }];
  const { cell: own } = ownBooks(activities.sandbox);
  const outcome = await importDay(statementsOf(company), own, cells, null, TODAY, [one!, wrong]);
  expect(outcome).toMatchObject({
    ok: true,
    value: {
      open: expect.arrayContaining([
        {
          class: 'balance_differs',
          resource: `${company}/${TODAY}/lines`,
          detail: { kobo: { opening: 0, lines: 12, closing: 13 } },
        },
      ]),
    },
  });
});

test('a line without a payout is shown with the payouts that have its amount, and is matched to none of them', async () => {
  const company = freshCompany();
  const id = await transfer(company, 'accepted', null);
  const told = [line(-AMOUNT_KOBO)];
  await check(company, told);
  const [row] = await cell.sql(
    `SELECT detail FROM ${FIRST_SANDBOX_CELL}.recon_findings WHERE resource = $1`,
    [`${company}/${TODAY}/line ${told[0]!.id}`],
  );
  expect(row!['detail']).toMatchObject({ candidates: [payoutReference(id, 1)] });
  expect(
    await cell.sql(`SELECT transaction_id FROM ${DIRECTORY}.provider_lines WHERE provider = $1`, [company]),
  ).toEqual([{ transaction_id: null }]);
});

test.each<[what: string, changeKobo: number, named: Partial<StatementLine>, found: string]>([
  ['by the provider’s id, with what it owes us', 495_000, { providerRef: '4099' }, 'line_unmatched'],
  ['by its reference', 495_000, { reference: 'dva-1' }, 'line_unmatched'],
  ['with one kobo less than it owes us', 494_999, { providerRef: '4099' }, 'amount_differs'],
])('a payment from outside is shown %s', async (_what, changeKobo, named, found) => {
  const company = freshCompany();
  const creditId = newId();
  await cell.sql(
    `INSERT INTO ${SANDBOX_CELL}.inbound_credits (id, provider, reference, provider_ref, amount_kobo, fee_kobo, account_number)
     VALUES ($1, $2, 'dva-1', '4099', ${String(AMOUNT_KOBO)}, 5000, '9930000001')`,
    [creditId, company],
  );
  const told = line(changeKobo, { about: 'inbound', ...named });
  expect((await check(company, [told])).found).toContainEqual([found, `line ${told.id}`]);
  const [row] = await cell.sql(
    `SELECT detail FROM ${FIRST_SANDBOX_CELL}.recon_findings WHERE resource = $1`,
    [`${company}/${TODAY}/line ${told.id}`],
  );
  expect(row!['detail']).toMatchObject({ credit: { id: creditId, due: 495_000 } });
});

/** A payment from outside of 500,000 kobo that is booked for a wallet. @returns its id. */
async function payment(provider: string, feeKobo: number | null): Promise<string> {
  const creditId = newId();
  await cell.sql(
    `INSERT INTO ${SANDBOX_CELL}.inbound_credits (id, provider, reference, provider_ref, amount_kobo, fee_kobo, account_number)
     VALUES ($1, $2, 'dva-1', '4099', ${String(AMOUNT_KOBO)}, $3, '9930000001')`,
    [creditId, provider, feeKobo],
  );
  const by = receiptOf(provider, { amountKobo: AMOUNT_KOBO, feeKobo });
  const from = { kind: 'inbound', creditId, by } as const;
  const to = await cell.wallet({ partnerId });
  const item = funding({ partnerId, to, amountKobo: AMOUNT_KOBO, from });
  await cell.openWriter().post({ ...item, movement: { ...item.movement, transactionId: creditId } });
  return creditId;
}
const passedOn = (creditId: string): string => idNamed(`passed on/${creditId}`);

test.each<[what: string, feeKobo: number | null, changeKobo: number, entries: Record<string, number>]>([
  ['as it is owed to us', 5_000, 495_000, { '1200-p': -495_000, '1300-p': 495_000 }],
  [
    'after a fee that was not told before',
    null,
    494_000,
    { '1200-p': -494_000, 5110: -1_000, 2300: -5_000, '1300-p': 500_000 },
  ],
])(
  'a payment that is passed on to our balance, %s, is booked by the import',
  async (_what, feeKobo, changeKobo, entries) => {
    const company = freshCompany();
    const creditId = await payment(company, feeKobo);
    const told = [line(changeKobo, { about: 'inbound', providerRef: '4099' })];
    const agreed = { closingKobo: changeKobo, booksKobo: changeKobo, receivableKobo: 0 };
    expect(await check(company, told)).toMatchObject({ found: [], figures: agreed });
    expect(await check(company, told)).toMatchObject({ found: [], figures: agreed });
    expect(await entriesOf(company, passedOn(creditId), FIRST_SANDBOX_CELL)).toEqual(entries);
  },
);

test('a payment that is passed on with another fee than was told is booked by people', async () => {
  const company = freshCompany();
  const creditId = await payment(company, 5_000);
  const told = [line(494_500, { about: 'inbound', reference: 'dva-1' })];
  expect((await check(company, told)).found).toContainEqual(['amount_differs', `line ${told[0]!.id}`]);
  expect(await entriesOf(company, passedOn(creditId), FIRST_SANDBOX_CELL)).toEqual({});
  const booked = await book(company, 'settlement_to_balance', told[0]!.id, 494_500, 500);
  expect(booked).toEqual({ '1200-p': -494_500, 5110: -500, '1300-p': 495_000 });
  expect(await check(company, told)).toMatchObject({ found: [], figures: { receivableKobo: 0 } });
});

test('a payment is passed on once: a second line about it is a finding', async () => {
  const company = freshCompany();
  const creditId = await payment(company, 5_000);
  const told = [1, 2].map(() => line(495_000, { about: 'inbound', providerRef: '4099' }));
  for (let time = 0; time < 2; time++) {
    expect((await check(company, told)).found).toEqual([
      ['balance_differs', 'balance'],
      ['line_unmatched', expect.stringMatching(/^line /)],
    ]);
  }
  expect(await entriesOf(company, passedOn(creditId), FIRST_SANDBOX_CELL)).toEqual({
    '1200-p': -495_000,
    '1300-p': 495_000,
  });
});

/** A payment of 500,000 kobo that no wallet took, and its refund, which is booked where it has succeeded. */
async function refund(company: string, state: 'accepted' | 'succeeded' | 'failed'): Promise<string> {
  const refundId = newId();
  const creditId = await payment(company, 5_000);
  await cell.sql(
    `INSERT INTO ${SANDBOX_CELL}.inbound_refunds (id, credit_id, provider, amount_kobo, state, is_posted, provider_ref)
     VALUES ($1, $2, $3, ${String(AMOUNT_KOBO)}, $4, $5, $6)`,
    [refundId, creditId, company, state, state !== 'failed', `RF-${company}`],
  );
  if (state === 'succeeded') {
    await cell.openWriter().post({
      movement: {
        kind: 'open',
        type: 'credit_refund',
        company,
        creditId,
        transactionId: refundId,
        partnerId,
        reference: `refund_${refundId}`,
        amountKobo: AMOUNT_KOBO,
        description: '',
        metadata: {},
        key: null,
      },
      announce: () => [],
    });
    expect(await entriesOf(company, refundId, SANDBOX_CELL)).toEqual({ 2900: -500_000, '1300-p': 500_000 });
  }
  return refundId;
}

test.each<
  [
    what: string,
    state: 'accepted' | 'succeeded',
    about: Partial<StatementLine>,
    changeKobo: number,
    feeKobo: number,
    receivableKobo: number,
  ]
>([
  ['has succeeded', 'succeeded', { about: 'refund' }, -500_000, 0, 495_000],
  ['has cost a fee', 'succeeded', { about: 'refund' }, -501_000, 1_000, 495_000],
  ['is under way', 'accepted', { about: 'refund' }, -500_000, 0, 995_000],
  ['is written like a payout', 'succeeded', { about: 'payout', providerRef: 'M-1' }, -500_000, 0, 495_000],
])(
  'a refund that is taken from our balance is booked by the import: it %s',
  async (_what, state, about, changeKobo, feeKobo, receivableKobo) => {
    const company = freshCompany();
    const id = await refund(company, state);
    const named = about.about === 'refund' ? { providerRef: `RF-${company}` } : { reference: id };
    const told = [line(600_000, { about: 'other' }), line(changeKobo, { ...about, ...named })];
    await check(company, told);
    await book(company, 'prefund', told[0]!.id, 600_000);
    const agreed = { closingKobo: 600_000 + changeKobo, booksKobo: 600_000 + changeKobo, receivableKobo };
    expect(await check(company, told)).toMatchObject({ found: [], figures: agreed });
    expect(await check(company, told)).toMatchObject({ found: [], figures: agreed });
    expect(await entriesOf(company, idNamed(`refund taken/${id}`), FIRST_SANDBOX_CELL)).toEqual({
      '1300-p': -500_000,
      '1200-p': 500_000 + feeKobo,
      ...(feeKobo > 0 && { 5110: -feeKobo }),
    });
  },
);

test.each<
  [
    what: string,
    state: 'succeeded' | 'failed',
    changeKobo: number,
    more: (of: string) => Partial<StatementLine>,
  ]
>([
  ['is not named', 'succeeded', -500_000, () => ({ about: 'other' })],
  [
    'is named by a number that is not one of refunds',
    'succeeded',
    -500_000,
    (ref) => ({ about: 'other', providerRef: ref }),
  ],
  ['took less than the amount', 'succeeded', -499_999, (ref) => ({ about: 'refund', providerRef: ref })],
  ['took more than a fee', 'succeeded', -520_001, (ref) => ({ about: 'refund', providerRef: ref })],
  ['has failed', 'failed', -500_000, (ref) => ({ about: 'refund', providerRef: ref })],
])('people book the line of a refund that %s', async (_what, state, changeKobo, more) => {
  const company = freshCompany();
  const id = await refund(company, state);
  const told = [line(changeKobo, more(`RF-${company}`))];
  expect((await check(company, told)).found).toContainEqual(['line_unmatched', `line ${told[0]!.id}`]);
  expect(await entriesOf(company, idNamed(`refund taken/${id}`), FIRST_SANDBOX_CELL)).toEqual({});
  const amountKobo = Math.min(-changeKobo, AMOUNT_KOBO);
  const feeKobo = -changeKobo - amountKobo;
  expect(await book(company, 'refund_taken', told[0]!.id, amountKobo, feeKobo)).toEqual({
    '1300-p': -amountKobo,
    '1200-p': -changeKobo,
    ...(feeKobo > 0 && { 5110: -feeKobo }),
  });
  expect((await check(company, told)).found).toEqual([]);
});

test('a refund that was taken and came back leaves nothing behind, once people have booked both lines', async () => {
  const company = freshCompany();
  await refund(company, 'failed');
  const told = [-500_000, 500_000].map((kobo) =>
    line(kobo, { about: 'refund', providerRef: `RF-${company}` }),
  );
  await check(company, told);
  await book(company, 'refund_taken', told[0]!.id, 500_000);
  expect(await book(company, 'refund_back', told[1]!.id, 500_000)).toEqual({
    '1200-p': -500_000,
    '1300-p': 500_000,
  });
  expect(await check(company, told)).toMatchObject({
    found: [],
    figures: { booksKobo: 0, receivableKobo: 495_000 },
  });
});

test('a refund is taken once: a second line about it is a finding', async () => {
  const company = freshCompany();
  const id = await refund(company, 'succeeded');
  const told = [{ providerRef: `RF-${company}` }, { reference: id }].map((named) =>
    line(-500_000, { about: 'refund', ...named }),
  );
  for (let time = 0; time < 2; time++) {
    expect((await check(company, told)).found).toEqual([
      ['balance_differs', 'balance'],
      ['line_unmatched', `line ${told[1]!.id}`],
    ]);
  }
});

test('a finding that people have explained does not open again, until something about it changes', async () => {
  const company = freshCompany();
  const told = [line(300, { about: 'other' })];
  await check(company, told);
  await cell.sql(
    `UPDATE ${FIRST_SANDBOX_CELL}.recon_findings SET closed_at = now(), closed_by = 'Ada', closed_note = 'known'
      WHERE resource LIKE $1`,
    [`${company}/%`],
  );
  expect((await check(company, told)).found).toEqual([]);
  expect((await check(company, [...told, line(1, { about: 'other' })])).found).toContainEqual([
    'balance_differs',
    'balance',
  ]);
});

test('a closed day never changes; a line that comes for it counts for the next day, with a finding', async () => {
  const company = freshCompany();
  const yesterday = dayAfter(TODAY, -1);
  const at = beginningOf(yesterday);
  const told = [line(300, { about: 'other', at })];
  await check(company, told, yesterday);
  await book(company, 'prefund', told[0]!.id, 300);
  expect((await check(company, told, yesterday)).found).toEqual([]);
  const statements = { ...statementsOf(company), pool: cell.forApi.pool };
  const { checkedAt } = (await findDay(statements, yesterday))!;
  const proposalId = newId();
  const seen = { checkedAt: checkedAt.toISOString(), proposalId };
  const own = { ...cell.forApi, schema: FIRST_SANDBOX_CELL };
  expect(await closeDay(statements, own, yesterday, seen)).toBe(true);
  expect(await closeDay(statements, own, yesterday, seen)).toBe(true);
  expect(await closeDay(statements, own, yesterday, { ...seen, proposalId: newId() })).toBe(false);
  await expect(
    cell.sql(`UPDATE ${DIRECTORY}.provider_days SET closing_kobo = 1 WHERE provider = $1`, [company]),
  ).rejects.toThrow('a day that is closed never changes');
  await expect(check(company, told, yesterday)).rejects.toThrow('is closed, and no new line has come');
  const late = line(-5, { about: 'other', at });
  const { cell: ledger } = ownBooks(activities.sandbox);
  const outcome = await importDay(statementsOf(company), ledger, [own], null, yesterday, [
    { ...late, balanceKobo: 295 },
  ]);
  expect(outcome).toMatchObject({ ok: true, value: { day: TODAY, imported: 1 } });
  const rows = await cell.sql(
    `SELECT class, resource FROM ${FIRST_SANDBOX_CELL}.recon_findings
      WHERE resource LIKE $1 AND closed_at IS NULL ORDER BY resource`,
    [`${company}/%`],
  );
  expect(rows).toContainEqual({
    class: 'line_unmatched',
    resource: `${company}/${TODAY}/late line ${late.id}`,
  });
  expect((await findDay(statements, yesterday))!.closingKobo).toBe(300);
});

test('a day is checked against what it was when people saw it', async () => {
  const company = freshCompany();
  const told = [line(0, { about: 'other' })];
  await check(company, told);
  const statements = { ...statementsOf(company), pool: cell.forApi.pool };
  const seen = {
    checkedAt: (await findDay(statements, TODAY))!.checkedAt.toISOString(),
    proposalId: newId(),
  };
  await cell.sql('SELECT pg_sleep(0.01)');
  await check(company, told);
  expect(await closeDay(statements, cell.forApi, TODAY, seen)).toBe(false);
  expect((await findDay(statements, TODAY))!.closedAt).toBeNull();
});
