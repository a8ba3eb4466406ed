/** Statements as companies and banks give them out become the lines that `recon:import` takes; what cannot be read in one way is refused. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { amountIn } from '../../src/administration/bank-files/amounts';
import { convert, type FileKind } from '../../src/administration/bank-files/convert';
import { isDateFormat, momentIn } from '../../src/administration/bank-files/dates';
import { readMap } from '../../src/administration/bank-files/map-file';
import { balancesToldBy } from '../../src/domain/statement-lines';
import type { TableMap } from '../../src/domain/statement-tables';
import { readStatementFile, writeStatementFile } from '../../src/wire/statement-file';

const fixture = (name: string): Buffer => readFileSync(join(__dirname, 'bank-files', name));
const FIRST = 'tx-0198c0de-0000-7000-8000-000000000001-1';
const SECOND = 'tx-0198c0de-0000-7000-8000-000000000002-1';
const LAGOS = { zone: 'Africa/Lagos', date: null };
const NOTHING = { zone: null, date: null };
const bytes = (text: string): Buffer => Buffer.from(text, 'utf8');

type Row = [
  id: string,
  at: string,
  about: string,
  changeKobo: number,
  balanceKobo: number | null,
  reference: string | null,
  providerRef: string | null,
];
const rowsOf = (...asked: Parameters<typeof convert>): Row[] =>
  convert(...asked).lines.map((line) => [
    line.id,
    line.at.toISOString(),
    line.about,
    line.changeKobo,
    line.balanceKobo,
    line.reference,
    line.providerRef,
  ]);

test('a download of Paystack, with a byte order mark, quotation marks and signs of the naira', () => {
  expect(rowsOf(fixture('paystack.csv'), 'paystack', null, NOTHING, null)).toEqual([
    ['9001', '2026-11-25T08:00:00.000Z', 'other', 200_000_000, 200_000_000, null, null],
    ['9002', '2026-11-25T08:41:07.000Z', 'payout', -501_000, 199_499_000, FIRST, 'TRF_1ptvuv321ahaa7q'],
    ['9003', '2026-11-25T09:10:00.000Z', 'inbound', 495_000, 199_994_000, 'dva-77', null],
    ['9004', '2026-11-25T10:00:00.000Z', 'settlement', 495_000, null, null, null],
  ]);
});

test('a download of Monnify, with a letterhead and semicolons, the newest line first', () => {
  const reading = { zone: 'Africa/Lagos', date: 'dd/mm/yyyy' };
  expect(rowsOf(fixture('monnify.csv'), 'monnify', null, reading, '2026-07-05')).toEqual([
    ['TOPUP_1', '2026-07-05T07:00:00.000Z', 'other', 1_000_000, 1_000_000, null, 'TOPUP_1'],
    [
      'AT5_MFDS7820260705_1_DEBIT_0',
      '2026-07-05T08:15:00.000Z',
      'payout',
      -500_000,
      500_000,
      FIRST,
      'MFDS7820260705',
    ],
    [
      'AT5_MFDS7820260705_1_CREDIT_0',
      '2026-07-05T09:15:00.000Z',
      'other',
      500_000,
      1_000_000,
      null,
      'MFDS7820260705',
    ],
  ]);
});

test('MT940: marks of debit and of taken-back credit, and our reference over two lines of the words', () => {
  expect(rowsOf(fixture('bank.mt940'), 'mt940', null, LAGOS, null)).toEqual([
    ['1', '2026-11-24T23:00:00.000Z', 'other', -50_000_000, 50_000_000, null, 'FT26329001'],
    ['2', '2026-11-24T23:00:00.000Z', 'payout', 495_000, 50_495_000, FIRST, 'FT26329002'],
    ['3', '2026-11-24T23:00:00.000Z', 'payout', -5_000, 50_490_000, SECOND, 'FT26329003'],
  ]);
});

test('camt.053: an entry for several payments, a time with its offset, and what is not booked', () => {
  const { lines, notes } = convert(fixture('bank.camt053.xml'), 'camt053', null, LAGOS, null);
  expect(
    lines.map(({ id, at, changeKobo, reference, providerRef }) => [
      id,
      at.toISOString(),
      changeKobo,
      reference,
      providerRef,
    ]),
  ).toEqual([
    ['1', '2026-11-24T23:00:00.000Z', 50, null, 'FT2'],
    ['2', '2026-11-25T08:41:07.000Z', -40_000, FIRST, 'FT1-1'],
    ['3', '2026-11-25T08:41:07.000Z', -20_000, SECOND, 'FT1-2'],
  ]);
  expect(notes).toEqual(['entry 3 is not booked (PDNG)']);
});

test('a statement of a bank as a table with tabs, brackets, carried balances and totals, of one day', () => {
  const map = readMap(fixture('bank.map.json').toString('utf8'));
  const { lines, notes } = convert(fixture('bank.csv'), 'csv', map, NOTHING, '2026-11-25');
  expect(
    lines.map(({ id, at, about, changeKobo, balanceKobo, reference, providerRef }) => [
      id,
      at.toISOString(),
      about,
      changeKobo,
      balanceKobo,
      reference,
      providerRef,
    ]),
  ).toEqual([
    ['1', '2026-11-24T23:00:00.000Z', 'payout', -50_050, 49_950, FIRST, '000123456789'],
    ['2', '2026-11-24T23:00:00.000Z', 'other', 100_000, 149_950, null, '000123456790'],
  ]);
  expect(notes).toEqual([
    'line 3 is no line of the statement: 1,000.00 Opening Balance',
    'line 7 is no line of the statement: Total 550.50 1,000.00',
    '1 lines are of other days than 2026-11-25',
  ]);
  expect(balancesToldBy(lines)).toEqual({ firstKobo: 100_000, lastKobo: 149_950 });
  // What is written is what the import reads.
  expect(readStatementFile(writeStatementFile(lines))).toEqual({ ok: true, value: lines });
});

const MAP: TableMap = {
  columns: { at: 'Date', amount: 'Amount', id: 'Id', reference: 'Ref', session_id: 'Session' },
  zone: 'Africa/Lagos',
};
const table = (...rows: string[]): Buffer => bytes(['Date,Amount,Id,Ref,Session', ...rows].join('\n'));

test.each<
  [
    what: string,
    file: Buffer,
    kind: FileKind,
    map: TableMap | null,
    reading: { zone: string | null; date: string | null },
    why: string,
  ]
>([
  ['a workbook', Buffer.from([0x50, 0x4b, 3, 4, 0, 0]), 'csv', MAP, LAGOS, 'workbook of Excel (XLSX or XLS)'],
  [
    'an old workbook',
    Buffer.from([0xd0, 0xcf, 0x11, 0xe0]),
    'paystack',
    null,
    LAGOS,
    'save it as "CSV UTF-8',
  ],
  ['a PDF', bytes('%PDF-1.7'), 'csv', MAP, LAGOS, 'this is a PDF'],
  ['bytes of Windows', Buffer.from('Date,Amount\n1,N\xa3', 'latin1'), 'csv', MAP, LAGOS, 'no UTF-8'],
  ['a table without a map', table('2026-11-25,1,1,,'), 'csv', null, LAGOS, '--map'],
  ['other columns', bytes('Date,Sum\n2026-11-25,1'), 'csv', MAP, LAGOS, 'missing: Amount, Id, Ref, Session'],
  ['no line', table(), 'csv', MAP, LAGOS, 'no line of a statement'],
  [
    'a date that can be read in two ways',
    table('05/07/2026,1,1,,'),
    'csv',
    MAP,
    LAGOS,
    'line 2: "05/07/2026" can be read in more than one way',
  ],
  [
    'a date of another form',
    table('13/25/2026,1,1,,'),
    'csv',
    { ...MAP, date: 'dd/mm/yyyy' },
    LAGOS,
    'line 2: "13/25/2026" is no date',
  ],
  [
    'a day that there is not',
    table('2026-02-30,1,1,,'),
    'csv',
    MAP,
    LAGOS,
    'line 2: "2026-02-30" is no date',
  ],
  [
    'a time without a zone',
    table('2026-11-25 10:00,1,1,,'),
    'csv',
    { columns: MAP.columns },
    NOTHING,
    'has no zone',
  ],
  ['no date', table(',1,1,,'), 'csv', MAP, LAGOS, 'line 2: '],
  [
    'an amount that is none',
    table('2026-11-25,1.2.3,1,,'),
    'csv',
    MAP,
    LAGOS,
    'line 2: "1.2.3" in Amount is no amount',
  ],
  [
    'an id twice',
    table('2026-11-25,1,7,,', '2026-11-25,2,7,,'),
    'csv',
    MAP,
    LAGOS,
    'line 3: the id 7 stands in line 2 already',
  ],
  ['a line without its id', table('2026-11-25,1,,,'), 'csv', MAP, LAGOS, 'line 2: has no id'],
  [
    'a rounded id',
    table('2026-11-25,1,9.99999E+29,,'),
    'csv',
    MAP,
    LAGOS,
    'line 2: 9.99999E+29 is a long number',
  ],
  [
    'a rounded session',
    table('2026-11-25,1,7,,999999000000000000000000000000'),
    'csv',
    MAP,
    LAGOS,
    'line 2: 999999000000000',
  ],
  ['a row with a cell too many', table('2026-11-25,1,000,7,,'), 'csv', MAP, LAGOS, 'line 2: has 6 cells'],
  ['no MT940', bytes('hello'), 'mt940', null, LAGOS, 'no opening balance'],
  ['MT940 without a zone', fixture('bank.mt940'), 'mt940', null, NOTHING, 'line 6: "2026-11-25" has no zone'],
  [
    'MT940 of which a line is missing',
    bytes(
      fixture('bank.mt940')
        .toString()
        .replace(/:61:2611251125C4950.*\r\n.*\r\n/, ''),
    ),
    'mt940',
    null,
    LAGOS,
    'do not make the closing balance',
  ],
  [
    'MT940 that breaks off',
    bytes(
      fixture('bank.mt940')
        .toString()
        .replace(/:62F:.*/, ''),
    ),
    'mt940',
    null,
    LAGOS,
    'closing balance (62F) is missing',
  ],
  [
    'MT940 of dollars',
    bytes(fixture('bank.mt940').toString().replaceAll('NGN', 'USD')),
    'mt940',
    null,
    LAGOS,
    'line 5: the account is in USD',
  ],
  ['no XML', bytes('<Document>'), 'camt053', null, LAGOS, 'this is no XML'],
  ['another XML', bytes('<Document><x/></Document>'), 'camt053', null, LAGOS, 'this is no camt.053'],
  [
    'XML with entities',
    bytes('<!DOCTYPE x [<!ENTITY a "b">]><Document/>'),
    'camt053',
    null,
    LAGOS,
    'no DOCTYPE',
  ],
  [
    'camt.053 of which an entry is missing',
    bytes(fixture('bank.camt053.xml').toString().replace('400.5<', '400<')),
    'camt053',
    null,
    LAGOS,
    'do not make the closing balance',
  ],
  [
    'camt.053 whose day has no zone',
    fixture('bank.camt053.xml'),
    'camt053',
    null,
    NOTHING,
    'entry 2: "2026-11-25" has no zone',
  ],
])('%s is refused with what is wrong', (_what, file, kind, map, reading, why) => {
  expect(() => convert(file, kind, map, reading, null)).toThrow(why);
});

test.each<[written: string, kobo: number | null | undefined]>([
  ['₦1,234.50', 123_450],
  ['NGN 1,234.5', 123_450],
  ['N1234', 123_400],
  ['1 234.50', 123_450],
  ['(1,234.50)', -123_450],
  ['(₦1,234.50)', -123_450],
  ['-1,234.50', -123_450],
  ['−1,234.50', -123_450],
  ['₦-1,234.50', -123_450],
  ['-₦1,234.50', -123_450],
  ['1,234.50-', -123_450],
  ['1,234.50 DR', -123_450],
  ['1,234.50CR', 123_450],
  ['+5', 500],
  ['.50', 50],
  ['5.000', 500],
  ['0.00', 0],
  ['-0.00', 0],
  ['', null],
  ['-', null],
  ['--', null],
  ['1,23', undefined],
  ['12,34,567.00', undefined],
  ['1.234,50', undefined],
  ['5.001', undefined],
  ['1.2E+3', undefined],
  ['(-5)', undefined],
  ['five', undefined],
])('the amount %s', (written, kobo) => {
  expect(amountIn(written, { unit: 'naira', decimal: '.' })).toBe(kobo);
});

test.each<[written: string, decimal: '.' | ',', unit: 'naira' | 'kobo', kobo: number | undefined]>([
  ['1.234,50', ',', 'naira', 123_450],
  ['1,234', ',', 'naira', undefined],
  ['501000', '.', 'kobo', 501_000],
  ['-501000', '.', 'kobo', -501_000],
  ['501000.5', '.', 'kobo', undefined],
])('the amount %s with %s, in %s', (written, decimal, unit, kobo) => {
  expect(amountIn(written, { unit, decimal })).toBe(kobo);
});

test.each<[written: string, format: string | null, zone: string | null, at: string | null]>([
  ['05/07/2026', 'dd/mm/yyyy', 'Africa/Lagos', '2026-07-04T23:00:00.000Z'],
  ['05/07/2026', 'mm/dd/yyyy', 'Africa/Lagos', '2026-05-06T23:00:00.000Z'],
  ['5/7/2026 1:05 PM', 'dd/mm/yyyy', 'Africa/Lagos', '2026-07-05T12:05:00.000Z'],
  ['05/07/2026 12:05 AM', 'dd/mm/yyyy', 'Africa/Lagos', '2026-07-04T23:05:00.000Z'],
  ['25-Nov-2026', null, 'Africa/Lagos', '2026-11-24T23:00:00.000Z'],
  ['25-NOV-26 09:41:07', null, 'Africa/Lagos', '2026-11-25T08:41:07.000Z'],
  ['25 November 2026', null, 'UTC', '2026-11-25T00:00:00.000Z'],
  ['Nov 25, 2026', null, 'UTC', '2026-11-25T00:00:00.000Z'],
  ['2026-11-25T09:41:07.123+0100', null, null, '2026-11-25T08:41:07.123Z'],
  ['2026-11-25T09:41:07Z', null, null, '2026-11-25T09:41:07.000Z'],
  ['2026-07-05 09:00', null, 'Europe/London', '2026-07-05T08:00:00.000Z'],
  ['2026-11-25T09:41:07', null, null, null],
  ['05/07/2026', null, 'Africa/Lagos', null],
  ['05.07.2026', null, 'Africa/Lagos', null],
  ['31/04/2026', 'dd/mm/yyyy', 'Africa/Lagos', null],
  ['25-Foo-2026', null, 'Africa/Lagos', null],
  ['05/07/2026 13:05 PM', 'dd/mm/yyyy', 'Africa/Lagos', null],
  ['05/07/2026 25:00', 'dd/mm/yyyy', 'Africa/Lagos', null],
  // When summer time begins, this hour is left out.
  ['2026-03-29 01:30', null, 'Europe/London', null],
  ['', null, 'Africa/Lagos', null],
])('the date %s as %s in %s', (written, date, zone, at) => {
  const read = momentIn(written, { date, zone });
  expect(typeof read === 'string' ? null : read.toISOString()).toBe(at);
});

test.each([
  ['dd/mm/yyyy', true],
  ['dd-Mon-yyyy', true],
  ['yyyy.mm.dd', true],
  ['dd/mm', false],
  ['dd/dd/yyyy', false],
  ['dd/mm/yyyy hh:mm', false],
])('%s is a format of dates: %s', (format, is) => {
  expect(isDateFormat(format)).toBe(is);
});

test.each([
  ['no JSON', '{', 'the map is no JSON'],
  ['a word that means nothing', '{"columns":{"at":"D","amount":"A"},"zonee":"UTC"}', 'zonee'],
  ['no amount', '{"columns":{"at":"D"}}', 'needs either amount, or credit and debit'],
  ['two kinds of amounts', '{"columns":{"at":"D","amount":"A","credit":"C"}}', 'needs either'],
  [
    'a zone that is none',
    '{"columns":{"at":"D","amount":"A"},"zone":"Lagos"}',
    'zone must be the name of a zone',
  ],
  ['a format that is none', '{"columns":{"at":"D","amount":"A"},"date":"d/m"}', 'date must be a format'],
])('a map with %s is refused', (_what, text, why) => {
  expect(() => readMap(text)).toThrow(why);
});
