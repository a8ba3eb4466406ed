/**
 * Each alarm that the API raises by itself is raised once, by breaking what it watches. The alarms about workers are in
 * test/e2e/alarms.test.ts.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { firstIdSince, newId } from '../../src/db/pg/ids';
import { beginningOf, dayOf } from '../../src/domain/days';
import type { TestApi } from '../support/api';
import { notRaised, raisedAmong } from '../support/alarms';
import { standStill } from '../support/dates';
import { pastChecks } from '../support/past-checks';
import { readMetrics, scrapedFrom, type Sample } from '../support/prometheus';
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
  names.push('CallbacksAreNotProcessed', 'CompanyWaitsForReview', 'ProposalWaits', 'PaymentWithoutAnOwner');
  names.push('RepairWaits', 'OperatorIsNotAdmitted', 'BackupIsOld', 'AnchorIsOld', 'ProcessDied');
  names.push('CertificateEnds', 'CertificateEndsSoon');
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
    raises: ['BanksDiffer'],
    how: 'a company lists a bank no more',
    breakIt: () =>
      owner.query(
        `INSERT INTO live_directory.bank_lists (company, looked_at, codes, names, gone) VALUES ('first', now(), 0, 3, 1)`,
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

/** What waits for a person, each a little longer than its alarm allows. */
const WAITING: typeof BROKEN = [
  {
    raises: ['CompanyWaitsForReview'],
    how: 'nobody has looked at the record of a company for a day',
    breakIt: () =>
      owner.query(
        `INSERT INTO ${LIVE_CELL}.compliance_records (partner_id, status, updated_at)
         VALUES (gen_random_uuid(), 'submitted', now() - interval '25 hours')`,
      ),
  },
  {
    raises: ['ProposalWaits'],
    how: 'nobody has approved a proposal for five hours',
    breakIt: async () => {
      await makeOperator('Proposer', '5 hours');
      await owner.query(
        `INSERT INTO platform.proposals (id, kind, approvals_needed, environment, terms, proposed_by, created_at)
         SELECT gen_random_uuid(), 'close_day', 1, 'live', '{}', id, now() - interval '5 hours'
           FROM platform.operators WHERE name = 'Proposer'`,
      );
    },
  },
  {
    raises: ['OperatorIsNotAdmitted'],
    how: 'the second operator waits for the first one',
    breakIt: () => makeOperator('Waiting', '2 hours', false),
  },
  {
    raises: ['PaymentWithoutAnOwner'],
    how: 'a payment of yesterday has no owner',
    breakIt: () =>
      owner.query(
        `INSERT INTO ${LIVE_CELL}.recon_findings (id, class, resource, detail, first_seen)
         VALUES (gen_random_uuid(), 'payment_unallocated', 'credit', '{}', now() - interval '25 hours')`,
      ),
  },
  {
    raises: ['RepairWaits'],
    how: 'an operator has not approved a repair for two hours',
    breakIt: () =>
      owner.query(
        `INSERT INTO ${LIVE_CELL}.repairs (id, proposal_id, finding_id, partner_id, kind, resource, step, terms, note,
           evidence_ref, proposed_by, proposed_at)
         SELECT gen_random_uuid(), gen_random_uuid(), id, gen_random_uuid(), 'step', gen_random_uuid(), 'accept', '{}', '',
                '', 'Tunde', now() - interval '2 hours' FROM ${LIVE_CELL}.recon_findings LIMIT 1`,
      ),
  },
  {
    raises: ['MovementsAreBehind'],
    how: 'nothing was shipped outside of the database for five minutes',
    breakIt: () =>
      owner.query(
        `INSERT INTO live_directory.movements_shipped VALUES ('file:///outside', now() - interval '5 minutes')`,
      ),
  },
  {
    raises: ['BackupIsOld', 'AnchorIsOld'],
    how: 'nothing was done for a day',
    breakIt: () => owner.query(`UPDATE platform.chores SET at = now() - interval '25 hours'`),
  },
];

/** @param isAdmitted whether the token works. */
async function makeOperator(name: string, age: string, isAdmitted = true): Promise<void> {
  await owner.query(
    `INSERT INTO platform.operators (id, name, role, token_hash, token_prefix, expires_at, created_at, admitted_at, admitted_by)
     SELECT gen_random_uuid(), $1::text, 'operator', sha256($1::text::bytea), 'op', now() + interval '3 hours',
            now() - $2::interval, CASE WHEN $3 THEN now() END,
            CASE WHEN $3 THEN (SELECT id FROM platform.operators
                                WHERE admitted_at IS NOT NULL AND expires_at > now() LIMIT 1) END`,
    [name, age, isAdmitted],
  );
}

test.each(WAITING)('$raises: $how', async ({ raises, breakIt }) => {
  expect(raisedAmong(raises, await looked())).toEqual([]);
  await breakIt();
  expect(notRaised(raises, await looked())).toEqual([]);
});

test('the sandbox is seen apart from live', async () => {
  const waits = (await looked()).filter(({ name }) => name === 'waiting_for_people');
  const companies = waits.filter(({ labels }) => labels['kind'] === 'company');
  const seen = companies.map(({ labels, value }) => [labels['environment'], labels['cell'], value]);
  expect(seen).toEqual(
    expect.arrayContaining([
      ['live', LIVE_CELL, 1],
      ['sandbox', SANDBOX_CELL, 0],
    ]),
  );
});

test('OperatorTokensEnd: of two operators whose tokens work, one ends within two hours', async () => {
  // Nobody works, and nobody's admission lasts, so that the next one is a first operator.
  await owner.query(
    `UPDATE platform.operators SET expires_at = now(), admitted_at = now() - interval '31 days'
      WHERE admitted_at IS NOT NULL`,
  );
  await makeOperator('First', '1 hour');
  expect(notRaised(['OperatorTokensEnd'], await looked())).toEqual([]);
  await makeOperator('Second', '1 hour');
  expect(raisedAmong(['OperatorTokensEnd'], await looked())).toEqual([]);
  await owner.query(
    `UPDATE platform.operators SET expires_at = now() + interval '119 minutes' WHERE name = 'First'`,
  );
  expect(notRaised(['OperatorTokensEnd'], await looked())).toEqual([]);
});

test('CertificateEnds, CertificateEndsSoon: the bundle of authorities for Temporal has ended', async () => {
  const file = join(__dirname, '..', 'certificates', 'ended.pem');
  const ending = await world.startApi({ TEMPORAL_TLS_SERVER_CA_CERT_PATH: file });
  expect(notRaised(['CertificateEnds', 'CertificateEndsSoon'], await scrape(ending))).toEqual([]);
  await ending.stop();
});

test('ProcessDied, FewerProcessesThanWanted: one of two processes does not answer, or none of a kind is there', async () => {
  const now = await looked();
  const scraped = ['api-sandbox', 'api-live', 'worker-sandbox', 'worker-live'].flatMap((name) =>
    [1, 2].map((number) => scrapedFrom(`partner-wallet-${name}`, `${name}-${String(number)}`, now)),
  );
  const all = scraped.flat();
  expect(raisedAmong(['ProcessDied', 'FewerProcessesThanWanted'], all)).toEqual([]);
  const died = [
    ...scraped.slice(1).flat(),
    ...scrapedFrom('partner-wallet-api-sandbox', 'api-sandbox-1', []),
  ];
  expect(notRaised(['ProcessDied', 'FewerProcessesThanWanted'], died)).toEqual([]);
  // Live alone does not make up for a sandbox without an API, nor the other way round.
  for (const left of [scraped.slice(0, 4), scraped.slice(2), [...scraped.slice(0, 2), ...scraped.slice(4)]])
    expect(notRaised(['FewerProcessesThanWanted'], left.flat())).toEqual([]);
});

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

/** An id of two days ago. */
const dayAgo = (): string => firstIdSince(Date.now() - 48 * 3_600_000).slice(0, 13) + newId().slice(13);

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
  // It brings so little that hours of silence mean nothing.
  const bring = (payments: number) =>
    owner.query(
      `INSERT INTO ${LIVE_CELL}.inbound_credits (id, provider, reference, provider_ref, amount_kobo, account_number)
       SELECT id, 'paystack', id::text, id::text, 5, '0123456789'
         FROM unnest($1::uuid[]) AS id`,
      [Array.from({ length: payments }, () => dayAgo())],
    );
  await bring(19);
  expect(raisedAmong(['NoMoneyComesIn'], await at(noon))).toEqual([]);
  await bring(1);
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
  // A series that was not there before has no increase in Prometheus either; further failures have one.
  const between = await scrape(broken);
  await pastChecks(owner, ['ALTER TABLE webhook_endpoints RENAME TO lost']);
  for (let failures = 0; failures < 3; failures++) await at.get('/v1/webhooks');
  await pastChecks(owner, ['ALTER TABLE lost RENAME TO webhook_endpoints']);
  await at.get('/v1/webhooks');
  expect(raisedAmong(['FailingRequests'], between, before)).toEqual([]);
  expect(notRaised(['FailingRequests'], await scrape(broken), between)).toEqual([]);
});

test('what was never switched on is answered 503, and is no failing request', async () => {
  const without = await world.startApi({ LIVE_IDENTITY: 'none' });
  const live = await without.partner({ environment: 'live', status: 'active' });
  const ask = () => live.post('/v1/kyc/bvn', { user_ref: 'ada', bvn: '22212345678' });
  expect(await ask()).toMatchObject({ status: 503, body: { error: 'SERVICE_UNAVAILABLE' } });
  await live.get('/v1/webhooks');
  const before = await scrape(without);
  for (let asked = 0; asked < 5; asked++) await ask();
  await live.get('/v1/webhooks');
  const now = await scrape(without);
  expect(raisedAmong(['FailingRequests'], now, before)).toEqual([]);
  const counted = now.filter(
    ({ name, labels }) =>
      name === 'http_server_request_duration_seconds_count' && labels['not_configured'] === 'true',
  );
  expect(counted.map(({ labels, value }) => [labels['environment'], labels['status'], value])).toEqual([
    ['live', '503', 6],
  ]);
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
  for (let paid = 0; paid < 55; paid++) await pay(`quick-${String(paid)}`);
  expect(raisedAmong(['SlowMoney'], await scrape(slow), before)).toEqual([]);
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
  // The cases above have left orders with companies that this process does not have.
  for (const cell of [SANDBOX_CELL, LIVE_CELL]) {
    await owner.query(
      `UPDATE ${cell}.transfer_attempts SET state = 'succeeded' WHERE state IN ('sending', 'accepted')`,
    );
  }
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
