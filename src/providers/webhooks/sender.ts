/**
 * Posts webhooks to receivers that may be slow, broken or hostile: each attempt is bounded in time, bytes and
 * memory whatever the other side does, goes only where the address guard allows, and follows no redirect.
 */
import { Client, type Dispatcher } from 'undici';
import { judgeWebhookUrl, type AddressRules } from './address-guard';
import { BlockedAddressError, guardedConnector, resolverFor, type ResolveHost } from './connector';
import { readRetryAfter } from './retry-after';

type AttemptResult =
  | { readonly kind: 'answered'; readonly status: number; readonly retryAfterSeconds: number | null }
  /** Our own rules forbid the address; nothing was sent. */
  | { readonly kind: 'blocked'; readonly reason: string }
  /** No whole answer in time. The receiver may have seen the event nevertheless. */
  | { readonly kind: 'failed'; readonly reason: string };

export type PostOutcome = AttemptResult & { readonly durationMs: number };

export interface WebhookSender {
  /**
   * One attempt. Whatever the receiver or the network does is returned, and never thrown. An answer counts by its
   * status once its body has ended or passed 16 kB, of which nothing is kept; 3xx is an answer too.
   */
  post(url: string, headers: Record<string, string>, body: string): Promise<PostOutcome>;
  /** Waits for attempts under way, then closes every connection. */
  close(): Promise<void>;
}

const MAX_BODY_BYTES = 16_384;
const MAX_HEADER_BYTES = 16_384;
/** For the connection, and again for the head of the answer. */
const MAX_PHASE_MS = 5_000;
const KEEP_ALIVE_MS = 10_000;
/**
 * How many idle connections are kept, for all receivers together. The one unused for the longest time is closed
 * first.
 */
const MAX_IDLE = 64;

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
  ENOTFOUND: 'host name not found',
  ENODATA: 'host name without an address',
  ESERVFAIL: 'name servers failed',
  ETIMEOUT: 'name servers did not answer',
  ETIMEDOUT: 'connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'connection timed out',
  UND_ERR_HEADERS_TIMEOUT: 'no answer in time',
  UND_ERR_BODY_TIMEOUT: 'answer not finished in time',
  UND_ERR_HEADERS_OVERFLOW: 'answer with too large headers',
  UND_ERR_SOCKET: 'connection closed before the end of the answer',
  HTTPParserError: 'not an HTTP answer',
};

/** One connection, in use by one attempt or idle; it is not shared, so that no event waits for another. */
interface Line {
  readonly origin: string;
  readonly client: Client;
}

/**
 * Opens a sender.
 * @param options.timeoutMs from the call to the last byte of the answer (D109).
 * @param options.resolveHost finds the addresses of a name; by default the name servers are asked.
 */
export function createWebhookSender(options: {
  rules: AddressRules;
  timeoutMs: number;
  resolveHost?: ResolveHost;
}): WebhookSender {
  const { rules, timeoutMs, resolveHost = resolverFor(rules) } = options;
  const phaseMs = Math.min(MAX_PHASE_MS, timeoutMs);
  const connect = guardedConnector(rules, resolveHost, phaseMs);
  const idle: Line[] = [];
  const underWay = new Set<Promise<AttemptResult>>();

  return { post, close };

  async function post(url: string, headers: Record<string, string>, body: string): Promise<PostOutcome> {
    const startedAt = performance.now();
    const attempting = attempt(url, headers, body);
    underWay.add(attempting);
    const result = await attempting.finally(() => underWay.delete(attempting));
    return { ...result, durationMs: Math.round(performance.now() - startedAt) };
  }

  async function attempt(url: string, headers: Record<string, string>, body: string): Promise<AttemptResult> {
    const judgement = judgeWebhookUrl(url, rules);
    if (!judgement.ok) return { kind: 'blocked', reason: judgement.reason };
    const { origin, pathname, search } = new URL(url);
    const line = takeLine(origin);
    const late = new Error(`not finished in ${timeoutMs} ms`);
    const timer = setTimeout(() => void line.client.destroy(late), timeoutMs);
    try {
      const answer = await line.client.request({ method: 'POST', path: pathname + search, headers, body });
      const isWhole = await hasShortBody(answer.body);
      if (isWhole) keepLine(line);
      else dropLine(line);
      const retryAfterSeconds = readRetryAfter(answer.headers['retry-after'], Date.now());
      return { kind: 'answered', status: answer.statusCode, retryAfterSeconds };
    } catch (error) {
      dropLine(line);
      return error === late
        ? { kind: 'failed', reason: late.message }
        : failure(error as NodeJS.ErrnoException);
    } finally {
      clearTimeout(timer);
    }
  }

  function takeLine(origin: string): Line {
    const place = idle.findLastIndex((line) => line.origin === origin);
    const [kept] = place === -1 ? [] : idle.splice(place, 1);
    return kept ?? newLine(origin);
  }

  function keepLine(line: Line): void {
    idle.push(line);
    const oldest = idle.length > MAX_IDLE ? idle[0] : undefined;
    if (oldest !== undefined) dropLine(oldest);
  }

  /**
   * A client whose attempt was cut short would connect again by itself, so the client is closed with its
   * connection.
   */
  function dropLine(line: Line): void {
    const place = idle.indexOf(line);
    if (place !== -1) idle.splice(place, 1);
    void line.client.destroy();
  }

  function newLine(origin: string): Line {
    const client = new Client(origin, {
      connect,
      pipelining: 1,
      allowH2: false,
      headersTimeout: phaseMs,
      bodyTimeout: timeoutMs,
      maxHeaderSize: MAX_HEADER_BYTES,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
    });
    const line = { origin, client };
    client.on('disconnect', () => {
      if (idle.includes(line)) dropLine(line);
    });
    return line;
  }

  async function close(): Promise<void> {
    await Promise.all(underWay);
    await Promise.all(idle.splice(0).map(({ client }) => client.destroy()));
  }
}

/**
 * Reads a body to its end and keeps nothing of it. Gives false when it is too long and was not read to its end.
 */
async function hasShortBody(body: Dispatcher.ResponseData['body']): Promise<boolean> {
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) return false;
  }
  return true;
}

function failure(error: NodeJS.ErrnoException): AttemptResult {
  if (error instanceof BlockedAddressError) return { kind: 'blocked', reason: error.message };
  const reason = REASONS[error.code ?? ''] ?? REASONS[error.name];
  return { kind: 'failed', reason: reason ?? `connection failed (${error.code ?? error.name})` };
}
