/**
 * What the fakes of outside companies share: a process with two ports of HTTP (`serveStandIn`). On the first it speaks
 * the company's protocol; on the second it is told what it knows and which faults it has. Those of identity companies
 * (`runFake`) are told by:
 *
 * - `GET /` gives its whole state.
 * - `PUT /settings` with a part of the settings changes them.
 *
 * Its state is a file, so it forgets nothing when it is killed. It prints one line of JSON, `{ "url", "controlUrl" }`,
 * when it listens, and ends when its standard input closes.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';

export interface Fault {
  /** The request that has the fault, such as `POST /v2/verify`; a path counts with all that follows it. */
  on: string;
  /**
   * - `drop before`, `drop after`: the connection breaks before or after the request has done its work.
   * - `hang before`, `hang after`: the same without an end; the caller must give up.
   * - `answer`: instead of the work, the answer of `status`, `headers` and `body`.
   */
  does: 'drop before' | 'drop after' | 'hang before' | 'hang after' | 'answer';
  status?: number;
  headers?: Record<string, string>;
  /** A text is sent as it is, anything else as JSON. */
  body?: unknown;
  /** How many requests have it; all of them where it is left out. */
  times?: number;
}

export interface FakeState {
  settings: { faults: Fault[] };
}

export interface Asked {
  /** Method and path, such as `POST /v2/verify`. */
  called: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
}

export interface Answer {
  status: number;
  body: unknown;
}

/** The faults in which no work is done. */
const BEFORE_WORK: readonly Fault['does'][] = ['answer', 'drop before', 'hang before'];

/**
 * Runs a fake.
 * @param fresh its state at its first start.
 * @param work answers one request, and may change the state, which is on the disk before anybody hears of it.
 */
export function runFake<State extends FakeState>(
  fresh: State,
  work: (state: State, asked: Asked) => Answer,
): void {
  serveStandIn((file) => standInOf(file, fresh, work));
}

function standInOf<State extends FakeState>(
  file: string,
  fresh: State,
  work: (state: State, asked: Asked) => Answer,
): StandIn {
  const state = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as State) : fresh;
  const save = (): void => {
    writeFileSync(`${file}.new`, JSON.stringify(state, null, 2));
    renameSync(`${file}.new`, file);
  };
  save();

  /** The first fault of a request; it is used up by that. */
  function faultOf(called: string): Fault | undefined {
    const { faults } = state.settings;
    const fault = faults.find(({ on }) => called === on || called.startsWith(`${on}/`));
    if (fault?.times === undefined) return fault;
    fault.times -= 1;
    if (fault.times <= 0) faults.splice(faults.indexOf(fault), 1);
    return fault;
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const sent = await text(request);
    const body = sent === '' ? {} : (JSON.parse(sent) as Record<string, unknown>);
    const url = new URL(request.url ?? '/', 'http://fake');
    const called = `${request.method ?? ''} ${url.pathname}`;
    const fault = faultOf(called);
    if (fault?.does === 'answer') {
      send(response, { status: fault.status ?? 200, body: fault.body }, fault.headers);
    } else if (fault?.does === 'drop before') request.socket.destroy();
    if (fault && BEFORE_WORK.includes(fault.does)) {
      save();
      return;
    }
    const answer = work(state, { called, query: url.searchParams, headers: request.headers, body });
    save();
    if (fault?.does === 'drop after') request.socket.destroy();
    else if (fault?.does !== 'hang after') send(response, answer);
  }

  async function control(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const sent = await text(request);
    if (request.method === 'PUT' && request.url === '/settings') {
      Object.assign(state.settings, JSON.parse(sent));
      save();
    }
    send(response, { status: 200, body: state });
  }

  return {
    serve: (request, response) => void serve(request, response).catch(() => response.destroy()),
    control: (request, response) => void control(request, response).catch(() => response.destroy()),
  };
}

export interface StandIn {
  serve: RequestListener;
  control: RequestListener;
}

/**
 * Runs the process of a fake: reads its arguments, listens on both ports, says where, and ends with its standard input.
 * @param open makes the fake of the file that keeps its state.
 */
export function serveStandIn(open: (file: string) => StandIn): void {
  const { values } = parseArgs({
    options: {
      folder: { type: 'string' },
      port: { type: 'string', default: '0' },
      'control-port': { type: 'string', default: '0' },
    },
  });
  if (values.folder === undefined) throw new Error('--folder must say where the state is kept');
  mkdirSync(values.folder, { recursive: true });
  const { serve, control } = open(join(values.folder, 'state.json'));
  void (async () => {
    const url = await listen(serve, Number(values.port));
    const controlUrl = await listen(control, Number(values['control-port']));
    process.stdout.write(`${JSON.stringify({ url, controlUrl })}\n`);
    process.stdin.resume().once('end', () => process.exit(0));
  })();
}

/**
 * How long a connection may be idle: longer than any step of a test takes. A server that closes it at the moment at which its
 * caller sends the next request fails that request.
 */
const KEEP_ALIVE_MS = 120_000;

async function listen(listener: RequestListener, port: number): Promise<string> {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, listener);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function send(
  response: ServerResponse,
  { status, body }: Answer,
  headers: Record<string, string> = {},
): void {
  const isText = typeof body === 'string';
  response.writeHead(status, { 'content-type': isText ? 'text/html' : 'application/json', ...headers });
  response.end(isText ? body : JSON.stringify(body));
}
