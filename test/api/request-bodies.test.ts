/**
 * The bodies in the log of requests (D209). Every operation of the route table is called with a canary in each field that its
 * schema marks, and no canary is in the log, nor in any column that is not known to hold such a thing.
 */
import { randomBytes, randomInt } from 'node:crypto';
import { documentText } from '../../src/api/openapi/document';
import { NOT_LOGGED } from '../../src/domain/request-log';
import { uuidOfRequest } from '../../src/domain/request-ids';
import { ID_EXAMPLE, OTHER_ID_EXAMPLE } from '../../src/wire/fields';
import { ROUTES } from '../../src/api/routes';
import type { Route } from '../../src/api/route';
import { COLUMNS } from '../../tools/reference/personal-columns';
import type { Answer, Json } from '../support/api';
import { foundIn, tablesOf } from '../support/canaries';
import type { Platform } from '../support/platform';
import { apiForFile, partnerForFile } from '../support/scene';
import { REHEARSAL } from '../support/settings';
import { until } from '../support/until';
import { SANDBOX_CELL } from '../setup/cells';

const { world, api } = apiForFile(REHEARSAL);
const partner = partnerForFile(api, { status: 'active' });

const idOf = ({ headers }: Answer): string => headers.get('X-Request-Id') ?? '';
const logged = (answer: Answer, by = partner): Promise<Json> =>
  until('the request in the log', async () => {
    const { status, body } = await by.get(`/v1/requests/${idOf(answer)}`);
    return status === 200 && body.data;
  });

test('a payment is there with both bodies, and with its texts hidden', async () => {
  const [source, dest] = [await partner.wallet({ fundKobo: 100_000 }), await partner.wallet()];
  const asked = { source_wallet: source, dest_wallet: dest, amount: 100, reference: 'bodies' };
  const more = { description: 'rent of Ada', metadata: { ada: 'obi' }, Ada: 1 };
  const paid = await partner.post('/v1/transfers/p2p', { ...asked, ...more });
  const row = await logged(paid);
  expect(JSON.parse(row.request_body)).toEqual({
    ...asked,
    description: '[hidden]',
    metadata: '[hidden]',
    '[hidden]': '[hidden]',
  });
  const said = paid.body;
  const hidden = { description: '[hidden]', metadata: '[hidden]' };
  expect(JSON.parse(row.response_body)).toEqual({ ...said, data: { ...said.data, ...hidden } });
  expect(row.truncated).toBe(false);
});

test.each([
  ['is not JSON', 'Ada Obi'],
  ['is larger than any body', `{"reference":"${'x'.repeat(300_000)}"}`],
])('a body that %s is not kept, and the answer is', async (_name, body) => {
  const row = await logged(await partner.post('/v1/transfers/p2p', body));
  expect(row).toMatchObject({ request_body: null, truncated: false });
  expect(JSON.parse(row.response_body)).toMatchObject({ error: row.code });
});

test('live keeps bodies only where all are asked for', async () => {
  const live = await api.partner({ environment: 'live', status: 'active' });
  const body = { reference: 'live' };
  const without = await logged(await live.post('/v1/transfers/p2p', body), live);
  expect(without).toMatchObject({ status: 422, request_body: null, response_body: null, truncated: false });
  const other = await world.startApi({ REQUEST_LOG_BODIES: 'all' });
  const kept = await logged(await live.at(other).post('/v1/transfers/p2p', body), live);
  expect(JSON.parse(kept.request_body)).toEqual(body);
  await other.stop();
});

type Schema = Record<string, Json>;
const document = JSON.parse(documentText()) as Schema;
const found = (schema: Schema): Schema =>
  typeof schema['$ref'] === 'string'
    ? found(
        schema['$ref']
          .split('/')
          .slice(1)
          .reduce((part: Json, name: string) => part[name], document),
      )
    : schema;

const secrets: Record<string, string> = {};
const personal: Record<string, string> = {};

const OWNER = 'canaryOfOwner1';
/** Whose answers name what other operations are about, by the beginnings of their paths. */
const MADE_BY: Record<string, string> = {
  '/v1/webhooks': 'createWebhook',
  '/v1/transactions': 'bankTransfer',
  '/v1/holds': 'placeHold',
  '/v1/api-keys': 'createApiKey',
  '/v1/payments/qr': 'createQrPayment',
  '/v1/transfers/scheduled': 'createScheduledTransfer',
  '/v1/transfers/bulk': 'createBulkTransfer',
};

const digits = (count: number): string => Array.from({ length: count }, () => randomInt(1, 10)).join('');
/** A value of a marked field that its schema accepts and that occurs nowhere by chance; null for a PIN, which is too short. */
function canaryFor(name: string, { type, pattern, format }: Schema): string | object | null {
  const text = `canary${randomBytes(9).toString('hex')}`;
  if (type === 'object') return { [text]: text };
  if (pattern === '^[0-9]{4}$') return null;
  if (pattern === '^[0-9]{11}$') return digits(11);
  if (pattern === '^[0-9]{10}$' || name === 'account_number') return digits(10);
  if (pattern?.startsWith('^\\+')) return `+234${digits(10)}`;
  return format === 'email' ? `${text}@acme.example` : text;
}

const PLAIN: Record<string, Json> = {
  string: 'text',
  boolean: true,
  'date-time': '2030-01-31T09:00:00Z',
};

/** A body with every field that the reference form has. */
function bodyFor(given: Schema, name: string): Json {
  const schema = found(given);
  if (schema['x-sensitive'] === true) {
    const canary = canaryFor(name, schema);
    if (canary === null) return '7391';
    const text = typeof canary === 'string' ? canary : (Object.values(canary)[0] as string);
    (schema['x-personal'] === true ? personal : secrets)[`${name} ${text}`] = text;
    return canary;
  }
  if (schema['anyOf']) return bodyFor(schema['anyOf'][0], name);
  if (schema['properties']) {
    const fields = Object.entries(schema['properties'] as Record<string, Schema>);
    return Object.fromEntries(fields.map(([field, one]) => [field, bodyFor(one, field)]));
  }
  if (schema['type'] === 'array' && schema['items'] && !schema['examples']) {
    const least = Math.max(1, Number(schema['minItems'] ?? 1));
    return Array.from({ length: least }, () => bodyFor(schema['items'], name));
  }
  const first = schema['examples']?.[0] ?? schema['const'] ?? schema['enum']?.[0];
  return first ?? PLAIN[schema['format'] ?? schema['type']] ?? 1;
}

/** What an answer shows in its marked fields, which may be secrets that the platform has made. */
function gather(given: Schema, value: Json, name: string): void {
  const schema = found(given);
  if (value === null || value === undefined) return;
  if (schema['x-sensitive'] === true) {
    const texts = [value].flat().filter((one) => typeof one === 'string' && one.length > 9);
    for (const text of texts) (schema['x-personal'] === true ? personal : secrets)[`${name} ${text}`] = text;
    return;
  }
  for (const one of schema['anyOf'] ?? []) gather(one, value, name);
  if (Array.isArray(value)) for (const item of value) gather(schema['items'] ?? {}, item, name);
  else if (typeof value === 'object')
    for (const [field, one] of Object.entries(value)) gather(schema['properties']?.[field] ?? {}, one, field);
}

const operationOf = ({ method, path }: Route): Schema =>
  document['paths'][path.replace(/:(\w+)/g, '{$1}')][method.toLowerCase()];
const jsonOf = (part: Json): Schema | undefined => part?.content?.['application/json']?.schema;

describe('every operation of the table', () => {
  // A reset waits for Temporal, which is away, and the streams have no end.
  const CALLED = ROUTES.filter(({ doc, operation }) => !doc.answer.type && operation !== 'resetSandbox');
  const answers: [Route, Answer][] = [];

  beforeAll(async () => {
    const token = await api.token(partner.id);
    const wallet = await partner.wallet({
      fundKobo: 10_000_000,
      userRef: OWNER,
      metadata: { a: 'canaryOfMeta1' },
    });
    const other = await partner.wallet();
    personal['owner'] = OWNER;
    personal['metadata'] = 'canaryOfMeta1';
    const said: Record<string, Json> = {};
    const idFor = ({ path }: Route): string => {
      if (path.includes('/kyc/')) return OWNER;
      const maker = Object.entries(MADE_BY).find(([prefix]) => path.startsWith(prefix))?.[1];
      return (maker !== undefined && (said[maker]?.id ?? said[maker]?.reference)) || wallet;
    };
    const call = async (route: Route): Promise<[Route, Answer]> => {
      const schema = jsonOf(operationOf(route)['requestBody']);
      const own = (text: string): string =>
        text.replaceAll(ID_EXAMPLE, wallet).replaceAll(OTHER_ID_EXAMPLE, other);
      const body = schema && JSON.parse(own(JSON.stringify(bodyFor(schema, ''))));
      // There is one destination, and one time.
      for (const one of [body ?? {}, ...(body?.transfers ?? [])]) {
        if (one.dest_account) delete one.dest_wallet;
        if (one.due_at) delete one.rule;
      }
      delete body?.current_pin;
      delete body?.allowed_cidrs;
      const key = route.tokenOnly ? token : partner.key;
      const path = route.path.replace(/:\w+/g, idFor(route));
      const answer = await api.call(route.method, path, { key, ...(body && { body }) });
      said[route.operation] = answer.body?.data ?? answer.body;
      return [route, answer];
    };
    const stage = ({ method, operation, path }: Route): number => {
      if (method === 'DELETE' || /^(close|end|fail)/.test(operation)) return 2;
      return path.includes(':') ? 1 : 0;
    };
    for (const now of [0, 1, 2]) {
      answers.push(...(await Promise.all(CALLED.filter((route) => stage(route) === now).map(call))));
    }
    for (const [route, { body, status }] of answers) {
      const schema = jsonOf(operationOf(route)['responses'][String(status)]);
      if (schema) gather(schema, body, '');
    }
    const logged = `SELECT count(*)::int AS n FROM ${SANDBOX_CELL}.requests WHERE id = ANY($1::uuid[])`;
    const ids = answers
      .filter(([{ operation }]) => !NOT_LOGGED.includes(operation))
      .map(([, answer]) => uuidOfRequest(idOf(answer)));
    await until(
      'all requests in the log',
      async () => (await world.sql(logged, [ids]))[0]!['n'] === ids.length,
    );
  });

  test('enough of them were done, and many fields are marked', () => {
    const done = answers.filter(([, { status }]) => status < 300).map(([{ operation }]) => operation);
    expect(done).toEqual(
      expect.arrayContaining([
        'createWallet',
        'bankTransfer',
        'createQrPayment',
        'createWebhook',
        'verifyBvn',
        'getTransaction',
        'rotateWebhookSecret',

        'createApiKey',
      ]),
    );
    expect(Object.keys(secrets).length).toBeGreaterThan(8);
    expect(Object.keys(personal).length).toBeGreaterThan(25);
  });

  test('is in the log with its bodies, which show no canary and no PIN', async () => {
    const rows = await world.sql(
      `SELECT operation, request_body, response_body, r::text AS row FROM ${SANDBOX_CELL}.requests r`,
    );
    const withBody = new Set(
      rows.filter((row) => row['request_body'] !== null).map((row) => row['operation']),
    );
    const sent = CALLED.filter((route) => jsonOf(operationOf(route)['requestBody'])).map(
      ({ operation }) => operation,
    );
    expect(sent.filter((operation) => !withBody.has(operation))).toEqual([]);
    for (const { operation, row } of rows) {
      expect([operation, ...foundIn({ ...secrets, ...personal }, row)]).toEqual([operation]);
      // Its digits may stand within an id.
      expect([operation, /(?<![\da-f])7391(?![\da-f])/.test(row)]).toEqual([operation, false]);
    }
  });

  test('leaves no secret in clear anywhere, and what is personal only in columns that are known for it', async () => {
    const platform = { sql: world.sql } as Platform;
    const tables = (await tablesOf(platform, { ...secrets, ...personal })).filter(
      ({ found: some }) => some.length > 0,
    );
    expect(tables.length).toBeGreaterThan(3);
    const places = new Set<string>();
    for (const { name } of tables) {
      const rows = await world.sql(`SELECT to_jsonb(t) AS row FROM ${name} t`);
      for (const [column, value] of rows.flatMap(({ row }) => Object.entries(row as object))) {
        const text = JSON.stringify(value);
        for (const [what, canary] of Object.entries(secrets)) {
          if (text.includes(canary)) places.add(`secret ${what} in ${name}.${column}`);
        }
        if (Object.values(personal).some((canary) => text.includes(canary)) && !isPersonal(name, column)) {
          places.add(`personal in ${name}.${column}`);
        }
      }
    }
    expect([...places]).toEqual([]);
  });

  function isPersonal(table: string, column: string): boolean {
    const [schema = '', name = ''] = table.split('.');
    const area = /^(sandbox|live)_\d+$/.test(schema)
      ? 'cell'
      : schema.endsWith('directory')
        ? 'directory'
        : schema;
    const fate = COLUMNS[`${area}.${name}`]?.[column] ?? 'words';
    return fate !== 'words' && fate !== 'secrets';
  }
});
