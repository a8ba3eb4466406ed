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
