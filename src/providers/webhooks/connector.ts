/**
 * Opens connections to webhook receivers, and only to allowed addresses. The name is resolved once, every address
 * it gives is judged, and the socket connects to exactly these. So it does not help an attacker if the name server
 * gives another address after the judgement.
 */
import { Resolver, lookup } from 'node:dns/promises';
import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import { buildConnector } from 'undici';
import { hostOf, isAddressAllowed, isLocalhost, type AddressRules } from './address-guard';
import { withInterimAnswers } from '../interim-answers';

/** The addresses of a host name. @throws when the name has none or no name server answers. */
export type ResolveHost = (host: string) => Promise<readonly string[]>;

/** The connection was refused by our own rules: nothing was sent. */
export class BlockedAddressError extends Error {
  readonly code = 'BLOCKED_ADDRESS';
}

const LOOPBACK = ['127.0.0.1', '::1'];
const DNS_TIMEOUT_MS = 2_000;
const DNS_TRIES = 2;

/** A connection that is being opened. Once its time is over, its socket is closed and no further step begins. */
interface Attempt {
  socket?: Socket;
  isOver: boolean;
}

/**
 * A connector for undici.
 * @param connectTimeoutMs from the name to the end of the TLS handshake.
 */
export function guardedConnector(
  rules: AddressRules,
  resolveHost: ResolveHost,
  connectTimeoutMs: number,
): buildConnector.connector {
  const startTls = buildConnector({ timeout: connectTimeoutMs, allowH2: false });

  return (options, callback) => {
    const attempt: Attempt = { isOver: false };
    within(connectTimeoutMs, open(options, attempt)).then(
      (socket) => callback(null, withInterimAnswers(socket)),
      (error: unknown) => {
        attempt.isOver = true;
        attempt.socket?.destroy();
        callback(error as Error, null);
      },
    );
  };

  async function open(options: buildConnector.Options, attempt: Attempt): Promise<Socket> {
    const host = hostOf(options);
    const addresses = await addressesOf(host);
    if (!addresses.every((ip) => isAddressAllowed(ip, rules))) throw blocked();
    if (attempt.isOver) throw new Error('the time to connect is over');

    const isTls = options.protocol === 'https:';
    const port = Number(options.port) || (isTls ? 443 : 80);
    const socket = connect({
      host,
      port,
      lookup: answering(addresses),
      noDelay: true,
      autoSelectFamily: true,
    });
    attempt.socket = socket;
    await connected(socket);
    // The last check. Whatever address the socket has reached, nothing has been written to it yet.
    if (!isAddressAllowed(socket.remoteAddress ?? '', rules)) throw blocked();
    if (!isTls) return socket;

    const servername = isIP(host) === 0 ? { servername: host } : {};
    return new Promise((resolve, reject) => {
      startTls({ ...options, ...servername, httpSocket: socket }, (error, secured) =>
        error === null ? resolve(secured) : reject(error),
      );
    });
  }

  async function addressesOf(host: string): Promise<readonly string[]> {
    if (isIP(host) !== 0) return [host];
    return isLocalhost(host) ? LOOPBACK : resolveHost(host);
  }
}

/**
 * How names are resolved: by asking the name servers, and not by the system's resolver. A hostile name server
 * could keep one of the process's four worker threads busy in the system's resolver for as long as it likes. Where
 * private addresses are allowed, the machine is a developer's, and its hosts file is used.
 */
export function resolverFor(rules: AddressRules): ResolveHost {
  if (rules.allowPrivate) {
    return async (host) => (await lookup(host, { all: true })).map(({ address }) => address);
  }
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES });
  return async (host) => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason;
    return [v4, v6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  };
}

function answering(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, { all: wantsAll }, callback) => {
    const [first] = all;
    if (wantsAll === true || first === undefined) callback(null, all);
    else callback(null, first.address, first.family);
  };
}

function connected(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('connect', resolve).once('error', reject);
    socket.once('close', () => reject(new Error('the connection was closed')));
  });
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(Object.assign(new Error('too slow'), { code: 'ETIMEDOUT' })), ms);
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}

function blocked(): BlockedAddressError {
  return new BlockedAddressError('leads to an address that webhooks are not sent to');
}
