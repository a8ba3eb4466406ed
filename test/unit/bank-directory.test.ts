/** The bank directory: the short list or an operator's file, and the sandbox bank in the sandbox. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RememberedBank } from '../../src/domain/bank-lists';
import { findBank, SANDBOX_MFB, SEED_BANKS } from '../../src/domain/banks';
import { createBankDirectory } from '../../src/providers/bank-directory';
import type { Banks } from '../../src/providers/port';
import { UnavailableError } from '../../src/runtime/unavailable';

const folder = mkdtempSync(join(tmpdir(), 'banks-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
function fileWith(content: string): string {
  const file = join(folder, `banks-${(files += 1)}.json`);
  writeFileSync(file, content);
  return file;
}

/** A company that adds the sandbox bank. */
const sandboxBanks = { list: () => Promise.resolve([{ ...SANDBOX_MFB }]) };

const open = (banks: unknown, added: Banks | null = null) =>
  createBankDirectory({ banksFile: fileWith(JSON.stringify(banks)), added });

test('without a file it is the short list, in the published order', async () => {
  const names = (await createBankDirectory({ added: null }).list()).map(({ name }) => name);
  expect(names).toHaveLength(SEED_BANKS.length);
  expect(names.slice(0, 3)).toEqual(['9mobile 9Payment Service Bank', 'Access Bank', 'Airtel Smartcash PSB']);
});

test.each([
  ['adds the sandbox bank', sandboxBanks, 'Sandbox Microfinance Bank'],
  ['is not there', null, undefined],
])('where a company %s, its codes find the bank: %s', async (_what, added, name) => {
  const directory = createBankDirectory({ added });
  expect((await directory.find('50999'))?.name).toBe(name);
  expect((await directory.find('999509'))?.name).toBe(name);
});

test('an outage of the company that adds banks is an outage of the list, and afterwards the list is complete', async () => {
  let isAway = true;
  const list = () => (isAway ? Promise.reject(new Error('connection refused')) : sandboxBanks.list());
  const directory = createBankDirectory({ added: { list } });
  await expect(directory.find('058')).rejects.toThrow(UnavailableError);
  isAway = false;
  expect((await directory.find('058'))?.code).toBe('058');
  expect((await directory.find('50999'))?.code).toBe('50999');
});

test('a file replaces the short list; a bank may have no NIP code', async () => {
  const directory = open([
    { code: '035A', name: 'Zeta', slug: 'zeta', category: 'ignored' },
    { code: 'MFB50094', nip_code: '090001', name: 'alpha', slug: 'alpha' },
    { code: '404', nip_code: null, name: 'Beta', slug: 'beta' },
  ]);
  expect(await directory.list()).toEqual([
    { code: 'MFB50094', name: 'alpha', slug: 'alpha', nipCode: '090001' },
    { code: '404', name: 'Beta', slug: 'beta', nipCode: null },
    { code: '035A', name: 'Zeta', slug: 'zeta', nipCode: null },
  ]);
  expect((await directory.find('090001'))?.code).toBe('MFB50094');
  expect(await directory.find('058')).toBeUndefined();
});

test('a file that lists the sandbox codes does not hide the sandbox bank', async () => {
  const directory = open(
    [
      { code: '50999', name: 'Impostor', slug: 'impostor' },
      { code: '123', nip_code: '999509', name: 'Other', slug: 'other' },
    ],
    sandboxBanks,
  );
  expect((await directory.list()).map(({ name }) => name)).toEqual(['Sandbox Microfinance Bank']);
});

test('a code that a bank has had still means it, and it is listed once', async () => {
  const directory = open([{ code: '059', name: 'New', slug: 'new', former_codes: ['090001', '999'] }]);
  expect((await directory.find('999'))?.code).toBe('059');
  expect((await directory.find('090001'))?.code).toBe('059');
  expect(await directory.list()).toHaveLength(1);
});

test('a company’s code may be the usual one of a bank for which the company has another code', async () => {
  const directory = open([
    { code: '058', name: 'A', slug: 'a', company_codes: { monnify: '059' } },
    { code: '059', name: 'B', slug: 'b', company_codes: { monnify: null } },
  ]);
  expect((await directory.find('059', 'monnify'))?.code).toBe('058');
  expect((await directory.find('059'))?.code).toBe('059');
  expect((await directory.find('058', 'paystack'))?.companyCodes).toEqual({ monnify: '059' });
});

test('a bank that is remembered since is found, and is on the list from then on', async () => {
  const remembered: RememberedBank[] = [];
  const read = () => Promise.resolve([...remembered]);
  const directory = createBankDirectory({ added: null, remembered: read });
  expect(await directory.find('058')).toBeDefined();
  remembered.push({ company: 'paystack', code: 'A01', nipCode: null, name: 'Alpha Bank' });
  expect((await directory.find('A01'))?.name).toBe('Alpha Bank');
  expect(findBank(await directory.list(), 'A01')?.name).toBe('Alpha Bank');
});

test('a bank that is remembered since is on the list of this moment', async () => {
  const remembered: RememberedBank[] = [];
  const read = () => Promise.resolve([...remembered]);
  const directory = createBankDirectory({ added: null, remembered: read });
  const before = await directory.list();
  remembered.push({ company: 'paystack', code: 'A01', nipCode: null, name: 'Alpha Bank' });
  expect(await directory.list()).toBe(before);
  expect(findBank(await directory.listNow(), 'A01')?.name).toBe('Alpha Bank');
});

test('an outage of what is remembered is an outage of the list: a bank is never called unknown by it', async () => {
  const directory = createBankDirectory({ added: null, remembered: () => Promise.reject(new Error('away')) });
  await expect(directory.find('A01')).rejects.toThrow(UnavailableError);
});

const good = { code: '058', nip_code: '000013', name: 'GTB', slug: 'gtb' };
test.each([
  ['an empty list', [], /file:/],
  ['an object', { banks: [good] }, /file:/],
  ['a row without a name', [good, { code: '057', slug: 'zenith' }], /1\.name/],
  ['a blank name', [{ ...good, name: ' ' }], /0\.name/],
  ['a code with a sign in it', [{ ...good, code: '05-8' }], /0\.code: 3 to 8 letters or digits/],
  ['a short code', [{ ...good, code: '58' }], /0\.code/],
  ['a short NIP code', [{ ...good, nip_code: '13' }], /0\.nip_code: 6 digits/],
  ['a code that comes twice', [good, { ...good, name: 'Again' }], /1\.code: 058 is there twice/],
  [
    'a NIP code that comes twice',
    [good, { ...good, code: '059', slug: 'b' }],
    /1\.nip_code: 000013 is there twice/,
  ],
  ['a slug that comes twice', [good, { code: '059', name: 'B', slug: 'gtb' }], /1\.slug: gtb is there twice/],
  [
    'a former code that another bank has',
    [good, { code: '059', name: 'B', slug: 'b', former_codes: ['058'] }],
    /1\.former_codes\.0: 058 is there twice/,
  ],
  [
    'a former code that is a NIP code of another bank',
    [good, { code: '059', name: 'B', slug: 'b', former_codes: ['000013'] }],
    /1\.former_codes\.0: 000013 is there twice/,
  ],
  [
    'a former code that comes twice',
    [
      { ...good, former_codes: ['001'] },
      { code: '059', name: 'B', slug: 'b', former_codes: ['001'] },
    ],
    /1\.former_codes\.0: 001 is there twice/,
  ],
  [
    'a company’s code that comes twice',
    [
      { ...good, company_codes: { monnify: '305' } },
      { code: '059', name: 'B', slug: 'b', company_codes: { monnify: '305' } },
    ],
    /1\.company_codes\.monnify: 305 is there twice/,
  ],
  [
    'a company’s code that is the usual one of another bank',
    [
      { ...good, company_codes: { paystack: '059' } },
      { code: '059', name: 'B', slug: 'b' },
    ],
    /0\.company_codes\.paystack: 059 is there twice/,
  ],
  ['a company that has no list', [{ ...good, company_codes: { pay: '059' } }], /0\.company_codes/],
])('%s stops the start with the place named', (_what, banks, message) => {
  expect(() => open(banks)).toThrow(message);
  expect(() => open(banks)).toThrow(/^BANKS_FILE /);
});

test('many wrong rows are counted, not listed', () => {
  expect(() => open(Array.from({ length: 20 }, () => ({ ...good, code: '' })))).toThrow(/and \d+ more$/);
});

test.each([
  ['a missing file', () => join(folder, 'none.json')],
  ['a folder', () => folder],
  ['a file that is not JSON', () => fileWith('code,name\n058,GTB')],
])('%s stops the start', (_what, file) => {
  expect(() => createBankDirectory({ banksFile: file(), added: null })).toThrow(
    /^BANKS_FILE .* cannot be read as JSON/,
  );
});
