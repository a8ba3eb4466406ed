/** The text of a QR code: EMVCo's structure and check, against published samples (D23, D160). */
import vectors from '../../vectors/emv.json';
import { crc16, emvName, isEmv, readEmvLabel, writeEmv } from '../../../src/wire/emv';

test.each(Object.entries(vectors.crc))('the check of %s is %s', (text, expected) => {
  expect(crc16(text)).toBe(expected);
});

test.each(vectors.nqrSamples)('the check of a real code is right: %s', (code) => {
  expect(crc16(code.slice(0, -4))).toBe(code.slice(-4));
});

test('the worked example comes out byte for byte, and its label is read back', () => {
  const { payload, ...request } = vectors.ours;
  expect(writeEmv(request)).toBe(payload);
  expect(isEmv(payload)).toBe(true);
  expect(readEmvLabel(payload)).toBe(request.label);
});

const { payload } = vectors.ours;
const withCheck = (body: string): string => body + crc16(body);
test.each([
  ['one letter changed', payload.replace('ADA', 'ADO')],
  ['the check changed', `${payload.slice(0, -1)}0`],
  ['cut short', payload.slice(0, -5)],
  ['nothing but its opening', '000201'],
  ['a length past the end', withCheck(payload.slice(0, -4).replace('5910ADA', '5999ADA'))],
  ['a length that is no number', withCheck(payload.slice(0, -4).replace('5910ADA', '59x0ADA'))],
  ['somebody else’s code', vectors.nqrSamples[0]!],
  ['no label', withCheck(payload.slice(0, -4).replace('62160512Q7K2M9X4TB3H', ''))],
])('%s is not read as a code of ours', (_what, text) => {
  expect(readEmvLabel(text)).toBeNull();
});

test('a check in lower case is accepted', () => {
  const text = payload.slice(0, -4) + payload.slice(-4).toLowerCase();
  expect(readEmvLabel(text)).toBe(vectors.ours.label);
});

test.each([
  ['Ada Stores', 'ADA STORES'],
  ['Ọlámidé & Sọns', 'OLAMIDE & SONS'],
  ['Acme Fintech/user-1234567890123', 'ACME FINTECH/USER-1234567'],
  ['  a   b  ', 'A B'],
  ['北京', 'WALLET'],
  ['a'.repeat(24) + ' bcd', 'A'.repeat(24)],
])('%s is printed as %s', (name, expected) => {
  expect(emvName(name)).toBe(expected);
});
