/** The places to which movements are shipped: a folder, a syslog server, and an object store that speaks S3. */
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingHttpHeaders } from 'node:http';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { AwsV4Signer } from 'aws4fetch';
import { filesOf, linesIn } from '../../../src/administration/movement-files';
import { openDestination } from '../../../src/providers/movements/destination';
import { until } from '../../support/until';

const AT = new Date('2026-11-27T10:00:00.000Z');
const KEYS = { accessKeyId: 'AKIATEST', secretAccessKey: 'secret-of-the-bucket', region: 'af-south-1' };
const portOf = (server: Server): number => (server.address() as AddressInfo).port;

describe('a folder', () => {
  let folder: string;
  beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'wallet-test-movements-'))));
  afterAll(() => rmSync(folder, { recursive: true }));

  test('has one file a day, which only its owner reads', async () => {
    const outside = join(folder, 'movements');
    const to = openDestination(pathToFileURL(outside).href, null);
    await to.append(['{"a":1}', '{"a":2}'], AT);
    await to.append(['{"a":3}'], AT);
    await to.append(['{"a":4}'], new Date('2026-11-28T00:00:00.000Z'));
    expect(readdirSync(outside).sort()).toEqual([
      'movements-2026-11-27.ndjson',
      'movements-2026-11-28.ndjson',
    ]);
    const file = join(outside, 'movements-2026-11-27.ndjson');
    expect(readFileSync(file, 'utf8')).toBe('{"a":1}\n{"a":2}\n{"a":3}\n');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(filesOf([outside])).toHaveLength(2);
  });

  test('that cannot be written to is an error', async () => {
    const to = openDestination(pathToFileURL(join(folder, 'gone')).href, null);
    rmSync(join(folder, 'gone'), { recursive: true });
    await expect(to.append(['{}'], AT)).rejects.toThrow('ENOENT');
  });

  test('a line that is none is named, and one that was cut off at the end of a file is not', async () => {
    const good = join(folder, 'good');
    const bad = join(folder, 'bad');
    const { writeFileSync } = await import('node:fs');
    writeFileSync(good, '\n{"kind":"mov');
    writeFileSync(bad, 'no line\n\n');
    const read = async (file: string) => {
      for await (const line of linesIn([file])) expect(line).toBeDefined();
    };
    await expect(read(good)).resolves.toBeUndefined();
    await expect(read(bad)).rejects.toThrow('bad, line 1: is no movement');
    expect(() => filesOf([join(folder, 'nowhere')])).toThrow('is not there');
  });
});

describe('a syslog server', () => {
  let server: Server;
  let got = '';
  beforeAll(async () => {
    server = createServer((socket) => socket.on('data', (data) => (got += data.toString())));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  test('gets messages of RFC 5424, each behind its length in bytes', async () => {
    const to = openDestination(`syslog://127.0.0.1:${String(portOf(server))}`, null);
    await to.append(['{"a":"Ọjà"}', '{"a":2}'], AT);
    await until('both messages', () => got.endsWith('{"a":2}'));
    const [length] = got.split(' ');
    const first = Buffer.from(got.slice(String(length).length + 1))
      .subarray(0, Number(length))
      .toString();
    expect(first).toMatch(/^<110>1 2026-11-27T10:00:00.000Z \S+ partner-wallet \d+ movement - {"a":"Ọjà"}$/);
    await to.close();
  });

  test('where nobody listens is an error', async () => {
    const to = openDestination('syslog://127.0.0.1:9', null);
    await expect(to.append(['{}'], AT)).rejects.toThrow('ECONNREFUSED');
    await to.close();
  });
});

describe('an object store', () => {
  const objects: { path: string; headers: IncomingHttpHeaders; body: string }[] = [];
  let status = 200;
  const server = createHttpServer((request, response) => {
    void text(request).then((body) => {
      objects.push({ path: request.url ?? '', headers: request.headers, body });
      response.writeHead(status).end();
    });
  });
  let base: string;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${String(portOf(server))}/bucket/movements`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  test('gets one object for each time, signed with the keys of the bucket', async () => {
    await openDestination(base, KEYS).append(['{"a":1}', '{"a":2}'], AT);
    const [object] = objects;
    expect(object?.path).toMatch(
      /^\/bucket\/movements\/2026-11-27\/2026-11-27T10-00-00-000Z-[0-9a-f-]{36}\.ndjson$/,
    );
    expect(object?.body).toBe('{"a":1}\n{"a":2}\n');
    const signed = await new AwsV4Signer({
      ...KEYS,
      service: 's3',
      method: 'PUT',
      url: `http://127.0.0.1:${String(portOf(server))}${object?.path ?? ''}`,
      datetime: String(object?.headers['x-amz-date']),
      headers: {
        'content-type': 'application/x-ndjson',
        'x-amz-content-sha256': String(object?.headers['x-amz-content-sha256']),
      },
      body: object?.body ?? '',
    }).sign();
    expect(object?.headers['authorization']).toBe(signed.headers.get('authorization'));
  });

  test('that refuses is an error without a key in it', async () => {
    status = 403;
    const sent = openDestination(base, KEYS).append(['{}'], AT);
    await expect(sent).rejects.toThrow(/^the object store answered HTTP 403$/);
  });

  test('without keys is refused', () => {
    expect(() => openDestination(base, null)).toThrow('MOVEMENTS_ACCESS_KEY');
  });
});

test('another kind of address is refused', () => {
  expect(() => openDestination('ftp://host', null)).toThrow('MOVEMENTS_TO');
});
