/** Sends requests: the time limit of each try, the repeats that an operation allows, and what counts as an answer. */
import { Call, FileCall, Pages, type Answer, type Request } from './answers.ts';
import {
  ApiError,
  ConnectionError,
  connectionErrorOf,
  errorOf,
  parsed,
  RateLimitError,
  ServerError,
  TimeoutError,
  typeOf,
  type ErrorBody,
} from './errors.ts';
import { partsOf } from './files.ts';
import { checkCall, headersOf, pathOf, readOptions, type CallOptions } from './options.ts';
import type { WalletClientOptions, Warning } from './options.ts';

/**
 * How an operation may be repeated (`x-retry` of the document): `key` with the same Idempotency-Key, `safe` because
 * a second call does nothing more, `never` only after a 429, which did nothing.
 */
export type Retry = 'key' | 'safe' | 'never';

interface Envelope extends ErrorBody {
  data?: unknown;
  meta?: { next_cursor?: unknown; next_after?: string; ignored_fields?: unknown } | null;
}

interface Raw {
  status: number;
  headers: Headers;
  body: Envelope;
}

const RETRY_FIRST_MS = 500;
const RETRY_MOST_MS = 8_000;
const RETRY_AFTER_MOST_SECONDS = 60;
/** As many different warnings are given. */
const WARNINGS_MOST = 1_000;

/** What all groups of operations send their requests through. */
export class Core {
  readonly #apiKey: string;
  readonly #baseUrl: string;
  readonly #timeoutMs: number;
  readonly #maxRetries: number;
  readonly #fetch: typeof fetch;
  readonly #onWarning: (warning: Warning) => void;
  readonly #warned = new Set<string>();

  /** @throws WalletError without a key or an address that can be used, and for a secret key in a browser. */
  constructor(options: WalletClientOptions = {}) {
    const { apiKey, baseUrl } = readOptions(options);
    this.#apiKey = apiKey;
    this.#baseUrl = baseUrl;
    this.#timeoutMs = options.timeoutMs ?? 30_000;
    this.#maxRetries = options.maxRetries ?? 2;
    this.#fetch = options.fetch ?? ((input, init) => fetch(input, init));
    this.#onWarning = options.onWarning ?? (({ message }) => console.warn(message));
  }

  /**
   * Calls an operation.
   * @param gives `data` for an answer in the envelope, the name of a field that an answer without one has, or nothing
   * where there is no content.
   */
  call<Data>(retry: Retry, method: string, path: string, gives: string, request: Request = {}): Call<Data> {
    return new Call(
      this.#send(retry, method, path, gives, request).then(({ status, headers, body }) => ({
        data: (gives === '' ? null : gives === 'data' ? body.data : body) as Data,
        status,
        requestId: headers.get('x-request-id'),
        replayed: headers.get('idempotent-replayed') === 'true',
        rateLimit: rateLimitOf(headers),
      })),
    );
  }

  /** Calls a list. */
  pages<Item>(path: string, { query, ...request }: Request): Pages<Item> {
    return new Pages(async (cursor) => {
      const asked = cursor === undefined ? query : { ...query, cursor };
      const { body } = await this.#send('safe', 'GET', path, 'list', { ...request, query: asked });
      const { next_cursor: nextCursor, next_after: nextAfter } = body.meta ?? {};
      return {
        items: body.data as Item[],
        nextCursor: nextCursor as string | null,
        ...(nextAfter !== undefined && { nextAfter }),
      };
    });
  }

  /** Calls an operation that answers with a file. */
  file(path: string, { parts, query = {}, options = {} }: Request): FileCall {
    const open = (): AsyncGenerator<Uint8Array, void, undefined> => {
      checkCall(options);
      const filled = pathOf(path, parts);
      return partsOf(
        `GET ${this.#baseUrl}${filled}`,
        (query as { format?: string }).format === 'pdf',
        (signal, type) => this.open(filled, query, { ...options.headers }, signal, type),
        { timeoutMs: this.#timeoutMs, ...options },
      );
    };
    return new FileCall(open, (once) => this.#repeat('safe', options, once));
  }

  /**
   * Opens an answer that goes on, without a time limit and without repeats.
   * @param type what its content must be.
   * @throws ConnectionError without an answer, UnreadableAnswerError for another content, and ApiError for a refusal.
   */
  async open(
    path: string,
    query: object,
    headers: Record<string, string>,
    signal: AbortSignal,
    type: string,
  ): Promise<ReadableStream<Uint8Array>> {
    const what = `GET ${this.#baseUrl}${path}`;
    const response = await this.#fetch(this.#baseUrl + path + queryText(query), {
      headers: headersOf({ authorization: `Bearer ${this.#apiKey}`, ...headers }),
      signal,
      redirect: 'manual',
    }).catch((cause: unknown) => {
      throw connectionErrorOf(what, cause);
    });
    const { status, body } = response;
    if (status === 200 && body !== null && typeOf(response.headers) === type) return body;
    throw errorOf(what, response, await response.text().catch(() => ''));
  }

  async #send(retry: Retry, method: string, path: string, gives: string, request: Request): Promise<Raw> {
    const { options = {} } = request;
    checkCall(options);
    const headers = headersOf({
      authorization: `Bearer ${this.#apiKey}`,
      ...(request.body !== undefined && { 'content-type': 'application/json' }),
      ...(retry === 'key' && { 'idempotency-key': options.idempotencyKey ?? crypto.randomUUID() }),
      ...options.headers,
    });
    const url = this.#baseUrl + pathOf(path, request.parts) + queryText(request.query);
    const body = request.body === undefined ? null : JSON.stringify(request.body);
    const answer = await this.#repeat(retry, options, async (retries) => {
      if (retries > 0) headers.set('x-retry-count', String(retries));
      return this.#try(url, { method, headers, body }, gives, options).catch((error: unknown) => {
        // The first try has deleted it, and its answer was lost.
        const isGone = error instanceof ApiError && error.code === 'NOT_FOUND';
        if (!isGone || method !== 'DELETE' || retries === 0) throw error;
        return { status: error.status, headers: new Headers(), body: {} };
      });
    });
    this.#warn(`${method} ${path}`, answer);
    return answer;
  }

  /** Tries as often as the operation allows. @throws what the last try has thrown. */
  async #repeat<Done>(
    retry: Retry,
    options: CallOptions,
    once: (retries: number) => Promise<Done>,
  ): Promise<Done> {
    const most = options.maxRetries ?? this.#maxRetries;
    for (let retries = 0; ; retries++) {
      try {
        return await once(retries);
      } catch (error) {
        if (retries >= most || !mayRepeat(retry, error)) throw error;
        const after = error instanceof ApiError ? error.retryAfterSeconds : null;
        await pause(delayMs(retries, after), options.signal);
      }
    }
  }

  /** @throws ConnectionError when no whole answer of the platform came, ApiError, and what the caller's signal says. */
  async #try(url: string, init: RequestInit, gives: string, options: CallOptions): Promise<Raw> {
    const limitMs = options.timeoutMs ?? this.#timeoutMs;
    const limit = AbortSignal.timeout(limitMs);
    const signal = options.signal ? AbortSignal.any([limit, options.signal]) : limit;
    const what = `${init.method ?? ''} ${url.split('?')[0] ?? ''}`;
    let response: Response;
    let text: string;
    try {
      response = await this.#fetch(url, { ...init, signal, redirect: 'manual' });
      text = await response.text();
    } catch (cause) {
      options.signal?.throwIfAborted();
      if (limit.aborted)
        throw new TimeoutError(`${what}: no answer came within ${String(limitMs)} ms`, { cause });
      throw connectionErrorOf(what, cause);
    }
    const { status, headers } = response;
    const body = status < 300 ? readAnswer(status, text, gives) : null;
    if (!body) throw errorOf(what, response, text);
    return { status, headers, body };
  }

  /** Tells of fields that were ignored. What is told of has happened, so nothing here may make it fail. */
  #warn(operation: string, { headers, body }: Raw): void {
    const ignored = body.meta?.ignored_fields;
    for (const field of Array.isArray(ignored) ? (ignored as unknown[]) : []) {
      const known = `${operation} ${String(field).replace(/\d+/g, '0')}`;
      if (typeof field !== 'string' || this.#warned.has(known) || this.#warned.size >= WARNINGS_MOST)
        continue;
      this.#warned.add(known);
      const message = `${operation} does not know the field ${field} and has ignored it`;
      try {
        this.#onWarning({ message, operation, field, requestId: headers.get('x-request-id') });
      } catch {
        // The caller's own trouble.
      }
    }
  }
}

/** A group of operations, as `client.transfers`. */
export class Group {
  protected readonly core: Core;
  constructor(core: Core) {
    this.core = core;
  }
}

function mayRepeat(retry: Retry, error: unknown): boolean {
  if (error instanceof RateLimitError) return true;
  if (retry === 'never') return false;
  const isBusy = error instanceof ApiError && error.code === 'REQUEST_IN_PROGRESS';
  return isBusy || error instanceof ConnectionError || error instanceof ServerError;
}

function delayMs(retries: number, retryAfterSeconds: number | null): number {
  if (retryAfterSeconds !== null) return Math.min(retryAfterSeconds, RETRY_AFTER_MOST_SECONDS) * 1_000;
  const longest = Math.min(RETRY_FIRST_MS * 2 ** retries, RETRY_MOST_MS);
  // Clients that lost the same server are not to come back all at once.
  return longest * (1 - Math.random() / 4);
}

/** @throws what the signal says when it ends the pause. */
export const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, ms);
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end, { once: true });
  });

/** The answer of an operation; null for anything that the platform does not answer there. */
function readAnswer(status: number, text: string, gives: string): Envelope | null {
  if (gives === '') return status === 204 ? {} : null;
  const body: Envelope | null = parsed(text);
  if (body === null || Array.isArray(body)) return null;
  const { data, meta } = body;
  if (gives !== 'data' && gives !== 'list') return gives in body ? body : null;
  const isEnvelope = typeof data === 'object' && data !== null && typeof meta === 'object' && meta !== null;
  if (!isEnvelope) return null;
  if (gives === 'data') return body;
  const cursor = meta.next_cursor;
  // A page without one would look like the last.
  return Array.isArray(data) && (cursor === null || typeof cursor === 'string') ? body : null;
}

function queryText(query: object | undefined): string {
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== null);
  return given.length === 0
    ? ''
    : `?${new URLSearchParams(Object.fromEntries(given.map(([name, value]) => [name, String(value)]))).toString()}`;
}

function rateLimitOf(headers: Headers): Answer<unknown>['rateLimit'] {
  const [limit, remaining, resetSeconds] = ['limit', 'remaining', 'reset'].map((name) =>
    Number(headers.get(`x-ratelimit-${name}`) ?? NaN),
  ) as [number, number, number];
  return Number.isNaN(limit) ? null : { limit, remaining, resetSeconds };
}
