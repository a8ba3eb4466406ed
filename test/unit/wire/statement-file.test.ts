/** A statement as a file: what is read, and which line is named where it is wrong. */
import { readStatementFile, writeStatementFile } from '../../../src/wire/statement-file';

const HEADER = 'id,at,about,change_kobo,balance_kobo,reference,provider_ref,session_id';
const GOOD = '982,2026-11-25T09:41:07+01:00,payout,-501000,1499000,tx-1,TRF_1,9991';

test('lines with what is known of them, in a file of Windows too', () => {
  const text = `\uFEFF${HEADER}\r\n${GOOD}\r\n983,2026-11-25T09:00:00Z,settlement,495000,,,,\r\n`;
  expect(readStatementFile(text)).toEqual({
    ok: true,
    value: [
      {
        id: '982',
        at: new Date('2026-11-25T08:41:07Z'),
        about: 'payout',
        changeKobo: -501_000,
        balanceKobo: 1_499_000,
        reference: 'tx-1',
        providerRef: 'TRF_1',
        sessionId: '9991',
      },
      expect.objectContaining({
        id: '983',
        balanceKobo: null,
        reference: null,
        providerRef: null,
        sessionId: null,
      }),
    ],
  });
});

test.each([
  ['another header', `id,at\n${GOOD}`, 'line 1: must be id,at,about'],
  ['a missing value', `${HEADER}\n${GOOD}\n1,2`, 'line 3: must have 8 plain values'],
  ['a quotation mark', `${HEADER}\n"${GOOD}`, 'line 2: must have 8 plain values'],
  [
    'a time without its zone',
    `${HEADER}\n${GOOD.replace('+01:00', '')}`,
    'line 2, at: must be a time with its zone',
  ],
  ['naira', `${HEADER}\n${GOOD.replace('-501000', '-5010.00')}`, 'line 2, change_kobo: must be whole kobo'],
  ['another word', `${HEADER}\n${GOOD.replace('payout', 'fee')}`, 'line 2, about: must be one of payout'],
  [
    'an id twice',
    `${HEADER}\n${GOOD}\n${GOOD.replace('982', '983')}\n${GOOD}`,
    'line 4, id: the id 982 stands in line 2 already',
  ],
  [
    'a rounded id',
    `${HEADER}\n${GOOD.replace('982', '9.99999E+29')}`,
    'line 2, id: is a number as a spreadsheet writes',
  ],
  [
    'an id in scientific notation without a fraction',
    `${HEADER}\n${GOOD.replace('982', '1e+10')}`,
    'line 2, id: is a number',
  ],
  ['a rounded reference', `${HEADER}\n${GOOD.replace('tx-1', '1.2E+15')}`, 'line 2, reference: is a number'],
  [
    'a rounded session',
    `${HEADER}\n${GOOD.replace('9991', '110002000000000000000000000000')}`,
    'line 2, session_id: is a number',
  ],
  ['no id', `${HEADER}\n${GOOD.slice(3)}`, 'line 2, id: '],
])('%s', (_what, text, message) => {
  const read = readStatementFile(text);
  expect(read.ok ? '' : read.refusal.message).toContain(message);
});

test.each(['=1+1', '-7', '@x', ' =1', '＝1', 'a;=1', "'=1", 'plain', "O'Neill"])(
  'the name %j opens in a spreadsheet as a text, and is imported as it is',
  (name) => {
    const line = {
      id: name,
      at: new Date('2026-11-25T08:41:07Z'),
      about: 'payout',
      changeKobo: 501_000,
      balanceKobo: null,
      reference: name,
      providerRef: name,
      sessionId: null,
    } as const;
    const text = writeStatementFile([line]);
    expect(text.startsWith(`\ufeff${HEADER}\r\n`)).toBe(true);
    expect(text.slice(1)).not.toMatch(/(^|[,;\r\n])\s*[=+@＝-]/);
    expect(readStatementFile(text)).toEqual({ ok: true, value: [line] });
  },
);
