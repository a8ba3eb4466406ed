/** A collector of traces: a real HTTP server that takes OTLP as JSON and keeps every span. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Json } from './calls';
import { sighted } from './until';

export interface CollectedSpan {
  service: string;
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  name: string;
  /** As OTLP counts them: 1 internal, 2 server, 3 client. */
  kind: number;
  startMs: number;
  endMs: number;
  hasFailed: boolean;
  attributes: Json;
}

export interface Collector {
  readonly url: string;
  /** Each post as it came, as text. */
  readonly posts: readonly { path: string; text: string }[];
  /** The spans of the trace of a request. */
  of(requestId: string): CollectedSpan[];
  close(): Promise<void>;
}

/** @param answer the status for each post; `silence` never answers. */
export async function openCollector(answer: number | 'silence' = 200): Promise<Collector> {
  const posts: { path: string; text: string }[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => (text += part));
    request.on('end', () => {
      posts.push({ path: request.url ?? '', text });
      if (answer !== 'silence') response.writeHead(answer, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    posts,
    of(requestId) {
      const traceId = requestId.slice('req_'.length);
      const spans = posts.flatMap(({ text }) => spansIn(JSON.parse(text)));
      const found = spans.filter((span) => span.traceId === traceId);
      sighted('spans of the request', found);
      return found;
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

const NANOS = 1_000_000;
const FAILED = 2;

const spansIn = (body: Json): CollectedSpan[] =>
  body.resourceSpans.flatMap(({ resource, scopeSpans }: Json) =>
    scopeSpans.flatMap(({ spans }: Json) =>
      spans.map((span: Json) => ({
        service: attributesOf(resource)['service.name'],
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId,
        name: span.name,
        kind: span.kind,
        startMs: Number(span.startTimeUnixNano) / NANOS,
        endMs: Number(span.endTimeUnixNano) / NANOS,
        hasFailed: span.status.code === FAILED,
        attributes: attributesOf(span),
      })),
    ),
  );

const attributesOf = ({ attributes }: Json): Json =>
  Object.fromEntries(attributes.map(({ key, value }: Json) => [key, Object.values(value)[0]]));
