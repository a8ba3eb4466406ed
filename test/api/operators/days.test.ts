/**
 * Two operators book what only a provider's statement says, and close its day: nobody alone, nothing twice, and never with
 * an open finding. What is compared is in test/database/reconcile/provider-days.test.ts.
 */
import type pg from 'pg';
import { openPool } from '../../../src/db/pg/postgres';
import { companyAccountId } from '../../../src/domain/accounts';
import { beginningOf, dayAfter, dayOf } from '../../../src/domain/days';
import type { StatementLine } from '../../../src/domain/statement-lines';
import { importDay } from '../../../src/operations/days/import-day';
import { ownBooks } from '../../../src/operations/days/own-books';
import { FIRST_LIVE_CELL } from '../../setup/cells';
import { openWorld, type TestApi, type World } from '../../support/api';
import { asLogin } from '../../support/logins';
import type { TestOperator } from '../../support/operators';
import { REHEARSAL } from '../../support/settings';

const YESTERDAY = dayAfter(dayOf(new Date()), -1);
let world: World;
let api: TestApi;
let ada: TestOperator;
let bola: TestOperator;
let pool: pg.Pool;
beforeAll(async () => {
  world = await openWorld(REHEARSAL);
  api = await world.startApi();
  ada = await api.operator();
  bola = await api.operator();
  pool = openPool(asLogin(world.databaseUrl, 'live_reconcile'), 2, 10_000, () => undefined);
});
afterAll(async () => {
  await pool.end();
  await world.close();
});

const line = (provider: string, changeKobo: number, day = YESTERDAY): StatementLine => ({
  id: `${provider}-${day}`,
  at: beginningOf(day),
  about: 'other',
  changeKobo,
  balanceKobo: changeKobo,
  reference: null,
  providerRef: null,
  sessionId: null,
});
async function imported(provider: string, lines: StatementLine[], day = YESTERDAY): Promise<void> {
  const cells = [...api.environments.live.cells.values()].map(({ schema }) => ({ schema, pool }));
  const { directory } = api.environments.live;
  const { cell: own } = ownBooks(api.environments.live);
  const source = { treasury: null, lines, mayBeNew: true };
  const outcome = await importDay({ pool, directory, provider }, own, cells, source, day);
  if (!outcome.ok) throw new Error(outcome.refusal.message);
}
const PATH = '/ops/live/days';
const show = async (provider: string) => (await ada.get(`${PATH}/${provider}/${YESTERDAY}`)).body.data;
const close = (provider: string, day = YESTERDAY) =>
  ada.post(`${PATH}/${provider}/${day}/close`, { note: 'Compared with the dashboard' });
const entry = (provider: string, more: object = {}) =>
  ada.post('/ops/live/treasury-entries', {
    entry: 'prefund',
    provider,
    line_id: `${provider}-${YESTERDAY}`,
    amount_kobo: 5_000,
    note: 'Transfer of the morning',
    ...more,
  });
const approve = (id: string) => bola.post(`/ops/proposals/${id}/approve`);
const INVALID = { status: 422, body: { error: 'INVALID_STATE' } };

test('a day is opened by its import, explained by two people, and closed by two people', async () => {
  await imported('first', [line('first', 5_000)]);
  expect(await show('first')).toMatchObject({ closing_kobo: 5_000, books_kobo: 0, open_findings: 2 });
  expect(await close('first')).toMatchObject(INVALID);

  const proposed = await entry('first');
  expect(proposed).toMatchObject({
    status: 202,
    body: { data: { kind: 'book_treasury', partner_id: null, terms: { line_id: `first-${YESTERDAY}` } } },
  });
  const { id } = proposed.body.data;
  expect(await ada.post(`/ops/proposals/${id}/approve`)).toMatchObject({ status: 403 });
  expect((await approve(id)).body.data).toMatchObject({ status: 'applied' });
  // The same approval again books nothing.
  expect((await approve(id)).body.data).toMatchObject({ status: 'applied' });
  expect(
    await world.sql(
      `SELECT account, amount_kobo::int FROM ${FIRST_LIVE_CELL}.entries WHERE transaction_id = $1 ORDER BY account`,
      [id],
    ),
  ).toEqual([
    { account: expect.stringMatching(/1100$/), amount_kobo: 5_000 },
    { account: companyAccountId('1200', 'first'), amount_kobo: -5_000 },
  ]);

  await imported('first', [line('first', 5_000)]);
  const closing = await close('first');
  expect(closing).toMatchObject({
    status: 202,
    body: { data: { kind: 'close_day', terms: { closing_kobo: 5_000, books_kobo: 5_000, explained: 0 } } },
  });
  expect((await show('first')).closed_at).toBeNull();
  expect((await approve(closing.body.data.id)).body.data).toMatchObject({ status: 'applied' });
  expect(await show('first')).toMatchObject({
    closed_at: expect.any(String),
    closed_by_proposal: closing.body.data.id,
  });
  expect((await ada.get(PATH)).body.data).toContainEqual(await show('first'));
  // Nothing is added to a closed day, and it is not closed twice.
  expect(await close('first')).toMatchObject(INVALID);
  expect(await entry('first', { entry: 'fee_back', amount_kobo: 1 })).toMatchObject(INVALID);
});

test('one line is explained once by each kind of entry, and by no more than it says', async () => {
  await imported('second', [line('second', 5_000)]);
  for (const wrong of [
    { amount_kobo: 5_001 },
    { entry: 'withdrawal' },
    { entry: 'settlement_to_bank' },
    { fee_kobo: 1 },
  ]) {
    expect(await entry('second', wrong)).toMatchObject(INVALID);
  }
  expect(await entry('second', { line_id: 'nobody' })).toMatchObject({ status: 404 });
  expect(await entry('second', { entry: 'gift' })).toMatchObject({
    status: 422,
    body: { error: 'VALIDATION_ERROR' },
  });
  expect(await entry('second', { amount_kobo: 0 })).toMatchObject({
    status: 422,
    body: { error: 'VALIDATION_ERROR' },
  });
  const [one, other] = [await entry('second'), await entry('second')];
  expect((await approve(one.body.data.id)).body.data).toMatchObject({ status: 'applied' });
  expect(await approve(other.body.data.id)).toMatchObject(INVALID);
  const [{ count }] = (await world.sql(
    `SELECT count(*)::int AS count FROM ${FIRST_LIVE_CELL}.entries WHERE account = $1`,
    [companyAccountId('1200', 'second')],
  )) as [{ count: number }];
  expect(count).toBe(1);
});

test('a wrong line is withdrawn by two people, with what was booked for it', async () => {
  await imported('wrong', [line('wrong', 5_000)]);
  const booked = await entry('wrong');
  expect((await approve(booked.body.data.id)).body.data).toMatchObject({ status: 'applied' });
  const withdraw = (day: string, lineId = `wrong-${YESTERDAY}`) =>
    ada.post(`${PATH}/wrong/${day}/withdraw-line`, { line_id: lineId, note: 'Typed wrong' });
  expect(await withdraw(YESTERDAY, 'nobody')).toMatchObject({ status: 404 });
  expect(await withdraw(dayAfter(YESTERDAY))).toMatchObject({ status: 404 });
  expect(await withdraw('yesterday')).toMatchObject({ status: 404 });
  const proposed = await withdraw(YESTERDAY);
  expect(proposed).toMatchObject({
    status: 202,
    body: { data: { kind: 'withdraw_line', partner_id: null, terms: { change_kobo: 5_000, entries: 1 } } },
  });
  const { id } = proposed.body.data;
  expect(await ada.post(`/ops/proposals/${id}/approve`)).toMatchObject({ status: 403 });
  expect((await approve(id)).body.data).toMatchObject({ status: 'applied' });
  expect((await approve(id)).body.data).toMatchObject({ status: 'applied' });
  const [{ kobo }] = (await world.sql(
    `SELECT sum(amount_kobo)::int AS kobo FROM ${FIRST_LIVE_CELL}.entries WHERE account = $1`,
    [companyAccountId('1200', 'wrong')],
  )) as [{ kobo: number }];
  expect(kobo).toBe(0);
  expect((await close('wrong')).body.message).toContain('a line of it was withdrawn');
  expect(await withdraw(YESTERDAY)).toMatchObject({ status: 404 });
});

test('a day is closed as people have seen it, after its end, and after the day before it', async () => {
  const today = dayAfter(YESTERDAY);
  await imported('third', [line('third', 0)]);
  await imported('third', [], today);
  expect(await close('third', today)).toMatchObject(INVALID);
  const closing = await close('third');
  expect(closing.status).toBe(202);
  await world.sql('SELECT pg_sleep(0.01)');
  await imported('third', [line('third', 0)]);
  expect(await approve(closing.body.data.id)).toMatchObject(INVALID);
  const again = await close('third');
  expect((await approve(again.body.data.id)).body.data).toMatchObject({ status: 'applied' });
  expect((await close('third', today)).body.message).toContain('after its end');
  expect(await close('third', '2020-01-01')).toMatchObject({ status: 404 });
  expect(await close('third', 'today')).toMatchObject({ status: 404 });
  expect(await close('nobody')).toMatchObject({ status: 404 });
});
