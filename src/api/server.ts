/**
 * The HTTP server around the application. It answers what the parser refuses, and it ends without losing a
 * request.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Server as NetServer, type AddressInfo, type Socket } from 'node:net';
import { setImmediate as afterReading, setTimeout as sleep } from 'node:timers/promises';
import type { Express } from 'express';
import type { Config } from '../runtime/config';
import type { AccessLog } from './access-log';
import { endSoon, limitPerAddress } from './connections';
import { valuesOf } from './headers';
import { newRequestId } from './request-id';
import { writeError } from '../wire/errors';
import { refuse } from '../domain/outcome';
import { expressClasses } from './fast-express';

const REQUEST_MS = 10_000;
const HEADERS_MS = 5_000;
const KEEP_ALIVE_MS = 65_000;
export const HEADERS_MAX_BYTES = 16_384;
/** By default Node looks for slow requests every 30 seconds, so a request of 10 seconds at most could last 40. */
const LOOK_FOR_SLOW_MS = 1_000;
/** A connection on which nothing happens for so long is closed, whatever it waits for. No request takes as long. */
const SILENCE_MS = 30_000;
const DRAIN_MS = 10_000;
/**
 * How long a connection must be quiet before a server that ends closes it. Its caller cannot be told otherwise, and may be
 * about to send its next request.
 */
const QUIET_MS = 1_000;
const LOOK_FOR_QUIET_MS = 100;

export interface RunningServer {
  port: number;
  /**
   * From now on each answer asks its caller to use another connection for the next request, so that no connection in
   * use is closed without notice when the server stops.
   */
  drain(): void;
  /**
   * Serves for another second, so that callers of connections in use are told; then it stops accepting, finishes what is
   * under way, and gives up after ten seconds.
   */
  stop(): Promise<void>;
}

/**
 * Opens the server.
 * @param connectionsMax connections beyond it are closed at once, and idle ones make room for later ones.
 * @param perAddressMax connections of one address beyond it are answered 503 and closed; null where all connections are those
 * of a proxy.
 */
export async function listen(
  app: Express,
  options: {
    host: string;
    port: number;
    connectionsMax: number;
    perAddressMax: number | null;
    accessLog: AccessLog;
  },
): Promise<RunningServer> {
  const { host, port, connectionsMax, perAddressMax, accessLog } = options;
  let draining = false;
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    // What comes behind a refusal on its connection is not looked at: nobody would get its answer.
    if (!request.socket.writable) return;
    const hosts = valuesOf(request, 'host').length;
    // With two of them, a proxy in front and this server could each believe another one.
    if (hosts > 1 || (hosts === 0 && request.httpVersion === '1.1')) {
      refuseBytes(request.socket, BAD, accessLog);
      return;
    }
    // A request behind another one on its connection waits for that answer. Otherwise the answers to a hundred such
    // requests would all be in memory, and the caller would read none of them.
    if (response.socket === null) response.once('socket', () => void app(request, response));
    else app(request, response);
  };
  const server = createServer(
    {
      // A client that keeps its connection open must be told to use another one for the next request.
      ...expressClasses(app, () => draining),
      requestTimeout: REQUEST_MS,
      headersTimeout: HEADERS_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: LOOK_FOR_SLOW_MS,
      maxHeaderSize: HEADERS_MAX_BYTES,
      // Node's own answer to a missing Host has no body.
      requireHostHeader: false,
    },
    onRequest,
  );
  // The bytes of headers are limited above. With a limit on their number, Node would silently drop the headers
  // beyond it, even a second Authorization.
  server.maxHeadersCount = 0;
  server.timeout = SILENCE_MS;
  server.maxConnections = connectionsMax;
  const quiet = watchConnections(server);
  if (perAddressMax !== null) {
    limitPerAddress(server, perAddressMax, (socket) => {
      refuseBytes(socket, TOO_MANY, accessLog);
      // It has its answer, and its place is needed: what it sends is not waited for.
      socket.destroySoon();
    });
  }
  server.on('drop', () => server.closeIdleConnections());
  server.on('clientError', onClientError(accessLog));
  // An unknown `Expect` header is ignored, as RFC 9110 allows.
  server.on('checkExpectation', onRequest);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    // As many callers may come at once as there may be connections. Node lets 511 wait, and whoever comes beyond them must
    // try again after a second, and then after two more.
    server.listen({ port, host, backlog: connectionsMax }, resolve);
  });
  const drain = (): void => {
    draining = true;
  };
  return {
    port: (server.address() as AddressInfo).port,
    drain,
    stop() {
      drain();
      return stop(server, quiet);
    },
  };
}

/** The limits of a port. @param proxies how many are in front of it; with one, every connection is a proxy's. */
export const connectionLimits = (
  config: Pick<Config, 'HTTP_CONNECTIONS_MAX' | 'HTTP_CONNECTIONS_PER_ADDRESS'>,
  proxies: number,
): { connectionsMax: number; perAddressMax: number | null } => ({
  connectionsMax: config.HTTP_CONNECTIONS_MAX,
  perAddressMax:
    proxies > 0 ? null : (config.HTTP_CONNECTIONS_PER_ADDRESS ?? Math.ceil(config.HTTP_CONNECTIONS_MAX / 2)),
});

const BAD = '400 Bad Request';
const TOO_MANY = '503 Service Unavailable';
const PARSER_STATUS: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** Bytes that are no valid request get the published envelope too, and the connection is closed (D151). */
const onClientError =
  (accessLog: AccessLog) =>
  (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else refuseBytes(socket, PARSER_STATUS[error.code ?? ''] ?? BAD, accessLog);
  };

function refuseBytes(socket: Socket, line: string, accessLog: AccessLog): void {
  const requestId = newRequestId();
  const status = Number(line.slice(0, 3));
  const { refusal } =
    line === TOO_MANY
      ? refuse('SERVICE_UNAVAILABLE', { message: 'This address has too many connections open' })
      : refuse('VALIDATION_ERROR', { message: 'The request is not HTTP as this server accepts it' });
  const body = writeError(refusal, 'reference', status, requestId);
  const lines = [
    `HTTP/1.1 ${line}`,
    'Connection: close',
    'Cache-Control: no-store',
    ...(line === TOO_MANY ? ['Retry-After: 1'] : []),
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${String(Buffer.byteLength(body))}`,
    `X-Request-Id: ${requestId}`,
  ];
  accessLog({ requestId, method: 'none', operation: 'none', status, code: refusal.code, durationMs: 0 });
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
  endSoon(socket);
}

/** @returns for how long no byte has come or gone on any open connection, as far as is known from earlier looks. */
function watchConnections(server: Server): () => number {
  const open = new Map<Socket, { bytes: number; since: number }>();
  server.on('connection', (socket: Socket) => {
    open.set(socket, { bytes: 0, since: performance.now() });
    socket.once('close', () => open.delete(socket));
  });
  return () => {
    const now = performance.now();
    let latest = 0;
    for (const [socket, seen] of open) {
      const bytes = socket.bytesRead + socket.bytesWritten;
      if (bytes !== seen.bytes) Object.assign(seen, { bytes, since: now });
      latest = Math.max(latest, seen.since);
    }
    return now - latest;
  };
}

async function stop(server: Server, quietMs: () => number): Promise<void> {
  quietMs();
  await sleep(QUIET_MS);
  // The `close` of an HTTP server would close idle connections at once.
  const closed = new Promise<void>((resolve) =>
    NetServer.prototype.close.call(server, () => {
      resolve();
    }),
  );
  const giveUpAt = performance.now() + DRAIN_MS;
  let isOver = false;
  while (!isOver && performance.now() < giveUpAt) {
    // A request that has come already is read first, so that its connection is not idle.
    await afterReading();
    if (quietMs() >= QUIET_MS) server.closeIdleConnections();
    isOver = await Promise.race([closed.then(() => true), sleep(LOOK_FOR_QUIET_MS, false)]);
  }
  server.closeAllConnections();
  await closed;
}
