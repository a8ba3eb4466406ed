/**
 * The name of a wallet's bank account: the first source that has one, upper case, at most 60 characters (D10, D171).
 */
import { nameWithoutOwner, ownerNameFor } from '../../../src/domain/wallets';

const names = { first_name: 'Ada', last_name: 'Obi' };

test.each<[string, Record<string, unknown>, string | null]>([
  ['account_name before all others', { account_name: 'Chidi Stores', ...names }, 'CHIDI STORES'],
  ['first and last name', names, 'ADA OBI'],
  ['no name at all', {}, null],
  ['spaces around a name do not count', { account_name: '  Chidi Stores ' }, 'CHIDI STORES'],
  ['spaces around first and last name do not count', { first_name: ' Ada ', last_name: ' Obi' }, 'ADA OBI'],
  ['an empty account_name is none', { account_name: '', ...names }, 'ADA OBI'],
  ['an account_name of spaces is none', { account_name: '   ', ...names }, 'ADA OBI'],
  ['an account_name that is not text is none', { account_name: 7, ...names }, 'ADA OBI'],
  ['an account_name of null is none', { account_name: null, ...names }, 'ADA OBI'],
  ['a first name alone is not enough', { first_name: 'Ada' }, null],
  ['a last name alone is not enough', { last_name: 'Obi' }, null],
  ['a last name of spaces is not enough', { first_name: 'Ada', last_name: ' ' }, null],
  ['a last name that is not text is not enough', { first_name: 'Ada', last_name: ['Obi'] }, null],
  ['other metadata does not matter', { name: 'Chidi' }, null],
  ['letters with marks are put into upper case too', { account_name: 'ọláwálé' }, 'ỌLÁWÁLÉ'],
])('%s', (_what, metadata, name) => expect(ownerNameFor(metadata)).toBe(name));

describe('the name by which the owner was verified', () => {
  test.each<[string, Record<string, unknown>, string]>([
    ['comes after account_name', { account_name: 'Chidi Stores' }, 'CHIDI STORES'],
    ['comes after first and last name', names, 'ADA OBI'],
    ['is the last', {}, 'ADA NGOZI OBI'],
  ])('%s', (_what, metadata, name) => {
    expect(ownerNameFor(metadata, 'Ada Ngozi Obi')).toBe(name);
  });

  test('is cut to 60 characters like the others', () => {
    expect(ownerNameFor({}, 'a'.repeat(61))).toBe('A'.repeat(60));
  });
});

describe('at most 60 characters', () => {
  test.each<[string, string, string]>([
    ['60 stay', 'a'.repeat(60), 'A'.repeat(60)],
    ['of 61 the last is cut off', 'a'.repeat(61), 'A'.repeat(60)],
    ['a letter that becomes two counts as two', 'ß'.repeat(31), 'S'.repeat(60)],
    ['a character outside the basic plane counts as one and is not cut', '𝒜'.repeat(61), '𝒜'.repeat(60)],
  ])('%s', (_what, name, cut) => expect(ownerNameFor({ account_name: name })).toBe(cut));

  test.each([
    ['Acme Pay', 'ACME PAY/567890'],
    ['a'.repeat(53), `${'A'.repeat(53)}/567890`],
    ['a'.repeat(54), `${'A'.repeat(53)}/567890`],
  ])('without an owner, the business %j and six digits', (business, name) => {
    expect(nameWithoutOwner(business, '1234567890')).toBe(name);
  });
});
