/** What of bodies the log of requests shows: by the schemas alone, and nothing is guessed to be harmless (D209). */
import { z } from 'zod';
import { keptBodies } from '../../../src/api/kept-bodies';
import { documentText } from '../../../src/api/openapi/document';
import type { Route } from '../../../src/api/route';
import { ROUTES } from '../../../src/api/routes';
import { BODY_KEPT_BYTES } from '../../../src/domain/request-log';
import { optional, PERSONAL, SECRET } from '../../../src/wire/fields';
import { shownBy, withHidden, withoutSecretsOfUrls } from '../../../src/wire/hidden-fields';

const schema = z.object({
  amount: z.number(),
  kind: z.enum(['one', 'two']),
  pin: optional(z.string().meta(SECRET)),
  names: z.array(z.object({ name: z.string().meta(PERSONAL), age: z.int() })),
  told: z.string().nullable().optional(),
  free: z.record(z.string(), z.string()).optional(),
  either: z.union([z.string(), z.object({ id: z.string() })]).optional(),
});

test.each<[address: string, kept: string]>([
  ['https://hooks.example/in?token=s3cr3t', 'https://hooks.example/in?[hidden]'],
  ['https://hooks.example?s3cr3t', 'https://hooks.example?[hidden]'],
  ['https://hooks.example/in#s3cr3t', 'https://hooks.example/in#[hidden]'],
  ['https://ada:s3cr3t@hooks.example:8443/in', 'https://[hidden]@hooks.example:8443/in'],
  ['https://s3cr3t@hooks.example/in?a=s3cr3t#b', 'https://[hidden]@hooks.example/in?[hidden]'],
  ['HTTPS://hooks.example/in?token=s3cr3t', 'HTTPS://hooks.example/in?[hidden]'],
  ['https:hooks.example/in?token=s3cr3t', 'https:hooks.example/in?[hidden]'],
  ['https:\\\\hooks.example/in?token=s3cr3t', 'https:\\\\hooks.example/in?[hidden]'],
  ['postgres://ada:s3cr3t@db/wallet', 'postgres://[hidden]@db/wallet'],
  ['https://hooks.example/in', 'https://hooks.example/in'],
])('of the address %s, wherever it stands, %s is kept', (address, kept) => {
  const shown = shownBy(z.object({ url: z.string(), note: z.string() }));
  const note = (one: string) => `the address ${one} is of no use`;
  expect(withHidden(shown, { url: address, note: note(address) })).toEqual({ url: kept, note: note(kept) });
});

test.each([
  ['hooks.example/in?token=s3cr3t', 'hooks.example/in?[hidden]'],
  ['ada:s3cr3t@hooks.example', '[hidden]@hooks.example'],
  ['//hooks.example/in?a b=s3cr3t\nc', '//hooks.example/in?[hidden]'],
])('an address that is none, %j, is kept as %s', (url, kept) => {
  expect(withHidden(shownBy(z.object({ url: z.string() })), { url })).toEqual({ url: kept });
});

test('what is no address stays as it is', () => {
  for (const text of ['Rent: May? Ada@home', 'a:b', '12:30#1', ''])
    expect(withoutSecretsOfUrls(text)).toBe(text);
});

test.each<[string, unknown, unknown]>([
  ['what the schema knows', { amount: 5, kind: 'one', told: null }, { amount: 5, kind: 'one', told: null }],
  ['a secret', { pin: '4821' }, { pin: '[hidden]' }],
  ['a secret of another type', { pin: { digits: 4821 } }, { pin: '[hidden]' }],
  [
    'a personal field in a list',
    { names: [{ name: 'Ada', age: 3 }] },
    { names: [{ name: '[hidden]', age: 3 }] },
  ],
  [
    'a field that no schema knows, with its name',
    { amount: 1, Ada: 'Obi' },
    { amount: 1, '[hidden]': '[hidden]' },
  ],
  ['a value of another type', { amount: 'Ada', names: 'Ada' }, { amount: '[hidden]', names: '[hidden]' }],
  ['an object in the place of a text', { kind: { of: 'Ada' } }, { kind: '[hidden]' }],
  ['a list in the place of an object', { names: [['Ada']] }, { names: ['[hidden]'] }],
  ['a free-form object', { free: { name: 'Ada' } }, { free: '[hidden]' }],
  [
    'each shape of a union',
    { either: { id: 'x', name: 'Ada' } },
    { either: { id: 'x', '[hidden]': '[hidden]' } },
  ],
  ['a text in place of the body', 'Ada', '[hidden]'],
])('%s', (_name, value, kept) => expect(withHidden(shownBy(schema), value)).toEqual(kept));

test('a field that one shape marks and another does not is hidden in both', () => {
  const both = z.union([z.object({ name: z.string() }), z.object({ name: z.string().meta(PERSONAL) })]);
  expect(withHidden(shownBy(both), { name: 'Ada' })).toEqual({ name: '[hidden]' });
});

describe('of an operation', () => {
  const routeOf = (operation: string): Route => ROUTES.find((route) => route.operation === operation)!;
  const keptText = (operation: string, asked: unknown, status: number, answered: string) =>
    keptBodies({ route: routeOf(operation), asked, answered }, status);
  const kept = (operation: string, asked: unknown, status: number, answered: unknown) =>
    keptText(operation, asked, status, JSON.stringify(answered));

  test('a refusal is kept with what was wrong in which field', () => {
    const problem = { field: 'amount', message: 'is required' };
    const refusal = {
      error: 'VALIDATION_ERROR',
      message: 'amount is required',
      detail: { fields: [problem] },
    };
    const { responseBody } = kept('p2pTransfer', {}, 422, refusal);
    expect(JSON.parse(responseBody!)).toEqual(refusal);
  });

  test('a refusal that repeats the made-up name of a parameter is hidden', () => {
    const message = 'ada@example.com is not a parameter of this operation';
    const { responseBody } = kept('listWallets', undefined, 422, { error: 'VALIDATION_ERROR', message });
    expect(responseBody).toBe('"[hidden]"');
  });

  test.each([
    ['request', 'x'.repeat(5_000), '', true],
    ['request, within a character', `${'x'.repeat(4_077)}€€`, '', true],
    ['many parts', Array.from({ length: 100_000 }, () => 1), '', true],
    ['answer', '', 'x'.repeat(5_000), true],
    ['neither', 'x'.repeat(3_000), 'y', false],
  ])('what is too long is cut: %s', (_name, reference, said, truncated) => {
    const asked = Array.isArray(reference) ? { transfers: reference } : { reference };
    const one = kept('createBulkTransfer', asked, 422, { error: 'X', message: said });
    expect(one.truncated).toBe(truncated);
    for (const text of [one.requestBody!, one.responseBody!]) {
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(BODY_KEPT_BYTES);
      expect(text).not.toContain('\uFFFD');
    }
  });

  test('a long answer, and one that is no JSON, are not kept', () => {
    expect(kept('listWallets', undefined, 200, { data: 'x'.repeat(20_000) })).toEqual({
      requestBody: null,
      responseBody: null,
      truncated: true,
    });
    expect(keptText('getWalletStatement', undefined, 200, 'date,amount')).toMatchObject({
      responseBody: null,
      truncated: false,
    });
  });
});

/**
 * The fields with free text that are shown, because they name nobody: whoever adds one either marks it where its schema is, or
 * says here that it is as harmless as these.
 */
const HARMLESS = [
  ...['reference', 'idempotency_key', 'label', 'name', 'business_name', 'slug', 'url', 'cac_number'],
  ...['bank_code', 'bank_name', 'BankCode', 'BankName', 'mfb_reference', 'nip_code'],
  ...['wallet_id', 'source_wallet', 'source_wallet_id', 'dest_wallet', 'dest_wallet_id', 'payer_wallet_id'],
  ...['merchant_wallet_id', 'transaction_id', 'session_id', 'request_id', 'webhook_id'],
  ...[
    'psp_reference',
    'provider',
    'response_code',
    'key_prefix',
    'allowed_cidrs',
    'next_cursor',
    'next_after',
  ],
  ...[
    'amount_naira',
    'balance_naira',
    'balance_after_naira',
    'customer_fee_naira',
    'at',
    'starts_on',
    'ends_on',
  ],
  ...['account_ending', 'account_ending_means', 'scenario', 'description', 'what', 'who', 'terms_version'],
  ...['channel', 'text_version', 'dial_code', 'ussd_code', 'service_code', 'gateway_session'],
  ...[
    'code',
    'field',
    'message',
    'title',
    'status',
    'error',
    'last_error',
    'failed_reason',
    'failure_reason',
  ],
  ...['reason', 'result', 'fault', 'method', 'operation'],
  // Of the log itself, whose reading is not in it.
  ...['request_body', 'response_body'],
  // A free-form object, which is hidden whole.
  'headers',
];

test('every free text of a body is marked, or is known to name nobody', () => {
  const free = new Set<string>();
  const walk = (node: unknown, name: string): void => {
    if (typeof node !== 'object' || node === null || 'x-sensitive' in node) return;
    const { type, enum: values, format, const: only } = node as Record<string, unknown>;
    const isText = [type].flat().includes('string');
    if (isText && values === undefined && format === undefined && only === undefined) free.add(name);
    for (const [key, value] of Object.entries(node)) {
      if (key === 'properties') for (const [inner, one] of Object.entries(value as object)) walk(one, inner);
      else if (!['examples', 'example', 'parameters', 'headers'].includes(key)) walk(value, name);
    }
  };
  const document = JSON.parse(documentText()) as {
    paths: Record<string, Record<string, { operationId: string }>>;
    components: { schemas: Record<string, unknown> };
  };
  const logged = new Set(ROUTES.map(({ operation }) => operation));
  for (const operation of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
    if (logged.has(operation.operationId)) walk(operation, '');
  }
  for (const one of Object.values(document.components.schemas)) walk(one, '');
  free.delete('');
  expect([...free].filter((name) => !HARMLESS.includes(name))).toEqual(OF_GATEWAYS);
  expect(HARMLESS.filter((name) => !free.has(name))).toEqual([]);
});

/** Of messages of USSD gateways, which belong to no partner and are not in the log. */
const OF_GATEWAYS = ['sessionId', 'serviceCode', 'session_from'];
