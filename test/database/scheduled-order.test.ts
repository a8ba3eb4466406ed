/**
 * The due times of one partner run in their order, whichever workflow wakes first (D205), and what a forward goes over is
 * decided as of its own moment: the holds, the freezes and the day of then (D214).
 */
import type pg from 'pg';
import { insertPartner } from '../../src/db/partners/credentials';
import { endHold } from '../../src/db/payments/holds';
import { insertSchedule } from '../../src/db/payments/scheduled-transfers';
import { newId } from '../../src/db/pg/ids';
import { forwardDeadlines } from '../../src/db/upkeep/forwards';
import { scheduleIntention } from '../../src/contract/intentions';
import { CALENDAR_ZONE, dueAfter, type CalendarRule } from '../../src/domain/calendar';
import { beginningOf, dayAfter, dayOf } from '../../src/domain/days';
import type { OnInsufficientFunds } from '../../src/domain/scheduled-transfers';
import { activitiesForFile } from '../support/scene';
import { activityContext } from '../support/activities';
import { openHolder } from '../support/holder';
import { p2p } from '../support/movements';
import { valueAs } from '../support/outcomes';
import { SANDBOX_CELL } from '../setup/cells';

const SECOND_MS = 1_000;
const DAY_S = 86_400;
const { cell, activities } = activitiesForFile();

let partnerId: string;
let [employer, worker, landlord] = ['', '', ''];
beforeEach(async () => {
  partnerId = newId();
  const cells = { sandbox: SANDBOX_CELL, live: SANDBOX_CELL.replace('sandbox', 'live') };
  const names = { businessName: 'Acme Fintech', email: `${partnerId}@acme.example` };
  await insertPartner(cell.owner, { id: partnerId, ...names, status: 'registered' }, cells);
  employer = await cell.wallet({ partnerId, fundKobo: 1_000_000 });
  worker = await cell.wallet({ partnerId });
  landlord = await cell.wallet({ partnerId });
});

/** Ten years away, so that a rule never ends while a test runs. */
const rule = (at: string): CalendarRule => ({ every: 'day', at, startsOn: null, endsOn: null });
interface Plan {
  from: string;
  to: string;
  kobo: number;
  rule?: CalendarRule;
  policy?: OnInsufficientFunds;
}
/** A transfer every day. @param firstDueAt its first due time. */
async function plan(firstDueAt: Date, { from, to, kobo, policy = 'skip', ...more }: Plan): Promise<string> {
  const id = newId();
  valueAs(
    await insertSchedule(
      cell.forApi,
      {
        id,
        partnerId,
        reference: id,
        payment: {
          sourceWalletId: from,
          to: { destWalletId: to },
          amountKobo: kobo,
          description: '',
          metadata: {},
        },
        times: { dueAt: null, rule: more.rule ?? rule('23:59'), count: null },
        onInsufficientFunds: policy,
        firstDueAt,
        digest: '',
        key: null,
        answer: () => ({ status: 201, body: '{}' }),
        intend: scheduleIntention,
        activeMax: 100,
        canForward: true,
      },
      SECOND_MS,
    ),
    'accepted',
  );
  return id;
}
/** One look of the workflow of a scheduled transfer. */
const look = (id: string, scheduledAgoMs = 0): Promise<unknown> =>
  activityContext({ scheduledTimestampMs: Date.now() - scheduledAgoMs }).run(
    activities.activities.runDue as never,
    { partnerId, scheduledTransferId: id } as never,
  );
const runsOf = async (id: string): Promise<unknown[]> =>
  (
    await cell.sql(
      `SELECT status, reason FROM ${SANDBOX_CELL}.scheduled_transfer_runs WHERE scheduled_transfer_id = $1 ORDER BY number`,
      [id],
    )
  ).map(({ status, reason }) => reason ?? status);
/** The due times that were paid, in the order of their payments. */
const paid = async (): Promise<string[]> =>
  (
    await cell.sql(
      `SELECT r.scheduled_transfer_id AS id FROM ${SANDBOX_CELL}.scheduled_transfer_runs r
         JOIN ${SANDBOX_CELL}.transactions t ON t.id = r.transaction_id WHERE t.partner_id = $1 ORDER BY t.created_at, t.id`,
      [partnerId],
    )
  ).map(({ id }) => id);
const ago = (seconds: number): Date => new Date(Date.now() - seconds * SECOND_MS);
const forward = (days: number) =>
  forwardDeadlines(cell.forApi, partnerId, {
    seconds: days * DAY_S,
    windowMs: SECOND_MS,
    refusalOf: () => null,
  });

describe('late', () => {
  test('what is due later waits for what is due earlier, whoever looks first', async () => {
    const salary = await plan(ago(50), { from: employer, to: worker, kobo: 100_000 });
    const rents = await Promise.all(
      Array.from({ length: 15 }, (_, n) => plan(ago(49 - n), { from: worker, to: landlord, kobo: 5_000 })),
    );
    await Promise.all([...rents.toReversed(), salary].map((id) => look(id)));
    for (const id of [salary, ...rents]) expect(await runsOf(id)).toEqual(['paid']);
    expect(await paid()).toEqual([salary, ...rents]);
  });

  test('one look pays what is due before it, and leaves what is due after it', async () => {
    const rent = await plan(ago(10), { from: worker, to: landlord, kobo: 5_000 });
    const salary = await plan(ago(20), { from: employer, to: worker, kobo: 100_000 });
    const later = await plan(ago(5), { from: worker, to: landlord, kobo: 5_000 });
    await look(rent);
    expect(await paid()).toEqual([salary, rent]);
    expect(await runsOf(later)).toEqual([]);
  });

  test('the due times of one scheduled transfer take their places among those of others', async () => {
    const daily = { from: worker, to: landlord, kobo: 60_000 };
    const rent = await plan(ago(2 * 3_600), { ...daily, policy: 'retry' });
    expect(await look(rent)).toMatchObject({ status: 'active' });
    expect(await runsOf(rent)).toEqual(['INSUFFICIENT_FUNDS']);
    const salary = await plan(ago(60), { from: employer, to: worker, kobo: 100_000 });
    // It waits for money, and holds nothing up.
    await look(salary);
    expect(await paid()).toEqual([salary]);
    await cell.sql(`UPDATE ${SANDBOX_CELL}.scheduled_transfers SET look_at = $2 WHERE id = $1`, [
      rent,
      ago(30),
    ]);
    const loan = await plan(ago(20), { from: worker, to: landlord, kobo: 60_000 });
    await look(loan);
    expect(await paid()).toEqual([salary, rent]);
    expect(await runsOf(loan)).toEqual(['INSUFFICIENT_FUNDS']);
  });

  test('an outage that an earlier one waits for holds up the later ones for a while, and not for ever', async () => {
    const stuck = await plan(ago(20), { from: employer, to: worker, kobo: 1_000 });
    const other = await cell.wallet({ partnerId, fundKobo: 10_000 });
    const later = await plan(ago(10), { from: other, to: landlord, kobo: 1_000 });
    const pool: pg.Pool = cell.owner;
    const holder = await openHolder(pool);
    await holder.hold('accounts', employer);
    await expect(look(later)).rejects.toThrow();
    expect(await runsOf(later)).toEqual(['running']);
    await look(later, 31_000);
    expect(await runsOf(later)).toEqual(['paid']);
    await holder.close();
    await look(stuck);
    expect(await runsOf(stuck)).toEqual(['paid']);
  }, 60_000);

  test('another partner is not waited for', async () => {
    const others = { partnerId, employer };
    await plan(ago(20), { from: employer, to: worker, kobo: 1_000 });
    partnerId = newId();
    const cells = { sandbox: SANDBOX_CELL, live: SANDBOX_CELL.replace('sandbox', 'live') };
    const names = { businessName: 'Acme Two', email: `${partnerId}@acme.example` };
    await insertPartner(cell.owner, { id: partnerId, ...names, status: 'registered' }, cells);
    const from = await cell.wallet({ partnerId, fundKobo: 10_000 });
    const own = await plan(ago(10), { from, to: await cell.wallet({ partnerId }), kobo: 1_000 });
    await look(own);
    expect(await runsOf(own)).toEqual(['paid']);
    expect(await cell.balanceKobo(others.employer)).toBe(1_000_000);
  });
});

describe('a forward', () => {
  const soon = (): Date => new Date(Date.now() + 3_600 * SECOND_MS);
  const dueDaily = (at: Date): CalendarRule =>
    rule(at.toLocaleTimeString('en-GB', { timeZone: CALENDAR_ZONE, hour: '2-digit', minute: '2-digit' }));
  const next = (of: CalendarRule): Date => dueAfter(of, new Date())!;

  test('runs the due times of all scheduled transfers in one order', async () => {
    const [morning, noon] = [dueDaily(soon()), dueDaily(new Date(soon().getTime() + 3_600 * SECOND_MS))];
    const salary = await plan(next(morning), { from: employer, to: worker, kobo: 20_000, rule: morning });
    const rent = await plan(next(noon), { from: worker, to: landlord, kobo: 19_000, rule: noon });
    await forward(3);
    await Promise.all([look(rent), look(salary)]);
    expect(await runsOf(rent)).toEqual(['paid', 'paid', 'paid']);
    expect(await paid()).toEqual([salary, rent, salary, rent, salary, rent]);
  });

  test('ends a hold at its time among them', async () => {
    const daily = dueDaily(soon());
    const saved = await cell.wallet({ partnerId, fundKobo: 50_000 });
    const rent = await plan(next(daily), { from: saved, to: landlord, kobo: 20_000, rule: daily });
    const holdId = newId();
    await cell.sql(
      `WITH held AS (UPDATE ${SANDBOX_CELL}.accounts SET held_kobo = 40000 WHERE id = $1)
       INSERT INTO ${SANDBOX_CELL}.holds (id, partner_id, wallet_id, amount_kobo, reference, status, created_at, expires_at)
       VALUES ($2, $3, $1, 40000, 'held', 'open', now(), $4::timestamptz + interval '36 hours')`,
      [saved, holdId, partnerId, next(daily)],
    );
    await forward(4);
    // Its workflow may come first.
    await endHold(cell.cell, { partnerId, holdId, trigger: 'expire' });
    await look(rent);
    expect(await runsOf(rent)).toEqual(['INSUFFICIENT_FUNDS', 'INSUFFICIENT_FUNDS', 'paid', 'paid']);
  });

  test('and does not count one that was over before', async () => {
    const daily = dueDaily(soon());
    const saved = await cell.wallet({ partnerId, fundKobo: 50_000 });
    await cell.sql(
      `INSERT INTO ${SANDBOX_CELL}.holds (id, partner_id, wallet_id, amount_kobo, reference, status, created_at, expires_at, ended_at)
       VALUES ($2, $3, $1, 40000, 'over', 'expired', now() - interval '1 hour', now() - interval '1 minute', now() - interval '1 minute')`,
      [saved, newId(), partnerId],
    );
    const rent = await plan(next(daily), { from: saved, to: landlord, kobo: 20_000, rule: daily });
    await forward(2);
    await look(rent);
    expect(await runsOf(rent)).toEqual(['paid', 'paid']);
  });

  test('ends a freeze at its time among them', async () => {
    const daily = dueDaily(soon());
    const rent = await plan(next(daily), { from: employer, to: landlord, kobo: 1_000, rule: daily });
    await cell.sql(
      `UPDATE ${SANDBOX_CELL}.accounts SET status = 'frozen', frozen_by = 'partner',
         frozen_until = $2::timestamptz + interval '12 hours' WHERE id = $1`,
      [employer, next(daily)],
    );
    await forward(2);
    await look(rent);
    expect(await runsOf(rent)).toEqual(['WALLET_FROZEN', 'paid']);
  });

  test('counts each due time on the day of its own date, and today is the day of the calendar then', async () => {
    await cell.sql(
      `UPDATE ${SANDBOX_CELL}.accounts SET limit_tier = 'tier_1', counted_from = now() WHERE id = $1`,
      [employer],
    );
    await fund(employer, 20_000_000);
    const noon = rule('12:00');
    const large = { from: employer, to: landlord, kobo: 4_000_000, rule: noon };
    const first = next(noon);
    const rent = await plan(first, large);
    await forward(3);
    await lookUntilDone(rent);
    expect(await runsOf(rent)).toEqual(['paid', 'paid', 'paid']);
    // What is paid now counts on the day that the calendar shows.
    const by = { partnerId, from: employer, to: landlord };
    const now = await cell.openWriter().post(p2p({ ...by, amountKobo: 1_000_001, reference: newId() }));
    const isLastDay = dayOf(new Date(Date.now() + 3 * DAY_S * SECOND_MS)) === dayOf(dueDays(first, 2));
    expect(now.ok || now.refusal.code).toBe(isLastDay ? 'LIMIT_EXCEEDED' : true);
    expect(now.ok || now.refusal.detail?.['resetsAt']).toBe(
      now.ok || beginningOf(dayAfter(dayOf(new Date()))).toISOString(),
    );
  });

  test('tries what a daily limit refused again when the limit begins anew, with retry', async () => {
    await cell.sql(
      `UPDATE ${SANDBOX_CELL}.accounts SET limit_tier = 'tier_1', counted_from = now() WHERE id = $1`,
      [employer],
    );
    await fund(employer, 20_000_000);
    const [noon, afternoon] = [rule('12:00'), rule('14:00')];
    const of = { from: employer, to: landlord };
    const first = next(noon);
    const rent = await plan(first, { ...of, kobo: 4_000_000, rule: noon });
    const loan = await plan(new Date(first.getTime() + 2 * 3_600 * SECOND_MS), {
      ...of,
      kobo: 2_000_000,
      rule: afternoon,
      policy: 'retry',
    });
    await forward(2);
    await lookUntilDone(loan);
    // The loan of the first day waits for midnight, and leaves too little of the second day for its rent.
    expect((await runsOf(loan))[0]).toBe('paid');
    expect(await runsOf(rent)).toEqual(['paid', 'LIMIT_EXCEEDED']);
  });
});

const dueDays = (first: Date, days: number): Date => new Date(first.getTime() + days * DAY_S * SECOND_MS);

/** As its workflow looks: again and again, while there is something to do now. */
async function lookUntilDone(id: string): Promise<void> {
  for (;;) {
    const { lookAgainAt } = (await look(id)) as { lookAgainAt: string | null };
    if (lookAgainAt === null || Date.parse(lookAgainAt) > Date.now()) return;
  }
}

/** Money from outside, without its limits. */
async function fund(walletId: string, kobo: number): Promise<void> {
  const from = await cell.wallet({ partnerId, fundKobo: kobo + 1_000 });
  await cell.sql(`UPDATE ${SANDBOX_CELL}.accounts SET limit_tier = NULL WHERE id = $1`, [walletId]);
  await cell.openWriter().post(p2p({ partnerId, from, to: walletId, amountKobo: kobo - 100_000 }));
  await cell.sql(`UPDATE ${SANDBOX_CELL}.accounts SET limit_tier = 'tier_1' WHERE id = $1`, [walletId]);
}
