/**
 * The OpenAPI document and its pages load nothing from another site; only the local sandbox gives them its key.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { documentText } from '../../src/api/openapi/document';
import { referenceText } from '../../src/api/openapi/reference';
import type { TestApi } from '../support/api';
import { apiForFile } from '../support/scene';
import { sendRaw } from '../support/sockets';
import { temporaryFolder } from '../cli/folder';

const { world, api } = apiForFile();
let local: TestApi;
const file = join(temporaryFolder(), 'sandbox.json');

beforeAll(async () => {
  local = await world.startApi({ DOCS_KEY_FILE: file });
});

/** An answer as a browser gets it. */
async function get(at: TestApi, path: string) {
  const response = await fetch(`http://127.0.0.1:${at.port}${path}`);
  return { type: response.headers.get('content-type'), status: response.status, text: await response.text() };
}

test('the served document is the one that every answer in these tests is checked against', async () => {
  const { status, type, text } = await get(api, '/openapi.json');
  expect([status, type]).toEqual([200, 'application/json; charset=utf-8']);
  expect(JSON.parse(text)).toEqual(JSON.parse(documentText()));
});

test('the document for clients is served beside it', async () => {
  const { status, type, text } = await get(api, '/openapi.reference.json');
  expect([status, type]).toEqual([200, 'application/json; charset=utf-8']);
  expect(text).toBe(referenceText());
});

test.each([
  ['/docs', 'text/html; charset=utf-8'],
  ['/docs/', 'text/html; charset=utf-8'],
  ['/docs/init.js', 'text/javascript; charset=utf-8'],
  ['/docs/swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ['/docs/swagger-ui.css', 'text/css; charset=utf-8'],
  ['/docs/favicon-32x32.png', 'image/png'],
])('%s is served to everybody', async (path, type) => {
  const answer = await get(api, path);
  expect([answer.status, answer.type]).toEqual([200, type]);
});

test.each([
  '/docs',
  '/docs/init.js',
  '/docs/key.json',
  '/docs/swagger-ui.css',
  '/openapi.json',
  '/openapi.reference.json',
])('%s refuses a query parameter, because it knows none', async (path) => {
  const { status, text } = await get(api, `${path}?token=x`);
  expect([status, JSON.parse(text).error]).toEqual([422, 'VALIDATION_ERROR']);
});

test('the page loads nothing from another site', async () => {
  const { text } = await get(api, '/docs');
  const addresses = [...text.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, address]) => address);
  expect(addresses).toHaveLength(4);
  expect(addresses.filter((address) => !address?.startsWith('/docs/'))).toEqual([]);
});

test.each(['/docs/package.json', '/docs/..%2fpackage.json', '/docs/swagger-ui-bundle.js.map'])(
  '%s is not there',
  async (path) => expect((await get(api, path)).status).toBe(404),
);

describe('the key', () => {
  const key = async (at: TestApi) => (await get(at, '/docs/key.json')).text;
  const none = '{"key":null}';

  test('is null until npm start has written it, and is then given', async () => {
    expect(await key(local)).toBe(none);
    writeFileSync(file, '{"sandbox_key":"sk_test_x"}');
    expect(await key(local)).toBe('{"key":"sk_test_x"}');
  });

  test('is not given when no key file is configured', async () => expect(await key(api)).toBe(none));

  test('is not given to a request with another host name', async () => {
    writeFileSync(file, '{"sandbox_key":"sk_test_x"}');
    const request = 'GET /docs/key.json HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n';
    expect(await sendRaw(local.port, request)).toMatchObject({ status: 200, body: { key: null } });
  });

  test.each([
    ['X-Forwarded-For', '203.0.113.7'],
    ['X-Forwarded-Host', 'localhost'],
    ['X-Forwarded-Proto', 'https'],
    ['X-Real-IP', '203.0.113.7'],
    ['Forwarded', 'for=203.0.113.7'],
    ['Via', '1.1 proxy'],
  ])('is not given to a request that a proxy forwarded with %s', async (name, value) => {
    writeFileSync(file, '{"sandbox_key":"sk_test_x"}');
    const request = `GET /docs/key.json HTTP/1.1\r\nHost: localhost\r\n${name}: ${value}\r\n\r\n`;
    expect(await sendRaw(local.port, request)).toMatchObject({ status: 200, body: { key: null } });
  });
});
