/**
 * Sends spans to a collector, as OTLP over HTTP, with OpenTelemetry's own queue and sender. The queue is limited, and what
 * finds no place there is dropped. Only traces.ts loads this file, and only where traces are switched on.
 */
import { randomBytes } from 'node:crypto';
import { SpanKind, SpanStatusCode, TraceFlags, type HrTime, type SpanContext } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace';
import { thisVersion } from './version';

/** A piece of work of a request. It is told when it has ended. */
export interface Span {
  /** As `X-Request-Id` shows it. */
  requestId: string;
  name: string;
  /** `server`: the request itself, of which all else is a part. `client`: a call of somebody else's server. */
  kind: 'server' | 'client' | 'internal';
  durationMs: number;
  /** By the wall clock; now, unless the span is told later. */
  endedAtMs?: number;
  /** Ids, names of operations and states, counts: never a name, an amount, an address or a secret of somebody. */
  attributes: Readonly<Record<string, string | number | boolean | null | undefined>>;
  hasFailed: boolean;
}

interface Exporter {
  add(span: Span): void;
  flush(): Promise<void>;
}

const SERVICE = 'partner-wallet-service';
const QUEUE_MAX = 2_048;
const BATCH_MAX = 512;
const SEND_EVERY_MS = 1_000;
const SEND_WITHIN_MS = 5_000;

const KINDS: Record<Span['kind'], SpanKind> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
};

/**
 * @param url to which the spans are posted.
 * @param onFailure is told of each batch that was dropped because the collector did not take it.
 */
export function openExporter(options: {
  url: string;
  program: string;
  onFailure: (error: unknown) => void;
}): Exporter {
  const resource = resourceFromAttributes({
    'service.namespace': SERVICE,
    'service.name': options.program,
    'service.version': thisVersion().version,
  });
  const queue = new BatchSpanProcessor({
    exporter: telling(
      new OTLPTraceExporter({ url: options.url, timeoutMillis: SEND_WITHIN_MS }),
      options.onFailure,
    ),
    maxQueueSize: QUEUE_MAX,
    maxExportBatchSize: BATCH_MAX,
    scheduledDelayMillis: SEND_EVERY_MS,
    // It is longer than the sender's own time, so that the sender says what was wrong.
    exportTimeoutMillis: 2 * SEND_WITHIN_MS,
  });
  return {
    add({ requestId, name, kind, durationMs, endedAtMs = Date.now(), attributes, hasFailed }) {
      const root = rootOf(requestId);
      const context = kind === 'server' ? root : { ...root, spanId: randomBytes(8).toString('hex') };
      queue.onEnd({
        name,
        kind: KINDS[kind],
        spanContext: () => context,
        ...(kind !== 'server' && { parentSpanContext: root }),
        startTime: timeOf(endedAtMs - durationMs),
        endTime: timeOf(endedAtMs),
        duration: timeOf(durationMs),
        status: { code: hasFailed ? SpanStatusCode.ERROR : SpanStatusCode.UNSET },
        attributes: known(attributes),
        links: [],
        events: [],
        ended: true,
        resource,
        instrumentationScope: { name: SERVICE },
        droppedAttributesCount: 0,
        droppedEventsCount: 0,
        droppedLinksCount: 0,
      });
    },
    flush: () => queue.forceFlush(),
  };
}

/** The span of the request itself. Both its ids are made of the request's id, so that every process knows them. */
function rootOf(requestId: string): SpanContext {
  const traceId = requestId.slice('req_'.length);
  return { traceId, spanId: traceId.slice(16), traceFlags: TraceFlags.SAMPLED };
}

const timeOf = (ms: number): HrTime => [Math.floor(ms / 1_000), Math.round((ms % 1_000) * 1_000_000)];

const known = (attributes: Span['attributes']): Record<string, string | number | boolean> =>
  Object.fromEntries(
    Object.entries(attributes).filter(
      (entry): entry is [string, string | number | boolean] => entry[1] !== null && entry[1] !== undefined,
    ),
  );

/** OpenTelemetry says nothing of a batch that it could not send, unless somebody asks. */
function telling(exporter: SpanExporter, onFailure: (error: unknown) => void): SpanExporter {
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.error) onFailure(result.error);
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}
