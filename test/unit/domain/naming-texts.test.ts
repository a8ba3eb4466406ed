/** By which texts a person is found in what was written about several people, and what stays of it. */
import { isAnyNamed, namingTexts, withoutNamed } from '../../../src/domain/naming-texts';

const naming = namingTexts({
  walletId: '0198c0de-0000-7000-8000-000000000001',
  userRef: 'customer-7',
  accountName: 'ADA OBI',
  accountNumber: '9000000017',
  metadata: { first_name: 'Ada', phone: '+2348099173265', home: { street: '17 Marina Road' }, age: 41 },
  phones: ['+2347000000001'],
});

test.each<[string, string, boolean]>([
  ['the name as a word', 'bonus for Ada', true],
  ['the name inside another word', 'the Adamawa branch', false],
  ['the whole name of the account', 'to ada obi, with thanks', true],
  ['the user_ref', 'CUSTOMER-7 has paid', true],
  ['the wallet', 'wlt_0198c0de-0000-7000-8000-000000000001', true],
  ['the account number', 'to 9000000017', true],
  ['a value of the metadata', 'at 17 marina road', true],
  ['a value that is too short to tell', 'forty-one is 41', false],
  ['the telephone number as people write it', 'call 0809 917 3265', true],
  ['a telephone number that dialled', '07000000001', true],
  ['another telephone number', 'call 0809 917 3266', false],
  ['somebody else', 'bonus for Fotheringay', false],
  ['nothing', '', false],
])('%s', (_what, text, isNamed) => {
  expect(isAnyNamed(text, naming)).toBe(isNamed);
});

test('what names the person goes on every level, by its name or its value, and the rest stays', () => {
  const shared = {
    payroll: 'November',
    Ada: 25,
    total: 9000000017,
    people: ['Ada', 'Uche', { name: 'Ada Obi', share: 1 }, ['Ada', null, true]],
    empty: null,
  };
  expect(withoutNamed(shared, naming)).toEqual({
    payroll: 'November',
    people: ['Uche', { share: 1 }, [null, true]],
    empty: null,
  });
});

test('an account that is called after the business gives no name of a person', () => {
  const unnamed = namingTexts({
    walletId: '0198c0de-0000-7000-8000-000000000001',
    userRef: 'c',
    accountName: 'ACME FINTECH/000017',
    accountNumber: '9000000017',
    metadata: {},
    phones: [],
  });
  expect(isAnyNamed('Acme pays for November', unnamed)).toBe(false);
});

describe('a name that is written in many ways', () => {
  const known = (accountName: string, metadata = {}) =>
    namingTexts({
      walletId: 'w-1',
      userRef: 'c',
      accountName,
      accountNumber: '9000000017',
      metadata,
      phones: [],
    });

  test.each<[string, string, string]>([
    ['hooked letters in the text', 'KASIMU DANLADI', 'for Ƙasimu'],
    ['hooked letters in the name', 'ƘASIMU ƊANLADI', 'for danladi'],
    ['marks apart', 'ỌLÁMIDÉ OBI', 'to O\u0323la\u0301mide\u0301'],
    ['marks composed', 'O\u0323LAMIDE OBI', 'to Ọlamide'],
    ['marks left out', 'ỌLÁMIDÉ OBI', 'to olamide'],
    ['no apostrophe', "UMARU YAR'ADUA", 'bonus of Yaradua'],
    ['a blank for the apostrophe', "UMARU YAR'ADUA", 'bonus of yar adua'],
    ['another apostrophe', "UMARU YAR'ADUA", 'bonus of Yar’Adua'],
    ['a hyphen for it', "UMARU YAR'ADUA", 'bonus of Yar-Adua'],
    ['an apostrophe that the name lacks', 'UMARU YARADUA', 'bonus of YarʼAdua'],
    ['a blank that the name lacks', 'SHANE ONEILL', 'bonus of O Neill'],
    ['a genitive', 'UMARU YARADUA', "Yar'adua's bonus"],
    ['full-width letters', 'ADA OBI', 'for ＡＤＡ'],
    ['what nobody sees within', 'ADA OBI', 'for A\u200bda'],
    ['short names in another order', 'BO LI', 'for Li, Bo'],
    ['short names with more between', 'BO LI', 'for bo  x li'],
    ['letters that cannot be folded', 'محمد علي', 'to علي'],
  ])('%s', (_what, name, text) => {
    expect(isAnyNamed(text, known(name))).toBe(true);
    expect(withoutNamed({ note: text, [text]: 1, other: 'rent' }, known(name))).toEqual({ other: 'rent' });
  });

  test.each<[string, object, string]>([
    ['the first and last name', { first_name: 'Ƙe', last_name: 'Ɗan' }, 'for Dan, Ke'],
    ['the name for the account', { account_name: 'Ụzọ' }, 'for UZO'],
    ['any other value', { mother: "Sa'adatu" }, 'for Sa’adatu'],
    ['any other value without its apostrophe', { mother: "Sa'adatu" }, 'for saadatu'],
  ])('%s of the metadata, where the account is called after the business', (_what, metadata, text) => {
    expect(isAnyNamed(text, known('ACME/000017', metadata))).toBe(true);
  });

  test.each([
    ['one of two short names', 'BO LI', 'for Bo'],
    ['a name within another word', 'ADA OBI', 'in Adamawa'],
    ['somebody else', "UMARU YAR'ADUA", 'for Sa’adatu'],
  ])('but not %s', (_what, name, text) => {
    expect(isAnyNamed(text, known(name))).toBe(false);
  });
});
