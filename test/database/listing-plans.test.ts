/**
 * The plans of the lists on an analysed table of 20,000 rows: they read an index from the place of the page on,
 * and never scan the table.
 */
import type pg from 'pg';
import { findBalanceAt, listEntries, listEntriesBetween } from '../../src/db/ledger/entries';
import { listDeliveries, listEvents } from '../../src/db/events/event-list';
import { newId } from '../../src/db/pg/ids';
import { WALK_MAX } from '../../src/db/pg/walks';
import type { SealedCell } from '../../src/db/pg/postgres';
import { checkAccounts } from '../../src/db/reconcile/accounts';
import { checkTransactions } from '../../src/db/reconcile/transactions';
import { findByReference, listTransactions, listTransactionsOf } from '../../src/db/ledger/transactions';
import { findVolumes } from '../../src/db/ledger/volumes';
import { findTimeline } from '../../src/db/ledger/timeline';
import { findSenders } from '../../src/db/payments/inbound-credits';
import { listQrRequests } from '../../src/db/payments/qr-requests';
import { listUssdSessions } from '../../src/db/payments/ussd-sessions';
import { listWallets } from '../../src/db/wallets/wallets';
import { openTestCell, type TestCell } from '../support/cell';
import { openEndpoint } from '../support/endpoints';
import { SANDBOX_CELL } from '../setup/cells';

let cell: TestCell;
const partnerId = newId();
let busy: string;
let quiet: string;
let wallets: string[];

beforeAll(async () => {
  cell = await openTestCell();
  [busy, quiet] = [await cell.wallet({ partnerId }), await cell.wallet({ partnerId })];
  wallets = await Promise.all(Array.from({ length: 20 }, () => cell.wallet({ partnerId })));
  await cell.sql(
    `WITH made AS (
       INSERT INTO ${SANDBOX_CELL}.transactions (id, partner_id, reference, type, status, amount_kobo, source_wallet,
         dest_wallet, customer_fee_kobo, merchant_fee_kobo, mfb_cost_kobo, net_amount_kobo, created_at, updated_at,
         completed_at)
       SELECT gen_random_uuid(), $1, 'order-' || n, 'p2p_transfer', 'completed', 100,
              CASE WHEN n % 2 = 0 THEN $2::uuid ELSE w[1 + n % 20] END,
              CASE WHEN n % 2 = 0 THEN w[1 + n % 20] ELSE $2::uuid END,
              0, 0, 0, 100, t, t, t
         FROM generate_series(1, 20000) AS n, LATERAL (SELECT now() - n * interval '7 seconds' AS t, $3::uuid[] AS w)
       RETURNING id, source_wallet, dest_wallet, created_at),
     referred AS (
       INSERT INTO ${SANDBOX_CELL}.used_references (partner_id, reference, resource_id, transaction_id, terms)
       SELECT $1, 'order-' || id, id, id, '' FROM made),
     numbered AS (SELECT made.*, row_number() OVER (ORDER BY created_at) AS n FROM made),
     entered AS (
     INSERT INTO ${SANDBOX_CELL}.entries
       (transaction_id, step, account, id, amount_kobo, sequence, balance_after_kobo, created_at)
     SELECT id, 'accept', account, gen_random_uuid(), amount, sequence, 1000000 * (sequence / sequence), created_at
       FROM numbered, LATERAL (VALUES ($2::uuid, 100, n), (gen_random_uuid(), -100, NULL)) AS v(account, amount, sequence))
     UPDATE ${SANDBOX_CELL}.accounts SET sequence = 20000, balance_kobo = 1000000 WHERE id = $2`,
    [partnerId, busy, wallets],
  );
  await cell.sql(
    `ANALYZE ${SANDBOX_CELL}.transactions, ${SANDBOX_CELL}.entries, ${SANDBOX_CELL}.used_references`,
  );
});
afterAll(() => cell.close());

interface Plan {
  'Node Type': string;
  'Index Name'?: string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  Plans?: Plan[];
}

/**
 * Runs `work` with a cell that notes what it asks, and explains the last statement that contains `saying`, with
 * its values.
 */
async function planOf(work: (noting: SealedCell) => Promise<unknown>, saying = ''): Promise<Plan[]> {
  const asked: [text: string, values: unknown[]][] = [];
  const { pool } = cell.cell;
  const query = (text: string, values: unknown[]): Promise<pg.QueryResult> => {
    asked.push([text, values]);
    return pool.query(text, values);
  };
  await work({ ...cell.cell, pool: Object.assign(Object.create(pool), { query }) as pg.Pool });
  const [text, values] = asked.filter(([said]) => said.includes(saying)).at(-1)!;
  const { rows } = await pool.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `EXPLAIN (ANALYZE, FORMAT JSON, COSTS OFF, TIMING OFF) ${text}`,
    values,
  );
  return flat(rows[0]!['QUERY PLAN'][0].Plan);
}
const flat = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flat)];
const indexesOf = (plan: Plan[]): string[] => plan.flatMap((node) => node['Index Name'] ?? []).sort();
const scansOf = (plan: Plan[]): Plan[] => plan.filter((node) => node['Node Type'] === 'Seq Scan');
const rowsRead = (plan: Plan[]): number =>
  Math.max(...plan.map((node) => node['Actual Rows'] * node['Actual Loops']));

describe('the list of transactions', () => {
  test.each([
    ['the first page of a busy wallet', () => busy, 0],
    ['a page in the middle of a busy wallet', () => busy, 10_000],
    ['a page near the end of a busy wallet', () => busy, 19_900],
    ['the first page of a wallet without transactions', () => quiet, 0],
  ])('%s is read by both indexes, no further than the page', async (_, wallet, skip) => {
    const [place] = await cell.sql(
      `SELECT created_at AS "createdAt", id FROM ${SANDBOX_CELL}.transactions ORDER BY created_at DESC, id DESC
        OFFSET $1 LIMIT 1`,
      [skip],
    );
    const after = skip === 0 ? null : { createdAt: place!['createdAt'], id: place!['id'] };

    const plan = await planOf((noting) => listTransactions(noting, wallet(), { after, limit: 20 }));

    expect(indexesOf(plan)).toEqual(['transactions_by_dest', 'transactions_by_source']);
    expect(scansOf(plan)).toEqual([]);
    expect(rowsRead(plan)).toBeLessThanOrEqual(40);
  });
});

describe('the list of all transactions of a partner', () => {
  const ALL = { type: null, status: null, walletId: null, from: null, to: null };
  const page = { after: null, limit: 20 };
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  const SIDES = ['accounts_pkey', 'accounts_pkey', 'transactions_by_dest', 'transactions_by_source'];
  test.each<[string, object, indexes: string[], most: number]>([
    ['the first page', {}, ['transactions_of_partner'], 20],
    ['a page of a day', { from: ago(2_000), to: ago(1_000) }, ['transactions_of_partner'], 20],
    ['a page near the end', { to: ago(2_330) }, ['transactions_of_partner'], 20],
    ['a type that is not there', { type: 'qr_payment' }, ['transactions_of_partner'], WALK_MAX],
    ['a status that is not there', { status: 'failed' }, ['transactions_of_partner'], WALK_MAX],
    ['a wallet and a status', { status: 'failed', walletId: () => busy }, SIDES, 2 * WALK_MAX],
    ['a wallet', { walletId: () => busy }, SIDES, 40],
    ['a wallet of another partner', { walletId: () => busy, partner: newId() }, SIDES, 1],
  ])('%s is read by the index, no further than it may', async (_what, asked, indexes, most) => {
    const {
      partner = partnerId,
      walletId = () => null,
      ...filter
    } = asked as {
      partner?: string;
      walletId?: () => string | null;
    };
    const all = { ...ALL, ...filter, walletId: walletId() };

    for (const part of most >= WALK_MAX ? ['SELECT * FROM (', 'OFFSET'] : ['SELECT * FROM (']) {
      const plan = await planOf((noting) => listTransactionsOf(noting, partner, all, page), part);
      expect(indexesOf(plan)).toEqual(indexes);
      expect(scansOf(plan)).toEqual([]);
      expect(rowsRead(plan)).toBeLessThanOrEqual(most);
    }
  });
});

describe('volumes', () => {
  test('of a period are counted along the index, and no other transaction is read', async () => {
    const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);
    const asked = { from: ago(200), to: ago(100), bucket: 'hour' } as const;

    const plan = await planOf((noting) => findVolumes(noting, partnerId, asked));

    expect(indexesOf(plan)).toEqual(['transactions_of_partner']);
    expect(scansOf(plan)).toEqual([]);
    expect(rowsRead(plan)).toBeLessThanOrEqual(Math.ceil((100 * 60) / 7) + 1);
  });
});

describe('the list of entries', () => {
  test.each([null, 10_000])(
    'before sequence %s is read by the index, no further than the page',
    async (beforeSequence) => {
      const plan = await planOf((noting) => listEntries(noting, busy, { beforeSequence, limit: 20 }));

      expect(indexesOf(plan)).toEqual(['entries_of_wallet', 'transactions_pkey']);
      expect(scansOf(plan)).toEqual([]);
      expect(rowsRead(plan)).toBeLessThanOrEqual(20);
    },
  );
});

describe('the entries of a statement', () => {
  test('are read by the index, no further than is held at once', async () => {
    const plan = await planOf(async (noting) => {
      for await (const some of listEntriesBetween(noting, busy, { after: 9_000, until: 9_800 }))
        expect(some).not.toEqual([]);
    });

    expect(indexesOf(plan)).toEqual(['entries_of_wallet', 'transactions_pkey']);
    expect(scansOf(plan)).toEqual([]);
    expect(rowsRead(plan)).toBe(300);
  });
});

describe('reconciliation', () => {
  const page = async () => {
    const rows = await cell.sql(
      `SELECT id FROM ${SANDBOX_CELL}.transactions WHERE dest_wallet = $1 LIMIT 100`,
      [busy],
    );
    return rows.map((row) => row['id'] as string);
  };

  test('looks up the entry before each one of a wallet', async () => {
    const ids = await page();
    const plan = await planOf((noting) => checkTransactions(noting, ids, 0), 'before.balance_after_kobo');

    expect(indexesOf(plan)).toEqual([
      'entries_of_wallet',
      'entries_pkey',
      'entries_pkey',
      'repairs_of_resource',
    ]);
    expect(scansOf(plan)).toEqual([]);
    expect(rowsRead(plan)).toBeLessThanOrEqual(200);
  });

  test('looks up the last entry of a wallet', async () => {
    const plan = await planOf((noting) => checkAccounts(noting, [busy, quiet]), 'last_entry_kobo');

    expect(indexesOf(plan)).toContain('entries_of_wallet');
    expect(scansOf(plan).filter((node) => node['Relation Name'] === 'entries')).toEqual([]);
    expect(rowsRead(plan)).toBeLessThanOrEqual(50);
  });

  test('adds up the open holds of a wallet, and reads none that has ended', async () => {
    await cell.sql(
      `INSERT INTO ${SANDBOX_CELL}.holds (id, partner_id, wallet_id, amount_kobo, reference, status, created_at,
         expires_at, ended_at)
       SELECT gen_random_uuid(), $1, CASE WHEN n % 2 = 0 THEN $2::uuid ELSE ($3::uuid[])[1 + n % 20] END, 5, 'hold-' || n,
              status, now(), now(), CASE WHEN status = 'expired' THEN now() END
         FROM generate_series(1, 10000) AS n,
              LATERAL (SELECT CASE WHEN n % 2 = 0 OR n % 3 = 0 THEN 'expired' ELSE 'open' END AS status) AS of`,
      [partnerId, busy, wallets],
    );
    await cell.sql(`ANALYZE ${SANDBOX_CELL}.holds`);

    const plan = await planOf((noting) => checkAccounts(noting, [busy, quiet]), 'open_holds_kobo');

    expect(indexesOf(plan)).toContain('holds_open_of_wallet');
    expect(scansOf(plan).filter((node) => node['Relation Name'] === 'holds')).toEqual([]);
    expect(rowsRead(plan)).toBeLessThanOrEqual(50);
  });
});

describe('the list of wallets', () => {
  const owner = newId();
  const ALL = { userRef: null, status: null };
  beforeAll(async () => {
    await cell.sql(
      `WITH made AS (
         INSERT INTO ${SANDBOX_CELL}.accounts (id, partner_id, status)
         SELECT gen_random_uuid(), CASE WHEN n % 4 = 0 THEN gen_random_uuid() ELSE $1 END, 'active'
           FROM generate_series(1, 20000) AS n RETURNING id, partner_id)
       INSERT INTO ${SANDBOX_CELL}.wallets (id, partner_id, user_ref, created_at)
       SELECT id, partner_id, 'user-' || n, now() - n * interval '7 seconds'
         FROM (SELECT made.*, row_number() OVER () AS n FROM made) AS numbered`,
      [owner],
    );
    await cell.sql(`ANALYZE ${SANDBOX_CELL}.accounts, ${SANDBOX_CELL}.wallets`);
  });

  test.each([
    ['the first page', 0],
    ['a page in the middle', 7_000],
    ['a page near the end', 14_900],
  ])('%s is read by the index, no further than the page', async (_, skip) => {
    const [place] = await cell.sql(
      `SELECT created_at AS "createdAt", id FROM ${SANDBOX_CELL}.wallets WHERE partner_id = $1
        ORDER BY created_at DESC, id DESC OFFSET $2 LIMIT 1`,
      [owner, skip],
    );
    const after = skip === 0 ? null : { createdAt: place!['createdAt'], id: place!['id'] };

    const plan = await planOf((noting) => listWallets(noting, owner, ALL, { after, limit: 20 }));

    expect(indexesOf(plan)).toEqual(['accounts_pkey', 'holds_open_of_wallet', 'wallets_of_partner']);
    expect(scansOf(plan)).toEqual([]);
    expect(rowsRead(plan)).toBeLessThanOrEqual(20);
  });

  test('a page of one status walks past a thousand wallets at most', async () => {
    const asked = { ...ALL, status: 'closed' as const };
    const page = { after: null, limit: 20 };

    for (const part of ['CROSS JOIN', 'OFFSET']) {
      const plan = await planOf((noting) => listWallets(noting, owner, asked, page), part);
      expect(indexesOf(plan)).toContain('wallets_of_partner');
      expect(scansOf(plan)).toEqual([]);
      expect(rowsRead(plan)).toBeLessThanOrEqual(WALK_MAX);
    }
  });

  test('the wallet of an owner is found by the unique key', async () => {
    const page = { after: null, limit: 20 };

    const plan = await planOf((noting) => listWallets(noting, owner, { ...ALL, userRef: 'user-77' }, page));

    expect(indexesOf(plan)).toEqual([
      'accounts_pkey',
      'holds_open_of_wallet',
      'wallets_partner_id_user_ref_key',
    ]);
    expect(scansOf(plan)).toEqual([]);
    expect(rowsRead(plan)).toBeLessThanOrEqual(1);
  });
});

describe('the balance at a time', () => {
  test.each(['1 minute', '12 hours', '38 hours', '60 days'])(
    '%s ago is found by the index, in as many steps as the number of entries has bits',
    async (ago) => {
      const [then] = await cell.sql('SELECT now() - $1::interval AS at', [ago]);

      const plan = await planOf((noting) => findBalanceAt(noting, busy, then!['at'] as Date));

      expect(new Set(indexesOf(plan))).toEqual(new Set(['accounts_pkey', 'entries_of_wallet']));
      expect(scansOf(plan)).toEqual([]);
      expect(rowsRead(plan)).toBeLessThanOrEqual(20);
    },
  );
});

describe('the timeline of a transaction', () => {
  test('reads every source by an index', async () => {
    const [one] = await cell.sql(
      `SELECT id FROM ${SANDBOX_CELL}.transactions WHERE dest_wallet = $1 LIMIT 1`,
      [busy],
    );

    const plan = await planOf((noting) => findTimeline(noting, partnerId, one!['id'] as string));

    expect(scansOf(plan)).toEqual([]);
    expect(indexesOf(plan)).toEqual(expect.arrayContaining(['entries_pkey', 'events_of_resource']));
    expect(rowsRead(plan)).toBeLessThanOrEqual(5);
  });
});

describe('the lists of events and of deliveries', () => {
  const owner = newId();
  let endpoint: string;
  beforeAll(async () => {
    endpoint = await openEndpoint(cell.cell, owner, ['transaction.completed']);
    await cell.sql(
      `WITH event AS (
         INSERT INTO ${SANDBOX_CELL}.events (id, partner_id, kind, resource_id, data, created_at)
         SELECT uuidv7(n * interval '1 second'), CASE WHEN n % 20 = 0 THEN $1 ELSE gen_random_uuid() END,
                CASE WHEN n % 400 = 0 THEN 'wallet.activated' ELSE 'transaction.completed' END, uuidv7(), '{}', now()
           FROM generate_series(1, 20000) AS n RETURNING id, partner_id)
       INSERT INTO ${SANDBOX_CELL}.deliveries (endpoint_id, event_id, event_name, next_attempt_at, delivered_at)
       SELECT $2, id, 'transaction.completed', NULL, CASE WHEN get_byte(uuid_send(id), 15) > 5 THEN now() END
         FROM event WHERE partner_id = $1`,
      [owner, endpoint],
    );
    await cell.sql(`ANALYZE ${SANDBOX_CELL}.events, ${SANDBOX_CELL}.deliveries`);
  });

  const page = { beforeId: null, limit: 21 };
  const WALKED = ['deliveries_pkey', 'events_of_partner', 'events_pkey'];
  const all = { kind: null, resourceId: null, undelivered: false };
  test.each<[string, (at: SealedCell) => Promise<unknown>, string[], most: number]>([
    [
      'events',
      (at) => listEvents(at, owner, all, page),
      [...WALKED, 'transactions_pkey', 'wallets_pkey'],
      21,
    ],
    [
      'events of a kind that is rare',
      (at) => listEvents(at, owner, { ...all, kind: 'wallet.activated' }, page),
      [...WALKED, 'transactions_pkey', 'wallets_pkey'],
      WALK_MAX,
    ],
    [
      'deliveries',
      (at) => listDeliveries(at, { id: endpoint, partnerId: owner }, { status: null, eventName: null }, page),
      WALKED,
      21,
    ],
    [
      'deliveries that failed',
      (at) =>
        listDeliveries(at, { id: endpoint, partnerId: owner }, { status: 'parked', eventName: null }, page),
      ['deliveries_given_up', 'deliveries_pkey', 'events_pkey'],
      21,
    ],
  ])(
    'a page of %s is read by indexes, and walks no further than it may',
    async (_what, work, indexes, most) => {
      const plan = await planOf(work, 'LIMIT $');

      expect(indexesOf(plan)).toEqual(indexes);
      expect(scansOf(plan)).toEqual([]);
      expect(rowsRead(plan)).toBeLessThanOrEqual(most);
    },
  );
});

describe('the lists of QR requests and of USSD sessions', () => {
  const owner = newId();
  beforeAll(async () => {
    const shop = await cell.wallet({ partnerId: owner });
    await cell.sql(
      `WITH paid AS (
         INSERT INTO ${SANDBOX_CELL}.transactions (id, partner_id, reference, type, status, amount_kobo, source_wallet,
           dest_wallet, customer_fee_kobo, merchant_fee_kobo, mfb_cost_kobo, net_amount_kobo, created_at, updated_at)
         SELECT uuidv7(), $1, 'ussd-' || n, 'ussd_payment', 'pending', 1, $2, $3, 0, 0, 0, 1, now(), now()
           FROM generate_series(1, 5000) AS n RETURNING id)
       INSERT INTO ${SANDBOX_CELL}.ussd_sessions (id, partner_id, transaction_id, payer_wallet, merchant_wallet,
         dial_code, status, created_at, updated_at, expires_at)
       SELECT uuidv7(), CASE WHEN row_number() OVER () % 2 = 0 THEN $1 ELSE gen_random_uuid() END, id, $2, $3,
              '000000', 'initiated', now(), now(), now() FROM paid`,
      [owner, shop, busy],
    );
    await cell.sql(
      `INSERT INTO ${SANDBOX_CELL}.qr_requests (id, partner_id, wallet_id, amount_kobo, reference, label, created_at,
         expires_at)
       SELECT uuidv7(), CASE WHEN n % 2 = 0 THEN $1 ELSE gen_random_uuid() END, $2, 1, 'n' || n,
              '0000000' || (10000 + n), now(), now() FROM generate_series(1, 5000) AS n`,
      [owner, shop],
    );
    await cell.sql(`ANALYZE ${SANDBOX_CELL}.qr_requests, ${SANDBOX_CELL}.ussd_sessions`);
  });

  const page = { after: null, limit: 20 };
  test.each<[string, (at: SealedCell, status: 'open' | null) => Promise<unknown>, index: string]>([
    [
      'QR requests',
      (at, status) => listQrRequests(at, owner, { walletId: null, status }, page),
      'qr_requests_of_partner',
    ],
    [
      'USSD sessions',
      (at, status) => listUssdSessions(at, owner, { walletId: null, status: status && 'completed' }, page),
      'ussd_sessions_of_partner',
    ],
  ])('a page of %s is read by its index, and walks no further than it may', async (_what, list, index) => {
    const plan = await planOf((at) => list(at, null));
    expect(indexesOf(plan)).toContain(index);
    // The table of PIN attempts is empty here.
    const grown = (all: Plan[]) =>
      scansOf(all).filter((node) => node['Relation Name'] !== 'ussd_pin_attempts');
    expect(grown(plan)).toEqual([]);
    expect(rowsRead(plan)).toBeLessThanOrEqual(20);

    for (const part of ['LIMIT $4', 'OFFSET']) {
      const walked = await planOf((at) => list(at, 'open'), part);
      expect(indexesOf(walked)).toContain(index);
      expect(grown(walked)).toEqual([]);
      expect(rowsRead(walked)).toBeLessThanOrEqual(WALK_MAX);
    }
  });
});

describe('who has paid the payments of a page', () => {
  test('is looked up once for the whole page, by the keys of the payments', async () => {
    await cell.sql(
      `INSERT INTO ${SANDBOX_CELL}.inbound_credits (id, provider, reference, provider_ref, amount_kobo, account_number,
         sender_sealed, allocated_to, allocated_as)
       SELECT CASE n % 2 WHEN 0 THEN id ELSE gen_random_uuid() END, 'paystack', 'in-' || n, 'in-' || n, 100, '0123456789',
              'sealed', CASE n % 2 WHEN 1 THEN dest_wallet END, CASE n % 2 WHEN 1 THEN id END
         FROM (SELECT id, dest_wallet, row_number() OVER () AS n FROM ${SANDBOX_CELL}.transactions) AS t`,
    );
    await cell.sql(`ANALYZE ${SANDBOX_CELL}.inbound_credits`);
    const all = { type: null, status: null, walletId: null, from: null, to: null };
    const { rows } = await listTransactionsOf(cell.cell, partnerId, all, { after: null, limit: 100 });
    const ids = rows.map(({ id }) => id);
    expect(ids).toHaveLength(100);
    expect((await findSenders(cell.cell, ids)).size).toBe(100);

    const plan = await planOf((noting) => findSenders(noting, ids));

    expect(indexesOf(plan)).toEqual(['inbound_credits_allocated_as_key', 'inbound_credits_pkey']);
    expect(scansOf(plan)).toEqual([]);
    expect(rowsRead(plan)).toBeLessThanOrEqual(100);
  });
});

describe('the look-up by reference', () => {
  test.each(['order-17', `rev_${newId()}`, `fund_${newId()}`])(
    'of %s reads by primary keys',
    async (reference) => {
      const plan = await planOf((noting) => findByReference(noting, partnerId, busy, reference));

      // The table of reversals is empty here, so its scan does not count; the tables that grow are read by their
      // keys.
      const grown = scansOf(plan).filter((node) => node['Relation Name'] !== 'reversals');
      expect(grown).toEqual([]);
      expect(rowsRead(plan)).toBeLessThanOrEqual(3);
    },
  );
});
