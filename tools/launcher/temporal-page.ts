/**
 * The door of Temporal's web page. The page asks nobody for a password, and whoever opens it can read and end workflows. So it
 * listens where nobody looks, and this door lets a person at this machine through alone: not a web page whose host name
 * points to this address, and nobody who comes through a proxy.
 */
import { randomInt } from 'node:crypto';
import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import { isLocal } from '../../src/api/local';

/** Where the page itself listens. */
export interface HiddenPage {
  readonly host: string;
  readonly port: number;
}

export interface Door {
  readonly port: number;
  close(): void;
}

/** An address of this machine for the page. All of 127.0.0.0/8 is this machine on Linux; elsewhere only 127.0.0.1 is. */
export const hiddenHost = (): string =>
  process.platform === 'linux'
    ? `127.${[0, 0, 0].map(() => String(randomInt(1, 255))).join('.')}`
    : '127.0.0.1';

/** Opens the door on 127.0.0.1. @param port 0 takes a free one. */
export async function openDoor(port: number, page: HiddenPage): Promise<Door> {
  const server = createServer((request, response) => {
    if (isLocal(request)) pass(request, response, page);
    else {
      response.writeHead(403, { 'Content-Type': 'text/plain', Connection: 'close' });
      response.end(
        'This page is for a person at this machine: open it as http://localhost, without a proxy.\n',
      );
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as { port: number }).port,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function pass(request: IncomingMessage, response: ServerResponse, { host, port }: HiddenPage): void {
  const { method, url: path, headers } = request;
  const asked = ask({ host, port, method, path, headers, setHost: false }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
    answer.pipe(response);
  });
  asked.on('error', () => {
    if (response.headersSent) response.destroy();
    else response.writeHead(502).end();
  });
  response.on('close', () => asked.destroy());
  request.pipe(asked);
}
