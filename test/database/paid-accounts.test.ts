/**
 * The names of bank accounts that are paid are sealed in their rows, each for one row and one account, and money moves
 * without them (D145).
 */
import { findTransaction, listTransactions } from '../../src/db/ledger/transactions';
import { takeTurn as takeLines } from '../../src/db/payments/bulk-transfers';
import { cancelSchedule, findSchedule, takeTurn as takeRun } from '../../src/db/payments/scheduled-transfers';
import { changeAttempt, openAttempt } from '../../src/db/payments/transfer-attempts';
import { newId } from '../../src/db/pg/ids';
import type { SealedCell } from '../../src/db/pg/postgres';
import { directoryOf } from '../../src/db/pg/schema';
import { scheduleIntention } from '../../src/contract/intentions';
import { createSealing } from '../../src/secrets/sealing';
import { bulkEnded, scheduledEnded } from '../../src/wire/webhooks';
import { auditCell } from '../support/audit';
import { openTestCell, type TestCell } from '../support/cell';
import { bankTransfer, settlement, transactionIdOf } from '../support/movements';
import { valueAs, valueOf } from '../support/outcomes';
import { BANK_ACCOUNT, bulkToBank, scheduleToBank } from '../support/to-bank';
import { SANDBOX_CELL } from '../setup/cells';

const NOT_OPEN = 'not a sealed text, or sealed under a key that is not known here';
const OTHER_KEY = createSealing(Buffer.alloc(32, 7).toString('base64'));
const [NAME, TOLD] = ['ADA OBI', 'ADAEZE OBI-EZE'];
const partnerId = newId();
let cell: TestCell;
/** The same cell in a process that lacks the key of its names. */
let keyless: SealedCell;
let from = '';

beforeAll(async () => {
  cell = await openTestCell();
  keyless = { ...cell.cell, sealing: OTHER_KEY };
  from = await cell.wallet({ partnerId, fundKobo: 10_000_000 });
});
afterAll(async () => {
  expect(await auditCell(cell.url, SANDBOX_CELL)).toEqual([]);
  await cell.close();
});

/** A transfer whose company has told the name that the bank has. */
async function transfer(): Promise<string> {
  const id = transactionIdOf(
    await cell.openWriter().post(bankTransfer({ partnerId, from, amountKobo: 100 })),
  );
  const begun = (await findTransaction(cell.cell, partnerId, id))!;
  const first = { n: 1, provider: 'first' };
  const attempt = (await openAttempt(cell.cell, directoryOf('sandbox'), begun, first))!;
  const accepted = (one: typeof attempt) => ({
    ...one,
    state: 'accepted' as const,
    openPosts: 0,
    providerRef: id,
  });
  await changeAttempt(cell.cell, begun, attempt, accepted, null, TOLD);
  return id;
}
const read = async (id: string, by = cell.cell) => (await findTransaction(by, partnerId, id))!;
const rowOf = async (id: string, table = 'transactions') =>
  (
    await cell.sql(`SELECT row_to_json(t)::text AS row FROM ${SANDBOX_CELL}.${table} t WHERE id = $1`, [id])
  )[0]!['row'];

describe('a transfer', () => {
  test('shows both names, and its row shows neither', async () => {
    const id = await transfer();
    expect((await read(id)).destAccount).toEqual({
      bankCode: '058',
      bankName: 'GTBank',
      accountNumber: '0123456789',
      accountName: NAME,
      resolvedName: TOLD,
      nameMatches: false,
    });
    const row = await rowOf(id);
    for (const name of [NAME, TOLD]) expect(row).not.toContain(name);
  });

  test('whose key is missing shows no name, and says why', async () => {
    const { destAccount } = await read(await transfer(), keyless);
    expect(destAccount).toMatchObject({ bankCode: '058', accountNumber: '0123456789' });
    expect(() => destAccount!.accountName).toThrow(NOT_OPEN);
    expect(() => destAccount!.resolvedName).toThrow(NOT_OPEN);
  });

  test('whose key is missing is listed, and ends with its money', async () => {
    const id = await transfer();
    const before = await cell.balanceKobo(from);
    const [newest] = await listTransactions(keyless, from, { after: null, limit: 1 });
    expect(newest).toMatchObject({ id, status: 'processing' });
    const writer = cell.openWriter({ sealing: OTHER_KEY });
    valueAs(await writer.post(settlement({ partnerId, transactionId: id, from, to: 'failed' })), 'posted');
    expect(await cell.balanceKobo(from)).toBe(before + 5_100);
    expect((await read(id)).destAccount).toMatchObject({ accountName: NAME, resolvedName: TOLD });
  });

  test.each([
    ['number', '{accountNumber}', '"9876543210"'],
    ['bank', '{bankCode}', '"044"'],
  ])('in whose row somebody has changed the %s has no name for it', async (_what, path, to) => {
    const id = await transfer();
    await cell.sql(
      `UPDATE ${SANDBOX_CELL}.transactions SET dest_account = jsonb_set(dest_account::jsonb, $2, $3)::json WHERE id = $1`,
      [id, path, to],
    );
    const { destAccount } = await read(id);
    expect(() => destAccount!.accountName).toThrow();
    expect(() => destAccount!.resolvedName).toThrow();
  });

  test('does not show the name of another one to the same account', async () => {
    const [one, other] = [await transfer(), await transfer()];
    await cell.sql(
      `UPDATE ${SANDBOX_CELL}.transactions SET account_name_sealed = (
         SELECT account_name_sealed FROM ${SANDBOX_CELL}.transactions WHERE id = $2) WHERE id = $1`,
      [one, other],
    );
    const { destAccount } = await read(one);
    expect(() => destAccount!.accountName).toThrow();
  });
});

describe('what is still to be paid', () => {
  const lines = (id: string, by = cell.cell) => takeLines(by, { partnerId, id }, [], 20, bulkEnded);
  const run = (id: string, by = cell.cell) => takeRun(by, { partnerId, id, canForward: true });
  const KINDS = [
    ['a line of a bulk transfer', 'bulk_transfer_lines', 'bulk_id', bulkToBank, lines],
    ['a scheduled transfer', 'scheduled_transfers', 'id', scheduleToBank, run],
  ] as const;

  test.each(KINDS)(
    '%s has the name when it is paid, and its row does not',
    async (_what, table, key, make, take) => {
      const id = await make(cell.forApi, { partnerId, from });
      const [row] = await cell.sql(
        `SELECT t::text AS row FROM ${SANDBOX_CELL}.${table} t WHERE ${key} = $1`,
        [id],
      );
      expect(row!['row']).toContain(BANK_ACCOUNT.accountNumber);
      expect(row!['row']).not.toContain(NAME);
      expect(JSON.stringify(await take(id))).toContain(JSON.stringify(BANK_ACCOUNT));
      // What was begun and has no result is taken again, with the same name.
      expect(JSON.stringify(await take(id))).toContain(JSON.stringify(BANK_ACCOUNT));
    },
  );

  test.each(KINDS)('%s whose key is missing waits for it', async (_what, _table, _key, make, take) => {
    const id = await make(cell.forApi, { partnerId, from });
    await expect(take(id, keyless)).rejects.toThrow(NOT_OPEN);
    expect(JSON.stringify(await take(id))).toContain(JSON.stringify(BANK_ACCOUNT));
  });

  test.each(KINDS)('%s keeps its name from whoever pays it', async (_what, table, key, make) => {
    const id = await make(cell.forApi, { partnerId, from });
    const change = (pool: typeof cell.cell.pool) =>
      pool.query(`UPDATE ${SANDBOX_CELL}.${table} SET account_name_sealed = 'another' WHERE ${key} = $1`, [
        id,
      ]);
    await expect(change(cell.cell.pool)).rejects.toMatchObject({ code: '23001' });
    await expect(
      cell.cell.pool.query(
        `UPDATE ${SANDBOX_CELL}.${table} SET account_name_sealed = NULL WHERE ${key} = $1`,
        [id],
      ),
    ).rejects.toMatchObject({ code: '23514' });
  });

  test('a scheduled transfer is shown and cancelled without its key, and keeps no name', async () => {
    const id = await scheduleToBank(cell.forApi, { partnerId, from });
    expect(await findSchedule(keyless, partnerId, id)).toMatchObject({ status: 'active' });
    const at = { partnerId, id, canForward: true };
    valueOf(await cancelSchedule(keyless, at, scheduleIntention, scheduledEnded));
    const columns = 'asked, account_name_sealed';
    const [row] = await cell.sql(`SELECT ${columns} FROM ${SANDBOX_CELL}.scheduled_transfers WHERE id = $1`, [
      id,
    ]);
    expect(row).toEqual({ asked: null, account_name_sealed: null });
  });

  test('a line that has its result keeps no name', async () => {
    const id = await bulkToBank(cell.forApi, { partnerId, from });
    await lines(id);
    const result = { place: 0, transactionId: await transfer() };
    const { bulk } = (await takeLines(cell.cell, { partnerId, id }, [result], 20, bulkEnded))!;
    expect(bulk).toMatchObject({ status: 'completed', acceptedLines: 1 });
    const columns = 'status, asked, account_name_sealed';
    const [row] = await cell.sql(
      `SELECT ${columns} FROM ${SANDBOX_CELL}.bulk_transfer_lines WHERE bulk_id = $1`,
      [id],
    );
    expect(row).toEqual({ status: 'accepted', asked: null, account_name_sealed: null });
  });
});
