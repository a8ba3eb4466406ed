/** A server of node:http that answers each request with the result of the body reader. */
import { createServer, request as httpRequest, type OutgoingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { readJsonBody } from '../../../src/api/body';

interface Outcome {
  ok: boolean;
  value?: unknown;
  refusal?: { code: string; message?: string };
}

export interface BodyServer {
  /** Sends the parts one after the other: with the Content-Length of `headers`, or chunked without one. */
  send(parts: readonly (string | Buffer)[], headers?: OutgoingHttpHeaders): Promise<Outcome>;
  close(): Promise<void>;
}

/** @param mayBeEmpty is given to the reader. */
export async function openBodyServer(mayBeEmpty = false): Promise<BodyServer> {
  const server = createServer((request, response) => {
    readJsonBody(request, mayBeEmpty).then(
      (read) => response.writeHead(200, { Connection: 'close' }).end(JSON.stringify(read)),
      (error: unknown) => response.writeHead(500, { Connection: 'close' }).end(String(error)),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { send: (parts, headers) => send(port, parts, headers ?? {}), close: () => close(server) };
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

function send(
  port: number,
  parts: readonly (string | Buffer)[],
  headers: OutgoingHttpHeaders,
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    let answered = false;
    const request = httpRequest({
      host: '127.0.0.1',
      port,
      method: 'POST',
      agent: false,
      headers: { 'Content-Type': 'application/json', ...headers },
    });
    request.on('response', (response) => {
      answered = true;
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => {
        request.destroy();
        if (response.statusCode === 200) resolve(JSON.parse(text) as Outcome);
        else reject(new Error(text));
      });
      response.on('error', reject);
    });
    // A server that has answered may close while the rest of the body is still on its way.
    request.on('error', (error) => {
      if (!answered) reject(error);
    });
    for (const part of parts) request.write(part);
    request.end();
  });
}
