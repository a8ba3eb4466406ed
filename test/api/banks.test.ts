/**
 * The list of banks and account resolution (interface: GET /v1/banks, GET /v1/banks/resolve; D61-D63, D144, D161).
 */
import { apiForFile, partnerForFile } from '../support/scene';

const { world, api } = apiForFile();
const partner = partnerForFile(api);

const resolve = (query: string) => partner.get(`/v1/banks/resolve${query}`);

describe('GET /v1/banks', () => {
  test('lists every bank with code, name, slug and NIP code, by name without regard to case', async () => {
    const answer = await partner.get('/v1/banks');
    expect(answer.status).toBe(200);
    const banks: { code: string; name: string }[] = answer.body.data;
    for (const bank of banks) expect(Object.keys(bank)).toEqual(['code', 'name', 'slug', 'nip_code']);
    expect(banks).toContainEqual({
      code: '058',
      name: 'Guaranty Trust Bank',
      slug: 'guaranty-trust-bank',
      nip_code: '000013',
    });
    const names = banks.map(({ name }) => name.toLowerCase());
    expect(names).toEqual([...names].sort());
    expect(new Set(banks.map(({ code }) => code)).size).toBe(banks.length);
    expect(answer.body.meta).toEqual({ request_id: answer.headers.get('X-Request-Id') });
  });

  test('has the sandbox bank in the sandbox', async () => {
    const { body } = await partner.get('/v1/banks');
    expect(body.data).toContainEqual({
      code: '50999',
      name: 'Sandbox Microfinance Bank',
      slug: 'sandbox-microfinance-bank',
      nip_code: '999509',
    });
  });
});

describe('GET /v1/banks/resolve', () => {
  test('answers the account in both published wrappers', async () => {
    const answer = await resolve('?bank_code=058&account_number=0123456789');
    expect(answer.status).toBe(200);
    const account = {
      account_number: '0123456789',
      account_name: expect.stringMatching(/^[A-Z]+ [A-Z]+$/),
      bank_code: '058',
      bank_name: 'Guaranty Trust Bank',
    };
    expect(answer.body).toEqual({
      data: account,
      ...account,
      meta: { request_id: answer.headers.get('X-Request-Id') },
    });
    expect(answer.body.data.account_name).toBe(answer.body.account_name);
  });

  test('gives the same name every time, in every instance', async () => {
    const query = '/v1/banks/resolve?bank_code=044&account_number=0123456789';
    const other = await world.startApi();
    const names = [await partner.get(query), await partner.at(other).get(query), await partner.get(query)];
    expect(new Set(names.map(({ body }) => body.account_name)).size).toBe(1);
  });

  test('gives the account name of a wallet of ours', async () => {
    const id = await partner.wallet({ userRef: 'resolved' });
    const { account_number: number } = (await partner.get(`/v1/wallets/${id}`)).body.data.wallet;
    for (const code of ['50999', '999509']) {
      const { body } = await resolve(`?bank_code=${code}&account_number=${number}`);
      expect(body.account_name).toBe(`ACME FINTECH/${number.slice(-6)}`);
    }
  });

  test('resolves an account ending in 0000: its transfer fails only later', async () => {
    expect((await resolve('?bank_code=058&account_number=0123450000')).status).toBe(200);
  });

  test.each([
    ['an account ending in 0404', '?bank_code=058&account_number=0123450404', null],
    ['a bank that is not known', '?bank_code=999&account_number=0123456789', '999'],
    ['a bank that is not known, with letters', '?bank_code=ABCDEFGH&account_number=0123456789', 'ABCDEFGH'],
  ])('%s: 422 ACCOUNT_RESOLUTION_FAILED', async (_what, query, unknown) => {
    const answer = await resolve(query);
    expect(answer.status).toBe(422);
    expect(answer.body).toEqual({
      error: 'ACCOUNT_RESOLUTION_FAILED',
      message: expect.any(String),
      ...(unknown !== null && { detail: { field: 'bank_code', bank_code: unknown, nearest: null } }),
      meta: { request_id: answer.headers.get('X-Request-Id') },
    });
  });

  test.each([
    ['no query', ''],
    ['no bank_code', '?account_number=0123456789'],
    ['no account_number', '?bank_code=058'],
    ['an empty bank_code', '?bank_code=&account_number=0123456789'],
    ['a bank_code of two', '?bank_code=58&account_number=0123456789'],
    ['a bank_code of nine', '?bank_code=058058058&account_number=0123456789'],
    ['an account_number of nine digits', '?bank_code=058&account_number=012345678'],
    ['one of eleven', '?bank_code=058&account_number=01234567890'],
    ['letters in it', '?bank_code=058&account_number=O123456789'],
    ['bank_code twice', '?bank_code=058&bank_code=058&account_number=0123456789'],
    ['account_number twice', '?bank_code=058&account_number=0123456789&account_number=0123456789'],
    ['a list', '?bank_code[]=058&account_number=0123456789'],
  ])('%s: 422 VALIDATION_ERROR', async (_what, query) => {
    expect(await resolve(query)).toMatchObject({ status: 422, body: { error: 'VALIDATION_ERROR' } });
  });
});
