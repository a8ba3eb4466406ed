/** The streams of events and of requests: read, opened again after each break where they stopped, and without repeats. */
import { pause, type Core } from './core.ts';
import {
  ApiError,
  ConnectionError,
  connectionErrorOf,
  isRefusal,
  parsed,
  RateLimitError,
  ServerError,
  UnreadableAnswerError,
} from './errors.ts';
import type { components, operations } from './schema.ts';
import type { WebhookEvent } from './webhooks.ts';

interface AnyStreamOptions {
  /** Begins with what happened since this time, at most a day ago, or after what has this id on an earlier stream. */
  since?: string;
  /** Ends the stream. */
  signal?: AbortSignal;
  /** Is told when the stream is open (`ready`), when older events are not kept (`gap`), and why it ends (`bye`). */
  onNotice?: (notice: Notice) => void;
}

export interface StreamOptions extends AnyStreamOptions {
  /** The kinds; all by default. */
  events?: readonly WebhookEvent['event'][];
}

/** Which requests; all by default. */
export type RequestStreamOptions = AnyStreamOptions &
  Omit<NonNullable<operations['streamRequests']['parameters']['query']>, 'since'>;

/** What the platform says about the stream itself. */
export interface Notice {
  notice: 'ready' | 'gap' | 'bye';
  data: Record<string, unknown>;
}

export interface StreamedEvent {
  /** `since` for a later stream that goes on after this event. */
  id: string;
  /** The body that a webhook endpoint gets, as it came. */
  rawBody: string;
  event: WebhookEvent;
}

export interface StreamedRequest {
  /** `since` for a later stream that goes on after this request. */
  id: string;
  request: components['schemas']['LoggedRequest'];
}

/** The platform says something every 15 seconds. */
const SILENCE_MS = 40_000;
const WAIT_FIRST_MS = 1_000;
const WAIT_MOST_MS = 16_000;
/** A stream that is opened again begins thirty seconds earlier. */
const REMEMBERED_MS = 120_000;

/**
 * Gives the events as they are committed, each once.
 * @throws ApiError when the stream is refused: for a wrong credential, or because as many are open as may be.
 */
export async function* streamEvents(
  core: Core,
  { events, ...options }: StreamOptions = {},
): AsyncGenerator<StreamedEvent, void, undefined> {
  const query = { events: events?.join(',') };
  for await (const { id, rawBody, data } of itemsOf(
    core,
    '/v1/events/stream',
    query,
    'webhook_id',
    options,
  )) {
    yield { id, rawBody, event: data as unknown as WebhookEvent };
  }
}

/** An answer begins within this time, as the platform waits for half of it. */
const POLL_WITHIN_MS = 40_000;
const POLL_SECONDS = 20;

/**
 * Gives the same events as the stream, each once, by calls that wait: for programs behind proxies that hold streams back.
 * The bodies are made anew from the list of events.
 * @throws ApiError when a call is refused.
 */
export async function* pollEvents(
  core: Core,
  { events, since = 'now', signal, onNotice }: StreamOptions = {},
): AsyncGenerator<StreamedEvent, void, undefined> {
  let after = since;
  for (let wasOpen = false; ; wasOpen = true) {
    // The first answer is the place to go on from, so it does not wait.
    const query = { after, wait: wasOpen ? POLL_SECONDS : 0, limit: 100 };
    const page = await eventsBehind(core, query, wasOpen, signal);
    if (!page) return;
    if (!wasOpen) onNotice?.({ notice: 'ready', data: {} });
    after = page.after;
    for (const { id, event: name, data, created_at: timestamp, webhook_id } of page.items) {
      if (!(events?.includes(name) ?? true)) continue;
      const event = { event: name, data, timestamp, webhook_id };
      yield { id, rawBody: JSON.stringify(event), event: event as unknown as WebhookEvent };
    }
  }
}

/** Asks until there is an answer. @returns null once the signal says so. */
async function eventsBehind(
  core: Core,
  query: object,
  wasOpen: boolean,
  signal: AbortSignal | undefined,
): Promise<{ items: ListedEvent[]; after: string } | null> {
  const options = { timeoutMs: POLL_WITHIN_MS, ...(signal && { signal }) };
  for (let waitMs = WAIT_FIRST_MS; !signal?.aborted; waitMs = Math.min(waitMs * 2, WAIT_MOST_MS)) {
    try {
      const { items, nextAfter } = await core.pages<ListedEvent>('/v1/events', { query, options }).page();
      if (nextAfter !== undefined) return { items, after: nextAfter };
      throw new UnreadableAnswerError('GET /v1/events', 200, 'a page without next_after');
    } catch (error) {
      if (signal?.aborted) return null;
      if (!mayOpenAgain(error, wasOpen)) throw error;
    }
    await pause(waitMs, signal).catch(() => undefined);
  }
  return null;
}

/**
 * Gives the requests a moment after they were answered, each once.
 * @throws ApiError when the stream is refused: for a wrong credential, or because as many are open as may be.
 */
export async function* streamRequests(
  core: Core,
  { since, signal, onNotice, ...filter }: RequestStreamOptions = {},
): AsyncGenerator<StreamedRequest, void, undefined> {
  const options = {
    ...(since !== undefined && { since }),
    ...(signal && { signal }),
    ...(onNotice && { onNotice }),
  };
  for await (const { id, data } of itemsOf(core, '/v1/requests/stream', filter, 'request_id', options)) {
    yield { id, request: data as unknown as StreamedRequest['request'] };
  }
}

type ListedEvent = components['schemas']['Event'];

interface Item {
  id: string;
  rawBody: string;
  data: Record<string, unknown>;
}

/** @param nameOfId the field by which a repeat is told. */
async function* itemsOf(
  core: Core,
  path: string,
  query: object,
  nameOfId: string,
  options: AnyStreamOptions,
): AsyncGenerator<Item, void, undefined> {
  const { signal, onNotice } = options;
  const isNew = withoutRepeats();
  let lastId: string | null = null;
  let waitMs = WAIT_FIRST_MS;
  for (let wasOpen = false; !signal?.aborted;) {
    try {
      for await (const message of messagesOf(core, path, query, options, lastId)) {
        lastId = message.id ?? lastId;
        wasOpen = true;
        waitMs = WAIT_FIRST_MS;
        const { event: name, data: rawBody } = message;
        if (rawBody === undefined) continue;
        const data = parsed(rawBody);
        if (!data) throw new UnreadableAnswerError(`GET ${path}`, 200, 'a message that was cut');
        if (name === 'ready' || name === 'gap' || name === 'bye') onNotice?.({ notice: name, data });
        else if (lastId !== null && isNew(String(data[nameOfId]))) yield { id: lastId, rawBody, data };
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (!mayOpenAgain(error, wasOpen)) throw error;
    }
    await pause(waitMs, signal).catch(() => undefined);
    waitMs = Math.min(waitMs * 2, WAIT_MOST_MS);
  }
}

/**
 * The platform may still count the stream that has broken. What was never open, and is answered by somebody else, has
 * a wrong address.
 */
const mayOpenAgain = (error: unknown, wasOpen: boolean): boolean =>
  error instanceof ApiError
    ? error instanceof RateLimitError ||
      error instanceof ServerError ||
      (wasOpen && isRefusal(error, 'LIMIT_EXCEEDED'))
    : error instanceof ConnectionError && (wasOpen || !(error instanceof UnreadableAnswerError));

interface Message {
  id?: string;
  event?: string;
  data?: string;
}

/** The messages of one connection, until it ends. @throws ConnectionError when it breaks. */
async function* messagesOf(
  core: Core,
  path: string,
  filter: object,
  options: AnyStreamOptions,
  lastId: string | null,
): AsyncGenerator<Message> {
  const connection = new AbortController();
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  // Node forgets the signal of a fetch once its request is collected as garbage, so the reader is ended too.
  const end = (): void => {
    connection.abort();
    reader?.cancel().catch(() => undefined);
  };
  options.signal?.addEventListener('abort', end, { once: true });
  let timer = setTimeout(end, SILENCE_MS);
  const heard = (): void => {
    clearTimeout(timer);
    timer = setTimeout(end, SILENCE_MS);
  };
  const query = { ...filter, since: lastId === null ? options.since : undefined };
  try {
    const headers = lastId === null ? {} : { 'last-event-id': lastId };
    const body = await core.open(path, query, headers, connection.signal, 'text/event-stream');
    reader = body.getReader();
    const decoder = new TextDecoder();
    for (let rest = ''; ;) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        throw connectionErrorOf(`GET ${path}`, cause);
      });
      if (done) return;
      heard();
      const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) yield messageOf(block);
    }
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener('abort', end);
    end();
  }
}

const messageOf = (block: string): Message =>
  Object.fromEntries(
    block.split('\n').map((line) => {
      const colon = line.indexOf(': ');
      return [line.slice(0, colon), line.slice(colon + 2)];
    }),
  );

/** Whether an id comes for the first time in the last two minutes. */
function withoutRepeats(): (id: string) => boolean {
  let [recent, older, changedAt] = [new Set<string>(), new Set<string>(), Date.now()];
  return (id) => {
    if (recent.has(id) || older.has(id)) return false;
    if (Date.now() - changedAt > REMEMBERED_MS) [older, recent, changedAt] = [recent, new Set(), Date.now()];
    recent.add(id);
    return true;
  };
}
