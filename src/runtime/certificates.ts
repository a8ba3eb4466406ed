/**
 * When the TLS certificates end that a process uses or is shown: those of its configuration, and those that Postgres and
 * Temporal serve. A bundle ends with its first certificate that does. Receivers of webhooks are not ours.
 */
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { temporalTransport, type TemporalSettings, type TemporalTransport } from './temporal-transport';

const PEM = /-----BEGIN CERTIFICATE-----[^]*?-----END CERTIFICATE-----/g;

/** When the first certificate of a text in PEM ends; null where it has none that can be read. */
export function endOfPem(text: string): Date | null {
  const ends = (text.match(PEM) ?? []).map((one) => new Date(new X509Certificate(one).validTo).getTime());
  return ends.length > 0 ? new Date(Math.min(...ends)) : null;
}

/** The files that an address of Postgres names, with their use. */
export function filesOfAddress(databaseUrl: string): { use: string; file: string }[] {
  const { searchParams } = new URL(databaseUrl);
  const named = (name: string, use: string) => {
    const file = searchParams.get(name);
    return file === null ? [] : [{ use, file }];
  };
  return [...named('sslrootcert', 'postgres_ca'), ...named('sslcert', 'postgres_client')];
}

/** When the certificates of a file end now; null where it cannot be read. It may have been replaced since the start. */
export function endOfFile(file: string): Date | null {
  try {
    return endOfPem(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/** When the certificates of our own end that Temporal is reached with. */
export function endsForTemporal(settings: TemporalSettings): { use: string; end: Date | null }[] {
  const { tls } = temporalTransport(settings);
  const of = (use: string, pem: Buffer | undefined) =>
    pem === undefined ? [] : [{ use, end: endOfPem(pem.toString()) }];
  return [
    ...of('temporal_ca', tls?.serverRootCACertificate),
    ...of('temporal_client', tls?.clientCertPair?.crt),
  ];
}

/** The socket of a connection, with TLS or without. */
export type MaybeTls = Partial<Pick<TLSSocket, 'getPeerCertificate'>>;

/** When the certificate of a server ends, as a connection was shown it; null on a connection without TLS. */
export function endOfPeer(socket: MaybeTls): Date | null {
  const shown = socket.getPeerCertificate?.();
  return shown?.valid_to ? new Date(shown.valid_to) : null;
}

const DEFAULT_PORT = 7233;

/** When the certificate of Temporal ends; null without TLS, or where nobody answers in time. */
export function endOfTemporal({ address, tls }: TemporalTransport, withinMs: number): Promise<Date | null> {
  if (!tls) return Promise.resolve(null);
  const { hostname, port } = new URL(`tls://${address}`);
  const host = hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve) => {
    const socket = connect(
      {
        host,
        port: Number(port) || DEFAULT_PORT,
        ...(isIP(host) === 0 || tls.serverNameOverride !== undefined
          ? { servername: tls.serverNameOverride ?? host }
          : {}),
        ALPNProtocols: ['h2'],
        // Only its end is read: whether it is trusted is decided where it is used.
        rejectUnauthorized: false,
        ...(tls.clientCertPair && { cert: tls.clientCertPair.crt, key: tls.clientCertPair.key }),
      },
      () => done(endOfPeer(socket)),
    );
    const timer = setTimeout(() => done(null), withinMs);
    const done = (end: Date | null): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(end);
    };
    socket.on('error', () => done(null));
  });
}
