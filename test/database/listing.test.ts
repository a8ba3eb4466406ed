/** Reading the ledger page by page: each row once, newest first, and every page costs as much as the first. */
import { newId } from '../../src/db/pg/ids';
import { findBalanceAt, listEntries } from '../../src/db/ledger/entries';
import type { LedgerWriter } from '../../src/db/ledger/writer';
import { findByReference, findReversalId, listTransactions } from '../../src/db/ledger/transactions';
import type { Place } from '../../src/db/pg/walks';
import type { Transaction } from '../../src/domain/transactions';
import { openTestCell, type TestCell } from '../support/cell';
import { bankTransfer, funding, p2p, settlement, transactionIdOf } from '../support/movements';
import { SANDBOX_CELL } from '../setup/cells';

let cell: TestCell;
let writer: LedgerWriter;
const partnerId = newId();
beforeAll(async () => {
  cell = await openTestCell();
  writer = cell.openWriter();
});
afterAll(() => cell.close());

async function allPages(walletId: string, limit: number): Promise<Transaction[]> {
  const all: Transaction[] = [];
  for (let after: Place | null = null; ;) {
    const page: Transaction[] = await listTransactions(cell.cell, walletId, { after, limit });
    expect(page.length).toBeLessThanOrEqual(limit);
    all.push(...page);
    const last = page.at(-1);
    if (!last || page.length < limit) return all;
    after = { createdAt: last.createdAt, id: last.id };
  }
}

describe('a wallet with 250 transactions, many of them of the same instant', () => {
  let wallet: string;
  let posted: string[];
  beforeAll(async () => {
    wallet = await cell.wallet({ partnerId });
    const other = await cell.wallet({ partnerId, fundKobo: 10_000_000 });
    const first = await writer.post(funding({ partnerId, to: wallet, amountKobo: 10_000_000 }));
    const rest = await Promise.all(
      Array.from({ length: 249 }, (_, place) =>
        writer.post(
          place % 3 === 0
            ? p2p({ partnerId, from: other, to: wallet, amountKobo: 100, description: `no ${place}` })
            : p2p({ partnerId, from: wallet, to: other, amountKobo: 100, description: `no ${place}` }),
        ),
      ),
    );
    posted = [first, ...rest].map(transactionIdOf);
    const [instants] = await cell.sql(
      `SELECT count(DISTINCT created_at)::int AS number FROM ${SANDBOX_CELL}.transactions WHERE id = ANY($1)`,
      [posted],
    );
    expect(instants!['number']).toBeLessThan(50);
  });

  test.each([1, 7, 20, 100, 249, 250, 251])('lists each once in pages of %i, newest first', async (limit) => {
    const listed = await allPages(wallet, limit);

    expect(listed.map(({ id }) => id).sort()).toEqual([...posted].sort());
    const inOrder = [...listed].sort(
      (a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1),
    );
    expect(listed.map(({ id }) => id)).toEqual(inOrder.map(({ id }) => id));
  });

  test.each([1, 7, 100, 249, 250])(
    'lists its entries in pages of %i: 250 down to 1, in one chain',
    async (limit) => {
      const entries = [];
      for (let beforeSequence: number | null = null; ;) {
        const page: Awaited<ReturnType<typeof listEntries>> = await listEntries(cell.cell, wallet, {
          beforeSequence,
          limit,
        });
        entries.push(...page);
        if (page.length < limit) break;
        beforeSequence = page.at(-1)!.sequence;
      }

      expect(entries.map(({ sequence }) => sequence)).toEqual(
        Array.from({ length: 250 }, (_, place) => 250 - place),
      );
      for (const [place, entry] of entries.entries()) {
        const balanceBeforeKobo = entries[place + 1]?.balanceAfterKobo ?? 0;
        expect(entry.balanceAfterKobo).toBe(balanceBeforeKobo + entry.amountKobo);
        expect(entry.walletId).toBe(wallet);
      }
      expect(new Set(entries.map(({ transactionId }) => transactionId))).toEqual(new Set(posted));
    },
  );

  test('a row that is added during paging is not on later pages, and moves no row of them', async () => {
    const before = await allPages(wallet, 100);
    const page = await listTransactions(cell.cell, wallet, { after: null, limit: 10 });
    await writer.post(funding({ partnerId, to: wallet, amountKobo: 1 }));
    const { createdAt, id } = page.at(-1)!;

    const next = await listTransactions(cell.cell, wallet, { after: { createdAt, id }, limit: 10 });

    expect([...page, ...next].map((one) => one.id)).toEqual(before.slice(0, 20).map((one) => one.id));
  });
});

describe('the balance at a time', () => {
  const START = Date.parse('2026-01-01T00:00:00Z');
  const ENTRIES = 200;
  /** 200 ms apart, and every third one a second late, as the clock of another process may write it. */
  const timeOf = (sequence: number): number => START + sequence * 200 - (sequence % 3 === 0 ? 1_000 : 0);
  const sequences = Array.from({ length: ENTRIES }, (_, index) => index + 1);
  let wallet: string;

  beforeAll(async () => {
    wallet = await cell.wallet({ partnerId });
    await cell.sql(
      `WITH made AS (
         INSERT INTO ${SANDBOX_CELL}.transactions (id, partner_id, reference, type, status, amount_kobo, dest_wallet,
           customer_fee_kobo, merchant_fee_kobo, mfb_cost_kobo, net_amount_kobo, created_at, updated_at, completed_at)
         SELECT gen_random_uuid(), $1, 'at-' || n, 'wallet_funding', 'completed', 10, $2, 0, 0, 0, 10, t, t, t
           FROM unnest($3::int[], $4::timestamptz[]) AS v(n, t) RETURNING *),
       entered AS (
       INSERT INTO ${SANDBOX_CELL}.entries
         (transaction_id, step, account, id, amount_kobo, sequence, balance_after_kobo, created_at)
       SELECT id, 'accept', account, gen_random_uuid(), amount, sequence, 10 * sequence, created_at
         FROM made, LATERAL (VALUES ($2::uuid, 10, substr(reference, 4)::int), (gen_random_uuid(), -10, NULL))
           AS v(account, amount, sequence))
       UPDATE ${SANDBOX_CELL}.accounts SET sequence = $5::bigint, balance_kobo = 10 * $5::bigint WHERE id = $2`,
      [partnerId, wallet, sequences, sequences.map((sequence) => new Date(timeOf(sequence))), ENTRIES],
    );
  });

  test('is that after the last entry until then, although the clocks of processes are a second apart', async () => {
    const times = Array.from({ length: 450 }, (_, step) => START - 2_000 + step * 100);
    const wrong = [];
    for (const time of times) {
      const last = sequences.filter((sequence) => timeOf(sequence) <= time).at(-1) ?? 0;
      const { balanceKobo: found } = await findBalanceAt(cell.cell, wallet, new Date(time));
      if (found !== last * 10) wrong.push([time, found, last * 10]);
    }
    expect(wrong).toEqual([]);
  });

  test('is 0 for a wallet without entries', async () => {
    expect(await findBalanceAt(cell.cell, await cell.wallet({ partnerId }), new Date())).toEqual({
      sequence: 0,
      balanceKobo: 0,
    });
  });
});

describe('finding by reference', () => {
  test.each(['order-1', 'órder 1', "o'rder;--"])(
    '%s finds its transaction in the lists of both its wallets',
    async (name) => {
      const reference = `${name} ${newId()}`;
      const from = await cell.wallet({ partnerId, fundKobo: 100_000 });
      const to = await cell.wallet({ partnerId });
      const id = transactionIdOf(await writer.post(p2p({ partnerId, from, to, amountKobo: 100, reference })));
      const find = async (partner: string, walletId: string, text = reference) =>
        (await findByReference(cell.cell, partner, walletId, text)).map((one) => one.id);

      expect(await find(partnerId, from)).toEqual([id]);
      expect(await find(partnerId, to)).toEqual([id]);
      expect(await find(partnerId, await cell.wallet({ partnerId }))).toEqual([]);
      expect(await find(newId(), from)).toEqual([]);
      expect(await find(partnerId, from, reference.slice(1))).toEqual([]);
    },
  );

  test('fund_<id> finds a funding and rev_<id> a reversal, which no registry holds', async () => {
    const wallet = await cell.wallet({ partnerId });
    const fundingId = transactionIdOf(
      await writer.post(funding({ partnerId, to: wallet, amountKobo: 100_000 })),
    );
    const transfer = await writer.post(bankTransfer({ partnerId, from: wallet, amountKobo: 100 }));
    const transactionId = transactionIdOf(transfer);
    await writer.post(settlement({ partnerId, transactionId, from: wallet, to: 'failed' }));
    const reversalId = await findReversalId(cell.cell, transactionId);
    const find = async (reference: string) =>
      (await findByReference(cell.cell, partnerId, wallet, reference)).map((one) => one.id);

    expect(await find(`fund_${fundingId}`)).toEqual([fundingId]);
    expect(await find(`rev_${transactionId}`)).toEqual([reversalId]);
    expect(await find(`fund_${transactionId}`)).toEqual([]);
    expect(await find(`rev_${fundingId}`)).toEqual([]);
    expect(await find(`rev_${newId()}`)).toEqual([]);
    expect(await find('rev_not-an-id')).toEqual([]);
    expect(await find(transactionId)).toEqual([]);
  });

  test('a partner that uses rev_<id> as its own reference neither blocks nor hides the reversal', async () => {
    const wallet = await cell.wallet({ partnerId, fundKobo: 100_000 });
    const to = await cell.wallet({ partnerId });
    const transfer = await writer.post(bankTransfer({ partnerId, from: wallet, amountKobo: 100 }));
    const transactionId = transactionIdOf(transfer);
    const reference = `rev_${transactionId}`;
    const own = transactionIdOf(
      await writer.post(p2p({ partnerId, from: wallet, to, amountKobo: 100, reference })),
    );

    await writer.post(settlement({ partnerId, transactionId, from: wallet, to: 'failed' }));

    const reversalId = await findReversalId(cell.cell, transactionId);
    const found = await findByReference(cell.cell, partnerId, wallet, reference);
    expect(found.map((one) => one.id)).toEqual([reversalId, own]);
  });
});
