/**
 * The statement that decides plain payments, held against the way that reads the books first. Each history runs on two
 * sets of wallets that are alike: on one by the statement, which leaves out what it does not decide, and then by the
 * books; on the other by the books alone, in the same order. All answers and all rows must be the same.
 * `BOTH_WAYS_RUNS=20000` runs as many histories; `BOTH_WAYS_SEED` repeats one run.
 */
import fc from 'fast-check';
import pg from 'pg';
import { payoutIntentions } from '../../../src/contract/intentions';
import type { Intention } from '../../../src/domain/intentions';
import { KOBO_MAX } from '../../../src/domain/money';
import { dutyIdOf, newId } from '../../../src/db/pg/ids';
import { connectionOptions, PLANS_THAT_LAST, sqlState, SQLSTATE } from '../../../src/db/pg/postgres';
import {
  runBatch,
  type BatchOutcome,
  type LedgerItem,
  type LedgerResult,
} from '../../../src/db/ledger/batch';
import { watchOtherWriters } from '../../../src/db/ledger/other-writers';
import { writePlain, type PlainOutcome } from '../../../src/db/ledger/plain';
import type { NamesOfPlain } from '../../../src/db/ledger/plain-statement';
import { ledgerStatements, type Statements } from '../../../src/db/ledger/statements';
import { auditCell } from '../../support/audit';
import { DAY_MS, openTestCell, type TestCell } from '../../support/cell';
import { asLogin } from '../../support/logins';
import { bankTransfer, countOutcomes, p2p } from '../../support/movements';
import { pastChecks } from '../../support/past-checks';
import { TEST_SEALING } from '../../support/sealing';
import { SANDBOX_CELL } from '../../setup/cells';

const RUNS = Number(process.env['BOTH_WAYS_RUNS'] ?? 40);
const SEED = Number(process.env['BOTH_WAYS_SEED'] ?? Date.now());
const WALLETS = 5;
/** A scenario with a second workflow: the simulated bank calls back. */
const CALLED_BACK = 'callback_twice';
const SQL = {
  sandbox: ledgerStatements(SANDBOX_CELL, TEST_SEALING, false),
  live: ledgerStatements(SANDBOX_CELL, TEST_SEALING, true),
};

let cell: TestCell;
let client: pg.Client;

beforeAll(async () => {
  cell = await openTestCell();
  client = new pg.Client(connectionOptions(asLogin(cell.url, 'sandbox_worker'), 10_000, PLANS_THAT_LAST));
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await cell.close();
});

const amount = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 30_000 }) },
  { weight: 2, arbitrary: fc.constantFrom(1, 199, 200, 201, 399, 400, 4_000_000) },
  // Next to the limits of tiers 1 and 2, with and without what was paid on the day.
  {
    weight: 2,
    arbitrary: fc.constantFrom(20_000, 20_001, 5_000_000, 5_000_001, 10_000_000, 10_000_001),
  },
  { weight: 1, arbitrary: fc.constantFrom(0, -1, KOBO_MAX, KOBO_MAX - 100_000, Math.floor(KOBO_MAX / 2)) },
);
/** A place of a wallet; the last one is of no wallet at all. */
const place = fc.oneof(
  { weight: 12, arbitrary: fc.nat(WALLETS - 1) },
  { weight: 1, arbitrary: fc.constant(WALLETS) },
);
const wallet = fc.record({
  isOthers: fc.oneof(
    { weight: 19, arbitrary: fc.constant(false) },
    { weight: 1, arbitrary: fc.constant(true) },
  ),
  status: fc.oneof(
    { weight: 9, arbitrary: fc.constant('active') },
    { weight: 1, arbitrary: fc.constantFrom('pending', 'frozen', 'closed', 'frozen_once') },
  ),
  balance: fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 100_000, max: 2_000_000 }) },
    { weight: 2, arbitrary: fc.integer({ min: 0, max: 60_000 }) },
    { weight: 2, arbitrary: fc.constant(15_000_000) },
    { weight: 1, arbitrary: fc.constantFrom(KOBO_MAX - 40_000, 200, 201, 29_990_000, 30_000_000) },
  ),
  held: fc.oneof(
    { weight: 3, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 50_000 }) },
  ),
  /** Which of two halves of what is held are holds whose time is over, although nobody has ended them. */
  over: fc.tuple(fc.boolean(), fc.boolean()),
  /** What a wallet under limits has paid on its day, in all and by USSD. */
  used: fc.record({
    tier: fc.constantFrom('tier_1', 'tier_1', 'tier_2', 'business', 'unverified'),
    kobo: fc.constantFrom(0, 0, 4_980_000, 5_000_000),
    isToday: fc.constantFrom(true, true, false),
  }),
  /** Whether it is under limits, where not all wallets are. */
  isLimited: fc.oneof(
    { weight: 24, arbitrary: fc.constant(false) },
    { weight: 1, arbitrary: fc.constant(true) },
  ),
  inFlight: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(40_000) }),
});
const seldom = <T>(drawn: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: drawn });
const payment = fc.record({
  kind: fc.oneof(
    { weight: 6, arbitrary: fc.constant('p2p') },
    { weight: 6, arbitrary: fc.constantFrom('bank', 'bank_called_back') },
    { weight: 1, arbitrary: fc.constant('bank_with_duty') },
  ),
  isOthers: fc.oneof(
    { weight: 12, arbitrary: fc.constant(false) },
    { weight: 1, arbitrary: fc.constant(true) },
  ),
  amount,
  from: place,
  to: place,
  /** Few names, so that they repeat; most payments have one of their own. */
  name: seldom(fc.integer({ min: 1, max: 3 })),
  key: seldom(fc.tuple(fc.integer({ min: 1, max: 3 }), fc.constantFrom('a', 'b'))),
});
type Payment = typeof payment extends fc.Arbitrary<infer T> ? T : never;
const history = fc.record({
  names: fc.constantFrom('looked_up', 'assumed_new'),
  /** How often the sandbox of the partner was reset. */
  epoch: fc.constantFrom(0, 0, 3),
  wallets: fc.array(wallet, { minLength: WALLETS, maxLength: WALLETS }),
  batches: fc.array(
    fc.oneof(
      { weight: 1, arbitrary: fc.array(payment, { minLength: 1, maxLength: 10 }) },
      // A statement of its own writes one payment alone.
      { weight: 4, arbitrary: fc.tuple(payment) },
    ),
    { minLength: 2, maxLength: 9 },
  ),
});
type History = typeof history extends fc.Arbitrary<infer T> ? T : never;

/** Partners and wallets of their own, and the names by which their ids are compared with those of another side. */
async function openSide(run: string, { wallets, epoch }: History, where: keyof typeof SQL) {
  const [partner, other] = [newId(), newId()];
  const names = new Map([
    [partner, 'the partner'],
    [other, 'the other partner'],
  ]);
  const ids = [...wallets.map(() => newId()), newId()];
  ids.forEach((id, at) => names.set(id, `wallet ${String(at)}`));
  for (const [at, drawn] of wallets.entries()) {
    const { isOthers, status, balance, held, inFlight, used } = drawn;
    // Where the statement knows limits, a few wallets are in no tier, and elsewhere a few are in one.
    const isLimited = drawn.isLimited !== (where === 'live');
    // A balance is drawn without the entries that would have made it.
    await pastChecks(cell.owner, [
      {
        text: `WITH account AS (
         INSERT INTO ${SANDBOX_CELL}.accounts (id, partner_id, status, frozen_by, frozen_until, balance_kobo, held_kobo,
           in_flight_kobo, limit_tier, day_debit_kobo, day_ussd_kobo, counted_from)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $10, $11, $11, $12))
       INSERT INTO ${SANDBOX_CELL}.wallets (id, partner_id, user_ref) VALUES ($1, $2, $9)`,
        values: [
          ids[at],
          isOthers ? other : partner,
          status === 'frozen_once' ? 'frozen' : status,
          status.startsWith('frozen') ? 'partner' : null,
          // A freeze that has ended by itself.
          status === 'frozen_once' ? new Date(0) : null,
          balance,
          Math.min(held, balance),
          Math.min(inFlight, KOBO_MAX - balance),
          `user-${String(at)}`,
          isLimited ? used.tier : null,
          isLimited ? used.kobo : 0,
          new Date(used.isToday ? Date.now() : 0),
        ],
      },
    ]);
  }
  for (const [at, { held, balance, over }] of wallets.entries()) {
    const heldKobo = Math.min(held, balance);
    const firstKobo = Math.floor(heldKobo / 2);
    for (const [half, amountKobo] of [firstKobo, heldKobo - firstKobo].entries()) {
      if (amountKobo === 0) continue;
      const id = newId();
      names.set(id, `hold ${String(half)} of wallet ${String(at)}`);
      await cell.sql(
        `INSERT INTO ${SANDBOX_CELL}.holds (id, partner_id, wallet_id, amount_kobo, reference, status, created_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, 'open', $6, $6::timestamptz + $7 * interval '1 hour')`,
        [
          id,
          partner,
          ids[at],
          amountKobo,
          `held-${String(at)}-${String(half)}`,
          new Date(over[half] ? 0 : Date.now()),
          over[half] ? 1 : 24,
        ],
      );
    }
  }
  if (epoch > 0)
    await cell.sql(
      `INSERT INTO ${SANDBOX_CELL}.partner_epochs (partner_id, epoch, resetting, order_id, updated_at)
       VALUES ($1, $2, false, gen_random_uuid(), now())`,
      [partner, epoch],
    );
  for (const [isActive, events] of [
    [true, '{transaction.completed}'],
    [false, '{transfer.completed}'],
  ] as const) {
    const id = newId();
    names.set(id, `endpoint ${String(isActive)}`);
    await cell.sql(
      `INSERT INTO ${SANDBOX_CELL}.webhook_endpoints (id, partner_id, url, events, secret_sealed, is_active)
       VALUES ($1, $2, 'https://partner.example/hook', $3, 'unused', $4)`,
      [id, partner, events, isActive],
    );
  }
  const makeItem = (asked: Payment, at: number): LedgerItem => {
    const common = {
      partnerId: asked.isOthers ? other : partner,
      from: ids[asked.from]!,
      amountKobo: asked.amount,
      reference: `${run}-${asked.name === null ? `own-${String(at)}` : String(asked.name)}`,
      ...(asked.key && {
        key: { operation: 'p2p', key: `${run}-${String(asked.key[0])}`, fingerprint: asked.key[1] },
      }),
    };
    const item = asked.kind === 'p2p' ? p2p({ ...common, to: ids[asked.to]! }) : toBank(asked.kind, common);
    const { transactionId } = item.movement;
    names.set(transactionId, `payment ${String(at)}`);
    names.set(dutyIdOf(transactionId), `duty of payment ${String(at)}`);
    return item;
  };
  /** A text with names in the place of ids, and without what differs from run to run by nature. */
  const named = (value: unknown): string =>
    JSON.stringify(value).replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => names.get(id) ?? id);
  const rows = async (): Promise<string[]> => {
    const all = await cell.sql(
      `SELECT 'account' AS of, row_to_json(a)::jsonb - 'updated_at' - 'counted_from'
           || jsonb_build_object('day', date_trunc('day', counted_from, 'Africa/Lagos')) AS row FROM ${SANDBOX_CELL}.accounts a WHERE id = ANY($2)
       UNION ALL
       SELECT 'transaction', row_to_json(t)::jsonb - 'created_at' - 'updated_at' - 'completed_at' - 'account_name_sealed'
           || jsonb_build_object('named', account_name_sealed IS NOT NULL, 'times', ARRAY[updated_at = created_at, completed_at = created_at])
         FROM ${SANDBOX_CELL}.transactions t WHERE partner_id = ANY($1)
       UNION ALL
       SELECT 'entry', row_to_json(e)::jsonb - 'id' - 'created_at' || jsonb_build_object('times', e.created_at = t.created_at)
         FROM ${SANDBOX_CELL}.entries e JOIN ${SANDBOX_CELL}.transactions t ON t.id = e.transaction_id
        WHERE t.partner_id = ANY($1)
       UNION ALL
       SELECT 'reference', row_to_json(r)::jsonb FROM ${SANDBOX_CELL}.used_references r WHERE partner_id = ANY($1)
       UNION ALL
       SELECT 'key', row_to_json(k)::jsonb - 'request_id' - 'created_at'
         FROM ${SANDBOX_CELL}.idempotency_keys k WHERE partner_id = ANY($1)
       UNION ALL
       SELECT 'event', row_to_json(v)::jsonb - 'id' - 'created_at' FROM ${SANDBOX_CELL}.events v WHERE partner_id = ANY($1)
       UNION ALL
       SELECT 'delivery', jsonb_build_object('of', v.resource_id, 'to', d.endpoint_id, 'as', d.event_name,
           'due', d.next_attempt_at IS NOT NULL)
         FROM ${SANDBOX_CELL}.deliveries d JOIN ${SANDBOX_CELL}.events v ON v.id = d.event_id WHERE v.partner_id = ANY($1)
       UNION ALL
       SELECT 'hold', row_to_json(h)::jsonb - 'created_at' - 'expires_at' - 'ended_at'
         FROM ${SANDBOX_CELL}.holds h WHERE partner_id = ANY($1)
       UNION ALL
       SELECT 'intention', row_to_json(i)::jsonb - 'created_at' FROM ${SANDBOX_CELL}.workflow_intentions i
        WHERE partner_id = ANY($1)`,
      // No index leads from a partner to its accounts.
      [[partner, other], ids],
    );
    return all.map(named).sort();
  };
  return { makeItem, rows, named };
}

/** A transfer to a bank, with the workflows that it begins. */
function toBank(kind: string, common: Parameters<typeof bankTransfer>[0]): LedgerItem {
  const item = bankTransfer({ ...common, ...(kind === 'bank_with_duty' && { dutyKobo: 5_000 }) });
  const scenario = kind === 'bank_called_back' ? CALLED_BACK : null;
  return {
    ...item,
    movement: { ...item.movement, scenario } as LedgerItem['movement'],
    intend: ({ transaction }, epoch) => payoutIntentions(transaction, epoch),
  };
}

const byBooks = async (
  items: readonly LedgerItem[],
  sql: Statements,
): Promise<Pick<BatchOutcome, 'results' | 'intentions'>> =>
  items.length === 0
    ? { results: [], intentions: [] }
    : runBatch(client, sql, items, {
        skipLocked: false,
        idempotencyWindowMs: DAY_MS,
        sealing: TEST_SEALING,
      });

/** Intentions in an order of their own, without those fields that are not there. */
const sorted = (intentions: readonly Intention[], named: (value: unknown) => string): string[] =>
  intentions.map(named).sort();

/** An answer without its times, and without the entries, which the rows show. */
function answerOf(result: LedgerResult): unknown {
  if (!result.ok || result.value.kind !== 'posted') {
    return result.ok && result.value.kind === 'same_key'
      ? { ...result.value, first: { ...result.value.first, requestId: '' } }
      : result;
  }
  const { legs, was, reversal, transaction } = result.value;
  const timeless = legs.map((leg) => ({
    ...leg,
    transaction: {
      ...leg.transaction,
      createdAt: 0,
      updatedAt: 0,
      completedAt: leg.transaction.completedAt && 0,
    },
  }));
  return { legs: timeless, was, reversal, times: transaction.updatedAt === transaction.createdAt };
}

test('two processes that write at once lose nothing, double nothing and meet no deadlock', async () => {
  const partnerId = newId();
  const wallets = await Promise.all(
    Array.from({ length: 6 }, (_, at) => cell.wallet({ partnerId, fundKobo: at < 4 ? 400_000 : 0 })),
  );
  const writers = [cell.openWriter(), cell.openWriter()];
  const draw = (below: number): number => Math.floor(Math.random() * below);
  const deadlocks = async (): Promise<number> => {
    const [row] = await cell.sql('SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()');
    return row!['deadlocks'];
  };
  const sumOf = async (): Promise<number> => {
    const [row] = await cell.sql(
      `SELECT sum(balance_kobo)::bigint AS sum FROM ${SANDBOX_CELL}.accounts WHERE id = ANY($1)`,
      [wallets],
    );
    return row!['sum'];
  };
  const before = await deadlocks();
  const references = Array.from({ length: 150 }, () => `shared-${newId()}`);
  const names: string[] = [];

  const results = await Promise.all(
    Array.from({ length: 600 }, async (_, at) => {
      // They arrive while batches of both processes are under way.
      await new Promise((resolve) => setTimeout(resolve, draw(300)));
      const reference = references[at % references.length]!;
      const source = (at % references.length) % 6;
      const item = p2p({
        partnerId,
        from: wallets[source]!,
        to: wallets[(source + 1 + (at % 5)) % 6]!,
        amountKobo: 1_000 * (1 + ((at % references.length) % 40)),
        reference,
      });
      const result = await writers[draw(2)]!.post(item);
      if (result.ok && result.value.kind === 'posted') names.push(reference);
      return result;
    }),
  );

  const counts = countOutcomes(results);
  expect(counts['posted']).toBeGreaterThan(50);
  expect(new Set(names).size).toBe(names.length);
  const [row] = await cell.sql(
    `SELECT count(*)::integer AS written, coalesce(sum(customer_fee_kobo), 0)::bigint AS fees
       FROM ${SANDBOX_CELL}.transactions WHERE partner_id = $1 AND type = 'p2p_transfer'`,
    [partnerId],
  );
  expect(row!['written']).toBe(names.length);
  expect(await sumOf()).toBe(1_600_000 - row!['fees']);
  expect(await deadlocks()).toBe(before);
  expect(await auditCell(cell.url, SANDBOX_CELL)).toEqual([]);
});

/**
 * What the statement writes. Where it assumes that names are new and one is not, it must write nothing, and names are looked
 * up, as the writer does.
 */
async function byStatement(items: LedgerItem[], sql: Statements, names: NamesOfPlain): Promise<PlainOutcome> {
  try {
    return await writePlain(client, sql, items, names, watchOtherWriters());
  } catch (error) {
    if (names === 'looked_up' || sqlState(error) !== SQLSTATE.uniqueViolation) throw error;
    return byStatement(items, sql, 'looked_up');
  }
}

test.each([
  ['where wallets are under no limits', 'sandbox'],
  ['where wallets are under limits', 'live'],
] as const)(
  'both ways give the same answers and leave the same rows %s',
  async (_, where) => {
    const sql = SQL[where];
    const seen = { written: 0, writtenAlone: 0, leftOut: 0, leftOutAlone: 0, payouts: 0, payoutsAlone: 0 };
    await fc.assert(
      fc.asyncProperty(history, async (drawn) => {
        const run = newId();
        const [plain, books] = [await openSide(run, drawn, where), await openSide(run, drawn, where)];
        let at = 0;
        for (const batch of drawn.batches) {
          const numbered = batch.map((asked) => ({ asked, at: at++ }));
          const items = numbered.map((one) => plain.makeItem(one.asked, one.at));
          const ofStatement = await byStatement(items, sql, drawn.names);
          const first = ofStatement.results;
          const isLeft = (place: number): boolean => typeof first[place] === 'string';
          const then = await byBooks(
            items.filter((_, index) => isLeft(index)),
            sql,
          );
          const ours = first.map((result) =>
            typeof result === 'string' ? (then.results.shift() as LedgerResult) : result,
          );

          const same = numbered.map((one) => books.makeItem(one.asked, one.at));
          const before = await byBooks(
            same.filter((_, index) => !isLeft(index)),
            sql,
          );
          const after = await byBooks(
            same.filter((_, index) => isLeft(index)),
            sql,
          );
          const theirs = first.map(
            (_, index) => (isLeft(index) ? after : before).results.shift() as LedgerResult,
          );

          expect(ours.map(answerOf).map(plain.named)).toEqual(theirs.map(answerOf).map(books.named));
          expect(sorted([...ofStatement.intentions, ...then.intentions], plain.named)).toEqual(
            sorted([...before.intentions, ...after.intentions], books.named),
          );
          seen.payouts += ofStatement.intentions.length;
          const left = first.filter((_, index) => isLeft(index)).length;
          seen.leftOut += left;
          seen.written += first.length - left;
          if (batch.length > 1) continue;
          seen.payoutsAlone += ofStatement.intentions.length;
          seen.leftOutAlone += left;
          seen.writtenAlone += 1 - left;
        }
        expect(await plain.rows()).toEqual(await books.rows());
      }),
      { numRuns: RUNS, seed: SEED },
    );
    // Histories that one of the ways hardly sees would prove nothing.
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(RUNS / 4);
  },
  3_600_000,
);
