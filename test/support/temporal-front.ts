/**
 * A TLS server in front of a real Temporal. It asks for a client certificate, as Temporal Cloud and a proxy of one's own
 * do it.
 */
import { readFileSync } from 'node:fs';
import net from 'node:net';
import { join } from 'node:path';
import tls from 'node:tls';

const file = (name: string): string => join(__dirname, '../certificates', name);
const content = (name: string): string => readFileSync(file(name), 'utf8');

/** Our side of the connection: whom to expect. */
export const FRONT_TRUST = {
  TEMPORAL_TLS_SERVER_NAME: 'temporal-server.example',
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: file('temporal-ca.pem'),
};
/** Who we are. */
export const FRONT_CERTIFICATE = {
  TEMPORAL_TLS_CLIENT_CERT_PATH: file('temporal-client.pem'),
  TEMPORAL_TLS_CLIENT_KEY_PATH: file('temporal-client.key'),
};
export const FRONT_CERTIFICATE_AS_VALUES = {
  TEMPORAL_TLS_CLIENT_CERT_DATA: content('temporal-client.pem'),
  TEMPORAL_TLS_CLIENT_KEY_DATA: content('temporal-client.key'),
};
/** The name in our certificate. */
export const FRONT_CALLER = 'client.example';

export interface TemporalFront {
  /** `host:port`. */
  readonly address: string;
  /** Who has come: the names of their certificates; undefined for somebody who was refused. */
  callers: (string | undefined)[];
  close(): Promise<void>;
}

/** @param upstream `host:port` of the Temporal behind it. */
export async function openTemporalFront(upstream: string): Promise<TemporalFront> {
  const [host = '', port = ''] = upstream.split(':');
  const sockets = new Set<net.Socket>();
  const keep = (socket: net.Socket): void => {
    sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)));
  };
  const server = tls.createServer(
    {
      key: content('temporal-server.key'),
      cert: content('temporal-server.pem'),
      ca: content('temporal-ca.pem'),
      requestCert: true,
      rejectUnauthorized: true,
      ALPNProtocols: ['h2'],
    },
    (socket) => {
      front.callers.push(socket.getPeerCertificate().subject.CN as string | undefined);
      const behind = net.connect(Number(port), host);
      keep(socket);
      keep(behind);
      socket.pipe(behind).pipe(socket);
    },
  );
  server.on('tlsClientError', () => front.callers.push(undefined));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const front: TemporalFront = {
    address: `127.0.0.1:${String((server.address() as net.AddressInfo).port)}`,
    callers: [],
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return front;
}
