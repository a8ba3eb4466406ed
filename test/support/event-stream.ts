/** Listens to a stream as a partner's program would, and keeps each message that came. */
import type { Json } from './send';

/** One message. `id` is the last id that was given so far. */
interface Message {
  id: string | null;
  event: string;
  text: string;
  data: Json;
}

export interface Listening {
  readonly status: number;
  readonly headers: Headers;
  /** The refusal, where there is no stream. */
  readonly body: Json;
  readonly messages: Message[];
  /** The messages that tell of something, and not of the stream itself. */
  events(): Message[];
  /** The place from which another stream can go on. */
  lastId(): string | null;
  isOver(): boolean;
  /** Breaks the connection. */
  close(): void;
}

const OWN_MESSAGES = ['ready', 'gap', 'bye'];

/** Opens a stream, `GET /v1/events/stream` without a path. It answers when the stream is open or refused. */
export async function listen(
  port: number,
  key: string,
  {
    path = '/v1/events/stream',
    query = '',
    lastEventId,
  }: { path?: string; query?: string; lastEventId?: string } = {},
): Promise<Listening> {
  const controller = new AbortController();
  const response = await fetch(`http://127.0.0.1:${String(port)}${path}${query}`, {
    headers: {
      Authorization: `Bearer ${key}`,
      ...(lastEventId !== undefined && { 'Last-Event-ID': lastEventId }),
    },
    signal: controller.signal,
  });
  const messages: Message[] = [];
  let lastId: string | null = null;
  let isOver = false;
  function take(block: string): void {
    const fields = new Map(
      block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
    );
    lastId = fields.get('id') ?? lastId;
    const text = fields.get('data');
    if (text === undefined) return;
    messages.push({ id: lastId, event: fields.get('event') ?? '', text, data: JSON.parse(text) });
  }
  async function read(): Promise<void> {
    let rest = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body!) {
      const blocks = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n\n');
      rest = blocks.pop()!;
      blocks.forEach(take);
    }
  }
  const body: Json = response.ok ? undefined : await response.json();
  if (response.ok) {
    // A connection that breaks is how most streams end.
    void read()
      .catch(() => undefined)
      .finally(() => (isOver = true));
  }
  return {
    status: response.status,
    headers: response.headers,
    body,
    messages,
    events: () => messages.filter(({ event }) => !OWN_MESSAGES.includes(event)),
    lastId: () => lastId,
    isOver: () => isOver,
    close: () => controller.abort(),
  };
}
