/**
 * The demo's HTTP client, as a partner would write it: Node's fetch, the key in the header, and the few
 * fields of the published answers that the story reads. Nothing here knows the service's own modules.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { BrokenPromise, check } from './check';

const REQUEST_TIMEOUT_MS = 20_000;
const POLL_EVERY_MS = 200;
/** How long the demo waits for a platform that is starting or restarting. */
const AWAY_MAX_MS = 60_000;

/** One answer: the parsed body beside its exact text, which replays are compared by. */
interface Answer<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Body;
}

interface RequestOptions {
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** A partner's connection to one environment. */
export interface Client {
  /**
   * Sends one request and checks its status and the shape of its body. After a 429 the client waits as Retry-After
   * says and sends the request again (interface: Limits). After a 503 it does the same for up to a minute. The
   * request's own reference or key makes sending it twice harmless.
   * @throws BrokenPromise when status or body are not the published ones.
   */
  send<Schema extends z.ZodType>(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    status: number,
    schema: Schema,
    options?: RequestOptions,
  ): Promise<Answer<z.infer<Schema>>>;
}

export function openClient(apiUrl: string, key: string): Client {
  return {
    async send(method, path, status, schema, options = {}) {
      const response = await request(apiUrl, key, method, path, options);
      const text = await response.text();
      check(
        response.status === status,
        `${method} ${path} should answer ${String(status)}, but answered ${String(response.status)} ${text.slice(0, 300)}`,
      );
      const parsed = schema.safeParse(text === '' ? undefined : parseJson(text));
      check(parsed.success, `${method} ${path}: the body is not as published\n${problems(parsed.error)}`);
      return { status, headers: response.headers, text, body: parsed.data };
    },
  };
}

/**
 * Repeats `look` until it gives something other than undefined.
 * @throws BrokenPromise naming `what` when `limitMs` have passed.
 */
export async function poll<Found>(
  what: string,
  limitMs: number,
  look: () => Promise<Found | undefined>,
): Promise<Found> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (Date.now() > deadline)
      throw new BrokenPromise(`${what} took longer than ${String(limitMs / 1_000)} s`);
    await sleep(POLL_EVERY_MS);
  }
}

async function request(
  apiUrl: string,
  key: string,
  method: string,
  path: string,
  { body, headers }: RequestOptions,
): Promise<Response> {
  const giveUpAt = Date.now() + AWAY_MAX_MS;
  for (;;) {
    const response = await fetch(`${apiUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    }).catch((error: unknown) => {
      const { message, cause } = error as Error;
      const reason = cause instanceof Error ? cause.message : message;
      throw new BrokenPromise(`${method} ${path}: ${apiUrl} did not answer (${reason})`);
    });
    const isAway = response.status === 503 && Date.now() < giveUpAt;
    if (response.status !== 429 && !isAway) return response;
    await response.body?.cancel();
    await sleep(Number(response.headers.get('retry-after') ?? 1) * 1_000);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BrokenPromise(`the answer is not JSON: ${text.slice(0, 300)}`);
  }
}

function problems(error: z.ZodError | undefined): string {
  return error === undefined ? '' : z.prettifyError(error);
}
