/** Wallets under the regulator's limits: never over one, whoever pays at the same time (D123). */
import { newId } from '../../../src/db/pg/ids';
import type { LedgerResult } from '../../../src/db/ledger/writer';
import { auditCell } from '../../support/audit';
import { openTestCell, type TestCell } from '../../support/cell';
import {
  bankTransfer,
  countOutcomes,
  funding,
  p2p,
  settlement,
  transactionIdOf,
} from '../../support/movements';
import { SANDBOX_CELL } from '../../setup/cells';

const partnerId = newId();
const DAY_KOBO = 5_000_000;
let cell: TestCell;

beforeAll(async () => {
  cell = await openTestCell();
});
afterEach(async () => {
  expect(await auditCell(cell.url, SANDBOX_CELL)).toEqual([]);
});
afterAll(() => cell.close());

/** Puts a wallet that has paid nothing yet into tier 1. */
const limit = (id: string) =>
  cell.sql(`UPDATE ${SANDBOX_CELL}.accounts SET limit_tier = 'tier_1', counted_from = now() WHERE id = $1`, [
    id,
  ]);
async function limited(fundKobo: number): Promise<string> {
  const id = await cell.wallet({ partnerId, fundKobo });
  await limit(id);
  return id;
}
const usedKobo = async (id: string): Promise<number> => {
  const [row] = await cell.sql(`SELECT day_debit_kobo FROM ${SANDBOX_CELL}.accounts WHERE id = $1`, [id]);
  return row!['day_debit_kobo'] as number;
};

describe.each([
  ['that are read before they are decided', false],
  ['that one statement decides, as in live', true],
])('payments %s', (_name, everyWalletIsLimited) => {
  const openWriter = () => cell.openWriter({ everyWalletIsLimited });

  test.each([1, 2])(
    '200 payments at once by %i writers, with room on the day for exactly 37',
    async (count) => {
      const writers = Array.from({ length: count }, () => openWriter());
      const amountKobo = Math.floor(DAY_KOBO / 37);
      const from = await limited(20_000_000);
      const to = await cell.wallet({ partnerId });

      const results = await Promise.all(
        Array.from({ length: 200 }, (_, place) =>
          writers[place % count]!.post(p2p({ partnerId, from, to, amountKobo })),
        ),
      );

      expect(countOutcomes(results)).toEqual({ posted: 37, LIMIT_EXCEEDED: 163 });
      expect(await usedKobo(from)).toBe(37 * amountKobo);
      expect(await cell.balanceKobo(to)).toBe(37 * amountKobo);
    },
  );

  test('200 credits at once, with room in the largest balance for exactly 37', async () => {
    const writer = openWriter();
    const to = await limited(30_000_000 - 37 * 10_000 - 9_999);
    const results = await Promise.all(
      Array.from({ length: 200 }, () => writer.post(funding({ partnerId, to, amountKobo: 10_000 }))),
    );
    expect(countOutcomes(results)).toEqual({ posted: 37, LIMIT_EXCEEDED: 163 });
    expect(await cell.balanceKobo(to)).toBe(30_000_000 - 9_999);
  });

  test('a wallet that has paid without limits meets them from their commit on', async () => {
    const writer = openWriter();
    const from = await cell.wallet({ partnerId, fundKobo: 20_000_000 });
    const to = await cell.wallet({ partnerId });
    const pay = (amountKobo: number) => writer.post(p2p({ partnerId, from, to, amountKobo }));
    expect(countOutcomes([await pay(6_000_000), await pay(100)])).toEqual({ posted: 2 });
    await limit(from);
    const refused = await pay(DAY_KOBO + 1);
    expect(refused).toMatchObject({
      refusal: { code: 'LIMIT_EXCEEDED', detail: { limit: 'single_debit', usedKobo: 0 } },
    });
    expect(countOutcomes([await pay(DAY_KOBO), await pay(1)])).toEqual({ posted: 1, LIMIT_EXCEEDED: 1 });
  });

  test('a bank transfer that comes back gives its part of the day back, and a completed one does not', async () => {
    const writer = openWriter();
    const from = await limited(20_000_000);
    const lost = await writer.post(bankTransfer({ partnerId, from, amountKobo: 3_000_000 }));
    const arrived = await writer.post(bankTransfer({ partnerId, from, amountKobo: 2_000_000 }));
    expect(await usedKobo(from)).toBe(DAY_KOBO);
    const end = (item: LedgerResult, to: 'completed' | 'failed' | 'reversed') =>
      writer.post(settlement({ partnerId, transactionId: transactionIdOf(item), from, to }));
    await end(arrived, 'completed');
    await end(lost, 'failed');
    expect(await usedKobo(from)).toBe(2_000_000);
    // It was completed, and then the bank sent it back.
    await end(arrived, 'reversed');
    expect(await usedKobo(from)).toBe(0);
  });

  test('what was paid on the day before counts no more, and gives nothing to the new day', async () => {
    const writer = openWriter();
    const from = await limited(20_000_000);
    const yesterday = await writer.post(bankTransfer({ partnerId, from, amountKobo: DAY_KOBO }));
    await cell.sql(
      `UPDATE ${SANDBOX_CELL}.accounts SET counted_from = counted_from - interval '1 day' WHERE id = $1`,
      [from],
    );
    const transactionId = transactionIdOf(yesterday);
    await cell.sql(
      `UPDATE ${SANDBOX_CELL}.transactions SET created_at = created_at - interval '1 day' WHERE id = $1`,
      [transactionId],
    );
    await writer.post(p2p({ partnerId, from, to: await cell.wallet({ partnerId }), amountKobo: 7 }));
    await writer.post(settlement({ partnerId, transactionId, from, to: 'failed' }));
    expect(await usedKobo(from)).toBe(7);
  });

  test('200 payments to one wallet at once, with room in its largest balance for exactly 37', async () => {
    const writer = openWriter();
    const from = await cell.wallet({ partnerId, fundKobo: 20_000_000 });
    const to = await limited(30_000_000 - 37 * 10_000 - 9_999);
    const results = await Promise.all(
      Array.from({ length: 200 }, () => writer.post(p2p({ partnerId, from, to, amountKobo: 10_000 }))),
    );
    expect(countOutcomes(results)).toEqual({ posted: 37, LIMIT_EXCEEDED: 163 });
    expect(await cell.balanceKobo(to)).toBe(30_000_000 - 9_999);
  });
});
