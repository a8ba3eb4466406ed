/**
 * A load generator that costs little beside what it measures, because both share the machine: plain sockets
 * kept alive, one request under way on each, requests written as bytes, answers read by their Content-Length.
 */
import { createConnection, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';

export interface LoadOptions {
  port: number;
  connections: number;
  seconds: number;
  /** Answered and not counted: lets caches fill and code get warm. */
  warmUpSeconds?: number;
  /** The bytes of the next request. */
  next: () => string;
  /** Looks at the body of an answer that counts; most loads need only its status. */
  onBody?: (body: string) => void;
}

export interface LoadResult {
  requests: number;
  perSecond: number;
  p50Ms: number;
  p95Ms: number;
  p99Ms: number;
  /** How many answers had each status. */
  statuses: Record<string, number>;
}

/** Keeps every connection busy for the time given. @throws when a connection breaks: a load is never quietly smaller. */
export async function load(options: LoadOptions): Promise<LoadResult> {
  const { connections, seconds, warmUpSeconds = 1 } = options;
  const latenciesMs: number[] = [];
  const statuses: Record<string, number> = {};
  const countFrom = performance.now() + warmUpSeconds * 1_000;
  const endAt = countFrom + seconds * 1_000;
  await Promise.all(
    Array.from({ length: connections }, () =>
      keepBusy(options, endAt, (status, body, startedAt, endedAt) => {
        if (startedAt < countFrom) return;
        latenciesMs.push(endedAt - startedAt);
        statuses[status] = (statuses[status] ?? 0) + 1;
        options.onBody?.(body);
      }),
    ),
  );
  latenciesMs.sort((one, other) => one - other);
  const at = (share: number): number =>
    latenciesMs[Math.min(latenciesMs.length - 1, Math.floor(latenciesMs.length * share))] ?? NaN;
  return {
    requests: latenciesMs.length,
    perSecond: latenciesMs.length / seconds,
    p50Ms: at(0.5),
    p95Ms: at(0.95),
    p99Ms: at(0.99),
    statuses,
  };
}

type Answered = (status: string, body: string, startedAt: number, endedAt: number) => void;

function keepBusy({ port, next }: LoadOptions, endAt: number, answered: Answered): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = createConnection({ port, host: '127.0.0.1', noDelay: true });
    let buffered = '';
    let startedAt = 0;
    const send = (): void => {
      startedAt = performance.now();
      if (startedAt >= endAt) {
        socket.destroy();
        resolve();
        return;
      }
      socket.write(next(), 'latin1');
    };
    socket.setEncoding('latin1');
    socket.on('connect', send);
    socket.on('data', (part: string) => {
      buffered = buffered === '' ? part : buffered + part;
      const headEnd = buffered.indexOf('\r\n\r\n');
      if (headEnd < 0) return;
      const bodyAt = headEnd + 4;
      const end = bodyAt + lengthIn(buffered.slice(0, headEnd));
      if (buffered.length < end) return;
      answered(buffered.slice(9, 12), buffered.slice(bodyAt, end), startedAt, performance.now());
      buffered = buffered.slice(end);
      send();
    });
    socket.on('error', reject);
    socket.on('close', () => {
      if (performance.now() < endAt) reject(new Error('a connection was closed under load'));
    });
  });
}

function lengthIn(head: string): number {
  const found = /\r\ncontent-length: *(\d+)/i.exec(head);
  if (!found) throw new Error(`an answer without Content-Length: ${head}`);
  return Number(found[1]);
}

/** A POST of JSON as bytes. Bodies are ASCII, so that characters and bytes are one. */
export const post = (path: string, key: string, body: string, more = ''): string =>
  `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\n` +
  `Content-Type: application/json\r\nContent-Length: ${String(body.length)}\r\n${more}\r\n${body}`;

export const get = (path: string, key: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\n\r\n`;
