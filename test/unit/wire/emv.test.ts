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

test('a check in lower case is none of ours', () => {
  const amounts = Array.from({ length: 50 }, (_, place) => place + 1);
  const texts = amounts.map((amountKobo) => writeEmv({ ...vectors.ours, amountKobo }));
  const lower = texts.map((text) => text.slice(0, -4) + text.slice(-4).toLowerCase());
  const changed = lower.filter((text) => !texts.includes(text));
  expect(changed.length).toBeGreaterThan(20);
  expect(changed.map(readEmvLabel)).toEqual(changed.map(() => null));
});

test.each([
  ['Ada Stores', 'ADA STORES'],
  ['Ọlámidé & Sọns', 'OLAMIDE & SONS'],
  ['Acme Fintech/user-1234567890123', 'ACME FINTECH/USER-1234567'],
  ['  a   b  ', 'A B'],
  ['北京', 'WALLET'],
  ['Ƙasimu Ɗanladi Ɓello', 'KASIMU DANLADI BELLO'],
  ['Straße & Œuvre', 'STRASSE & OEUVRE'],
  ['Yar’Adua – [Kano]', "YAR'ADUA - (KANO)"],
  ['₦5 Shop', 'NGN5 SHOP'],
  ['a'.repeat(24) + ' bcd', 'A'.repeat(24)],
])('%s is printed as %s', (name, expected) => {
  expect(emvName(name)).toBe(expected);
});
