/** One account number per wallet, drawn from the environment's directory and never issued twice. */
import { serialAt } from '../../../src/db/wallets/account-serials';
import { findNuban, nubanOf } from '../../../src/db/wallets/directory';
import { newId } from '../../../src/db/pg/ids';
import { SANDBOX_MFB } from '../../../src/domain/banks';
import { isReservedNuban, nubanFor } from '../../../src/domain/nuban';
import { openTestCell, type TestCell } from '../../support/cell';

let cell: TestCell;
const partnerId = newId();

beforeAll(async () => {
  cell = await openTestCell();
});
afterAll(() => cell.close());

describe('drawing an account number', () => {
  const numberFor = (serial: number): string | null => {
    const number = nubanFor(SANDBOX_MFB.nubanCode, serial);
    return isReservedNuban(number) ? null : number;
  };
  const draw = (walletId: string) =>
    nubanOf(
      cell.cell.pool,
      'sandbox_directory',
      { partnerId, walletId },
      { bankCode: SANDBOX_MFB.code, numberFor },
    );
  const nextPlace = (place: number) =>
    cell.sql(`SELECT setval('sandbox_directory.nuban_serial', $1, false)`, [place]);
  let key: string;
  beforeAll(async () => {
    key = String((await cell.sql('SELECT key FROM sandbox_directory.nuban_key'))[0]!['key']);
  });
  const numberAt = (place: number): string => nubanFor(SANDBOX_MFB.nubanCode, serialAt(place, key));
  const isFree = (place: number): boolean => !isReservedNuban(numberAt(place));
  // The key, and with it the order of the numbers, is another one in each database: any place may be
  // reserved there, the one after a reserved one too.
  const firstPlace = (from: number, isMeant: (place: number) => boolean): number =>
    Array.from({ length: 100_000 }, (_, step) => from + step).find(isMeant)!;

  test('50 times at once for one wallet gives one number', async () => {
    const walletId = newId();

    const numbers = await Promise.all(Array.from({ length: 50 }, () => draw(walletId)));

    expect(new Set(numbers).size).toBe(1);
    expect(await draw(walletId)).toBe(numbers[0]);
    expect(
      await cell.sql('SELECT account_number FROM sandbox_directory.nubans WHERE wallet_id = $1', [walletId]),
    ).toEqual([{ account_number: numbers[0] }]);
  });

  test('for 50 wallets at once gives 50 numbers', async () => {
    const numbers = await Promise.all(Array.from({ length: 50 }, () => draw(newId())));
    expect(new Set(numbers).size).toBe(50);
  });

  test.each(['0000', '0404'])('skips the serial whose number would end in %s', async (ending) => {
    const reserved = firstPlace(
      200_000_000,
      (place) => numberAt(place).endsWith(ending) && isFree(place + 1),
    );
    await nextPlace(reserved);

    expect(await draw(newId())).toBe(numberAt(reserved + 1));
  });

  test('skips a number that is taken', async () => {
    const place = firstPlace(300_000_007, (first) => isFree(first) && isFree(first + 1));
    await nextPlace(place);
    const taken = await draw(newId());
    await nextPlace(place);

    const next = await draw(newId());

    expect([taken, next]).toEqual([place, place + 1].map(numberAt));
  });
});

describe('finding the wallet of an account', () => {
  const [ours, another, unused] = [SANDBOX_MFB.code, '035', '232'];
  const accountNumber = '7012345678';
  const wallets = new Map([ours, another].map((bankCode) => [bankCode, newId()]));
  beforeAll(async () => {
    for (const [bankCode, walletId] of wallets) {
      const issuer = { bankCode, numberFor: () => accountNumber };
      await nubanOf(cell.cell.pool, 'sandbox_directory', { partnerId, walletId }, issuer);
    }
  });

  test.each([
    { what: 'a number that two banks have given, at the first', bankCode: ours, accountNumber },
    { what: 'the same number at the second', bankCode: another, accountNumber },
  ])('$what', async ({ bankCode, accountNumber: number }) => {
    const found = await findNuban(cell.cell.pool, 'sandbox_directory', { bankCode, accountNumber: number });
    expect(found).toEqual({ partnerId, walletId: wallets.get(bankCode) });
  });

  test.each([
    { what: 'the number at a bank that has not given it', bankCode: unused, accountNumber },
    { what: 'another number at a bank that gives numbers', bankCode: ours, accountNumber: '7012345679' },
  ])('no wallet for $what', async ({ bankCode, accountNumber: number }) => {
    const account = { bankCode, accountNumber: number };
    expect(await findNuban(cell.cell.pool, 'sandbox_directory', account)).toBeNull();
  });
});
