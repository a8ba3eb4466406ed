/** A statement says from whom money comes back: the other side of a reversal is that of the payment which it reverses. */
import { newId } from '../../src/db/pg/ids';
import { entriesWithParties } from '../../src/operations/money/statement-parties';
import { openTestCell, type TestCell } from '../support/cell';
import { bankTransfer, settlement, transactionIdOf } from '../support/movements';
import { TEST_SEALING } from '../support/sealing';

let cell: TestCell;
beforeAll(async () => {
  cell = await openTestCell();
});
afterAll(() => cell.close());

test('money that comes back from a bank names the account that was to be paid, and its fee comes back on a line of its own', async () => {
  const partnerId = newId();
  const from = await cell.wallet({ partnerId, fundKobo: 1_000_000 });
  const writer = cell.openWriter();
  const sent = await writer.post(bankTransfer({ partnerId, from, amountKobo: 20_000 }));
  await writer.post(settlement({ partnerId, transactionId: transactionIdOf(sent), from, to: 'failed' }));
  const environment = { sealing: TEST_SEALING, allowsSimulation: true, cells: new Map() };
  const found = [];
  for await (const some of entriesWithParties({ cell: cell.cell, environment }, from, { after: 1, until: 3 }))
    found.push(...some);
  const [paid, back] = found;
  expect(paid?.counterparty?.accountNumber).toMatch(/^\*{6}\d{4}$/);
  expect(back).toMatchObject({ type: 'reversal', counterparty: paid?.counterparty });
  expect([paid?.feeKobo, back?.amountKobo]).toEqual([
    -(paid?.amountKobo ?? 0) - 20_000,
    -(paid?.amountKobo ?? 0),
  ]);
  expect(paid?.feeKobo).toBeGreaterThan(0);
});
