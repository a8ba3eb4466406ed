/**
 * The statement of our own bank account (1100) is compared with our books: what goes between it and a company is booked by a
 * line of the company, and only what the bank alone says by a line of the bank.
 */
import { newId } from '../../../src/db/pg/ids';
import { beginningOf, dayOf } from '../../../src/domain/days';
import type { StatementLine } from '../../../src/domain/statement-lines';
import type { TreasuryEntryKind } from '../../../src/domain/treasury';
import { importDay } from '../../../src/operations/days/import-day';
import { ownBooks } from '../../../src/operations/days/own-books';
import { bookAgreedEntry, entryFor } from '../../../src/operations/days/treasury-entries';
import { FIRST_SANDBOX_CELL } from '../../setup/cells';
import { activitiesForFile } from '../../support/scene';

const TODAY = dayOf(new Date());
const { cell, activities } = activitiesForFile({ audited: FIRST_SANDBOX_CELL });

const line = (
  id: string,
  about: 'other' | 'settlement',
  changeKobo: number,
  balanceKobo: number | null,
): StatementLine => ({
  id,
  at: new Date(beginningOf(TODAY).getTime() + Number(id) * 1_000),
  about,
  changeKobo,
  balanceKobo,
  reference: null,
  providerRef: null,
  sessionId: null,
});
async function check(provider: string, lines: readonly StatementLine[]) {
  const pool = activities.sandbox.reconcilePool!;
  const cells = [...activities.sandbox.cells.values()].map(({ schema }) => ({ schema, pool }));
  const statements = { pool, directory: 'sandbox_directory', provider };
  const source = { treasury: null, lines, mayBeNew: true };
  const outcome = await importDay(statements, ownBooks(activities.sandbox).cell, cells, source, TODAY);
  if (!outcome.ok) throw new Error(outcome.refusal.message);
  return outcome.value;
}
async function book(
  provider: string,
  entry: TreasuryEntryKind,
  lineId: string,
  amountKobo: number,
): Promise<void> {
  const own = {
    ...ownBooks(activities.sandbox),
    environment: { ...activities.sandbox, pool: cell.forApi.pool },
  };
  const asked = {
    entry,
    provider,
    lineId,
    ownDay: null,
    findingId: null,
    amountKobo,
    feeKobo: 0,
    note: 'As the statement says',
  };
  const fits = await entryFor(own, asked);
  if (!fits.ok) throw new Error(fits.refusal.message);
  expect(await bookAgreedEntry(own, newId(), fits.value)).toMatchObject({ ok: true });
}

test('money between our bank and a company is shown with its entry, and a charge of the bank is booked by its line', async () => {
  await check('paystack', [line('1', 'other', 0, 0), line('2', 'settlement', 495_000, null)]);
  await book('paystack', 'settlement_to_bank', '2', 495_000);

  // It held 1,000,000 before: where that came from is not in these books.
  const statement = [line('1', 'other', 495_000, 1_495_000), line('2', 'other', -5_250, 1_489_750)];
  const first = await check('bank', statement);
  expect(first.figures).toMatchObject({ closingKobo: 1_489_750, booksKobo: 1_495_000 });
  const found = first.open.map(({ class: of, resource, detail }) => [of, resource.split('/')[2], detail]);
  expect(found).toEqual(
    expect.arrayContaining([
      [
        'line_unmatched',
        'line 1',
        expect.objectContaining({
          entries: [{ provider: 'paystack', day: TODAY, entry: 'settlement_to_bank' }],
        }),
      ],
      ['line_unmatched', 'line 2', expect.not.objectContaining({ entries: expect.anything() })],
      ['balance_differs', 'balance', { kobo: { closing: 1_489_750, books: 1_495_000, underWay: 0 } }],
    ]),
  );
  await expect(book('bank', 'settlement_to_bank', '1', 495_000)).rejects.toThrow('explains no line of bank');
  await book('bank', 'bank_charge', '2', 5_250);
  await cell.sql(
    `UPDATE ${FIRST_SANDBOX_CELL}.recon_findings SET closed_at = now(), closed_by = 'Ada', closed_note = 'the settlement'
      WHERE resource = $1`,
    [`bank/${TODAY}/line 1`],
  );
  const second = await check('bank', statement);
  expect(second).toMatchObject({
    open: [],
    explained: 1,
    figures: { booksKobo: 1_489_750, closingKobo: 1_489_750 },
  });
});
