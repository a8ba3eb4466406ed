/** What companies demand of the owner of a wallet (D27), and how its metadata becomes another (RFC 7396). */
import { readLiveProviders } from '../../../src/runtime/live-companies';
import { demandsOfLive } from '../../../src/runtime/live-demands';
import {
  demandsNames,
  fieldOf,
  missingAtTheDoor,
  ownerDetailsIn,
  type Demands,
} from '../../../src/domain/owner-details';
import { mergedMetadata, type Metadata } from '../../../src/domain/wallets';

describe('a change of metadata', () => {
  test.each<[what: string, before: Metadata, change: Metadata, after: Metadata]>([
    ['adds a key', { a: 1 }, { b: 2 }, { a: 1, b: 2 }],
    ['replaces a value where it stands', { a: 1, b: 2 }, { a: 'x' }, { a: 'x', b: 2 }],
    ['deletes a key by a null', { a: 1, b: 2 }, { a: null }, { b: 2 }],
    ['deletes what is not there', { a: 1 }, { b: null }, { a: 1 }],
    ['merges an object key by key', { a: { b: 1, c: 2 } }, { a: { b: null, d: 3 } }, { a: { c: 2, d: 3 } }],
    ['replaces a list as a whole, with its nulls', { a: [1, 2] }, { a: [null] }, { a: [null] }],
    [
      'puts an object in the place of a text, without its nulls',
      { a: 'b' },
      { a: { b: 1, c: null } },
      { a: { b: 1 } },
    ],
    ['keeps a null that was there from the beginning', { a: null }, { b: 1 }, { a: null, b: 1 }],
    ['changes nothing by nothing', { a: 1 }, {}, { a: 1 }],
    ['takes names of every object as names', {}, { toString: 'x' }, { toString: 'x' }],
  ])('%s', (_what, before, change, after) => {
    const becomes = mergedMetadata(before, change);
    expect(JSON.stringify(becomes)).toBe(JSON.stringify(after));
    expect(mergedMetadata(becomes, change)).toEqual(after);
  });
});

const MONNIFY: Demands = { accounts: [['email', 'identity']], identity: [['firstName', 'lastName']] };
const ADA = { first_name: 'Ada', last_name: 'Obi' };
const EMAIL = { email: 'ada@example.com' };

describe('what is missing at the door', () => {
  test.each<[what: string, demands: Demands, metadata: Metadata, isIdentified: boolean, missing: string[]]>([
    ['nothing where nothing is demanded', { accounts: [[]], identity: [] }, {}, false, []],
    ['nothing where nobody opens accounts', { accounts: [], identity: [] }, {}, false, []],
    [
      'the email and the names by which the owner is to be checked',
      MONNIFY,
      {},
      false,
      ['email', 'firstName', 'lastName'],
    ],
    ['not the names of an owner who was checked', MONNIFY, {}, true, ['email']],
    ['nothing of somebody with all of it', MONNIFY, { ...ADA, ...EMAIL }, false, []],
    ['a last name alone', MONNIFY, { first_name: 'Ada', ...EMAIL }, false, ['lastName']],
    ['a text of spaces', MONNIFY, { ...ADA, email: '  ' }, false, ['email']],
    ['what is no email address', MONNIFY, { ...ADA, email: 'ada' }, false, ['email']],
    ['what is no text', MONNIFY, { ...ADA, email: 7 }, false, ['email']],
    [
      'no names where one company does not compare them',
      { ...MONNIFY, identity: [['firstName', 'lastName'], []] },
      EMAIL,
      false,
      [],
    ],
    [
      'what the company lacks that lacks least',
      { accounts: [['email', 'phone'], ['phone']], identity: [] },
      {},
      false,
      ['phone'],
    ],
  ])('%s', (_what, demands, metadata, isIdentified, missing) => {
    expect(missingAtTheDoor(demands, metadata, isIdentified)).toEqual(missing);
  });

  test('names are demanded only where every company compares them', () => {
    expect(demandsNames({ identity: [['firstName', 'lastName']] })).toBe(true);
    expect(demandsNames({ identity: [['firstName', 'lastName'], []] })).toBe(false);
    expect(demandsNames({ identity: [] })).toBe(false);
  });

  test('it is named by the field', () => {
    expect((['email', 'firstName', 'identity'] as const).map(fieldOf)).toEqual([
      'metadata.email',
      'metadata.first_name',
      'verified_bvn_or_nin',
    ]);
  });

  test('an email address goes to a company without what stands around it', () => {
    expect(ownerDetailsIn({ email: ' ada@example.com\n' }).email).toBe('ada@example.com');
  });
});

describe('what live demands by its configuration', () => {
  test.each<[accounts: string, identity: string, wallet: string[], namesAreDemanded: boolean]>([
    ['none', 'none', ['email', 'firstName', 'lastName'], true],
    ['simulator', 'simulator', ['email', 'firstName', 'lastName'], true],
    ['monnify', 'smile', ['email', 'firstName', 'lastName'], true],
    ['monnify', 'prembly', ['email'], false],
    ['monnify', 'smile,prembly', ['email'], false],
  ])('accounts %s, identity %s', (accounts, identity, wallet, namesAreDemanded) => {
    const demands = demandsOfLive({
      LIVE_ACCOUNTS: readLiveProviders('LIVE_ACCOUNTS', accounts)!,
      LIVE_IDENTITY: readLiveProviders('LIVE_IDENTITY', identity)!,
    });
    expect(missingAtTheDoor(demands, {}, false)).toEqual(wallet);
    expect(demandsNames(demands)).toBe(namesAreDemanded);
  });
});
