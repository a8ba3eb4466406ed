/** Reading the ledger page by page: each row once, newest first, and every page costs as much as the first. */
import { newId } from '../../src/db/pg/ids';
import { listEntries } from '../../src/db/ledger/entries';
import type { LedgerWriter } from '../../src/db/ledger/writer';
import {
  findByReference,
  findReversalId,
  listTransactions,
  type Place,
} from '../../src/db/ledger/transactions';
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
