/** The SQL examples of docs/ledger.md print what the page says, on rows that the ledger's writer has written. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { newId } from '../../src/db/pg/ids';
import type { LedgerItem } from '../../src/db/ledger/writer';
import { openTestCell, type TestCell } from '../support/cell';
import { bankTransfer, p2p, settlement, transactionIdOf } from '../support/movements';
import { examplesIn, printedBy } from '../support/sql-page';

const examples = examplesIn(readFileSync(join(__dirname, '..', '..', 'docs/ledger.md'), 'utf8'));

let cell: TestCell;
let client: pg.PoolClient;

beforeAll(async () => {
  // The page names the cell sandbox_0.
  cell = await openTestCell('sandbox_0');
  await writeTheStory();
  client = await cell.owner.connect();
});
afterAll(async () => {
  client.release(true);
  await cell.close();
});

/** The movements that the page describes under "The story". */
async function writeTheStory(): Promise<void> {
  const writer = cell.openWriter();
  const partnerId = newId();
  /** A moment apart, so that no two transactions have the same time. */
  const post = async (item: LedgerItem): Promise<string> => {
    await sleep(5);
    return transactionIdOf(await writer.post(item));
  };
  const ada = await cell.wallet({ partnerId, fundKobo: 1_000_000 });
  const bola = await cell.wallet({ partnerId });
  await cell.sql(
    `UPDATE sandbox_0.wallets SET user_ref = CASE id WHEN $1 THEN 'ada' WHEN $2 THEN 'bola' END`,
    [ada, bola],
  );
  await post(p2p({ partnerId, from: ada, to: bola, amountKobo: 200_000, reference: 'order-1' }));
  const rent = await post(bankTransfer({ partnerId, from: ada, amountKobo: 300_000, reference: 'rent-1' }));
  await post(settlement({ partnerId, transactionId: rent, from: ada, to: 'failed' }));
  const stock = await post(bankTransfer({ partnerId, from: bola, amountKobo: 50_000, reference: 'stock-1' }));
  await post(settlement({ partnerId, transactionId: stock, from: bola, to: 'completed' }));
  await post(bankTransfer({ partnerId, from: ada, amountKobo: 100_000, reference: 'supplier-1' }));
}

test('the page gives the output of every example', () => {
  expect(examples.length).toBeGreaterThan(12);
  expect(examples.filter(({ output }) => output === null)).toEqual([]);
});

test('every example prints what the page says, one after the other', async () => {
  const printed: { sql: string; output: string }[] = [];
  for (const { sql } of examples) printed.push({ sql, output: await printedBy(client, sql) });
  expect(printed).toEqual(examples);
});
