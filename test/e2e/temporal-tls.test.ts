/**
 * Temporal behind TLS that asks for a client certificate, as Temporal Cloud and a proxy of one's own do it: the
 * connections of the API and of the worker bring the certificate of the configuration. In front of the real Temporal
 * is a TLS server of this test.
 */
import { readFileSync } from 'node:fs';
import net from 'node:net';
import { join } from 'node:path';
import tls from 'node:tls';
import { NativeConnection } from '@temporalio/worker';
import { readConfig } from '../../src/runtime/config';
import { temporalConnection } from '../../src/runtime/temporal-connection';
import { servesNamespace } from '../../src/runtime/temporal-health';
import { temporalTransport } from '../../src/runtime/temporal-transport';
import { startChild } from '../support/children';
import { installQuietRuntime } from '../support/quiet-runtime';
import { reserveTemporal, type ReservedTemporal } from '../support/reserved-temporal';
import { TEST_SETTINGS } from '../support/settings';
import { NAMESPACES } from '../setup/cells';

jest.setTimeout(60_000);

const file = (name: string): string => join(__dirname, '../certificates', name);
const content = (name: string): string => readFileSync(file(name), 'utf8');
const [NAMESPACE = ''] = NAMESPACES;

const DATABASE = { DATABASE_URL: 'postgres://wallet@127.0.0.1:1/wallet' };
/** Our side of the connection. */
const TLS = {
  TEMPORAL_TLS_SERVER_NAME: 'temporal-server.example',
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: file('temporal-ca.pem'),
};
const CERTIFICATE = {
  TEMPORAL_TLS_CLIENT_CERT_PATH: file('temporal-client.pem'),
  TEMPORAL_TLS_CLIENT_KEY_PATH: file('temporal-client.key'),
};
const AS_VALUES = {
  TEMPORAL_TLS_CLIENT_CERT_DATA: content('temporal-client.pem'),
  TEMPORAL_TLS_CLIENT_KEY_DATA: content('temporal-client.key'),
};

let temporal: ReservedTemporal;
let terminator: tls.Server;
let callers: (string | undefined)[];
const sockets = new Set<net.Socket>();

beforeAll(async () => {
  installQuietRuntime();
  temporal = await reserveTemporal();
  await temporal.start();
  const [host = '', port = ''] = temporal.address.split(':');
  const keep = (socket: net.Socket): void => {
    sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)));
  };
  terminator = tls.createServer(
    {
      key: content('temporal-server.key'),
      cert: content('temporal-server.pem'),
      ca: content('temporal-ca.pem'),
      requestCert: true,
      rejectUnauthorized: true,
      ALPNProtocols: ['h2'],
    },
    (socket) => {
      callers.push(socket.getPeerCertificate().subject.CN as string | undefined);
      const upstream = net.connect(Number(port), host);
      keep(socket);
      keep(upstream);
      socket.pipe(upstream).pipe(socket);
    },
  );
  terminator.on('tlsClientError', () => callers.push(undefined));
  await new Promise<void>((resolve) => terminator.listen(0, '127.0.0.1', resolve));
});
beforeEach(() => {
  callers = [];
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => terminator.close(resolve));
  await temporal.discard();
});

const transportWith = (settings: Record<string, string>) => {
  const { port } = terminator.address() as net.AddressInfo;
  const TEMPORAL_ADDRESS = `127.0.0.1:${String(port)}`;
  return temporalTransport(readConfig({ ...TEST_SETTINGS, ...DATABASE, TEMPORAL_ADDRESS, ...settings }));
};

async function apiReaches(settings: Record<string, string>): Promise<boolean> {
  const connection = temporalConnection(transportWith(settings), NAMESPACE);
  try {
    return await servesNamespace(connection, NAMESPACE, 5_000);
  } finally {
    await connection.close();
  }
}

async function workerReaches(settings: Record<string, string>): Promise<boolean> {
  try {
    const connection = await NativeConnection.connect(transportWith(settings));
    await connection.close();
    return true;
  } catch {
    return false;
  }
}

describe.each([
  ['the API', apiReaches],
  ['the worker', workerReaches],
])('%s reaches a Temporal that asks for a client certificate', (_who, reaches) => {
  test.each([
    ['with the files of one', CERTIFICATE],
    ['with the values of one', AS_VALUES],
  ])('%s', async (_how, certificate) => {
    expect(await reaches({ ...TLS, ...certificate })).toBe(true);
    expect(callers).toContain('client.example');
  });
  test.each<[how: string, settings: Record<string, string>]>([
    ['not without one', TLS],
    [
      'not where the server has another name',
      { ...TLS, ...CERTIFICATE, TEMPORAL_TLS_SERVER_NAME: 'else.example' },
    ],
    ['not in the clear', {}],
  ])('%s', async (_how, settings) => {
    expect(await reaches(settings)).toBe(false);
    expect(callers).not.toContain('client.example');
  });
});

test.each(['api', 'worker'] as const)(
  'the %s does not start in production with a plain address elsewhere',
  async (program) => {
    const settings = { ...DATABASE, NODE_ENV: 'production', TEMPORAL_ADDRESS: 'temporal.example:7233' };
    await expect(startChild(program, { ...TEST_SETTINGS, ...settings })).rejects.toThrow(
      'TEMPORAL_ADDRESS: must not be another machine without TLS in production: set TEMPORAL_TLS=true, or ' +
        'TEMPORAL_ALLOW_PLAINTEXT=true',
    );
  },
);
