/** Requests as raw bytes: for requests that no HTTP client would send, and for repeated headers. */
import { connect } from 'node:net';
import type { Json } from './api';

export interface RawAnswer {
  status: number;
  /** Values by lower-case name; of a repeated header the last value. */
  headers: Record<string, string>;
  body: Json;
  /** True when the server ended the connection after its answer. */
  closed: boolean;
}

/** After this time without an answer the test fails, so that it does not hang. */
const SILENCE_MS = 20_000;
/** How long a kept connection is watched, in case the server closes it late. */
const WATCH_MS = 300;

/**
 * Sends bytes over a connection of its own and reads one answer.
 * @param parts written one after the other; the next part waits until the last one is on its way.
 */
export function sendRaw(port: number, ...parts: (string | Buffer)[]): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    let watch: NodeJS.Timeout | undefined;
    const finish = (closed: boolean): void => {
      clearTimeout(watch);
      socket.destroy();
      const answer = parse(received);
      if (answer) resolve({ ...answer, closed });
      else reject(new Error(`the connection ended without an answer: ${JSON.stringify(received)}`));
    };
    socket.setTimeout(SILENCE_MS, () => socket.destroy(new Error('the server stayed silent')));
    socket.on('error', (error) => (parse(received) ? finish(true) : reject(error)));
    socket.on('close', () => finish(true));
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1');
      if (parse(received)) watch ??= setTimeout(() => finish(false), WATCH_MS);
    });
    socket.on('connect', () => {
      void (async () => {
        for (const part of parts) {
          if (!socket.writable) return;
          await new Promise<void>((written) => socket.write(part, () => written()));
        }
      })();
    });
  });
}

/** The lines of a request with the given headers, ready to be sent. */
export function requestText(
  method: string,
  path: string,
  headers: readonly (readonly [name: string, value: string])[],
  body = '',
): string {
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: localhost', ...headers.map((pair) => pair.join(': '))];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

function parse(received: string): Omit<RawAnswer, 'closed'> | null {
  const [head = '', ...rest] = received.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const text = rest.join('\r\n\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.replace(/^[^:]*: ?/, '')]),
  );
  if (rest.length === 0 || text.length < Number(headers['content-length'] ?? 0)) return null;
  return { status: Number(statusLine.split(' ')[1]), headers, body: text ? JSON.parse(text) : undefined };
}
