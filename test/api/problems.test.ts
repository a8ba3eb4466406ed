/**
 * Everything that is wrong with a request in one answer, in both forms, for bodies, queries and headers (D169,
 * D170).
 */
import { ROUTES } from '../../src/api/routes';
import { OPERATOR_ROUTES } from '../../src/api/operator/routes';
import type { Answer } from '../support/api';
import { apiForFile, operatorForFile, partnerForFile } from '../support/scene';
import { REHEARSAL } from '../support/settings';

const { api } = apiForFile(REHEARSAL);
const partner = partnerForFile(api);
const operator = operatorForFile(api);

const ID = '01980000-0000-7000-8000-000000000000';
const UNKNOWN = 'is not a parameter of this operation';

/** The fields that the answer names, after a check of what every such answer has. */
function problemsOf({ status, body }: Answer, form: 'reference' | 'guide' = 'reference'): [string, string][] {
  expect(status).toBe(422);
  const { message, detail, ...rest } = form === 'guide' ? body.error : body;
  expect(rest).toMatchObject(
    form === 'guide'
      ? { code: 'VALIDATION_ERROR', http_status: 422 }
      : { error: 'VALIDATION_ERROR', meta: { request_id: expect.stringMatching(/^req_/) } },
  );
  expect(Object.keys(detail)).toEqual(['fields']);
  const [first] = detail.fields;
  expect(message).toBe(`${first.field}: ${first.message}`);
  return detail.fields.map((one: { field: string; message: string }) => [one.field, one.message]);
}

const BODIES: [path: string, what: string, body: object, fields: string[]][] = [
  ['/v1/wallets', 'nothing', {}, ['user_ref']],
  ['/v1/wallets', 'two', { currency: 'USD', user_ref: '' }, ['user_ref', 'currency']],
  ['/v1/transfers/p2p', 'nothing', {}, ['source_wallet', 'dest_wallet', 'amount', 'reference']],
  [
    '/v1/transfers/p2p',
    'guide keys',
    { amount_kobo: '1', source_wallet_id: 'x', dest_wallet_id: `tx_${ID}` },
    ['source_wallet_id', 'dest_wallet_id', 'amount_kobo', 'reference'],
  ],
  [
    '/v1/transfers/bank',
    'a nested object',
    { source_wallet: ID, amount: 1, reference: 'r', dest_account: { bank_code: '0', account_number: '1' } },
    ['dest_account.bank_code', 'dest_account.account_number', 'dest_account.account_name'],
  ],
  [
    '/v1/payments/split',
    'items of a list, and the list as a whole',
    {
      source_wallet: ID,
      reference: 'r',
      splits: [
        { wallet_id: ID, amount: 1, percentage: 60 },
        { wallet_id: `kyc_${ID}`, amount: 0.5, percentage: 60 },
      ],
    },
    ['splits[1].wallet_id', 'splits[1].amount', 'splits'],
  ],
  [
    '/v1/payments/qr/pay',
    'a code that was misread',
    { qr_reference: '000201xx' },
    ['qr_reference', 'source_wallet'],
  ],
  [
    '/v1/payments/ussd/initiate',
    'a phone, and nothing else',
    { phone: '1' },
    ['wallet_id', 'amount', 'reference', 'phone'],
  ],
  ['/v1/kyc/bvn', 'two', { user_ref: '', bvn: '1' }, ['user_ref', 'bvn']],
  ['/v1/webhooks', 'an address and an event', { url: 'ftp://a.example/', events: ['x'] }, ['url', 'events']],
  [
    '/v1/partner/compliance/directors',
    'one director of two',
    {
      directors: [
        { full_name: 'Ada', role: 'CEO' },
        { full_name: ' ', bvn: '1' },
      ],
    },
    ['directors[1].full_name', 'directors[1].role', 'directors[1].bvn'],
  ],
  [
    '/v1/sandbox/bank-transfer/fail',
    'an id of another kind',
    { transaction_id: `wlt_${ID}` },
    ['transaction_id'],
  ],
];

describe.each(BODIES)('POST %s: %s', (path, _what, body, fields) => {
  test.each(['reference', 'guide'] as const)('%s form', async (form) => {
    const answer = await partner.post(path, body, { 'X-Response-Form': form });
    expect(problemsOf(answer, form).map(([field]) => field)).toEqual(fields);
  });
});

test('a list that is too long is refused by its length, whatever its items are', async () => {
  const answer = await partner.post('/v1/payments/split', {
    source_wallet: ID,
    reference: 'r',
    splits: Array.from({ length: 19_000 }, () => 0),
  });
  expect(problemsOf(answer)).toEqual([['splits', 'must have at most 100 items']]);
});

test('in live a PIN that is easy to guess is named beside the rest', async () => {
  const live = await api.partner({ environment: 'live', status: 'active' });
  const answer = await api.call('PUT', `/v1/wallets/${ID}/pin`, {
    key: live.key,
    body: { pin: '1111', current_pin: 'x' },
  });
  expect(problemsOf(answer).map(([field]) => field)).toEqual(['pin', 'current_pin']);
});

test('two wrong headers are both named, and the body is not', async () => {
  const headers = { 'X-Response-Form': 'other', 'Idempotency-Key': '' };
  expect(problemsOf(await partner.post('/v1/wallets', {}, headers)).map(([field]) => field)).toEqual([
    'X-Response-Form',
    'Idempotency-Key',
  ]);
});

test('a body that is wrong as a whole names no field', async () => {
  const answer = await partner.post('/v1/wallets', '[]');
  expect(answer).toMatchObject({ status: 422, body: { error: 'VALIDATION_ERROR' } });
  expect(answer.body).not.toHaveProperty('detail');
});

describe('a GET with a query parameter that it does not know', () => {
  const paths = ROUTES.filter(({ method }) => method === 'GET').map(({ path, tokenOnly }) => ({
    path,
    tokenOnly,
  }));
  test.each(paths)('$path', async ({ path, tokenOnly }) => {
    const key = tokenOnly ? await api.token(partner.id) : partner.key;
    const problems = problemsOf(await api.call('GET', `${path.replace(/:\w+/, ID)}?colour=red`, { key }));
    expect(problems.at(-1)).toEqual(['colour', UNKNOWN]);
  });

  test.each(['/health', '/v1/health'])('%s', async (path) => {
    expect(problemsOf(await api.call('GET', `${path}?colour=red`))).toEqual([['colour', UNKNOWN]]);
  });

  const views = OPERATOR_ROUTES.filter(({ method }) => method === 'GET').map(({ path }) => path);
  test.each(views)('%s', async (path) => {
    const url = path.replace(':environment', 'sandbox').replace(/:\w+/g, ID);
    // Some of them ask for a reason, and name that first.
    expect(problemsOf(await operator.get(`${url}?colour=red`)).at(-1)).toEqual(['colour', UNKNOWN]);
  });

  test.each<[path: string, fields: string[]]>([
    ['/v1/wallets?colour=red&user_ref=&limit=0&cursor=x', ['cursor', 'limit', 'user_ref', 'colour']],
    ['/v1/banks/resolve?account_number=1&colour=red', ['bank_code', 'account_number', 'colour']],
    [`/v1/wallets/${ID}/ledger?reference=order-1&limit=5&limit=6`, ['limit', 'reference']],
  ])('names the unknown parameter after the other problems: %s', async (path, fields) => {
    expect(problemsOf(await partner.get(path)).map(([field]) => field)).toEqual(fields);
  });

  test('HEAD is refused as GET is', async () => {
    const { status } = await api.call('HEAD', '/v1/wallets?colour=red', { key: partner.key });
    expect(status).toBe(422);
  });

  test('the query of a POST is not looked at', async () => {
    expect((await partner.post('/v1/wallets?colour=red', { user_ref: 'with a query' })).status).toBe(202);
  });
});

describe('an id with the prefix of another kind, in a path: 404', () => {
  test.each([
    ['tx_ for a wallet', `/v1/wallets/tx_`],
    ['kyc_ for a wallet', `/v1/wallets/kyc_`],
    ['wlt_ for a transaction', `/v1/transactions/wlt_`],
  ])('%s', async (_what, path) => {
    const id = await partner.wallet({ fundKobo: 100 });
    const listed = await partner.get(`/v1/wallets/${id}/transactions`);
    const named: string = path.startsWith('/v1/wallets') ? id : listed.body.data[0].id;
    expect(await partner.get(path + named)).toMatchObject({ status: 404, body: { error: 'NOT_FOUND' } });
    expect((await partner.get(path.replace(/[a-z]+_$/, '') + named)).status).toBe(200);
  });

  test.each([
    ['wallets of the operator port', 'wallets', 'tx_'],
    ['transactions of the operator port', 'transactions', 'wlt_'],
  ])('%s', async (_what, list, prefix) => {
    const path = `/ops/sandbox/partners/${partner.id}/${list}/${prefix}${ID}?reason=a+question`;
    expect(await operator.get(path)).toMatchObject({ status: 404, body: { error: 'NOT_FOUND' } });
  });
});
