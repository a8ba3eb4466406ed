/** Sends requests: the time limit of each try, the repeats that an operation allows, answers and pages. */
import { ConnectionError, errorOf, secondsOf, TimeoutError, WalletError, type ErrorBody } from './errors.ts';

/**
 * How an operation may be repeated (`x-retry` of the document): `key` with the same Idempotency-Key, `safe` because
 * a second call does nothing more, `never` only after a 429, which did nothing.
 */
export type Retry = 'key' | 'safe' | 'never';

export interface WalletOptions {
  /** A secret key, `sk_test_...` or `sk_live_...`, or an access token. By default `WALLET_API_KEY`. */
  apiKey?: string;
  /** By default `WALLET_BASE_URL`. */
  baseUrl?: string;
  /** How long one try may take; 30,000 by default. */
  timeoutMs?: number;
  /** How many further tries there may be; 2 by default. */
  maxRetries?: number;
  /** Another fetch, for proxies and tests. */
  fetch?: typeof fetch;
}

export interface CallOptions {
  /**
   * The same key makes the same call, for 24 hours. By default each call has a key of its own, kept over its tries; a
   * process that restarts must bring its own.
   */
  idempotencyKey?: string;
  headers?: Record<string, string>;
  timeoutMs?: number;
  maxRetries?: number;
  signal?: AbortSignal;
}

export interface Answer<Data> {
  data: Data;
  status: number;
  /** By this id support finds the request. */
  requestId: string | null;
  /** Whether this is the answer to an earlier call with the same key or reference. */
  replayed: boolean;
  rateLimit: { limit: number; remaining: number; resetSeconds: number } | null;
}

/** A call that is on its way. Waiting for it gives the data of its answer. */
export class Call<Data> implements PromiseLike<Data> {
  readonly #answer: Promise<Answer<Data>>;
  constructor(answer: Promise<Answer<Data>>) {
    this.#answer = answer;
  }
  /** The data together with what the headers of the answer say. */
  withResponse(): Promise<Answer<Data>> {
    return this.#answer;
  }
  then<Done = Data, Failed = never>(
    done?: ((data: Data) => Done | PromiseLike<Done>) | null,
    failed?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Done | Failed> {
    return this.#answer.then(({ data }) => data).then(done, failed);
  }
  catch<Failed>(failed: (reason: unknown) => Failed | PromiseLike<Failed>): Promise<Data | Failed> {
    return this.then(null, failed);
  }
}

export interface Page<Item> {
  items: Item[];
  /** The `cursor` of the next page; null on the last. */
  nextCursor: string | null;
  /** Of events behind `after`: the `after` of the next call. */
  nextAfter?: string;
}

/** A list: `for await` goes through all pages, `page()` asks for one. */
export class Pages<Item> implements AsyncIterable<Item> {
  readonly #ask: (cursor: string | undefined) => Promise<Page<Item>>;
  constructor(ask: (cursor: string | undefined) => Promise<Page<Item>>) {
    this.#ask = ask;
  }
  page(): Promise<Page<Item>> {
    return this.#ask(undefined);
  }
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    let cursor: string | undefined;
    do {
      const page: Page<Item> = await this.#ask(cursor);
      yield* page.items;
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
  }
}

interface Request {
  body?: unknown;
  query?: object | undefined;
  options?: CallOptions | undefined;
}

interface Envelope extends ErrorBody {
  data?: unknown;
  meta?: { next_cursor?: string | null; next_after?: string };
}

interface Raw {
  status: number;
  headers: Headers;
  body: Envelope | null;
}

const RETRY_FIRST_MS = 500;
const RETRY_MOST_MS = 8_000;
const RETRY_AFTER_MOST_SECONDS = 60;

const environment = (name: string): string | undefined =>
  (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env?.[name];

/** What all groups of operations send their requests through. */
export class Core {
  readonly #apiKey: string;
  readonly #baseUrl: string;
  readonly #timeoutMs: number;
  readonly #maxRetries: number;
  readonly #fetch: typeof fetch;

  /** @throws WalletError without a key or an address, and for a secret key in a browser. */
  constructor(options: WalletOptions = {}) {
    const apiKey = options.apiKey ?? environment('WALLET_API_KEY');
    const baseUrl = options.baseUrl ?? environment('WALLET_BASE_URL');
    if (!apiKey) throw new WalletError('apiKey or WALLET_API_KEY is needed');
    if (!baseUrl) throw new WalletError('baseUrl or WALLET_BASE_URL is needed');
    const isBrowser = 'window' in globalThis && 'document' in globalThis;
    if (isBrowser && apiKey.startsWith('sk_')) {
      throw new WalletError('a secret key must not be used in a browser, where everybody can read it');
    }
    this.#apiKey = apiKey;
    this.#baseUrl = baseUrl.replace(/\/+$/, '');
    this.#timeoutMs = options.timeoutMs ?? 30_000;
    this.#maxRetries = options.maxRetries ?? 2;
    this.#fetch = options.fetch ?? ((input, init) => fetch(input, init));
  }

  /** Calls an operation. Its answer is the `data` of the body, or the whole body of an answer without an envelope. */
  call<Data>(retry: Retry, method: string, path: string, request: Request = {}): Call<Data> {
    return new Call(
      this.#send(retry, method, path, request).then(({ status, headers, body }) => ({
        data: (body !== null && 'data' in body && 'meta' in body ? body.data : body) as Data,
        status,
        requestId: headers.get('x-request-id'),
        replayed: headers.get('idempotent-replayed') === 'true',
        rateLimit: rateLimitOf(headers),
      })),
    );
  }

  /** Calls a list. */
  pages<Item>(path: string, { query, options }: Request): Pages<Item> {
    return new Pages(async (cursor) => {
      const asked = cursor === undefined ? query : { ...query, cursor };
      const { body } = await this.#send('safe', 'GET', path, { query: asked, options });
      const { next_cursor: nextCursor = null, next_after: nextAfter } = body?.meta ?? {};
      const items = (body?.data ?? []) as Item[];
      return { items, nextCursor, ...(nextAfter !== undefined && { nextAfter }) };
    });
  }

  /**
   * Opens an answer that goes on, without a time limit and without repeats.
   * @throws ConnectionError without an answer, and ApiError for a refusal.
   */
  async open(
    path: string,
    query: object,
    headers: Record<string, string>,
    signal: AbortSignal,
  ): Promise<ReadableStream<Uint8Array>> {
    const response = await this.#fetch(this.#baseUrl + path + queryText(query), {
      headers: { authorization: `Bearer ${this.#apiKey}`, ...headers },
      signal,
      redirect: 'error',
    }).catch((cause: unknown) => {
      throw new ConnectionError(`GET ${path}: the connection failed`, { cause });
    });
    const { status, body } = response;
    if (status !== 200 || body === null) {
      throw errorOf(status, response.headers, parsed(await response.text().catch(() => '')));
    }
    return body;
  }

  async #send(retry: Retry, method: string, path: string, request: Request): Promise<Raw> {
    const { options = {} } = request;
    const headers: Record<string, string> = {
      authorization: `Bearer ${this.#apiKey}`,
      ...(request.body !== undefined && { 'content-type': 'application/json' }),
      ...(retry === 'key' && { 'idempotency-key': options.idempotencyKey ?? crypto.randomUUID() }),
      ...options.headers,
    };
    const url = this.#baseUrl + path + queryText(request.query);
    const body = request.body === undefined ? null : JSON.stringify(request.body);
    const most = options.maxRetries ?? this.#maxRetries;
    for (let retries = 0; ; retries++) {
      if (retries > 0) headers['x-retry-count'] = String(retries);
      const tried = await this.#try(url, { method, headers, body }, options).catch((error: unknown) => {
        if (retry !== 'never' && retries < most && error instanceof ConnectionError) return null;
        throw error;
      });
      if (tried) {
        const { status } = tried;
        // The first try has deleted it, and its answer was lost.
        const isGone = status === 404 && method === 'DELETE' && retries > 0;
        if (isGone) return { ...tried, body: null };
        if (status < 300) return tried;
        const error = errorOf(status, tried.headers, tried.body);
        if (retries >= most || !mayRepeat(retry, status, error.code)) throw error;
      }
      await pause(delayMs(retries, tried && secondsOf(tried.headers)), options.signal);
    }
  }

  /** @throws ConnectionError when no whole answer came, and what the caller's own signal says. */
  async #try(url: string, init: RequestInit, options: CallOptions): Promise<Raw> {
    const limit = AbortSignal.timeout(options.timeoutMs ?? this.#timeoutMs);
    const signal = options.signal ? AbortSignal.any([limit, options.signal]) : limit;
    try {
      const response = await this.#fetch(url, { ...init, signal, redirect: 'error' });
      const text = await response.text();
      return { status: response.status, headers: response.headers, body: parsed(text) };
    } catch (cause) {
      options.signal?.throwIfAborted();
      const what = `${init.method ?? ''} ${new URL(url).pathname}`;
      throw limit.aborted
        ? new TimeoutError(`${what}: no answer came in time`, { cause })
        : new ConnectionError(`${what}: the connection failed`, { cause });
    }
  }
}

/** A group of operations, as `wallet.transfers`. */
export class Group {
  protected readonly core: Core;
  constructor(core: Core) {
    this.core = core;
  }
}

/** A value as one part of a path. */
export const inPath = (value: string): string => encodeURIComponent(value);

function mayRepeat(retry: Retry, status: number, code: string): boolean {
  if (status === 429) return true;
  return retry !== 'never' && (status >= 500 || (status === 409 && code === 'REQUEST_IN_PROGRESS'));
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

function parsed(text: string): Envelope | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
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
