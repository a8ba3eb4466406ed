/**
 * The same request twice, or many times at once, over two processes: one effect, and every caller gets its answer.
 */
import { nameOf } from '../../../src/domain/outcome';
import { newId } from '../../../src/db/pg/ids';
import type { LedgerWriter } from '../../../src/db/ledger/writer';
import { auditCell } from '../../support/audit';
import { openTestCell, type TestCell } from '../../support/cell';
import { bankTransfer, countOutcomes, p2p, transactionIdOf } from '../../support/movements';
import { until } from '../../support/until';
import { SANDBOX_CELL } from '../../setup/cells';

let cell: TestCell;
let writers: [LedgerWriter, LedgerWriter];
let from: string;
let to: string;
const partnerId = newId();

beforeAll(async () => {
  cell = await openTestCell();
  writers = [cell.openWriter(), cell.openWriter()];
});
beforeEach(async () => {
  from = await cell.wallet({ partnerId, fundKobo: 1_000_000 });
  to = await cell.wallet({ partnerId });
});
afterEach(async () => {
  expect(await auditCell(cell.url, SANDBOX_CELL)).toEqual([]);
});
afterAll(() => cell.close());

/** Posts `number` items, by turns over both writers. */
const atOnce = (number: number, item: (place: number) => Parameters<LedgerWriter['post']>[0]) =>
  Promise.all(Array.from({ length: number }, (_, place) => writers[place % 2]!.post(item(place))));

const key = (fingerprint = 'body') => ({ operation: 'p2p', key: `key-${newId()}`, fingerprint });

describe('one reference', () => {
  test('20 times at once it is posted once, and 19 are led to that transaction', async () => {
    const reference = `order-${newId()}`;

    const results = await atOnce(20, () => p2p({ partnerId, from, to, amountKobo: 5_000, reference }));

    expect(countOutcomes(results)).toEqual({ posted: 1, same_reference: 19 });
    expect(new Set(results.map(transactionIdOf)).size).toBe(1);
    expect(await cell.balanceKobo(to)).toBe(5_000);
  });

  test.each([
    ['another amount', () => ({ amountKobo: 5_001 })],
    ['another destination', () => ({ to: from, from: to })],
  ])('with %s it is a duplicate that names the first transaction', async (_, other) => {
    const reference = `order-${newId()}`;
    const first = await writers[0].post(p2p({ partnerId, from, to, amountKobo: 5_000, reference }));

    const second = await writers[1].post(
      p2p({ partnerId, from, to, amountKobo: 5_000, reference, ...other() }),
    );

    expect(second).toMatchObject({
      ok: false,
      refusal: { code: 'DUPLICATE_REFERENCE', detail: { transactionId: transactionIdOf(first) } },
    });
  });

  test('of a bank transfer is not free for a P2P transfer', async () => {
    const reference = `order-${newId()}`;
    await writers[0].post(bankTransfer({ partnerId, from, amountKobo: 5_000, reference }));

    const second = await writers[1].post(p2p({ partnerId, from, to, amountKobo: 5_000, reference }));

    expect(nameOf(second)).toBe('DUPLICATE_REFERENCE');
  });

  test('two different transfers at once: one is posted, the other is a duplicate', async () => {
    const reference = `order-${newId()}`;
    const [others, destination] = [
      await cell.wallet({ partnerId, fundKobo: 100_000 }),
      await cell.wallet({ partnerId }),
    ];

    const results = await atOnce(20, (place) =>
      place % 2 === 0
        ? p2p({ partnerId, from, to, amountKobo: 5_000, reference })
        : p2p({ partnerId, from: others, to: destination, amountKobo: 5_000, reference }),
    );

    expect(countOutcomes(results)).toEqual({ posted: 1, same_reference: 9, DUPLICATE_REFERENCE: 10 });
    expect((await cell.balanceKobo(to)) + (await cell.balanceKobo(destination))).toBe(5_000);
  });

  test('of another partner is another reference', async () => {
    const reference = `order-${newId()}`;
    const stranger = newId();
    const theirs = await cell.wallet({ partnerId: stranger, fundKobo: 100_000 });
    const also = await cell.wallet({ partnerId: stranger });

    const results = await Promise.all([
      writers[0].post(p2p({ partnerId, from, to, amountKobo: 5_000, reference })),
      writers[0].post(p2p({ partnerId: stranger, from: theirs, to: also, amountKobo: 5_000, reference })),
    ]);

    expect(countOutcomes(results)).toEqual({ posted: 2 });
  });
});

describe('names that were used', () => {
  test.each([
    ['a reference', () => ({ reference: `order-${newId()}` })],
    ['a key', () => ({ key: key() })],
  ])('%s stops one batch, and for a minute names are looked up before they are written', async (_, name) => {
    const writer = cell.openWriter();
    const used = name();
    const repeat = () => writer.post(p2p({ partnerId, from, to, amountKobo: 5_000, ...used }));
    const brokenOff = async () => {
      const [row] = await cell.sql(
        `SELECT xact_rollback::integer AS batches FROM pg_stat_database WHERE datname = current_database()`,
      );
      return row!['batches'] as number;
    };
    await repeat();
    const before = await brokenOff();

    for (let times = 1; times <= 5; times++) {
      const [again, another] = await Promise.all([
        repeat(),
        writer.post(p2p({ partnerId, from, to, amountKobo: 1_000 })),
      ]);
      expect(again).toMatchObject({ ok: true, value: { kind: expect.stringMatching(/^same_/) } });
      expect(another).toMatchObject({ ok: true, value: { kind: 'posted' } });
    }

    // Postgres counts what a connection did when the connection ends.
    await writer.close();
    await until('the batch that was broken off', async () => (await brokenOff()) > before);
    expect(await brokenOff()).toBe(before + 1);
    expect(await cell.balanceKobo(to)).toBe(10_000);
  });
});

describe('one Idempotency-Key', () => {
  test('20 times at once it is posted once, and all others are led to the first answer', async () => {
    const used = key();

    const results = await atOnce(20, () => p2p({ partnerId, from, to, amountKobo: 5_000, key: used }));

    expect(countOutcomes(results)).toEqual({ posted: 1, same_key: 19 });
    expect(new Set(results.map(transactionIdOf)).size).toBe(1);
    const told = results.flatMap((one) => (one.ok && one.value.kind === 'same_key' ? one.value.first : []));
    expect(new Set(told.map(({ requestId }) => requestId)).size).toBe(1);
    expect(await cell.balanceKobo(to)).toBe(5_000);
  });

  test.each([
    ['from one wallet', () => from],
    ['from two wallets', () => cell.wallet({ partnerId, fundKobo: 100_000 })],
  ])('with two bodies at once, %s: one effect, the other body is refused', async (_, second) => {
    const used = key();
    const source = await second();

    const results = await atOnce(20, (place) =>
      place % 2 === 0
        ? p2p({ partnerId, from, to, amountKobo: 5_000, key: used })
        : p2p({ partnerId, from: source, to, amountKobo: 6_000, key: { ...used, fingerprint: 'other' } }),
    );

    expect(countOutcomes(results)).toEqual({ posted: 1, same_key: 9, IDEMPOTENCY_KEY_REUSED: 10 });
    expect([5_000, 6_000]).toContain(await cell.balanceKobo(to));
  });

  test.each([
    ['of another operation', { operation: 'bankTransfer' }, {}],
    ['of another partner', {}, { other: true }],
  ])('%s is another key', async (_, otherKey, { other = false }: { other?: boolean }) => {
    const used = key();
    const stranger = other ? newId() : partnerId;
    const source = await cell.wallet({ partnerId: stranger, fundKobo: 100_000 });
    const destination = await cell.wallet({ partnerId: stranger });

    const results = await Promise.all([
      writers[0].post(p2p({ partnerId, from, to, amountKobo: 5_000, key: used })),
      writers[0].post(
        p2p({
          partnerId: stranger,
          from: source,
          to: destination,
          amountKobo: 5_000,
          key: { ...used, ...otherKey },
        }),
      ),
    ]);

    expect(countOutcomes(results)).toEqual({ posted: 2 });
  });

  test('after its window it is used again, exactly once over two processes', async () => {
    const used = key();
    await writers[0].post(p2p({ partnerId, from, to, amountKobo: 5_000, key: used }));
    await cell.sql(
      `UPDATE ${SANDBOX_CELL}.idempotency_keys SET created_at = created_at - interval '24 hours' WHERE key = $1`,
      [used.key],
    );

    const results = await atOnce(20, () => p2p({ partnerId, from, to, amountKobo: 5_000, key: used }));

    expect(countOutcomes(results)).toEqual({ posted: 1, same_key: 19 });
    expect(await cell.balanceKobo(to)).toBe(10_000);
  });

  test('after its window it is used once by two processes that have no wallet in common', async () => {
    const used = key();
    await writers[0].post(p2p({ partnerId, from, to, amountKobo: 5_000, key: used }));
    const pairs = await Promise.all(
      [0, 1].map(async () => ({
        from: await cell.wallet({ partnerId, fundKobo: 1_000_000 }),
        to: await cell.wallet({ partnerId }),
      })),
    );
    for (let round = 1; round <= 30; round++) {
      await cell.sql(
        `UPDATE ${SANDBOX_CELL}.idempotency_keys SET created_at = created_at - interval '24 hours' WHERE key = $1`,
        [used.key],
      );

      const results = await atOnce(6, (place) =>
        p2p({ partnerId, ...pairs[place % 2]!, amountKobo: 1_000, key: used }),
      );

      expect(countOutcomes(results)).toEqual({ posted: 1, same_key: 5 });
    }
  });

  test('just before the end of its window the key still repeats its answer', async () => {
    const used = key();
    const first = await writers[0].post(p2p({ partnerId, from, to, amountKobo: 5_000, key: used }));
    await cell.sql(
      `UPDATE ${SANDBOX_CELL}.idempotency_keys SET created_at = created_at - interval '23 hours 58 minutes'
        WHERE key = $1`,
      [used.key],
    );

    const again = await writers[1].post(p2p({ partnerId, from, to, amountKobo: 5_000, key: used }));

    expect(nameOf(again)).toBe('same_key');
    expect(transactionIdOf(again)).toBe(transactionIdOf(first));
  });
});

describe('a refused request', () => {
  test('uses up neither its key nor its reference', async () => {
    const used = key();
    const reference = `order-${newId()}`;
    const poor = await cell.wallet({ partnerId });
    const transfer = (source: string) =>
      writers[0].post(p2p({ partnerId, from: source, to, amountKobo: 5_000, reference, key: used }));

    expect(nameOf(await transfer(poor))).toBe('INSUFFICIENT_FUNDS');
    expect(nameOf(await transfer(from))).toBe('posted');
  });

  test('leaves its key and its reference to a neighbour of the same batch', async () => {
    const used = key();
    const reference = `order-${newId()}`;
    const poor = await cell.wallet({ partnerId });
    const transfer = (source: string) =>
      writers[0].post(p2p({ partnerId, from: source, to, amountKobo: 5_000, reference, key: used }));

    const results = await Promise.all([transfer(poor), transfer(from)]);

    expect(results.map(nameOf)).toEqual(['INSUFFICIENT_FUNDS', 'posted']);
  });
});
