/** A kind that a test adds to the table is written, announced and reconciled without any other code for it. */
import { newId } from '../../../src/db/pg/ids';
import type { LedgerItem } from '../../../src/db/ledger/writer';
import { checkTransactions } from '../../../src/db/reconcile/transactions';
import { nameOf } from '../../../src/domain/outcome';
import { TRANSACTION_TYPES } from '../../../src/domain/transaction-types';
import { completedAtOnce } from '../../../src/wire/webhooks';
import { SANDBOX_CELL } from '../../setup/cells';
import { auditCell } from '../../support/audit';
import { DAY_MS, openTestCell, type TestCell } from '../../support/cell';
import { addGifts, giving, removeGifts } from '../../support/gifts';
import { valueAs } from '../../support/outcomes';
import { pastChecks } from '../../support/past-checks';

let cell: TestCell;
const partnerId = newId();
let ada: string;
let bola: string;
beforeAll(async () => {
  addGifts();
  cell = await openTestCell();
  const types = [...TRANSACTION_TYPES, 'test_gift'].map((type) => `'${type}'`).join(', ');
  await cell.sql(`
    ALTER DOMAIN ${SANDBOX_CELL}.transaction_type DROP CONSTRAINT transaction_type_check;
    ALTER DOMAIN ${SANDBOX_CELL}.transaction_type ADD CHECK (VALUE IN (${types}))`);
  ada = await cell.wallet({ partnerId, fundKobo: 100_000 });
  bola = await cell.wallet({ partnerId });
});
afterAll(async () => {
  removeGifts();
  await cell.close();
});

const item = (reference: string): LedgerItem => ({
  movement: giving({
    transactionId: newId(),
    partnerId,
    reference,
    amountKobo: 1_000,
    sourceWalletId: ada,
    destWalletId: bola,
    occasion: 'birthday',
  }),
  announce: (posted) => [completedAtOnce(posted.transaction)],
});

test('it is written once with its entries and its event, although it is posted twice', async () => {
  const writers = [cell.openWriter(), cell.openWriter()] as const;
  const first = item('gift-1');
  const { transaction } = valueAs(await writers[0].post(first), 'posted');
  expect(nameOf(await writers[1].post(item('gift-1')))).toBe('same_reference');
  // The writer remembers both wallets by now, so it decides this movement before it asks Postgres.
  expect(nameOf(await writers[0].post(item('gift-2')))).toBe('posted');
  expect(await cell.balanceKobo(ada)).toBe(97_800);
  expect(await cell.balanceKobo(bola)).toBe(2_000);
  expect(
    await cell.sql(
      `SELECT type, customer_fee_kobo, metadata FROM ${SANDBOX_CELL}.transactions WHERE id = $1`,
      [transaction.id],
    ),
  ).toEqual([{ type: 'test_gift', customer_fee_kobo: 100, metadata: { occasion: 'birthday' } }]);
  expect(
    await cell.sql(`SELECT kind FROM ${SANDBOX_CELL}.events WHERE resource_id = $1`, [transaction.id]),
  ).toEqual([{ kind: 'transaction.completed' }]);
  // The audit has its own list of kinds that use references, which lacks this one; it finds nothing else.
  const said = await auditCell(cell.url, SANDBOX_CELL);
  expect(said.filter((line) => !line.startsWith('a reference belongs to'))).toEqual([]);
});

test('reconciliation finds nothing wrong, and finds missing entries and a missing event', async () => {
  const { transaction } = valueAs(await cell.openWriter().post(item('gift-3')), 'posted');
  const classes = async (): Promise<string[]> =>
    (await checkTransactions(cell.cell, [transaction.id], DAY_MS)).map((finding) => finding.class).sort();
  expect(await classes()).toEqual([]);
  await pastChecks(cell.owner, [
    `DELETE FROM entries WHERE transaction_id = '${transaction.id}'`,
    `DELETE FROM events WHERE resource_id = '${transaction.id}'`,
  ]);
  expect(await classes()).toEqual(['entries_missing', 'event_missing']);
});
