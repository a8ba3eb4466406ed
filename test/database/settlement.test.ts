/**
 * How a bank transfer ends: once, whichever end comes first; a failure gives back amount and fee in one reversal.
 */
import { nameOf } from '../../src/domain/outcome';
import { newId } from '../../src/db/pg/ids';
import type { LedgerWriter } from '../../src/db/ledger/writer';
import { findReversalId, findTransaction } from '../../src/db/ledger/transactions';
import { systemAccountId, type SystemAccountCode } from '../../src/domain/accounts';
import { auditCell } from '../support/audit';
import { openTestCell, type TestCell } from '../support/cell';
import { bankTransfer, countOutcomes, funding, settlement, transactionIdOf } from '../support/movements';
import { SANDBOX_CELL } from '../setup/cells';

let cell: TestCell;
let writers: [LedgerWriter, LedgerWriter];
const partnerId = newId();
const AMOUNT_KOBO = 400_000;
const FEE_KOBO = 5_000;

beforeAll(async () => {
  cell = await openTestCell();
  writers = [cell.openWriter(), cell.openWriter()];
});
afterEach(async () => {
  expect(await auditCell(cell.url, SANDBOX_CELL)).toEqual([]);
});
afterAll(() => cell.close());

/** A wallet with exactly the money of one accepted transfer. */
async function accepted(): Promise<{ from: string; transactionId: string }> {
  const from = await cell.wallet({ partnerId, fundKobo: AMOUNT_KOBO + FEE_KOBO });
  const result = await writers[0].post(bankTransfer({ partnerId, from, amountKobo: AMOUNT_KOBO }));
  expect(result).toMatchObject({ value: { kind: 'posted', transaction: { status: 'processing' } } });
  return { from, transactionId: transactionIdOf(result) };
}

/** The amounts by which a transaction moved the platform's accounts, by code, without the wallets. */
async function journal(transactionId: string, step: string): Promise<Record<string, number>> {
  const rows = await cell.sql(
    `SELECT account, amount_kobo FROM ${SANDBOX_CELL}.entries
      WHERE transaction_id = $1 AND step = $2 AND sequence IS NULL`,
    [transactionId, step],
  );
  return Object.fromEntries(rows.map((row) => [row['account'], row['amount_kobo']]));
}
const codes = (amounts: Partial<Record<SystemAccountCode, number>>): Record<string, number> =>
  Object.fromEntries(
    Object.entries(amounts).map(([code, amount]) => [systemAccountId(code as SystemAccountCode), amount]),
  );

const eventsOf = (transactionId: string) =>
  cell.sql(`SELECT kind FROM ${SANDBOX_CELL}.events WHERE resource_id = $1`, [transactionId]);

describe('an accepted bank transfer', () => {
  test('has debited amount and fee at once, in one entry, and is processing', async () => {
    const { from, transactionId } = await accepted();

    expect(await cell.balanceKobo(from)).toBe(0);
    expect(await journal(transactionId, 'accept')).toEqual(codes({ 2200: AMOUNT_KOBO, 2210: FEE_KOBO }));
    expect(await eventsOf(transactionId)).toEqual([]);
  });

  test('that completes keeps its debit and recognises the fee', async () => {
    const { from, transactionId } = await accepted();

    const result = await writers[1].post(settlement({ partnerId, transactionId, from, to: 'completed' }));

    expect(result).toMatchObject({ value: { kind: 'posted', was: 'processing', reversal: null } });
    expect(await findTransaction(cell.cell, partnerId, transactionId)).toMatchObject({
      status: 'completed',
      failedReason: null,
      completedAt: expect.any(Date),
      pspMeta: { responseCode: '00' },
    });
    expect(await cell.balanceKobo(from)).toBe(0);
    // The fee of 5000 contains 349 of VAT; the cost of this band is 1000.
    expect(await journal(transactionId, 'settle')).toEqual(
      codes({
        2200: -AMOUNT_KOBO,
        1200: AMOUNT_KOBO,
        2210: -FEE_KOBO,
        4110: FEE_KOBO - 349,
        2400: 349,
        5100: -1_000,
        2300: 1_000,
      }),
    );
    expect(await eventsOf(transactionId)).toEqual([{ kind: 'transaction.completed' }]);
  });

  test('that fails is credited back in full, including the fee, by one completed reversal', async () => {
    const { from, transactionId } = await accepted();

    await writers[1].post(settlement({ partnerId, transactionId, from, to: 'failed' }));

    const failed = await findTransaction(cell.cell, partnerId, transactionId);
    expect(failed).toMatchObject({ status: 'failed', failedReason: 'Do not honor', completedAt: null });
    const reversalId = await findReversalId(cell.cell, transactionId);
    expect(await findTransaction(cell.cell, partnerId, reversalId!)).toMatchObject({
      type: 'reversal',
      status: 'completed',
      reference: `rev_${transactionId}`,
      amountKobo: AMOUNT_KOBO + FEE_KOBO,
      sourceWalletId: null,
      destWalletId: from,
      fees: { customerFeeKobo: 0, platformFeeKobo: 0, mfbCostKobo: 0 },
      metadata: { original_transaction_id: transactionId, original_reference: failed!.reference },
    });
    expect(await cell.balanceKobo(from)).toBe(AMOUNT_KOBO + FEE_KOBO);
    expect(await journal(reversalId!, 'return')).toEqual(codes({ 2200: -AMOUNT_KOBO, 2210: -FEE_KOBO }));
    expect(await eventsOf(transactionId)).toEqual([{ kind: 'transaction.failed' }]);
    expect(await eventsOf(reversalId!)).toEqual([]);
  });

  test.each(['frozen', 'closed'] as const)(
    'that fails is credited back to a wallet that is %s by now',
    async (status) => {
      const { from, transactionId } = await accepted();
      await cell.sql(`UPDATE ${SANDBOX_CELL}.accounts SET status = $2 WHERE id = $1`, [from, status]);

      const result = await writers[0].post(settlement({ partnerId, transactionId, from, to: 'failed' }));

      expect(nameOf(result)).toBe('posted');
      expect(await cell.balanceKobo(from)).toBe(AMOUNT_KOBO + FEE_KOBO);
    },
  );
});

describe('a wallet with the largest possible balance', () => {
  test('keeps room for what a transfer under way may bring back', async () => {
    const from = await cell.wallet({ partnerId, fundKobo: Number.MAX_SAFE_INTEGER });
    const transfer = await writers[0].post(bankTransfer({ partnerId, from, amountKobo: AMOUNT_KOBO }));
    const fund = () => writers[1].post(funding({ partnerId, to: from, amountKobo: AMOUNT_KOBO }));

    expect(nameOf(await fund())).toBe('LIMIT_EXCEEDED');
    const transactionId = transactionIdOf(transfer);
    await writers[1].post(settlement({ partnerId, transactionId, from, to: 'failed' }));

    expect(await cell.balanceKobo(from)).toBe(Number.MAX_SAFE_INTEGER);
  });

  test('has that room free again once the transfer has arrived', async () => {
    const from = await cell.wallet({ partnerId, fundKobo: Number.MAX_SAFE_INTEGER });
    const transfer = await writers[0].post(bankTransfer({ partnerId, from, amountKobo: AMOUNT_KOBO }));
    const transactionId = transactionIdOf(transfer);
    await writers[1].post(settlement({ partnerId, transactionId, from, to: 'completed' }));

    const funded = await writers[0].post(
      funding({ partnerId, to: from, amountKobo: AMOUNT_KOBO + FEE_KOBO }),
    );

    expect(nameOf(funded)).toBe('posted');
    expect(await cell.balanceKobo(from)).toBe(Number.MAX_SAFE_INTEGER);
  });
});

describe('a settled bank transfer', () => {
  test.each([
    ['completed', 'completed'],
    ['completed', 'failed'],
    ['failed', 'completed'],
    ['failed', 'failed'],
  ] as const)('that %s does not move again after a later %s', async (first, second) => {
    const { from, transactionId } = await accepted();
    await writers[0].post(settlement({ partnerId, transactionId, from, to: first }));

    const result = await writers[1].post(settlement({ partnerId, transactionId, from, to: second }));

    expect(result).toMatchObject({ value: { kind: 'settled_before', transaction: { status: first } } });
    expect(await cell.balanceKobo(from)).toBe(first === 'failed' ? AMOUNT_KOBO + FEE_KOBO : 0);
    expect(await eventsOf(transactionId)).toHaveLength(1);
  });
});

describe('complete and fail at once over two processes', () => {
  test('50 transfers: each has exactly one transition, at most one reversal and one event', async () => {
    const transfers = await Promise.all(Array.from({ length: 50 }, accepted));

    const races = await Promise.all(
      transfers.map(({ from, transactionId }, place) => {
        const [one, other] = place % 2 === 0 ? [writers[0], writers[1]] : [writers[1], writers[0]];
        return Promise.all([
          one.post(settlement({ partnerId, transactionId, from, to: 'completed' })),
          other.post(settlement({ partnerId, transactionId, from, to: 'failed' })),
          one.post(settlement({ partnerId, transactionId, from, to: 'failed' })),
          other.post(settlement({ partnerId, transactionId, from, to: 'completed' })),
        ]);
      }),
    );

    for (const race of races) expect(countOutcomes(race)).toEqual({ posted: 1, settled_before: 3 });
    const [totals] = await cell.sql(
      `SELECT count(*)::int AS settled, count(v.reversal_id)::int AS reversed,
              count(*) FILTER (WHERE status = 'failed')::int AS failed
         FROM ${SANDBOX_CELL}.transactions t LEFT JOIN ${SANDBOX_CELL}.reversals v ON v.original_id = t.id
        WHERE t.id = ANY($1) AND status IN ('completed', 'failed')`,
      [transfers.map(({ transactionId }) => transactionId)],
    );
    expect(totals!['settled']).toBe(50);
    expect(totals!['reversed']).toBe(totals!['failed']);
    const [told] = await cell.sql(
      `SELECT count(*)::int AS events FROM ${SANDBOX_CELL}.events WHERE resource_id = ANY($1)`,
      [transfers.map(({ transactionId }) => transactionId)],
    );
    expect(told).toEqual({ events: 50 });
  });
});

describe('a transfer to our own MFB', () => {
  test('credits its wallet once, although it is posted ten times at once over two processes', async () => {
    const { from, transactionId } = await accepted();
    const to = await cell.wallet({ partnerId });
    const source = { kind: 'own_mfb', bankTransferId: transactionId } as const;

    const results = await Promise.all(
      Array.from({ length: 10 }, (_, place) =>
        writers[place % 2]!.post(funding({ partnerId, to, amountKobo: AMOUNT_KOBO, from: source })),
      ),
    );
    await writers[0].post(settlement({ partnerId, transactionId, from, to: 'completed' }));

    expect(countOutcomes(results)).toEqual({ posted: 1, same_reference: 9 });
    expect(new Set(results.map(transactionIdOf)).size).toBe(1);
    expect(await cell.balanceKobo(to)).toBe(AMOUNT_KOBO);
    const fundingId = transactionIdOf(results[0]!);
    expect(await journal(fundingId, 'accept')).toEqual(codes({ 1300: -AMOUNT_KOBO }));
    expect(await journal(transactionId, 'settle')).toMatchObject(codes({ 1200: AMOUNT_KOBO }));
  });

  test.each([
    ['pending', 'posted'],
    ['active', 'posted'],
    ['frozen', 'posted'],
    ['closed', 'WALLET_CLOSED'],
  ] as const)('finds a wallet that is %s: %s', async (status, expected) => {
    const to = await cell.wallet({ partnerId, status });
    const source = { kind: 'own_mfb', bankTransferId: newId() } as const;

    const result = await writers[0].post(funding({ partnerId, to, amountKobo: 100, from: source }));

    expect(nameOf(result)).toBe(expected);
  });
});
