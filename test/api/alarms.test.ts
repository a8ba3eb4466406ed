/**
 * Each alarm that the API raises by itself is raised once, by breaking what it watches. The alarms about workers are in
 * test/e2e/alarms.test.ts.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { beginningOf, dayOf } from '../../src/domain/days';
import type { TestApi } from '../support/api';
import { notRaised, raisedAmong } from '../support/alarms';
import { standStill } from '../support/dates';
import { pastChecks } from '../support/past-checks';
import { readMetrics, type Sample } from '../support/prometheus';
import { apiForFile, partnerForFile } from '../support/scene';
import { send } from '../support/send';
import { LIVE_CELL, SANDBOX_CELL } from '../setup/cells';

const { world, api } = apiForFile();
const partner = partnerForFile(api);
let owner: pg.Pool;

beforeAll(() => {
  owner = new pg.Pool({ connectionString: world.databaseUrl, max: 2 });
  owner.on('error', () => undefined);
});
afterAll(() => owner.end());

const scrape = async (of: TestApi): Promise<Sample[]> =>
  readMetrics((await send(`http://127.0.0.1:${of.operatorPort}/metrics`, 'GET')).text);

/**
 * What is read from the database is remembered for seconds, so each look has an API of its own. It is stopped at once:
 * together they would have more than half of the connections of the tests' Postgres.
 */
async function looked(): Promise<Sample[]> {
  const api = await world.startApi();
  try {
    return await scrape(api);
  } finally {
    await api.stop();
  }
}

test('a platform on which nothing is wrong, apart from Temporal, raises no alarm', async () => {
  const now = await looked();
  const names = ['LedgerOutOfBalance', 'BooksContradictThemselves', 'OtherFinding', 'WorkflowsDoNotStart'];
  names.push('MoneyWithoutFinding');
  names.push('TransferWithoutAnOutcome', 'WalletsWait', 'VerificationsWait', 'WebhooksAreLate', 'NotReady');
  names.push('RequestsWaitForPostgres', 'TransferWithoutAnOutcomeForADay', 'WorkersAreAway');
  names.push('ReconciliationStandsStill', 'DayIsNotClosed', 'CompanyGetsNoOrders', 'TransferThatNobodyTakes');
  names.push('OrderOfUnknownFate', 'PayoutNeedsAuthorization', 'FloatRunsOut', 'NoMoneyComesIn');
  names.push('CallbacksAreNotProcessed');
  expect(raisedAmong(names, now)).toEqual([]);
});

test('without Temporal: TemporalIsAway, and nothing is said of its queues', async () => {
  const now = await looked();
  expect(notRaised(['TemporalIsAway'], now)).toEqual([]);
  expect(now.filter(({ name }) => name === 'workers_seen' || name === 'task_queue_backlog_seconds')).toEqual(
    [],
  );
});

/** The ways to break something in the database. */
const BROKEN: { raises: string[]; how: string; breakIt: () => Promise<unknown> }[] = [
  {
    raises: ['WalletsWait', 'WorkflowsDoNotStart'],
    how: 'a wallet gets no account number',
    breakIt: async () => {
      const { body } = await partner.post('/v1/wallets', { user_ref: 'waiting' });
      await pastChecks(owner, [
        `UPDATE wallets SET account_wanted_at = now() - interval '1 hour' WHERE id = '${body.data.id}'`,
        `UPDATE workflow_intentions SET created_at = now() - interval '1 hour' WHERE resource_id = '${body.data.id}'`,
      ]);
    },
  },
  {
    raises: ['VerificationsWait'],
    how: 'a verification gets no result',
    breakIt: async () => {
      await partner.post('/v1/kyc/bvn', { user_ref: 'waiting', bvn: '22212345678' });
      await pastChecks(owner, [`UPDATE verifications SET created_at = now() - interval '2 hours'`]);
    },
  },
  {
    raises: ['TransferWithoutAnOutcome', 'TransferWithoutAnOutcomeForADay', 'TransferThatNobodyTakes'],
    how: 'a transfer stays without an outcome, and no company has it',
    breakIt: async () => {
      await partner.post('/v1/transfers/bank', {
        source_wallet: await partner.wallet({ fundKobo: 100_000 }),
        dest_account: { bank_code: '058', account_number: '0123456789', account_name: 'Ada Obi' },
        amount: 10_000,
        reference: 'stays',
      });
      await pastChecks(owner, [
        `UPDATE transactions SET created_at = now() - interval '25 hours' WHERE reference = 'stays'`,
      ]);
    },
  },
  {
    raises: ['OrderOfUnknownFate'],
    how: 'the answer to an order was lost, and the company says nothing',
    breakIt: () =>
      pastChecks(owner, [
        `INSERT INTO transfer_attempts (transaction_id, n, provider, state, open_posts, created_at)
         SELECT id, 1, 'first', 'sending', 1, now() - interval '16 minutes' FROM transactions WHERE reference = 'stays'`,
      ]),
  },
  {
    raises: ['PayoutNeedsAuthorization'],
    how: 'a company waits for the code of a person',
    breakIt: () =>
      pastChecks(owner, [`UPDATE transfer_attempts SET state = 'accepted', needs_authorization = true`]),
  },
  {
    raises: ['CompanyGetsNoOrders'],
    how: 'the breaker of a company has been open for six minutes',
    breakIt: () =>
      owner.query(
        `INSERT INTO live_directory.provider_breakers (provider, bank_code, window_from, calls, unknown, opened_at,
           open_until, is_probing) VALUES ('first', '', now(), 20, 10, now() - interval '6 minutes', now(), false)`,
      ),
  },
  {
    raises: ['CallbacksAreNotProcessed'],
    how: 'no workflow was told of a payment that came in',
    breakIt: () =>
      owner.query(
        `INSERT INTO live_directory.provider_notices (id, provider, body_sha256, about, reference, received_at)
         VALUES (gen_random_uuid(), 'first', 'x', 'payment', 'r', now() - interval '6 minutes')`,
      ),
  },
  {
    raises: ['WebhooksAreLate'],
    how: 'nobody sends a webhook',
    breakIt: async () => {
      const hook = { url: 'https://hooks.acme.example/in', events: ['transaction.completed'] };
      expect((await partner.post('/v1/webhooks', hook)).status).toBe(201);
      await partner.wallet({ fundKobo: 5 });
      await pastChecks(owner, [`UPDATE deliveries SET next_attempt_at = now() - interval '2 minutes'`]);
    },
  },
  {
    raises: ['LedgerOutOfBalance'],
    how: 'somebody adds an entry without the application',
    breakIt: async () => {
      await partner.wallet({ fundKobo: 5 });
      await pastChecks(owner, [
        `UPDATE entries SET amount_kobo = amount_kobo + 1 WHERE id = (SELECT id FROM entries ORDER BY id DESC LIMIT 1)`,
      ]);
    },
  },
  {
    raises: ['ReconciliationStandsStill'],
    how: 'no run of the reconciliation has ended',
    breakIt: () =>
      pastChecks(owner, [
        `INSERT INTO recon_progress (pass, position, updated_at)
         VALUES ('whole run', '', now() - interval '16 minutes')`,
      ]),
  },
  {
    raises: ['DayIsNotClosed'],
    how: 'nobody has closed the day before yesterday',
    breakIt: () =>
      owner.query(
        `INSERT INTO live_directory.provider_days (provider, day, opening_kobo, closing_kobo, lines, books_kobo,
           under_way_kobo, receivable_kobo) VALUES ('first', current_date - 2, 0, 0, 0, 0, 0, 0)`,
      ),
  },
  {
    raises: ['MoneyWithoutFinding'],
    how: 'money is in suspense, and no finding stands for it',
    breakIt: () =>
      pastChecks(owner, [
        `INSERT INTO entries (transaction_id, step, account, id, amount_kobo, created_at)
         VALUES (gen_random_uuid(), 'return', '00000000-0000-0000-0000-000000002900', gen_random_uuid(), 105000, now())`,
      ]),
  },
  {
    raises: ['BooksContradictThemselves', 'OtherFinding'],
    how: 'the reconciliation finds a broken chain',
    breakIt: () =>
      pastChecks(owner, [
        `INSERT INTO recon_findings (id, class, resource, detail) VALUES (gen_random_uuid(), 'chain_broken', 'x', '{}')`,
      ]),
  },
];

test.each(BROKEN)('$raises: $how', async ({ raises, breakIt }) => {
  await breakIt();
  expect(notRaised(raises, await looked())).toEqual([]);
});

/** An API with Paystack in live, and with this balance there. */
const withPaystack = (floatKobo: number): Promise<TestApi> =>
  world.startApi({ LIVE_PAYOUTS: 'paystack', PAYSTACK_SECRET_KEY: 'sk_test_fake' }, (environment) => {
    const treasury = environment.providers.treasury.map((company) => ({
      ...company,
      treasury: { ...company.treasury, balance: () => Promise.resolve(floatKobo) },
    }));
    return { ...environment, providers: { ...environment.providers, treasury } };
  });

test('FloatRunsOut: the payouts of four hours are one kobo more than our balance', async () => {
  const paying = await withPaystack(1);
  const live = await paying.partner({ environment: 'live', status: 'active' });
  const paid = await live.post('/v1/transfers/bank', {
    source_wallet: await live.wallet({ fundKobo: 100_000 }),
    dest_account: { bank_code: '058', account_number: '0123456789', account_name: 'Ada Obi' },
    amount: 10_000,
    reference: 'paid',
  });
  expect(paid.status).toBe(202);
  await owner.query(
    `INSERT INTO ${LIVE_CELL}.transfer_attempts (transaction_id, n, provider, state, open_posts)
     SELECT id, 1, 'paystack', 'accepted', 1 FROM ${LIVE_CELL}.transactions WHERE reference = 'paid'`,
  );
  expect(raisedAmong(['FloatRunsOut'], await scrape(await withPaystack(10_000)))).toEqual([]);
  expect(notRaised(['FloatRunsOut'], await scrape(await withPaystack(9_999)))).toEqual([]);
});

test('NoMoneyComesIn: nothing has come since the morning through a company that brought money before', async () => {
  const noon = new Date(beginningOf(dayOf(new Date())).getTime() + 12 * 3_600_000);
  const at = async (now: Date): Promise<Sample[]> => {
    const looking = await withPaystack(1);
    standStill(now);
    return scrape(looking).finally(() => jest.useRealTimers());
  };
  expect(raisedAmong(['NoMoneyComesIn'], await at(noon))).toEqual([]);
  await owner.query(
    `INSERT INTO live_directory.inbound_claims (provider, reference, credit_id, cell)
     VALUES ('paystack', 'long-ago', gen_random_uuid(), $1)`,
    [LIVE_CELL],
  );
  expect(notRaised(['NoMoneyComesIn'], await at(noon))).toEqual([]);
  const night = new Date(noon.getTime() + 9 * 3_600_000);
  expect(raisedAmong(['NoMoneyComesIn'], await at(night))).toEqual([]);
});

test('FailingRequests: a table is missing, so requests are answered 500', async () => {
  const broken = await world.startApi();
  const at = partner.at(broken);
  await at.get('/v1/webhooks');
  const before = await scrape(broken);
  await pastChecks(owner, ['ALTER TABLE webhook_endpoints RENAME TO lost']);
  expect((await at.get('/v1/webhooks')).status).toBe(500);
  await pastChecks(owner, ['ALTER TABLE lost RENAME TO webhook_endpoints']);
  // The next answer shows that the observation of the last one was made.
  await at.get('/v1/webhooks');
  // A series that was not there before has no increase in Prometheus either; a second failure has one.
  const between = await scrape(broken);
  await pastChecks(owner, ['ALTER TABLE webhook_endpoints RENAME TO lost']);
  await at.get('/v1/webhooks');
  await pastChecks(owner, ['ALTER TABLE lost RENAME TO webhook_endpoints']);
  await at.get('/v1/webhooks');
  expect(raisedAmong(['FailingRequests'], between, before)).toEqual([]);
  expect(notRaised(['FailingRequests'], await scrape(broken), between)).toEqual([]);
});

test('SlowMoney: a row that a transfer needs stays locked', async () => {
  const slow = await world.startApi();
  const [source, dest] = [await partner.wallet({ fundKobo: 100_000 }), await partner.wallet()];
  const pay = (reference: string) =>
    partner
      .at(slow)
      .post('/v1/transfers/p2p', { source_wallet: source, dest_wallet: dest, amount: 1_000, reference });
  await pay('quick');
  const before = await scrape(slow);
  const holder = await owner.connect();
  await holder.query('BEGIN');
  await holder.query(`SELECT FROM ${SANDBOX_CELL}.accounts WHERE id = $1 FOR UPDATE`, [source]);
  const paying = pay('slow');
  await sleep(700);
  await holder.query('COMMIT');
  holder.release();
  expect((await paying).status).toBe(200);
  await partner.at(slow).get('/v1/webhooks');
  expect(notRaised(['SlowMoney'], await scrape(slow), before)).toEqual([]);
});

test('RequestsWaitForPostgres: all connections wait for a lock', async () => {
  const busy = await world.startApi();
  await partner.at(busy).get('/v1/webhooks');
  const holder = await owner.connect();
  await holder.query('BEGIN');
  await holder.query(`LOCK TABLE ${SANDBOX_CELL}.webhook_endpoints`);
  const asking = Array.from({ length: 15 }, () => partner.at(busy).get('/v1/webhooks'));
  await sleep(500);
  const scraping = scrape(busy);
  await sleep(300);
  await holder.query('COMMIT');
  holder.release();
  await Promise.all(asking);
  expect(notRaised(['RequestsWaitForPostgres'], await scraping)).toEqual([]);
});

test('ProcessStalls: something keeps the process busy', async () => {
  await scrape(api);
  const until = performance.now() + 400;
  while (performance.now() < until);
  expect(notRaised(['ProcessStalls'], await scrape(api))).toEqual([]);
});

test('NotReady: the process is about to end, and when no process is seen at all', async () => {
  const ending = await world.startApi();
  expect(raisedAmong(['NotReady'], await scrape(ending))).toEqual([]);
  ending.drain();
  expect(notRaised(['NotReady'], await scrape(ending))).toEqual([]);
  expect(notRaised(['NotReady'], [])).toEqual([]);
});

test('the gauges of a cell are there for both environments', async () => {
  const now = await looked();
  const cells = now
    .filter(({ name }) => name === 'wallet_pending_oldest_seconds')
    .map(({ labels }) => labels['cell']);
  expect(cells).toEqual(expect.arrayContaining([SANDBOX_CELL, LIVE_CELL]));
});
