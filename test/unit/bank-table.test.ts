/** A list of banks as a CSV table, which `npm run banks` reads. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readBankTable } from '../../src/administration/bank-table';

const folder = mkdtempSync(join(tmpdir(), 'bank-table-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('a CSV table', () => {
  const table = (...lines: string[]) => {
    const file = join(folder, 'banks.csv');
    writeFileSync(file, `\ufeff${lines.join('\r\n')}\r\n`);
    return readBankTable(file);
  };

  test('is the same list, whatever the order of its columns', () => {
    expect(
      table(
        'Name,code,nip_code,slug,aliases,former_codes,paystack_code,monnify_code',
        '"Bank, First",058,000013,,GTB | GTBank,059,,305',
        'Zénith Bank,057,,zenith,,,,',
      ),
    ).toEqual([
      {
        code: '058',
        nipCode: '000013',
        name: 'Bank, First',
        slug: 'bank-first',
        aliases: ['GTB', 'GTBank'],
        formerCodes: ['059'],
        companyCodes: { monnify: '305' },
      },
      { code: '057', nipCode: null, name: 'Zénith Bank', slug: 'zenith', aliases: [], formerCodes: [] },
    ]);
  });

  test.each<[what: string, lines: string[], message: RegExp]>([
    [
      'without a column of codes',
      ['name', 'A'],
      /cannot be read as CSV: the first line names no column code/,
    ],
    ['with a column that is not known', ['code,name,color', '058,A,red'], /the column color is not known/],
    [
      'with a column that comes twice',
      ['code,name,code', '058,A,058'],
      /the column code is not known, or is there twice/,
    ],
    ['with a line that is too short', ['code,name', '058'], /cannot be read as CSV: .*line 2/],
    ['with a code that comes twice', ['code,name', '058,A', '058,B'], /1\.code: 058 is there twice/],
    ['with a code that has lost its zeros', ['code,name', '58,A'], /0\.code: 3 to 8/],
    ['with a row without a name', ['code,name', '058,'], /0\.name/],
    ['with nothing but columns', ['code,name'], /file:/],
  ])('%s is refused', (_what, lines, message) => {
    expect(() => table(...lines)).toThrow(message);
  });
});
