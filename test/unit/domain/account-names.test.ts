/** The name of a wallet's bank account: the first source that has one, upper case, at most 60 characters (D10). */
import { accountNameFor } from '../../../src/domain/wallets';

const BUSINESS = 'Acme Pay';
const nameOf = (metadata: Record<string, unknown>, userRef = 'user-1'): string =>
  accountNameFor({ metadata, userRef }, BUSINESS);

const names = { first_name: 'Ada', last_name: 'Obi' };

test.each<[string, Record<string, unknown>, string]>([
  ['account_name before all others', { account_name: 'Chidi Stores', ...names }, 'CHIDI STORES'],
  ['first and last name', names, 'ADA OBI'],
  ['the business and the user_ref', {}, 'ACME PAY/USER-1'],
  ['spaces around a name do not count', { account_name: '  Chidi Stores ' }, 'CHIDI STORES'],
  ['spaces around first and last name do not count', { first_name: ' Ada ', last_name: ' Obi' }, 'ADA OBI'],
  ['an empty account_name is none', { account_name: '', ...names }, 'ADA OBI'],
  ['an account_name of spaces is none', { account_name: '   ', ...names }, 'ADA OBI'],
  ['an account_name that is not text is none', { account_name: 7, ...names }, 'ADA OBI'],
  ['an account_name of null is none', { account_name: null, ...names }, 'ADA OBI'],
  ['a first name alone is not enough', { first_name: 'Ada' }, 'ACME PAY/USER-1'],
  ['a last name alone is not enough', { last_name: 'Obi' }, 'ACME PAY/USER-1'],
  ['a last name of spaces is not enough', { first_name: 'Ada', last_name: ' ' }, 'ACME PAY/USER-1'],
  [
    'a last name that is not text is not enough',
    { first_name: 'Ada', last_name: ['Obi'] },
    'ACME PAY/USER-1',
  ],
  ['other metadata does not matter', { name: 'Chidi' }, 'ACME PAY/USER-1'],
  ['letters with marks are put into upper case too', { account_name: 'ọláwálé' }, 'ỌLÁWÁLÉ'],
])('%s', (_what, metadata, name) => expect(nameOf(metadata)).toBe(name));

describe('the name by which the owner was verified', () => {
  test.each<[string, Record<string, unknown>, string]>([
    ['comes after account_name', { account_name: 'Chidi Stores' }, 'CHIDI STORES'],
    ['comes after first and last name', names, 'ADA OBI'],
    ['comes before the business and the user_ref', {}, 'ADA NGOZI OBI'],
  ])('%s', (_what, metadata, name) => {
    expect(accountNameFor({ metadata, userRef: 'user-1' }, BUSINESS, 'Ada Ngozi Obi')).toBe(name);
  });

  test('is cut to 60 characters like the others', () => {
    expect(accountNameFor({ metadata: {}, userRef: 'u' }, BUSINESS, 'a'.repeat(61))).toBe('A'.repeat(60));
  });
});

describe('at most 60 characters', () => {
  test.each<[string, string, string]>([
    ['60 stay', 'a'.repeat(60), 'A'.repeat(60)],
    ['of 61 the last is cut off', 'a'.repeat(61), 'A'.repeat(60)],
    ['a letter that becomes two counts as two', 'ß'.repeat(31), 'S'.repeat(60)],
    ['a character outside the basic plane counts as one and is not cut', '𝒜'.repeat(61), '𝒜'.repeat(60)],
  ])('%s', (_what, name, cut) => expect(nameOf({ account_name: name })).toBe(cut));

  test('the name from the business and the user_ref too', () => {
    expect(nameOf({}, 'u'.repeat(128))).toBe(`ACME PAY/${'U'.repeat(51)}`);
  });
});
