/**
 * A load generator that costs little beside what it measures, because both share the machine: plain sockets
 * kept alive, one request under way on each, requests written as bytes, answers read by their Content-Length.
 */
import { createConnection, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { Usage } from '../scenario';
import { watchUsage, type Watched } from './usage';

export interface LoadOptions {
  /** Several share the connections evenly. */
  port: number | readonly number[];
  connections: number;
  seconds: number;
  /** Seconds of load that is answered and not counted: caches fill and code gets warm. */
  warmUpSeconds?: number;
  /** The bytes of the next request. */
  next: () => string;
  /** Whether a request that is answered 503 is sent again, as a partner does it. Then the figures mean nothing. */
  repeatsBusy?: boolean;
  /** Looks at the body of every answer, of the warm-up too; most loads need only the figures. */
  onBody?: (body: string) => void;
  /** The processes whose share of the machine is reported beside the generator's own. */
  watched?: readonly Watched[];
}

export interface LoadResult {
  /** Answered within the time that counts. */
  requests: number;
  /** All that were answered, with those of the warm-up: what `usage` was spent on. */
  answered: number;
  perSecond: number;
  p50Ms: number;
  p95Ms: number;
  p99Ms: number;
  /** The longest time without any answer. */
  stillMs: number;
  /** What the watched processes and this one took. */
  usage: Usage[];
}

/**
 * Keeps every connection busy for the time given, and waits for the last answers.
 * @throws when a connection breaks or an answer is not a 2xx: a load is never quietly smaller. With `repeatsBusy` a 503 is one
 *   when the same request has been turned away for half a minute after the load.
 */
export async function load(options: LoadOptions): Promise<LoadResult> {
  const { connections, seconds, warmUpSeconds = 1, repeatsBusy = false } = options;
  const ports = [options.port].flat();
  const latenciesMs: number[] = [];
  const countFrom = performance.now() + warmUpSeconds * 1_000;
  const endAt = countFrom + seconds * 1_000;
  let lastAt = countFrom;
  let stillMs = 0;
  let all = 0;
  const answered: Answered = (body, startedAt, endedAt) => {
    all += 1;
    options.onBody?.(body);
    if (endedAt < countFrom || endedAt > endAt) return;
    latenciesMs.push(endedAt - startedAt);
    stillMs = Math.max(stillMs, endedAt - lastAt);
    lastAt = endedAt;
  };
  const usage = watchUsage(options.watched ?? []);
  const ownUsage = watchThisProcess();
  await Promise.all(
    Array.from({ length: connections }, (_, index) =>
      keepBusy(
        { port: ports[index % ports.length] as number, next: options.next, endAt, repeatsBusy },
        answered,
      ),
    ),
  );
  const taken = [...usage(), ownUsage()];
  latenciesMs.sort((one, other) => one - other);
  const at = (share: number): number =>
    latenciesMs[Math.min(latenciesMs.length - 1, Math.floor(latenciesMs.length * share))] ?? NaN;
  return {
    requests: latenciesMs.length,
    answered: all,
    perSecond: latenciesMs.length / seconds,
    p50Ms: at(0.5),
    p95Ms: at(0.95),
    p99Ms: at(0.99),
    stillMs: Math.max(stillMs, endAt - lastAt),
    usage: taken,
  };
}

/** The usage of this process without its children, because they are what is measured. */
function watchThisProcess(): () => Usage {
  const startedAt = performance.now();
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    const cpuSeconds = (user + system) / 1e6;
    const cpuPercent = (cpuSeconds / ((performance.now() - startedAt) / 1_000)) * 100;
    const memoryMb = process.memoryUsage().rss / 1_024 ** 2;
    return { name: 'load generator', cpuSeconds, cpuPercent, memoryMb };
  };
}

type Answered = (body: string, startedAt: number, endedAt: number) => void;

const REPEAT_AFTER_MS = 100;
const REPEAT_FOR_MS = 30_000;

interface Caller extends Pick<LoadOptions, 'next'> {
  port: number;
  endAt: number;
  repeatsBusy: boolean;
}

function keepBusy({ port, next, endAt, repeatsBusy }: Caller, answered: Answered): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = createConnection({ port, host: '127.0.0.1', noDelay: true });
    let startedAt = 0;
    let done = false;
    let request = '';
    const write = (): void => void socket.write(request, 'latin1');
    const send = (): void => {
      startedAt = performance.now();
      done = startedAt >= endAt;
      if (done) {
        socket.destroy();
        resolve();
      } else {
        request = next();
        write();
      }
    };
    socket.on('connect', send);
    readEveryAnswer(socket, (status, body, head) => {
      if (status < 300) {
        answered(body, startedAt, performance.now());
        send();
      } else if (status === 503 && repeatsBusy && performance.now() < endAt + REPEAT_FOR_MS) {
        setTimeout(write, REPEAT_AFTER_MS);
      } else {
        reject(refusedUnderLoad(body, head));
        socket.destroy();
      }
    });
    socket.on('error', reject);
    socket.on('close', () => {
      if (!done) reject(new Error('a connection was closed under load'));
    });
  });
}

const refusedUnderLoad = (body: string, head: string): Error =>
  new Error(`an answer under load: ${head}\r\n\r\n${body}`);

/**
 * Reads the answers that come on a socket, each of them before the next is asked for.
 * @param refused is told of an answer that is not a 2xx; the socket is closed then.
 */
export function readAnswers(
  socket: Socket,
  refused: (error: Error) => void,
  answered: (body: string) => void,
): void {
  readEveryAnswer(socket, (status, body, head) => {
    if (status < 300) {
      answered(body);
      return;
    }
    refused(refusedUnderLoad(body, head));
    socket.destroy();
  });
}

/** The same for answers of every status. @param answered also gets the head, without its last line break. */
export function readEveryAnswer(
  socket: Socket,
  answered: (status: number, body: string, head: string) => void,
): void {
  let buffered = '';
  socket.setEncoding('latin1');
  socket.on('data', (part: string) => {
    buffered = buffered === '' ? part : buffered + part;
    const headEnd = buffered.indexOf('\r\n\r\n');
    if (headEnd < 0) return;
    const bodyAt = headEnd + 4;
    const end = bodyAt + lengthIn(buffered, headEnd);
    if (buffered.length < end) return;
    const [head, body] = [buffered.slice(0, headEnd), buffered.slice(bodyAt, end)];
    buffered = buffered.slice(end);
    // `HTTP/1.1 200 OK`
    answered(Number(head.slice(9, 12)), body, head);
  });
}

const LENGTH = /\r\ncontent-length: *(\d+)/i;

function lengthIn(answer: string, headEnd: number): number {
  const found = LENGTH.exec(answer);
  if (!found || found.index > headEnd) throw new Error(`an answer without Content-Length: ${answer}`);
  return Number(found[1]);
}

/** A POST of JSON as bytes. Bodies are ASCII, so that characters and bytes are one. */
export const post = (path: string, key: string, body: string, more = ''): string =>
  `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\n` +
  `Content-Type: application/json\r\nContent-Length: ${String(body.length)}\r\n${more}\r\n${body}`;

export const get = (path: string, key: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\n\r\n`;
