/**
 * Requests that move money: both spellings of their keys, and every field's limits (D2, D4, D20, D52, D132, D152).
 */
import type { Outcome } from '../../../src/domain/outcome';
import { readQuery, type Query } from '../../../src/wire/read';
import { readBankTransfer, readP2p, resolveQuery } from '../../../src/wire/transfers';
import { messageOf, problemsOf, valueOf } from './readings';

const ADA = '018f0000-0000-7000-8000-00000000000a';
const BOLA = '018f0000-0000-7000-8000-00000000000b';

const reference = { source_wallet: ADA, dest_wallet: BOLA, amount: 100, reference: 'order-1' };
const guide = { source_wallet_id: ADA, dest_wallet_id: BOLA, amount_kobo: 100, reference: 'order-1' };
const asRead = {
  sourceWalletId: ADA,
  destWalletId: BOLA,
  amountKobo: 100,
  reference: 'order-1',
  description: '',
  metadata: {},
};

describe('P2P: the two spellings', () => {
  test.each<[string, object]>([
    ['reference keys', reference],
    ['guide keys', guide],
    ['both, where they agree', { ...reference, ...guide }],
    ['both, where one id is spelt in capitals', { ...reference, source_wallet_id: ADA.toUpperCase() }],
    ["both, where one id has a guide's prefix", { ...reference, dest_wallet_id: `wlt_${BOLA}` }],
    ['a mixture', { source_wallet: ADA, dest_wallet_id: BOLA, amount: 100, reference: 'order-1' }],
    [
      'a null beside the other spelling is absent',
      { ...reference, source_wallet_id: null, amount_kobo: null },
    ],
    ['a null in the reference spelling is absent', { ...guide, source_wallet: null, amount: null }],
    ['unknown fields are ignored', { ...reference, colour: 'red', fee: 5, status: 'completed' }],
    ['null for an optional field is absent', { ...reference, description: null, metadata: null }],
  ])('%s', (_what, body) => expect(valueOf(readP2p(body))).toEqual(asRead));

  test.each<[string, object]>([
    ['source_wallet_id: contradicts source_wallet', { ...reference, source_wallet_id: BOLA }],
    ['dest_wallet_id: contradicts dest_wallet', { ...reference, dest_wallet_id: ADA }],
    ['amount_kobo: contradicts amount', { ...reference, amount_kobo: 101 }],
    ['amount_kobo: contradicts amount', { ...reference, amount_kobo: '100' }],
  ])('two names that contradict each other are refused: %s', (message, body) => {
    expect(messageOf(readP2p(body))).toBe(message);
  });

  test('description and metadata are taken beside either spelling', () => {
    const more = { description: 'rent', metadata: { order: [1, { a: null }] } };
    expect(valueOf(readP2p({ ...reference, ...more }))).toEqual({ ...asRead, ...more });
    expect(valueOf(readP2p({ ...guide, ...more }))).toEqual({ ...asRead, ...more });
  });
});

describe('P2P: what is missing or of another type is named as the caller spelled it', () => {
  test.each(['source_wallet', 'dest_wallet', 'amount', 'reference'])('%s is required', (field) => {
    const { [field as keyof typeof reference]: _left, ...rest } = reference;
    expect(messageOf(readP2p(rest))).toBe(`${field}: is required`);
  });

  test.each<[string, object, string]>([
    ['a number as id', { source_wallet: 7 }, 'source_wallet: '],
    ['a string as amount', { amount: '100' }, 'amount: must be an integer number of kobo'],
    ['true as amount', { amount: true }, 'amount: must be an integer number of kobo'],
    ['an array as amount', { amount: [100] }, 'amount: must be an integer number of kobo'],
    ['null as amount', { amount: null }, 'amount: '],
    ['a number as reference', { reference: 7 }, 'reference: '],
    ['null as reference', { reference: null }, 'reference: '],
    ['an object as description', { description: {} }, 'description: '],
    ['an array as metadata', { metadata: [] }, 'metadata: must be an object'],
    ['a string as metadata', { metadata: '{}' }, 'metadata: must be an object'],
    ['false as metadata', { metadata: false }, 'metadata: must be an object'],
  ])('%s', (_what, more, start) => {
    expect(messageOf(readP2p({ ...reference, ...more }))).toMatch(new RegExp(`^${start}.*$`));
  });

  test.each<[string, object]>([
    ['a number as reference', { reference: 7 }],
    ['a string as amount', { amount: '100' }],
    ['an object as description', { description: {} }],
  ])('%s is wrong, not missing', (_what, more) => {
    expect(messageOf(readP2p({ ...reference, ...more }))).not.toMatch(/is required|^$/);
  });

  test.each<[object, RegExp]>([
    [{ amount_kobo: '100' }, /^amount_kobo: /],
    [{ source_wallet_id: 'x' }, /^source_wallet_id: must be a uuid$/],
    [{ dest_wallet_id: 'x' }, /^dest_wallet_id: must be a uuid$/],
  ])('%j', (more, message) => expect(messageOf(readP2p({ ...guide, ...more }))).toMatch(message));

  test.each([
    ['a string', '"x"'],
    ['an array', '[]'],
    ['null', 'null'],
    ['a number', '7'],
  ])('%s is not a body', (_what, text) =>
    expect(messageOf(readP2p(JSON.parse(text)))).toBe('the body must be a JSON object'),
  );
});

describe('amounts', () => {
  test.each<[string, number]>([
    ['1', 1],
    ['1.0', 1],
    ['1e2', 100],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
    ['0', 0],
    ['-1', -1],
  ])('%s is read: below 1 it is refused later, with a code of its own', (text, amountKobo) => {
    const body = JSON.parse(`{"amount":${text}}`) as object;
    expect(valueOf(readP2p({ ...reference, ...body })).amountKobo).toBe(amountKobo);
  });

  test.each([
    '0.5',
    '-0.5',
    '100.00001',
    '9007199254740992',
    '1e400',
    '-1e400',
    '-9007199254740992',
    '"1e2"',
  ])('%s is refused', (text) => {
    const body = JSON.parse(`{"amount":${text}}`) as object;
    expect(messageOf(readP2p({ ...reference, ...body }))).toBe('amount: must be an integer number of kobo');
  });
});

describe('ids', () => {
  test.each([
    ['as it is', ADA],
    ['in upper case', ADA.toUpperCase()],
    ['with the prefix of the guide', `wlt_${ADA}`],
    ['with the prefix and in upper case', `wlt_${ADA.toUpperCase()}`],
  ])('%s', (_what, id) => {
    expect(valueOf(readP2p({ ...reference, source_wallet: id })).sourceWalletId).toBe(ADA);
    expect(valueOf(readP2p({ ...guide, source_wallet_id: id })).sourceWalletId).toBe(ADA);
  });

  test.each([
    ['empty', ''],
    ['a prefix alone', 'wlt_'],
    ['two prefixes', `wlt_wlt_${ADA}`],
    ['an unknown prefix', `acc_${ADA}`],
    ['without hyphens', ADA.replaceAll('-', '')],
    ['in braces', `{${ADA}}`],
    ['as a urn', `urn:uuid:${ADA}`],
    ['one character short', ADA.slice(1)],
    ['one character more', `${ADA}0`],
    ['a letter beyond f', `${ADA.slice(0, -1)}g`],
    ['a space behind', `${ADA} `],
    ['a line end behind', `${ADA}\n`],
  ])('%s: refused', (_what, id) => {
    expect(messageOf(readP2p({ ...reference, source_wallet: id }))).toBe('source_wallet: must be a uuid');
  });
});

describe('an id of another kind', () => {
  test.each([
    ['transaction', `tx_${ADA}`],
    ['verification', `kyc_${ADA}`],
  ])('of a %s is refused where a wallet is meant', (kind, id) => {
    const message = `must be the id of a wallet, not of a ${kind}`;
    expect(problemsOf(readP2p({ ...reference, source_wallet: id }))).toEqual([
      { field: 'source_wallet', message },
    ]);
    expect(problemsOf(readP2p({ ...guide, dest_wallet_id: id }))).toEqual([
      { field: 'dest_wallet_id', message },
    ]);
  });

  test('contradicts the same uuid with the right prefix', () => {
    const body = { ...reference, source_wallet_id: `tx_${ADA}` };
    expect(messageOf(readP2p(body))).toBe('source_wallet_id: contradicts source_wallet');
  });
});

describe('everything that is wrong is named, in the order of the schema and as the caller spelled it', () => {
  const account = { bank_code: '058', account_number: '0108024071', account_name: 'Ada Obi' };
  test.each<[what: string, read: Outcome<unknown>, fields: string[]]>([
    ['nothing was sent', readP2p({}), ['source_wallet', 'dest_wallet', 'amount', 'reference']],
    [
      'guide keys',
      readP2p({ reference: '', amount_kobo: '1', dest_wallet_id: 'x', source_wallet_id: 7 }),
      ['source_wallet_id', 'dest_wallet_id', 'amount_kobo', 'reference'],
    ],
    [
      'a contradiction has its field’s place',
      readP2p({ ...reference, source_wallet: 'x', amount_kobo: 5, reference: '' }),
      ['source_wallet', 'amount_kobo', 'reference'],
    ],
    [
      'fields of a nested object',
      readBankTransfer({ ...reference, dest_account: { ...account, bank_code: '0', account_name: '' } }),
      ['dest_account.bank_code', 'dest_account.account_name'],
    ],
  ])('%s', (_what, read, fields) => {
    expect(problemsOf(read).map(({ field }) => field)).toEqual(fields);
  });
});

describe('bank transfer', () => {
  const account = { bank_code: '058', account_number: '0108024071', account_name: 'Ada Obi' };
  const body = { source_wallet: ADA, dest_account: account, amount: 100, reference: 'order-1' };
  const withAccount = (more: object) => readBankTransfer({ ...body, dest_account: { ...account, ...more } });

  test.each<[string, object]>([
    ['reference keys', body],
    ['guide keys', { source_wallet_id: ADA, dest_account: account, amount_kobo: 100, reference: 'order-1' }],
    ['unknown fields', { ...body, dest_account: { ...account, bank_name: 'Another' }, dest_wallet: 'x' }],
  ])('%s', (_what, request) => {
    expect(valueOf(readBankTransfer(request))).toEqual({
      sourceWalletId: ADA,
      bankCode: '058',
      accountNumber: '0108024071',
      accountName: 'Ada Obi',
      amountKobo: 100,
      reference: 'order-1',
      description: '',
      metadata: {},
    });
  });

  test.each(['058', '50999', '000013', 'abcDEF12'])('bank_code %s is well-formed', (code) => {
    expect(valueOf(withAccount({ bank_code: code })).bankCode).toBe(code);
  });

  test.each<[string, object, string]>([
    ['of 2 characters', { bank_code: '05' }, 'bank_code: must be 3 to 8 letters or digits'],
    ['of 9 characters', { bank_code: '123456789' }, 'bank_code: must be 3 to 8 letters or digits'],
    ['with a hyphen', { bank_code: '05-8' }, 'bank_code: must be 3 to 8 letters or digits'],
    ['with a line end', { bank_code: '058\n' }, 'bank_code: must be 3 to 8 letters or digits'],
    ['that is a number', { bank_code: 58 }, 'bank_code: '],
    ['of 9 digits', { account_number: '010802407' }, 'account_number: must be 10 digits'],
    ['of 11 digits', { account_number: '01080240711' }, 'account_number: must be 10 digits'],
    ['with a letter', { account_number: '010802407a' }, 'account_number: must be 10 digits'],
    ['of Arabic digits', { account_number: '٠١٠٨٠٢٤٠٧١' }, 'account_number: must be 10 digits'],
    ['that is a number', { account_number: 1_080_240_711 }, 'account_number: '],
    ['that is empty', { account_name: '' }, 'account_name: must have 1 to 200 characters'],
    ['of 201 characters', { account_name: '𝒜'.repeat(201) }, 'account_name: must have 1 to 200 characters'],
    ['with a line end', { account_name: 'A\nB' }, 'account_name: must not contain control characters'],
    ['that is missing', { account_name: undefined }, 'account_name: is required'],
  ])('a field %s is refused: %j', (_what, more, message) => {
    expect(messageOf(withAccount(more))).toMatch(new RegExp(`^dest_account\\.${message}.*$`));
  });

  test('account_name may have 200 characters', () => {
    const name = '𝒜'.repeat(200);
    expect(valueOf(withAccount({ account_name: name })).accountName).toBe(name);
  });

  test.each<[string, unknown, string]>([
    ['missing', undefined, 'dest_account: is required'],
    ['null', null, 'dest_account: must be an object'],
    ['a string', '0108024071', 'dest_account: must be an object'],
    ['an array', [account], 'dest_account: must be an object'],
  ])('dest_account that is %s', (_what, value, message) => {
    expect(messageOf(readBankTransfer({ ...body, dest_account: value }))).toBe(message);
  });
});

describe('the query of an account resolution', () => {
  test('two fields', () => {
    const query = { bank_code: '058', account_number: '0108024071' };
    expect(valueOf(readQuery(resolveQuery, query))).toEqual(query);
  });

  test.each<[Query, string]>([
    [{ account_number: '0108024071' }, 'bank_code: is required'],
    [{ bank_code: '058' }, 'account_number: is required'],
    [{ bank_code: '', account_number: '0108024071' }, 'bank_code: must be 3 to 8 letters or digits'],
    [{ bank_code: '058', account_number: '1' }, 'account_number: must be 10 digits'],
    [{ bank_code: ['058', '044'], account_number: '0108024071' }, 'bank_code: '],
  ])('%j is refused', (query, message) => {
    expect(messageOf(readQuery(resolveQuery, query))).toMatch(new RegExp(`^${message}.*$`));
  });
});
