/** When certificates end: in a bundle, in files, and as Temporal and Postgres show theirs. */
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { createSecureContext, createServer as createTlsServer, TLSSocket } from 'node:tls';
import { X509Certificate } from 'node:crypto';
import pg from 'pg';
import { endOfPostgres } from '../../src/db/pg/server-certificate';
import {
  endOfFile,
  endOfPem,
  endOfTemporal,
  endsForTemporal,
  filesOfAddress,
} from '../../src/runtime/certificates';

const path = (name: string): string => join(__dirname, '..', 'certificates', name);
const content = (name: string): string => readFileSync(path(name), 'utf8');
const endOf = (name: string): Date => new Date(new X509Certificate(content(name)).validTo);
const ENDED = new Date('2020-02-01T00:00:00Z');
const SERVED = { key: content('temporal-server.key'), cert: content('temporal-server.pem') };

const listening = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};

test.each([
  ['one certificate', content('temporal-server.pem'), endOf('temporal-server.pem')],
  ['a bundle, by the first of them that ends', content('temporal-server.pem') + content('ended.pem'), ENDED],
  ['no certificate', 'nothing', null],
])('%s', (_what, pem, end) => {
  expect(endOfPem(pem)).toEqual(end);
});

test('the files that an address of Postgres names are read anew each time; one that is gone has no end', () => {
  const address = `postgres://a:b@db.example/w?sslmode=verify-full&sslrootcert=${path('ended.pem')}&sslcert=/gone.pem`;
  const files = filesOfAddress(address);
  expect(files.map(({ use }) => use)).toEqual(['postgres_ca', 'postgres_client']);
  expect(files.map(({ file }) => endOfFile(file))).toEqual([ENDED, null]);
  expect(filesOfAddress('postgres://a:b@db.example/w')).toEqual([]);
});

test('our own certificates for Temporal', () => {
  const settings = {
    TEMPORAL_ADDRESS: 'temporal:7233',
    TEMPORAL_ALLOW_PLAINTEXT: false,
    TEMPORAL_TLS: false,
  };
  expect(endsForTemporal(settings)).toEqual([]);
  expect(
    endsForTemporal({
      ...settings,
      TEMPORAL_TLS_SERVER_CA_CERT_DATA: content('ended.pem'),
      TEMPORAL_TLS_CLIENT_CERT_DATA: content('temporal-client.pem'),
      TEMPORAL_TLS_CLIENT_KEY_DATA: content('temporal-client.key'),
    }),
  ).toEqual([
    { use: 'temporal_ca', end: ENDED },
    { use: 'temporal_client', end: endOf('temporal-client.pem') },
  ]);
});

test('what Temporal shows, whoever has signed it; nothing in the clear, and nothing where nobody answers', async () => {
  const server = createTlsServer({ ...SERVED, ALPNProtocols: ['h2'] });
  const address = `127.0.0.1:${String(await listening(server))}`;
  const tls = { serverNameOverride: 'temporal-server.example' };
  expect(await endOfTemporal({ address, tls }, 5_000)).toEqual(endOf('temporal-server.pem'));
  expect(await endOfTemporal({ address }, 5_000)).toBeNull();
  await new Promise((resolve) => server.close(resolve));
  expect(await endOfTemporal({ address, tls }, 5_000)).toBeNull();
});

/** As much of Postgres as a connection needs before its first query. @param secure whether it offers TLS. */
function postgres(secure: boolean): Server {
  const ready = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]);
  return createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      if (!secure) {
        socket.write(ready);
        return;
      }
      socket.write('S');
      const inside = new TLSSocket(socket, { isServer: true, secureContext: createSecureContext(SERVED) });
      inside.on('error', () => undefined).once('data', () => inside.write(ready));
    });
  });
}

test.each([
  ['with TLS', true, endOf('temporal-server.pem')],
  ['in the clear', false, null],
])('what Postgres shows %s', async (_how, secure, end) => {
  const server = postgres(secure);
  const port = await listening(server);
  const ssl = secure ? { rejectUnauthorized: false } : false;
  const pool = new pg.Pool({ host: '127.0.0.1', port, user: 'a', password: 'b', database: 'w', ssl });
  pool.on('error', () => undefined);
  expect(await endOfPostgres(pool)).toEqual(end);
  server.close();
  await pool.end();
});
