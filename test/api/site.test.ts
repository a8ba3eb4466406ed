/**
 * The pages, guides and documents that the API serves to readers. They load nothing from another site, and only the local
 * sandbox gives them its key.
 */
import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { documentText } from '../../src/api/openapi/document';
import { referenceText } from '../../src/api/openapi/reference';
import type { TestApi } from '../support/api';
import { apiForFile } from '../support/scene';
import { sendRaw } from '../support/sockets';
import { temporaryFolder } from '../cli/folder';
import { SITE_PATHS } from '../../src/api/site/paths';
import { anchorsIn, linksIn } from '../support/markdown';

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
  ['/docs/site.css', 'text/css; charset=utf-8'],
  ['/docs/favicon-32x32.png', 'image/png'],
  ['/guides', 'text/html; charset=utf-8'],
  ['/guides/tutorial', 'text/html; charset=utf-8'],
  ['/guides/tutorial.md', 'text/markdown; charset=utf-8'],
  ['/llms.txt', 'text/plain; charset=utf-8'],
  ['/postman.json', 'application/json; charset=utf-8'],
])('%s is served to everybody', async (path, type) => {
  const answer = await get(api, path);
  expect([answer.status, answer.type]).toEqual([200, type]);
});

test.each([
  '/docs',
  '/docs/init.js',
  '/docs/key.json',
  '/guides',
  '/guides/sdk',
  '/openapi.json',
  '/llms.txt',
])('%s refuses a query parameter, because it knows none', async (path) => {
  const { status, text } = await get(api, `${path}?token=x`);
  expect([status, JSON.parse(text).error]).toEqual([422, 'VALIDATION_ERROR']);
});

test.each([
  '/docs/package.json',
  '/docs/..%2fpackage.json',
  '/docs/swagger-ui-bundle.js.map',
  '/guides/runbook',
  '/guides/sdk.br',
])('%s is not there', async (path) => expect((await get(api, path)).status).toBe(404));

test.each(['/docs', '/guides', '/guides/sdk', '/llms.txt'])(
  '%s answers other methods with 405',
  async (path) => {
    const { status, headers } = await fetch(`http://127.0.0.1:${api.port}${path}`, { method: 'POST' });
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  },
);

describe('a page', () => {
  const asked = (path: string, headers: Record<string, string>) =>
    fetch(`http://127.0.0.1:${api.port}${path}`, { headers });

  test('loads nothing from another site, and nothing over https where it came over http', async () => {
    for (const path of ['/docs', '/guides', '/guides/tutorial']) {
      const answer = await asked(path, {});
      const addresses = [
        ...(await answer.text()).matchAll(/<(?:link|script|img)[^>]*(?:href|src)="([^"]*)"/g),
      ].map(([, address]) => address);
      expect(addresses.length).toBeGreaterThan(1);
      expect(addresses.filter((address) => !address?.startsWith('/docs/'))).toEqual([]);
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'self'");
      expect(answer.headers.get('content-security-policy')).not.toContain('upgrade-insecure-requests');
    }
  });

  test.each([['br'], ['gzip']])('comes packed by %s to those who take it, and says so', async (encoding) => {
    const packed = await asked('/openapi.reference.json', { 'accept-encoding': encoding });
    expect(packed.headers.get('content-encoding')).toBe(encoding);
    expect(packed.headers.get('vary')).toContain('Accept-Encoding');
    expect(Number(packed.headers.get('content-length'))).toBeLessThan(150_000);
    expect(await packed.text()).toBe(referenceText());
    const plain = await asked('/openapi.reference.json', { 'accept-encoding': 'identity' });
    expect([plain.headers.get('content-encoding'), await plain.text()]).toEqual([null, referenceText()]);
  });

  test('is kept by the browser, which then asks whether it has changed', async () => {
    const first = await asked('/docs/swagger-ui-bundle.js', {});
    expect(first.headers.get('cache-control')).toBe('public, max-age=600');
    await first.arrayBuffer();
    // By itself, because `fetch` asks every cache on the way to step aside where a program sets the header.
    const headers = { 'if-modified-since': first.headers.get('last-modified') ?? '' };
    const status = await new Promise((resolve, reject) => {
      request({ port: api.port, path: '/docs/swagger-ui-bundle.js', headers }, (answer) => {
        answer.resume().once('end', () => {
          resolve(answer.statusCode);
        });
      })
        .once('error', reject)
        .end();
    });
    expect(status).toBe(304);
  });
});

describe('/', () => {
  const root = (accept: string) => fetch(`http://127.0.0.1:${api.port}/`, { headers: { accept } });

  test('answers a browser with a page that leads everywhere', async () => {
    const answer = await root('text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(answer.headers.get('vary')).toContain('Accept');
    const links = [...(await answer.text()).matchAll(/<a[^>]* href="([^"]+)"/g)].map(([, to = '']) => to);
    expect(links).toEqual(
      expect.arrayContaining(['/docs', '/guides', '/llms.txt', '/openapi.reference.json']),
    );
    for (const to of links.filter((link) => link !== '/')) {
      expect([to, (await get(api, to)).status]).toEqual([to, 200]);
    }
  });

  test.each(['*/*', 'application/json', 'application/json, text/html;q=0.5'])(
    'answers a program that takes %s as every unknown path',
    async (accept) => {
      const answer = await root(accept);
      expect([answer.status, ((await answer.json()) as { error: string }).error]).toEqual([404, 'NOT_FOUND']);
    },
  );
});

test('every link of a guide, as a page and as Markdown, leads to what is there', async () => {
  const broken: string[] = [];
  for (const path of SITE_PATHS.filter((one) => one.startsWith('/guides') || one === '/llms.txt')) {
    const { text } = await get(api, path);
    const links = [...text.matchAll(/href="([^"]+)"/g), ...linksIn(text).map((link) => ['', link])]
      .map(([, to = '']) => to)
      .filter((to) => to !== '/' && !to.startsWith('http') && !to.startsWith('mailto:'));
    for (const to of links) {
      const [page = '', anchor] = to.split('#');
      const found = await get(api, page === '' ? path : page);
      if (found.status !== 200) broken.push(`${path}: ${to}`);
      else if (
        anchor !== undefined &&
        !(found.text.includes(`id="${anchor}"`) || anchorsIn(found.text).includes(anchor))
      )
        broken.push(`${path}: ${to}`);
    }
  }
  expect(broken).toEqual([]);
});

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
    const sent = 'GET /docs/key.json HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n';
    expect(await sendRaw(local.port, sent)).toMatchObject({ status: 200, body: { key: null } });
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
    const sent = `GET /docs/key.json HTTP/1.1\r\nHost: localhost\r\n${name}: ${value}\r\n\r\n`;
    expect(await sendRaw(local.port, sent)).toMatchObject({ status: 200, body: { key: null } });
  });
});
