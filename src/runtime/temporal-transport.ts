/**
 * How API and worker reach Temporal: the address, TLS with a certificate of our own, or an API key, as Temporal Cloud
 * asks for them. The variables have the names that the `temporal` program reads as well.
 */

/** What the connections of the client and of the worker take. */
export interface TemporalTransport {
  address: string;
  tls?: {
    serverNameOverride?: string;
    serverRootCACertificate?: Buffer;
    clientCertPair?: { crt: Buffer; key: Buffer };
  };
  apiKey?: string;
}

/** The variables that decide it. Those of files hold what is in the file. */
export interface TemporalSettings {
  TEMPORAL_ADDRESS: string;
  TEMPORAL_ALLOW_PLAINTEXT: boolean;
  TEMPORAL_TLS: boolean;
  TEMPORAL_TLS_SERVER_NAME?: string | undefined;
  TEMPORAL_TLS_SERVER_CA_CERT_PATH?: string | undefined;
  TEMPORAL_TLS_SERVER_CA_CERT_DATA?: string | undefined;
  TEMPORAL_TLS_CLIENT_CERT_PATH?: string | undefined;
  TEMPORAL_TLS_CLIENT_CERT_DATA?: string | undefined;
  TEMPORAL_TLS_CLIENT_KEY_PATH?: string | undefined;
  TEMPORAL_TLS_CLIENT_KEY_DATA?: string | undefined;
  TEMPORAL_API_KEY?: string | undefined;
}

const caOf = (settings: TemporalSettings): string | undefined =>
  settings.TEMPORAL_TLS_SERVER_CA_CERT_DATA ?? settings.TEMPORAL_TLS_SERVER_CA_CERT_PATH;
export const certificateOf = (settings: TemporalSettings): string | undefined =>
  settings.TEMPORAL_TLS_CLIENT_CERT_DATA ?? settings.TEMPORAL_TLS_CLIENT_CERT_PATH;
export const certificateKeyOf = (settings: TemporalSettings): string | undefined =>
  settings.TEMPORAL_TLS_CLIENT_KEY_DATA ?? settings.TEMPORAL_TLS_CLIENT_KEY_PATH;

/** Whatever belongs to TLS switches it on, so that a certificate or a key is never sent or left out in the clear. */
export const usesTls = (settings: TemporalSettings): boolean =>
  settings.TEMPORAL_TLS ||
  [
    settings.TEMPORAL_API_KEY,
    settings.TEMPORAL_TLS_SERVER_NAME,
    caOf(settings),
    certificateOf(settings),
    certificateKeyOf(settings),
  ].some((one) => one !== undefined);

/** Whether somebody on the network could read what is sent to Temporal, or answer in its place. */
export const isPlainRemote = (settings: TemporalSettings): boolean =>
  !usesTls(settings) && !LOOPBACK.test(settings.TEMPORAL_ADDRESS);

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/;

/** The options of every connection to Temporal, of the client and of the worker alike. */
export function temporalTransport(settings: TemporalSettings): TemporalTransport {
  const address = settings.TEMPORAL_ADDRESS;
  if (!usesTls(settings)) return { address };
  const serverName = settings.TEMPORAL_TLS_SERVER_NAME;
  const [ca, crt, key] = [caOf, certificateOf, certificateKeyOf].map((of) => of(settings));
  return {
    address,
    tls: {
      ...(serverName !== undefined && { serverNameOverride: serverName }),
      ...(ca !== undefined && { serverRootCACertificate: Buffer.from(ca) }),
      ...(crt !== undefined &&
        key !== undefined && { clientCertPair: { crt: Buffer.from(crt), key: Buffer.from(key) } }),
    },
    ...(settings.TEMPORAL_API_KEY !== undefined && { apiKey: settings.TEMPORAL_API_KEY }),
  };
}
