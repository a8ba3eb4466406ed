/**
 * A line of a statement that comes again is compared with the line that is kept: an id alone never makes two lines one. And what
 * two people do about a line that was wrong.
 */
import { closeDay, findDay } from '../../../src/db/reconcile/provider-days';
import { newId } from '../../../src/db/pg/ids';
import { companyAccountId } from '../../../src/domain/accounts';
import { beginningOf, dayAfter, dayOf } from '../../../src/domain/days';
import type { StatementLine } from '../../../src/domain/statement-lines';
import { closableDay } from '../../../src/operations/days/close-day';
import { importDay, type DaySource } from '../../../src/operations/days/import-day';
import { ownBooks } from '../../../src/operations/days/own-books';
import { bookAgreedEntry, entryFor } from '../../../src/operations/days/treasury-entries';
import { withdrawable, withdrawAgreedLine } from '../../../src/operations/days/withdraw-line';
import type { Treasury } from '../../../src/providers/port';
import { FIRST_SANDBOX_CELL } from '../../setup/cells';
import { activitiesForFile } from '../../support/scene';

const TODAY = dayOf(new Date());
const YESTERDAY = dayAfter(TODAY, -1);
const DIRECTORY = 'sandbox_directory';
const { cell, activities } = activitiesForFile({ audited: FIRST_SANDBOX_CELL });

let companies = 0;
const freshCompany = (): string => `again-${String(++companies)}`;

/** A line of a file whose lines are numbered from 1 each day. */
const line = (
  id: string,
  changeKobo: number,
  more: Partial<StatementLine> = {},
  day = TODAY,
): StatementLine => ({
  id,
  at: new Date(beginningOf(day).getTime() + Number(id) * 1_000),
  about: 'other',
  changeKobo,
  balanceKobo: null,
  reference: null,
  providerRef: null,
  sessionId: null,
  ...more,
});
const DAY_OF_TWO = [
  line('1', 500, { balanceKobo: 500 }),
  line('2', 300, { balanceKobo: 800, reference: 'r-2' }),
];

const statementsOf = (provider: string) => ({
  pool: activities.sandbox.reconcilePool!,
  directory: DIRECTORY,
  provider,
});
async function attempt(provider: string, source: Partial<DaySource>, day = TODAY) {
  const pool = activities.sandbox.reconcilePool!;
  const cells = [...activities.sandbox.cells.values()].map(({ schema }) => ({ schema, pool }));
  const asked = { treasury: null, lines: null, mayBeNew: true, ...source };
  return importDay(statementsOf(provider), ownBooks(activities.sandbox).cell, cells, asked, day);
}
/** What an import tells of lines that differ, by resource, and how many lines were new. */
async function differences(provider: string, source: Partial<DaySource>, day = TODAY) {
  const outcome = await attempt(provider, source, day);
  if (!outcome.ok) throw new Error(outcome.refusal.message);
  const { open, imported } = outcome.value;
  const found = open
    .filter(({ class: of }) => of === 'line_differs')
    .map(({ resource, detail }) => [resource.split('/').slice(2).join('/'), detail]);
  return { imported, found };
}
const keptOf = (provider: string) =>
  cell.sql(
    `SELECT own_day::text, line_id, change_kobo::int, withdrawn_at IS NOT NULL AS withdrawn
       FROM ${DIRECTORY}.provider_lines WHERE provider = $1 ORDER BY own_day, line_id, withdrawn DESC`,
    [provider],
  );

test('the same lines again are the same lines', async () => {
  const company = freshCompany();
  expect(await differences(company, { lines: DAY_OF_TWO })).toEqual({ imported: 2, found: [] });
  expect(await differences(company, { lines: DAY_OF_TWO })).toEqual({ imported: 0, found: [] });
});

test.each<[what: string, again: Partial<StatementLine>, kept: object, told: object]>([
  ['another amount', { changeKobo: 301 }, { kobo: 300 }, { kobo: 301 }],
  ['another balance', { balanceKobo: 801 }, { balance: 800 }, { balance: 801 }],
  ['no balance any more', { balanceKobo: null }, { balance: 800 }, { balance: null }],
  ['another reference', { reference: 'r-3' }, { reference: 'r-2' }, { reference: 'r-3' }],
  ['another id of the payment', { providerRef: 'P' }, { providerRef: null }, { providerRef: 'P' }],
  ['another subject', { about: 'payout' }, { about: 'other' }, { about: 'payout' }],
  [
    'another time',
    { at: new Date(beginningOf(TODAY).getTime() + 2_001) },
    { at: new Date(beginningOf(TODAY).getTime() + 2_000).toISOString() },
    { at: new Date(beginningOf(TODAY).getTime() + 2_001).toISOString() },
  ],
])(
  'a line that comes again with %s is a finding until it comes as it was',
  async (_what, again, kept, told) => {
    const company = freshCompany();
    await differences(company, { lines: DAY_OF_TWO });
    const corrected = [DAY_OF_TWO[0]!, { ...DAY_OF_TWO[1]!, ...again }];
    const found = [[`line 2 of ${TODAY}`, { kept, told }]];
    expect(await differences(company, { lines: corrected })).toEqual({ imported: 0, found });
    expect(await differences(company, { lines: corrected })).toEqual({ imported: 0, found });
    expect(await differences(company, { lines: DAY_OF_TWO })).toEqual({ imported: 0, found: [] });
  },
);

test('the session of a payment may be told later, and then it stays', async () => {
  const company = freshCompany();
  await differences(company, { lines: DAY_OF_TWO });
  const later = DAY_OF_TWO.map((one) => ({ ...one, sessionId: '999' }));
  expect(await differences(company, { lines: later })).toEqual({ imported: 0, found: [] });
  const other = freshCompany();
  await differences(other, { lines: later });
  const another = later.map((one) => ({ ...one, sessionId: '998' }));
  expect((await differences(other, { lines: another })).found).toHaveLength(2);
});

test('lines that a statement does not have any more are one finding', async () => {
  const company = freshCompany();
  await differences(company, { lines: DAY_OF_TWO });
  const found = [
    [`lines of ${TODAY} that are not told any more`, { count: 1, kobo: { lines: 300 }, ids: ['2'] }],
  ];
  expect(await differences(company, { lines: [DAY_OF_TWO[0]!] })).toEqual({ imported: 0, found });
});

test('lines that people number from 1 each day are lines of their own', async () => {
  const company = freshCompany();
  const earlier = [line('1', 500, { balanceKobo: 500 }, YESTERDAY), line('2', 1, {}, YESTERDAY)];
  expect(await differences(company, { lines: earlier }, YESTERDAY)).toEqual({ imported: 2, found: [] });
  expect(await differences(company, { lines: [line('1', 7)] })).toEqual({ imported: 1, found: [] });
  expect(await keptOf(company)).toHaveLength(3);
  const own = {
    ...ownBooks(activities.sandbox),
    environment: { ...activities.sandbox, pool: cell.forApi.pool },
  };
  const asked = {
    entry: 'prefund',
    findingId: null,
    provider: company,
    lineId: '1',
    amountKobo: 7,
    feeKobo: 0,
    note: '',
  } as const;
  expect(await entryFor(own, { ...asked, ownDay: null })).toMatchObject({
    ok: false,
    refusal: { message: `The line 1 is one of several days (${YESTERDAY}, ${TODAY}): name the day` },
  });
  expect(await entryFor(own, { ...asked, ownDay: TODAY })).toMatchObject({ ok: true, value: { day: TODAY } });
});

/** A company that tells these lines on two pages, as each page says. */
const telling = (...pages: StatementLine[][]): Treasury => ({
  balance: () => Promise.resolve(0),
  async *lines() {
    for (const page of pages) yield await Promise.resolve(page);
  },
});

test('an id that the company itself tells on another day is no new line', async () => {
  const company = freshCompany();
  await differences(
    company,
    { treasury: telling([line('981', 500, { balanceKobo: 500 }, YESTERDAY)]) },
    YESTERDAY,
  );
  const moved = await differences(company, { treasury: telling([line('981', 500, { balanceKobo: 500 })]) });
  expect(moved).toMatchObject({
    imported: 0,
    found: [[`line 981 of ${YESTERDAY}`, { told: { at: expect.any(String) } }]],
  });
  expect(await keptOf(company)).toHaveLength(1);
});

test('a line on two pages of one statement is one line, and two lines of one id stop the import', async () => {
  const company = freshCompany();
  const [one, two] = DAY_OF_TWO;
  const source = { treasury: telling([one!, two!], [two!]) };
  expect(await differences(company, source)).toEqual({ imported: 2, found: [] });
  const other = freshCompany();
  await expect(
    attempt(other, { treasury: telling([one!, two!], [{ ...two!, changeKobo: 4 }]) }),
  ).rejects.toThrow('2 is told twice in one statement, and not as the same');
  expect(await keptOf(other)).toEqual([]);
});

test.each<[what: string, provider: string, source: Partial<DaySource>, why: string]>([
  ['of a company that nobody has introduced', 'paystak', { mayBeNew: false }, 'Nothing is known of paystak'],
  ['of a company whose name the books cannot use', 'Paystack Ltd', {}, 'is no name of a company'],
  [
    'with a line of another day',
    'never',
    { lines: [line('1', 5, {}, YESTERDAY)] },
    `is not of ${TODAY}, but of ${YESTERDAY}`,
  ],
  ['with an id twice', 'never', { lines: [DAY_OF_TWO[0]!, DAY_OF_TWO[0]!] }, 'The line 1 is there twice'],
  [
    'whose first balance nobody knows',
    'never',
    { lines: [line('1', 5)] },
    'No line of the first day says the balance',
  ],
])('nothing is kept of a statement %s', async (_what, provider, source, why) => {
  const outcome = await attempt(provider, { lines: DAY_OF_TWO, ...source });
  expect(outcome).toMatchObject({ ok: false, refusal: { message: expect.stringContaining(why) } });
  expect(await keptOf(provider)).toEqual([]);
});

test('a company of which a line is kept needs no introduction', async () => {
  const company = freshCompany();
  await differences(company, { lines: DAY_OF_TWO });
  expect(await differences(company, { lines: DAY_OF_TWO, mayBeNew: false })).toEqual({
    imported: 0,
    found: [],
  });
});

const forApi = () => {
  const own = ownBooks(activities.sandbox);
  return { ...own, environment: { ...activities.sandbox, pool: cell.forApi.pool } };
};
async function book(company: string, lineId: string, amountKobo: number) {
  const asked = {
    entry: 'prefund',
    provider: company,
    lineId,
    ownDay: null,
    findingId: null,
    amountKobo,
    feeKobo: 0,
    note: '',
  } as const;
  const entry = await entryFor(forApi(), asked);
  if (!entry.ok) throw new Error(entry.refusal.message);
  expect(await bookAgreedEntry(forApi(), newId(), entry.value)).toMatchObject({ ok: true });
}
const booksOf = async (company: string): Promise<number> => {
  const [row] = await cell.sql(
    `SELECT coalesce(-sum(amount_kobo), 0)::int AS kobo FROM ${FIRST_SANDBOX_CELL}.entries WHERE account = $1`,
    [companyAccountId('1200', company)],
  );
  return row!['kobo'] as number;
};

test('two people withdraw a wrong line with what was booked for it, and the right one comes under its id', async () => {
  const company = freshCompany();
  await differences(company, { lines: [line('1', 5_000, { balanceKobo: 5_000 })] });
  await book(company, '1', 5_000);
  const right = [line('1', 500, { balanceKobo: 500 })];
  expect((await differences(company, { lines: right })).found).toHaveLength(1);

  const asked = { provider: company, ownDay: TODAY, lineId: '1', note: 'A zero too many' };
  const terms = await withdrawable(forApi(), asked);
  if (!terms.ok) throw new Error(terms.refusal.message);
  expect(terms.value).toMatchObject({ changeKobo: 5_000, entries: 1, day: TODAY });
  const proposalId = newId();
  for (let time = 0; time < 2; time++) {
    expect(await withdrawAgreedLine(forApi(), proposalId, terms.value)).toEqual({ ok: true, value: {} });
    expect(await booksOf(company)).toBe(0);
  }
  expect(await withdrawAgreedLine(forApi(), newId(), terms.value)).toMatchObject({
    ok: false,
    refusal: { code: 'INVALID_STATE' },
  });
  expect(await withdrawable(forApi(), asked)).toMatchObject({ ok: false, refusal: { code: 'NOT_FOUND' } });

  expect(await differences(company, { lines: right })).toEqual({ imported: 1, found: [] });
  await book(company, '1', 500);
  const agreed = await attempt(company, { lines: right });
  expect(agreed).toMatchObject({
    ok: true,
    value: { open: [], figures: { booksKobo: 500, closingKobo: 500 } },
  });
  expect(await keptOf(company)).toEqual([
    { own_day: TODAY, line_id: '1', change_kobo: 5_000, withdrawn: true },
    { own_day: TODAY, line_id: '1', change_kobo: 500, withdrawn: false },
  ]);
});

test('a day is not closed with a line that was withdrawn since it was checked, and a closed day keeps its lines', async () => {
  const company = freshCompany();
  const told = [line('1', 0, { balanceKobo: 0 }, YESTERDAY), line('2', 0, {}, YESTERDAY)];
  await differences(company, { lines: told }, YESTERDAY);
  const { checkedAt } = (await findDay(statementsOf(company), YESTERDAY))!;
  const seen = { checkedAt: checkedAt.toISOString(), proposalId: newId() };
  const terms = await withdrawable(forApi(), { provider: company, ownDay: YESTERDAY, lineId: '2', note: '' });
  if (!terms.ok) throw new Error(terms.refusal.message);
  await withdrawAgreedLine(forApi(), newId(), terms.value);
  expect(await closableDay(forApi(), company, YESTERDAY, '')).toMatchObject({
    ok: false,
    refusal: { message: 'Import the day again: a line of it was withdrawn' },
  });
  const statements = { ...statementsOf(company), pool: cell.forApi.pool };
  const first = { ...cell.forApi, schema: FIRST_SANDBOX_CELL };
  expect(await closeDay(statements, first, YESTERDAY, seen)).toBe(false);

  await differences(company, { lines: [told[0]!] }, YESTERDAY);
  const now = (await findDay(statements, YESTERDAY))!;
  const again = { checkedAt: now.checkedAt.toISOString(), proposalId: newId() };
  expect(await closeDay(statements, first, YESTERDAY, again)).toBe(true);
  const closed = { provider: company, ownDay: YESTERDAY, lineId: '1', note: '' };
  expect(await withdrawable(forApi(), closed)).toMatchObject({
    ok: false,
    refusal: { message: `The day ${YESTERDAY} is closed` },
  });
  await expect(
    cell.sql(
      `UPDATE ${DIRECTORY}.provider_lines SET withdrawn_at = now(), withdrawn_by = id WHERE provider = $1 AND withdrawn_at IS NULL`,
      [company],
    ),
  ).rejects.toThrow('the day of the line is closed');

  // What differs of a closed day is told on the first open one, until it is told as it was.
  const other = [{ ...told[0]!, changeKobo: 9 }];
  const found = [[`line 1 of ${YESTERDAY}`, { kept: { kobo: 0 }, told: { kobo: 9 } }]];
  expect(await differences(company, { lines: other }, YESTERDAY)).toEqual({ imported: 0, found });
  expect(await differences(company, { lines: [] })).toEqual({ imported: 0, found });
  expect(await attempt(company, { lines: [told[0]!] }, YESTERDAY)).toMatchObject({
    ok: false,
    refusal: { message: `${YESTERDAY} is closed, and no new line has come` },
  });
  expect(await differences(company, { lines: [] })).toEqual({ imported: 0, found: [] });
});
