/** Banks: the short list, finding one by either of its codes, and the published order. */
import {
  bankWritten,
  findBank,
  nearestBank,
  unknownBank,
  SANDBOX_MFB,
  SEED_BANKS,
  sortBanks,
  type Bank,
} from '../../src/domain/banks';

const bank = (code: string, nipCode: string | null = null, name = code): Bank => ({
  code,
  name,
  slug: code.toLowerCase(),
  nipCode,
});

test('codes, NIP codes and slugs of the short list are unique', () => {
  for (const key of ['code', 'nipCode', 'slug'] as const) {
    expect(new Set(SEED_BANKS.map((row) => row[key])).size).toBe(SEED_BANKS.length);
  }
});

test.each(SEED_BANKS)('$code $name can be a bank_code and has a NIP code', ({ code, nipCode }) => {
  expect(code).toMatch(/^[A-Za-z0-9]{3,8}$/);
  expect(nipCode).toMatch(/^[0-9]{6}$/);
});

test.each([
  ['058', 'Guaranty Trust Bank'],
  ['000013', 'Guaranty Trust Bank'],
  ['50211', 'Kuda Bank'],
  ['090267', 'Kuda Bank'],
  ['999992', 'OPay Digital Services Limited (OPay)'],
  ['50999', undefined],
  ['58', undefined],
  ['', undefined],
])('bank code "%s" is %s', (code, name) => {
  expect(findBank(SEED_BANKS, code)?.name).toBe(name);
});

test('a bank with this code comes before a bank with this NIP code, in any order of the list', () => {
  const banks = [bank('111', '120001'), bank('120001', '222222')];
  expect(findBank(banks, '120001')?.code).toBe('120001');
  expect(findBank(banks, '222222')?.code).toBe('120001');
});

test('the sandbox bank collides with no other', () => {
  for (const code of [SANDBOX_MFB.code, SANDBOX_MFB.nipCode, SANDBOX_MFB.nubanCode]) {
    expect(findBank(SEED_BANKS, code)).toBeUndefined();
  }
});

test('banks are ordered by name without regard to case', () => {
  const names = ['Zenith', 'access', 'PalmPay', 'OPay', 'Opal', '9PSB', 'Access 2'];
  const sorted = sortBanks(names.map((name) => bank('123', null, name)));
  expect(sorted.map(({ name }) => name)).toEqual([
    '9PSB',
    'access',
    'Access 2',
    'Opal',
    'OPay',
    'PalmPay',
    'Zenith',
  ]);
});

test('ordering leaves the given list as it was', () => {
  const banks = Object.freeze([bank('222', null, 'b'), bank('111', null, 'a')]);
  expect(sortBanks(banks).map(({ code }) => code)).toEqual(['111', '222']);
  expect(banks[0]?.code).toBe('222');
});

test.each([
  ['Wema Bank', '035'],
  ['WEMA BANK PLC', '035'],
  ['Wema Bank Plc.', '035'],
  ['  wema   bank,  NIGERIA plc ', '035'],
  ['WEMA', '035'],
  ['wema-bank', '035'],
  ['035', '035'],
  ['000017', '035'],
  ['VFD MFB', '566'],
  ['VFD Micro-finance Bank Ltd', '566'],
  ['United Bank for Africa Plc', '033'],
  ['UNION BANK OF NIGERIA PLC', '032'],
  ['First Bank of Nigeria Limited', '011'],
  ['FIRST CITY MONUMENT BANK PLC', '214'],
  ['Zénith Bank', '057'],
  // Never a guess.
  ['Bank', undefined],
  ['PLC', undefined],
  ['', undefined],
  ['First', '011'],
  ['First City', undefined],
  ['Wema Microfinance Bank', undefined],
  ['Ẁema2 Bank', undefined],
])('a company that writes "%s" means %s', (written, code) => {
  expect(bankWritten(SEED_BANKS, written)?.code).toBe(code);
});

test('each bank of the short list is found by its own name and slug, also in capitals with PLC', () => {
  for (const { code, name, slug } of SEED_BANKS) {
    for (const written of [name, slug, `${name.toUpperCase()} PLC`]) {
      expect([written, bankWritten(SEED_BANKS, written)?.code]).toEqual([written, code]);
    }
  }
});

test('two banks whose names are alike are none, but for the exact name', () => {
  const banks = [bank('111', null, 'Rex Bank'), bank('222', null, 'REX BANK LTD')];
  expect(bankWritten(banks, 'Rex Bank Plc')).toBeUndefined();
  expect(bankWritten(banks, 'rex bank')?.code).toBe('111');
});

test.each([
  ['UBA', 'United Bank For Africa'],
  ['uba plc', 'United Bank For Africa'],
  ['GTBank', 'Guaranty Trust Bank'],
  ['GTBANK PLC', 'Guaranty Trust Bank'],
  ['FCMB', 'First City Monument Bank'],
  ['First Bank', 'First Bank of Nigeria'],
  ['Opay', 'OPay Digital Services Limited (OPay)'],
  ['MONIEPOINT', 'Moniepoint MFB'],
  ['U.B.A.', 'United Bank For Africa'],
  ['First City', undefined],
])('a company that writes %j means %s', (written, name) => {
  expect(bankWritten(SEED_BANKS, written)?.name).toBe(name);
});

test('no name of the short list means two banks', () => {
  for (const { code, name, aliases = [] } of SEED_BANKS) {
    for (const one of [name, ...aliases])
      expect([one, bankWritten(SEED_BANKS, one)?.code]).toEqual([one, code]);
  }
});

test.each([
  ['58', '058'],
  ['44', '044'],
  ['13', '058'],
  ['0058', '058'],
  ['5021', '50211'],
  ['GTBank', '058'],
  ['zenith-bank', '057'],
  ['99999', undefined],
  ['777', undefined],
  ['', undefined],
  ['0', undefined],
])('the bank nearest to the code %j is %s', (asked, code) => {
  expect(nearestBank(SEED_BANKS, asked)?.code).toBe(code);
});

test('an unknown bank is told with its field, its code, and the nearest one', () => {
  expect(unknownBank(SEED_BANKS, '58').refusal).toEqual({
    code: 'INVALID_BANK_CODE',
    detail: {
      field: 'dest_account.bank_code',
      bank_code: '58',
      nearest: { code: '058', name: 'Guaranty Trust Bank' },
    },
  });
  expect(unknownBank(SEED_BANKS, '777').refusal.detail).toMatchObject({ nearest: null });
});
