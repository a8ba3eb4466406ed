/** The check of answers finds every kind of difference from the document. */
import { contract } from '../../support/contract';

const WALLET = {
  id: '0198c0de-0000-7000-8000-000000000001',
  partner_id: '0198c0de-0000-7000-8000-000000000002',
  user_ref: 'ada',
  currency: 'NGN',
  status: 'pending',
  account_number: '',
  account_name: '',
  bank_code: '',
  bank_name: '',
  mfb_reference: '',
  account_status: 'provisioning',
  metadata: { any: { thing: 1 } },
  created_at: '2026-01-15T09:30:00.000Z',
  updated_at: '2026-01-15T09:30:00.000Z',
};
const META = { request_id: `req_${'0'.repeat(32)}` };
const HEADERS = { 'Content-Type': 'application/json; charset=utf-8', 'X-Request-Id': META.request_id };

interface Change {
  method?: string;
  path?: string;
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
}

/** Checks the answer to the creation of a wallet with one change. */
const check =
  (change: Change = {}) =>
  () =>
    contract().check({
      method: change.method ?? 'POST',
      path: change.path ?? '/v1/wallets',
      status: change.status ?? 202,
      headers: new Headers({ ...HEADERS, ...change.headers }),
      text: JSON.stringify('body' in change ? change.body : { data: WALLET, meta: META }),
    });

const error = (code: string) => ({ error: code, message: 'no', meta: META });
const guideError = (code: string) => ({ error: { code, message: 'no', http_status: 422 }, meta: META });

test('a documented answer passes', () => expect(check()).not.toThrow());

test.each<[string, Change, RegExp]>([
  ['another status', { status: 200 }, /the status 200 is not documented/],
  ['another content type', { headers: { 'Content-Type': 'text/html' } }, /text\/html is not documented/],
  [
    'a header of ours that is not documented',
    { headers: { Allow: 'GET' } },
    /header allow is not documented/,
  ],
  ['an unknown field', { body: { data: { ...WALLET, pin: 1 }, meta: META } }, /"additionalProperty":"pin"/],
  ['a missing field', { body: { data: { ...WALLET, status: undefined }, meta: META } }, /"status"/],
  [
    'a status that no wallet has',
    { body: { data: { ...WALLET, status: 'new' }, meta: META } },
    /enum|allowed/,
  ],
  ['an id that is not a uuid', { body: { data: { ...WALLET, id: '7' }, meta: META } }, /"format":"uuid"/],
  ['no envelope', { body: WALLET }, /must have required property 'data'/],
  ['a code of another operation', { status: 422, body: error('QR_EXPIRED') }, /allowed values/],
  ['the same in guide form', { status: 422, body: guideError('QR_EXPIRED') }, /allowed values/],
  ['a code of another status', { status: 409, body: error('VALIDATION_ERROR') }, /allowed values/],
  ['an error without meta', { status: 422, body: { error: 'VALIDATION_ERROR', message: 'no' } }, /'meta'/],
  ['a 503 without Retry-After', { status: 503, body: error('SERVICE_UNAVAILABLE') }, /no Retry-After/],
  ['a success where no operation is', { path: '/v1/nothing', status: 200 }, /outside the operations/],
])('%s does not pass', (_what, change, problem) => expect(check(change)).toThrow(problem));

test.each<[string, Change]>([
  ['a refusal of the operation', { status: 422, body: error('VALIDATION_ERROR') }],
  ['the same in guide form', { status: 422, body: guideError('VALIDATION_ERROR') }],
  ['an unknown path', { path: '/v1/nothing', status: 404, body: error('NOT_FOUND') }],
  [
    'a wrong method',
    { method: 'PUT', status: 405, body: error('METHOD_NOT_ALLOWED'), headers: { Allow: 'POST' } },
  ],
])('%s passes', (_what, change) => expect(check(change)).not.toThrow());

test.each([
  ['an unknown kind', { event: 'wallet.sold' }, /the kind is not documented/],
  ['data of another kind', { event: 'wallet.activated', data: {} }, /must have required property/],
])('a delivery with %s does not pass', (_what, body, problem) =>
  expect(() => contract().checkDelivery(JSON.stringify(body))).toThrow(problem),
);
