/**
 * The HTTP of a company outside: one request and its answer. Nothing is repeated here, because only the adapter of the
 * company knows what a repeat would do.
 */
import type * as Undici from 'undici';
import { withInterimAnswers } from './interim-answers';

export type Reply =
  | {
      kind: 'answered';
      status: number;
      headers: Readonly<Record<string, string | string[] | undefined>>;
      /** The body, where it is JSON; undefined for a page of HTML or anything else. */
      json: unknown;
    }
  /** No connection was made, so the company has certainly not got the request. */
  | { kind: 'not connected'; cause: string };

interface CompanyRequest {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  /** Sent as JSON. */
  body?: object | undefined;
  /** Beside those of every request, such as a token that changes. */
  headers?: Readonly<Record<string, string>>;
  withinMs: number;
}

/** @throws Error when there is no whole answer. The company may have got the request nevertheless. */
export type CallCompany = (asked: CompanyRequest) => Promise<Reply>;

const CONNECT_WITHIN_MS = 3_000;
const ANSWER_MAX_BYTES = 262_144;

/** The errors of a connection that was never made. */
const NOT_CONNECTED: readonly string[] = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
];

/**
 * Opens the line to a company. Idle connections close by themselves and keep no process alive.
 * @param options.company its name, as errors say it.
 * @param options.url where the company is, without a slash at its end.
 * @param options.headers of every request, such as the key.
 */
export function openCompany(options: {
  company: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  answerMaxBytes?: number;
}): CallCompany {
  // It is loaded here and not above, so that no process without a company pays for it.
  // oxlint-disable-next-line typescript/no-require-imports
  const { Agent, buildConnector, request } = require('undici') as typeof Undici;
  const connect = buildConnector({ timeout: CONNECT_WITHIN_MS });
  const dispatcher = new Agent({
    connect: (connecting, callback) =>
      connect(connecting, (error, socket) =>
        error ? callback(error, null) : callback(null, withInterimAnswers(socket)),
      ),
    maxResponseSize: options.answerMaxBytes ?? ANSWER_MAX_BYTES,
  });

  async function send({ method, path, body, headers, withinMs }: CompanyRequest): Promise<Reply> {
    const answer = await request(options.url + path, {
      dispatcher,
      method,
      headers: { ...options.headers, ...headers, ...(body && { 'content-type': 'application/json' }) },
      body: body ? JSON.stringify(body) : null,
      signal: AbortSignal.timeout(withinMs),
    });
    return {
      kind: 'answered',
      status: answer.statusCode,
      headers: answer.headers,
      json: readJson(await answer.body.text()),
    };
  }

  return async (asked) => {
    const sent = await send(asked).catch(causeOf);
    if (typeof sent !== 'string') return sent;
    if (NOT_CONNECTED.includes(sent)) return { kind: 'not connected', cause: sent };
    // Only the kind of the failure is told, because path and body may hold a customer's number.
    throw new Error(`${options.company} has not answered: ${sent}`);
  };
}

/** What broke a request, in one word. The code of a time-out is a number, which says less than its name. */
function causeOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name: string };
  return typeof code === 'string' ? code : name;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
