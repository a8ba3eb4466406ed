/** How processes count what partners store in their sandboxes (D175). */
import { createStorageLimit, type StorageLimit } from '../../src/api/storage-limit';
import { newId } from '../../src/db/pg/ids';
import { addToStorage } from '../../src/db/partners/storage';
import type { Cell } from '../../src/db/pg/postgres';
import type { Partner } from '../../src/domain/partners';
import { nameOf } from '../../src/domain/outcome';
import { openTestCell, type TestCell } from '../support/cell';
import { testLogger } from '../support/log';
import { SANDBOX_CELL } from '../setup/cells';

const ALLOWED_BYTES = 1_000_000;

let cell: TestCell;
let here: Cell;
beforeAll(async () => {
  cell = await openTestCell();
  here = cell.cell;
});
afterAll(() => cell.close());

const partnerWith = (id = newId()): Partner => ({
  id,
  businessName: 'Acme Fintech',
  status: 'registered',
  tier: 'starter',
  emailIsConfirmed: true,
  cell: SANDBOX_CELL,
});
const openProcess = (): StorageLimit =>
  createStorageLimit(
    { confirmed: ALLOWED_BYTES, unconfirmed: ALLOWED_BYTES },
    testLogger({ LOG_LEVEL: 'silent' }),
  );
const nameOfRefusal = (process: StorageLimit, partner: Partner): string | null => {
  const refused = process.refusalOf(here, partner);
  return refused && nameOf(refused);
};

test('one statement adds for many partners, and gives what all processes have counted', async () => {
  const [one, other] = [newId(), newId()];
  await addToStorage(here, new Map([[one, { erasableBytes: 5, keptBytes: 7 }]]));
  const all = await addToStorage(
    here,
    new Map([
      [other, { erasableBytes: 1, keptBytes: 0 }],
      [one, { erasableBytes: 10, keptBytes: 0 }],
    ]),
  );
  expect(all).toEqual(
    new Map([
      [one, { erasableBytes: 15, keptBytes: 7 }],
      [other, { erasableBytes: 1, keptBytes: 0 }],
    ]),
  );
});

test('what was counted is handed over when a process ends', async () => {
  const partner = partnerWith();
  const [first, second] = [openProcess(), openProcess()];
  first.count(here, partner, ALLOWED_BYTES, false);
  expect(nameOfRefusal(first, partner)).toBe('LIMIT_EXCEEDED');
  await first.close();
  expect((await second.standing(here, partner)).usedBytes).toBeGreaterThanOrEqual(ALLOWED_BYTES);
  expect(nameOfRefusal(second, partner)).toBe('LIMIT_EXCEEDED');
  await second.close();
});

test('the process that has reset a sandbox lets its partner write at once, and counts what the reset left', async () => {
  const partner = partnerWith();
  const process = openProcess();
  process.count(here, partner, 1_000, true);
  const { usedBytes: keptBytes } = await process.standing(here, partner);
  process.count(here, partner, ALLOWED_BYTES, false);
  await process.standing(here, partner);
  expect(nameOfRefusal(process, partner)).toBe('LIMIT_EXCEEDED');

  await cell.sql(`UPDATE ${SANDBOX_CELL}.sandbox_storage SET erasable_bytes = 0 WHERE partner_id = $1`, [
    partner.id,
  ]);
  process.wasReset(here, partner);
  expect(nameOfRefusal(process, partner)).toBeNull();
  expect((await process.standing(here, partner)).usedBytes).toBe(keptBytes);
  await process.close();
});

test('while Postgres does not answer a process counts for itself, and hands it over afterwards', async () => {
  const partner = partnerWith();
  const process = openProcess();
  const holder = await cell.owner.connect();
  try {
    await holder.query(`BEGIN; LOCK TABLE ${SANDBOX_CELL}.sandbox_storage`);
    process.count(here, partner, ALLOWED_BYTES / 2, false);
    await expect(process.standing(here, partner)).rejects.toThrow('lock timeout');
    process.count(here, partner, ALLOWED_BYTES / 2, false);
    expect(nameOfRefusal(process, partner)).toBe('LIMIT_EXCEEDED');
  } finally {
    await holder.query('ROLLBACK');
    holder.release();
  }
  const { usedBytes } = await process.standing(here, partner);
  expect(usedBytes).toBeGreaterThanOrEqual(ALLOWED_BYTES);
  expect(usedBytes).toBeLessThan(1.1 * ALLOWED_BYTES);
  await process.close();
});
