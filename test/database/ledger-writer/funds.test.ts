/** Many movements at once on the same wallets: nothing is lost, nothing is overdrawn, nothing deadlocks. */
import { newId } from '../../../src/db/pg/ids';
import type { LedgerWriter } from '../../../src/db/ledger/writer';
import { auditCell } from '../../support/audit';
import { openTestCell, type TestCell } from '../../support/cell';
import { countOutcomes, p2p } from '../../support/movements';
import { until } from '../../support/until';
import { SANDBOX_CELL } from '../../setup/cells';

let cell: TestCell;
beforeAll(async () => {
  cell = await openTestCell();
});
afterEach(async () => {
  expect(await auditCell(cell.url, SANDBOX_CELL)).toEqual([]);
});
afterAll(() => cell.close());

const partnerId = newId();
const AMOUNT_KOBO = 10_000;
const FEE_KOBO = 50;

describe('200 transfers at once on funds for exactly 37', () => {
  test.each([1, 2, 3])('37 are posted and 163 find insufficient funds, round %i', async () => {
    const writer = cell.openWriter();
    const remainderKobo = AMOUNT_KOBO + FEE_KOBO - 1;
    const from = await cell.wallet({ partnerId, fundKobo: 37 * (AMOUNT_KOBO + FEE_KOBO) + remainderKobo });
    const to = await cell.wallet({ partnerId });

    const results = await Promise.all(
      Array.from({ length: 200 }, () => writer.post(p2p({ partnerId, from, to, amountKobo: AMOUNT_KOBO }))),
    );

    expect(countOutcomes(results)).toEqual({ posted: 37, INSUFFICIENT_FUNDS: 163 });
    expect(await cell.balanceKobo(from)).toBe(remainderKobo);
    expect(await cell.balanceKobo(to)).toBe(37 * AMOUNT_KOBO);
  });

  test('two processes together also spend the funds once', async () => {
    const writers = [cell.openWriter(), cell.openWriter()];
    const from = await cell.wallet({ partnerId, fundKobo: 37 * (AMOUNT_KOBO + FEE_KOBO) });
    const to = await cell.wallet({ partnerId });

    const results = await Promise.all(
      Array.from({ length: 200 }, (_, place) =>
        writers[place % 2]!.post(p2p({ partnerId, from, to, amountKobo: AMOUNT_KOBO })),
      ),
    );

    expect(countOutcomes(results)).toEqual({ posted: 37, INSUFFICIENT_FUNDS: 163 });
    expect(await cell.balanceKobo(from)).toBe(0);
    expect(await cell.balanceKobo(to)).toBe(37 * AMOUNT_KOBO);
  });

  test('each refusal names the funds that were left at its turn', async () => {
    const writer = cell.openWriter();
    const from = await cell.wallet({ partnerId, fundKobo: AMOUNT_KOBO + FEE_KOBO + 7 });
    const to = await cell.wallet({ partnerId });
    const transfer = () => writer.post(p2p({ partnerId, from, to, amountKobo: AMOUNT_KOBO }));

    const [first, second] = await Promise.all([transfer(), transfer()]);

    expect(first).toMatchObject({
      value: { kind: 'posted', balances: { sourceKobo: 7, destKobo: AMOUNT_KOBO } },
    });
    expect(second).toMatchObject({
      ok: false,
      refusal: { detail: { availableKobo: 7, requiredKobo: AMOUNT_KOBO + FEE_KOBO } },
    });
  });
});

describe('two wallets that pay each other over two processes', () => {
  test('100 transfers each way are all posted, without a deadlock', async () => {
    const one = cell.openWriter();
    const other = cell.openWriter();
    const fundKobo = 100 * (AMOUNT_KOBO + FEE_KOBO);
    const a = await cell.wallet({ partnerId, fundKobo });
    const b = await cell.wallet({ partnerId, fundKobo });
    const times = (post: () => ReturnType<typeof one.post>) => Array.from({ length: 100 }, post);

    const results = await Promise.all([
      ...times(() => one.post(p2p({ partnerId, from: a, to: b, amountKobo: AMOUNT_KOBO }))),
      ...times(() => other.post(p2p({ partnerId, from: b, to: a, amountKobo: AMOUNT_KOBO }))),
    ]);

    expect(countOutcomes(results)).toEqual({ posted: 200 });
    expect(await cell.balanceKobo(a)).toBe(fundKobo - 100 * FEE_KOBO);
    expect(await cell.balanceKobo(b)).toBe(fundKobo - 100 * FEE_KOBO);
    expect(await deadlocksOf([one, other])).toBe(0);
  });

  test('five wallets that pay each other in a ring end with what they had, less the fees', async () => {
    const writers = [cell.openWriter(), cell.openWriter()];
    const fundKobo = 1_000_000;
    const ring = await Promise.all(Array.from({ length: 5 }, () => cell.wallet({ partnerId, fundKobo })));

    const results = await Promise.all(
      Array.from({ length: 150 }, (_, place) => {
        const [from, to] = [ring[place % 5]!, ring[(place + 1) % 5]!];
        return writers[place % 2]!.post(p2p({ partnerId, from, to, amountKobo: AMOUNT_KOBO }));
      }),
    );

    expect(countOutcomes(results)).toEqual({ posted: 150 });
    const balances = await Promise.all(ring.map((id) => cell.balanceKobo(id)));
    expect(balances).toEqual(ring.map(() => fundKobo - 30 * FEE_KOBO));
    expect(await deadlocksOf(writers)).toBe(0);
  });
});

describe('one destination that everybody pays', () => {
  test('300 payers over two processes are all credited, in one chain of entries', async () => {
    const writers = [cell.openWriter(), cell.openWriter()];
    const payers = await Promise.all(
      Array.from({ length: 30 }, () => cell.wallet({ partnerId, fundKobo: 10 * (AMOUNT_KOBO + FEE_KOBO) })),
    );
    const to = await cell.wallet({ partnerId });

    const results = await Promise.all(
      Array.from({ length: 300 }, (_, place) =>
        writers[place % 2]!.post(p2p({ partnerId, from: payers[place % 30]!, to, amountKobo: AMOUNT_KOBO })),
      ),
    );

    expect(countOutcomes(results)).toEqual({ posted: 300 });
    expect(await cell.balanceKobo(to)).toBe(300 * AMOUNT_KOBO);
    const [last] = await cell.sql(`SELECT sequence FROM ${SANDBOX_CELL}.accounts WHERE id = $1`, [to]);
    expect(last).toEqual({ sequence: 300 });
  });

  test('one source pays 100 destinations, each once', async () => {
    const writer = cell.openWriter();
    const from = await cell.wallet({ partnerId, fundKobo: 100 * (AMOUNT_KOBO + FEE_KOBO) });
    const destinations = await Promise.all(Array.from({ length: 100 }, () => cell.wallet({ partnerId })));

    const results = await Promise.all(
      destinations.map((to) => writer.post(p2p({ partnerId, from, to, amountKobo: AMOUNT_KOBO }))),
    );

    expect(countOutcomes(results)).toEqual({ posted: 100 });
    expect(await cell.balanceKobo(from)).toBe(0);
    expect(await Promise.all(destinations.map((to) => cell.balanceKobo(to)))).toEqual(
      destinations.map(() => AMOUNT_KOBO),
    );
  });
});

/** Closes the writers and gives the number of deadlocks, which is complete once their backends have ended. */
async function deadlocksOf(writers: readonly LedgerWriter[]): Promise<number> {
  await Promise.all(writers.map((writer) => writer.close()));
  for (const writer of writers) {
    await until('the end of its connections', async () => (await cell.backendsOf(writer)).length === 0);
  }
  const [row] = await cell.sql('SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()');
  return row?.['deadlocks'];
}
