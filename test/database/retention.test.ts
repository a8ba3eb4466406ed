/** Retention: what is old and finished goes, everything else stays, however often it runs. */
import { insertPartner } from '../../src/db/partners/credentials';
import { noteSubmission, storeCallback } from '../../src/db/payments/callbacks';
import { newId } from '../../src/db/pg/ids';
import { openActivities, type TestActivities } from '../support/activities';
import { saying, withFake } from '../support/fakes';
import { openTestCell, type TestCell } from '../support/cell';
import { completed, happen, openEndpoint } from '../support/endpoints';
import { bankTransfer, p2p, transactionIdOf } from '../support/movements';
import { createdWallet } from '../support/wallet-creation';
import { SANDBOX_CELL } from '../setup/cells';

const DAY_MS = 86_400_000;
const partnerId = newId();
let cell: TestCell;
let activities: TestActivities;

beforeEach(async () => {
  cell = await openTestCell();
  activities = openActivities(cell.url, { RETENTION_MS: String(30 * DAY_MS) });
});
afterEach(async () => {
  await activities.close();
  await cell.close();
});

const forget = () => activities.run('forgetOld');
const count = async (table: string, where = 'true'): Promise<number> =>
  Number((await cell.sql(`SELECT count(*) AS n FROM ${SANDBOX_CELL}.${table} WHERE ${where}`))[0]?.['n']);
/** A time-ordered id as it would have been made then. */
const idOf = (ageDays: number): string => {
  const hex = (Date.now() - ageDays * DAY_MS).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${newId().slice(-12)}`;
};

test('keys past their window', async () => {
  const writer = cell.openWriter();
  const [from, to] = [await cell.wallet({ partnerId, fundKobo: 10_000 }), await cell.wallet({ partnerId })];
  for (const key of ['old', 'new']) {
    await writer.post(
      p2p({ partnerId, from, to, amountKobo: 1, key: { operation: 'p2pTransfer', key, fingerprint: 'f' } }),
    );
  }
  await cell.sql(`UPDATE ${SANDBOX_CELL}.idempotency_keys SET created_at = now() - interval '24 hours 1 second'
                   WHERE key = 'old'`);
  expect(await forget()).toMatchObject({ keys: 1 });
  expect(await cell.sql(`SELECT key FROM ${SANDBOX_CELL}.idempotency_keys`)).toEqual([{ key: 'new' }]);
  expect(await count('used_references')).toBe(2);
});

describe('events and deliveries', () => {
  /** An event of some age with a delivery that was delivered, or is still waiting. */
  async function event(
    ageDays: number,
    deliveries: readonly ('delivered' | 'waiting' | 'given up')[],
  ): Promise<string> {
    const id = idOf(ageDays);
    const at = `now() - interval '${String(ageDays)} days'`;
    await cell.sql(
      `INSERT INTO ${SANDBOX_CELL}.events (id, partner_id, kind, resource_id, data, created_at)
       VALUES ($1, $2, 'transaction.completed', $3, '{}', ${at})`,
      [id, partnerId, newId()],
    );
    for (const state of deliveries) {
      const endpointId = await openEndpoint(cell.cell, partnerId, ['kyc.verified']);
      await cell.sql(
        `INSERT INTO ${SANDBOX_CELL}.deliveries (endpoint_id, event_id, event_name, delivered_at, next_attempt_at)
         VALUES ($1, $2, 'transaction.completed', ${state === 'delivered' ? at : 'NULL'},
                 ${state === 'waiting' ? 'now()' : 'NULL'})`,
        [endpointId, id],
      );
    }
    return id;
  }

  test.each<[string, number, Parameters<typeof event>[1], events: number, deliveries: number]>([
    ['old, delivered everywhere: gone', 31, ['delivered', 'delivered'], 0, 0],
    ['old, told to nobody: gone', 31, [], 0, 0],
    ['old, waiting for one endpoint: kept for that one', 31, ['delivered', 'waiting'], 1, 1],
    ['old, given up at one endpoint: kept, because it can be recovered', 31, ['given up'], 1, 1],
    ['young, delivered everywhere: kept', 29, ['delivered'], 1, 1],
  ])('%s', async (_what, ageDays, deliveries, eventsLeft, deliveriesLeft) => {
    await event(ageDays, deliveries);
    await forget();
    expect([await count('events'), await count('deliveries')]).toEqual([eventsLeft, deliveriesLeft]);
    await forget();
    expect([await count('events'), await count('deliveries')]).toEqual([eventsLeft, deliveriesLeft]);
  });

  test('more than a page of them: all gone in one run, and what is kept among them does not stop it', async () => {
    await event(40, ['waiting']);
    await cell.sql(
      `INSERT INTO ${SANDBOX_CELL}.events (id, partner_id, kind, resource_id, data, created_at)
       SELECT (lpad(to_hex((extract(epoch FROM now() - interval '35 days') * 1000)::bigint + n), 12, '0')
               || '70008000000000000000')::uuid, $1, 'kyc.verified', gen_random_uuid(), '{}', now() - interval '35 days'
         FROM generate_series(1, 2500) AS n`,
      [partnerId],
    );
    expect(await forget()).toMatchObject({ events: 2500 });
    expect(await count('events')).toBe(1);
  });

  test('a fresh event with its delivery is untouched', async () => {
    await openEndpoint(cell.cell, partnerId, ['transaction.completed']);
    await happen(cell.cell, partnerId, 3, completed);
    expect(await forget()).toMatchObject({ events: 0, deliveries: 0 });
    expect([await count('events'), await count('deliveries')]).toEqual([3, 3]);
  });
});

test('started intentions of what is finished; those of what is not stay', async () => {
  const [finished, open] = [
    await createdWallet(cell.cell, partnerId),
    await createdWallet(cell.cell, partnerId),
  ];
  await cell.sql(`UPDATE ${SANDBOX_CELL}.accounts SET status = 'active' WHERE id = $1`, [finished]);
  await cell.sql(`UPDATE ${SANDBOX_CELL}.workflow_intentions SET started_at = now() - interval '31 days'`);
  const waiting = await createdWallet(cell.cell, partnerId);
  const recent = await createdWallet(cell.cell, partnerId);
  await cell.sql(`UPDATE ${SANDBOX_CELL}.workflow_intentions SET started_at = now() WHERE resource_id = $1`, [
    recent,
  ]);
  await cell.sql(`UPDATE ${SANDBOX_CELL}.accounts SET status = 'active' WHERE id = $1`, [recent]);

  expect(await forget()).toMatchObject({ intentions: 1 });
  const left = await cell.sql(`SELECT resource_id FROM ${SANDBOX_CELL}.workflow_intentions`);
  expect(left.map((row) => row['resource_id'] as string).sort()).toEqual([open, waiting, recent].sort());
});

test('the bytes of old callbacks, not what they said', async () => {
  const notice = (eventId: string) => ({
    eventId,
    transferName: 'x',
    providerReference: 'x',
    outcome: 'success',
    amountKobo: 1,
    currency: 'NGN',
    occurredAt: new Date(),
  });
  for (const eventId of ['old', 'new']) {
    await storeCallback(cell.forApi, 'simulator', notice(eventId), '{"a":1}', null);
  }
  await cell.sql(`UPDATE ${SANDBOX_CELL}.provider_callbacks SET received_at = now() - interval '31 days'
                   WHERE event_id = 'old'`);
  expect(await forget()).toMatchObject({ 'callback bodies': 1 });
  expect(
    await cell.sql(
      `SELECT event_id, outcome, body FROM ${SANDBOX_CELL}.provider_callbacks ORDER BY event_id`,
    ),
  ).toEqual([
    { event_id: 'new', outcome: 'success', body: '{"a":1}' },
    { event_id: 'old', outcome: 'success', body: null },
  ]);
});

test('windows of the rate limit, and submissions that are long over', async () => {
  await cell.sql(`INSERT INTO ${SANDBOX_CELL}.rate_windows (partner_id, window_start, used)
    VALUES (gen_random_uuid(), now() - interval '2 hours', 9), (gen_random_uuid(), now(), 9)`);
  const { directory } = activities.sandbox;
  await cell.sql(
    `INSERT INTO ${directory}.submitted_transfers (transaction_id, partner_id) VALUES ($1, $3), ($2, $3)`,
    [idOf(31), idOf(1), partnerId],
  );
  expect(await forget()).toMatchObject({ 'rate windows': 1, submissions: 1 });
  expect(await count('rate_windows')).toBe(1);
});

test('a transfer whose order was noted so long ago that the note is gone is asked about, not sent again', async () => {
  const names = { businessName: 'Acme Fintech', email: `${partnerId}@acme.example` };
  const cells = { sandbox: SANDBOX_CELL, live: SANDBOX_CELL.replace('sandbox', 'live') };
  await insertPartner(cell.owner, { id: partnerId, ...names, status: 'registered' }, cells);
  const from = await cell.wallet({ partnerId, fundKobo: 100_000 });
  const movement = bankTransfer({ partnerId, from, amountKobo: 10_000 });
  const transactionId = transactionIdOf(await cell.openWriter().post(movement));
  const { directory } = activities.sandbox;
  await noteSubmission(cell.cell, directory, { id: transactionId, partnerId });
  await cell.sql(
    `UPDATE ${SANDBOX_CELL}.transactions SET created_at = now() - interval '31 days', updated_at = now()`,
  );
  await cell.sql(`DELETE FROM ${directory}.submitted_transfers`);

  const asked: string[] = [];
  const provider = openActivities(cell.url, { RETENTION_MS: String(30 * DAY_MS) }, (environment) =>
    withFake(environment, ({ name, payouts }) => ({
      name,
      payouts: {
        ...payouts,
        submit: () => Promise.resolve((asked.push('send'), { ...saying('unknown') })),
        query: () => Promise.resolve((asked.push('ask'), { ...saying('not_found') })),
      },
    })),
  );
  const input = { partnerId, transactionId, epoch: 0 };
  expect(await provider.run('submitTransfer', input, false, 0)).toMatchObject({ next: 'submit' });
  expect(asked).toEqual(['ask']);
  // Only after the provider has said that it knows no order is the order sent once more.
  expect(await provider.run('submitTransfer', input, true, 1)).toMatchObject({ next: 'query' });
  expect(asked).toEqual(['ask', 'send']);
  await provider.close();
});

test('never the ledger, references or findings, however old', async () => {
  const writer = cell.openWriter();
  const from = await cell.wallet({ partnerId, fundKobo: 100_000 });
  const open = transactionIdOf(await writer.post(bankTransfer({ partnerId, from, amountKobo: 1 })));
  await cell.sql(
    `UPDATE ${SANDBOX_CELL}.transactions SET created_at = '2020-01-01', updated_at = '2020-01-01'`,
  );
  await cell.sql(
    `INSERT INTO ${SANDBOX_CELL}.recon_findings (id, class, resource, detail, first_seen, closed_at)
    VALUES (gen_random_uuid(), 'chain_broken', $1, '{}', '2020-01-01', '2020-01-02')`,
    [open],
  );
  const tables = ['accounts', 'transactions', 'entries', 'used_references', 'recon_findings'];
  const before = await Promise.all(tables.map((table) => count(table)));
  await forget();
  expect(await Promise.all(tables.map((table) => count(table)))).toEqual(before);
});
