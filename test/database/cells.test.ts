/** Two cells per environment: each holds its own partners whole, and nothing is mixed. */
import { nameOf } from '../../src/domain/outcome';
import { findPartner, insertPartner } from '../../src/db/partners/credentials';
import { newId } from '../../src/db/pg/ids';
import { migrateDatabase } from '../../src/db/upkeep/migrate';
import { findTransaction, listTransactions } from '../../src/db/ledger/transactions';
import { findWallet } from '../../src/db/wallets/wallets';
import { createTestDatabase, type TestDatabase } from '../setup/database';
import { auditCell } from '../support/audit';
import { openTestCell, type TestCell } from '../support/cell';
import { countOutcomes, p2p, transactionIdOf } from '../support/movements';
import { asOwners } from '../support/logins';
import { openDatabase } from '../../src/db/upkeep/set-up';
import { AREAS } from '../../src/runtime/logins';

let database: TestDatabase;
let cells: TestCell[];
const partners = [newId(), newId()];

beforeAll(async () => {
  database = await createTestDatabase();
  await openDatabase(database.url, AREAS);
  await migrateDatabase(asOwners(database.url), 2);
  cells = [await openTestCell('sandbox_0', database.url), await openTestCell('sandbox_1', database.url)];
  for (const [place, id] of partners.entries()) {
    await insertPartner(
      cells[0]!.owner,
      { id, businessName: `Partner ${place}`, email: `${id}@acme.example`, status: 'active' },
      { sandbox: `sandbox_${place}`, live: `live_${place}` },
    );
  }
});
afterEach(async () => {
  for (const { cell } of cells) expect(await auditCell(database.url, cell.schema)).toEqual([]);
});
afterAll(async () => {
  for (const cell of cells) await cell.close();
  await database.drop();
});

test('a partner gets the cell that is recorded for it, in either environment', async () => {
  for (const [place, id] of partners.entries()) {
    for (const environment of ['sandbox', 'live'] as const) {
      const partner = await findPartner(cells[0]!.owner, environment, id);
      expect(partner?.cell).toBe(`${environment}_${place}`);
    }
  }
});

/** The same transfer by the partner of cell `place`, twice: same reference, same key. */
async function trade(place: number, reference: string) {
  const [cell, partnerId] = [cells[place]!, partners[place]!];
  const from = await cell.wallet({ partnerId, fundKobo: 100_000 });
  const to = await cell.wallet({ partnerId });
  const key = { operation: 'p2p', key: reference, fingerprint: 'body' };
  const item = p2p({ partnerId, from, to, amountKobo: 1_000, reference, key });
  const writer = cell.openWriter();
  return { results: await Promise.all([writer.post(item), writer.post(item)]), to, cell };
}

test('the same reference and key make one transfer in each cell, also at the same time', async () => {
  for (const { results, to, cell } of await Promise.all([trade(0, 'order-1'), trade(1, 'order-1')])) {
    expect(countOutcomes(results)).toEqual({ posted: 1, same_key: 1 });
    expect(await cell.balanceKobo(to)).toBe(1_000);
  }
});

test('a wallet of the other cell is treated as absent', async () => {
  const [here, there] = [cells[0]!, cells[1]!];
  const partnerId = partners[0]!;
  const from = await here.wallet({ partnerId, fundKobo: 100_000 });
  const elsewhere = await there.wallet({ partnerId: partners[1]!, fundKobo: 100_000 });

  const result = await here.openWriter().post(p2p({ partnerId, from, to: elsewhere, amountKobo: 1_000 }));

  expect(nameOf(result)).toBe('WALLET_NOT_FOUND');
  expect(await findWallet(here.cell, partners[1]!, elsewhere)).toBeNull();
  expect(await findWallet(there.cell, partners[1]!, elsewhere)).toMatchObject({ balanceKobo: 100_000 });
  expect(await here.balanceKobo(from)).toBe(100_000);
});

test('a transaction is found and listed in its own cell only', async () => {
  const [here, there] = [cells[0]!, cells[1]!];
  const partnerId = partners[1]!;
  const from = await there.wallet({ partnerId, fundKobo: 100_000 });
  const to = await there.wallet({ partnerId });
  const id = transactionIdOf(await there.openWriter().post(p2p({ partnerId, from, to, amountKobo: 1_000 })));
  const page = { after: null, limit: 10 };

  expect(await findTransaction(there.cell, partnerId, id)).toMatchObject({ id, status: 'completed' });
  expect(await findTransaction(here.cell, partnerId, id)).toBeNull();
  expect((await listTransactions(there.cell, to, page)).map((one) => one.id)).toEqual([id]);
  expect(await listTransactions(here.cell, to, page)).toEqual([]);
});

test('the rows of a partner are in its own cell only', async () => {
  await Promise.all([trade(0, 'order-2'), trade(1, 'order-2')]);
  for (const [place, schema] of ['sandbox_0', 'sandbox_1', 'live_0', 'live_1'].entries()) {
    for (const table of [
      'accounts',
      'wallets',
      'transactions',
      'events',
      'used_references',
      'idempotency_keys',
    ]) {
      const owners = await cells[0]!.sql(`SELECT DISTINCT partner_id FROM ${schema}.${table}`);
      const expected = place < 2 ? [partners[place]] : [];
      expect([schema, table, owners.map((row) => row['partner_id'])]).toEqual([schema, table, expected]);
    }
  }
});
