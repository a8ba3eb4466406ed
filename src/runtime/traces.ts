/**
 * Traces of requests, for whoever sets `OTEL_EXPORTER_OTLP_ENDPOINT`: what a request did, where, and for how long. The id
 * of the request is the id of its trace, so each process adds its spans without being told of the others, and nothing of a
 * trace travels in a header, a row or a workflow. Without the variable there are no traces, and nothing of OpenTelemetry
 * is loaded but the little that prom-client loads.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { openExporter as OpenExporter, Span } from './otlp';

export interface Traces {
  /** Takes a span that has ended now, and returns at once. What finds no place in the queue is dropped. */
  add(span: Span): void;
  /** Sends what waits. It gives up after a second: a slow collector must not keep a process from its end. */
  flush(): Promise<void>;
}

const FLUSH_MS = 1_000;

/**
 * Opens the traces of a process.
 * @param endpoint the address of an OTLP/HTTP collector; the spans are posted to `/v1/traces` there.
 * @param program whose spans these are.
 * @returns null without an address.
 */
export function openTraces(endpoint: string | undefined, program: string, logger: Logger): Traces | null {
  if (endpoint === undefined) return null;
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`;
  const onFailure = (error: unknown): void =>
    logger.warn({ err: error }, 'The spans of traces could not be sent, so they are dropped');
  // It is loaded here and not above, so that nobody without traces pays for it.
  // oxlint-disable-next-line typescript/no-require-imports
  const { openExporter } = require('./otlp') as { openExporter: typeof OpenExporter };
  const exporter = openExporter({ url, program, onFailure });
  return {
    add: exporter.add,
    async flush() {
      const inTime = new AbortController();
      const late = sleep(FLUSH_MS, undefined, inTime);
      await Promise.race([exporter.flush(), late]).catch(() => undefined);
      inTime.abort();
      await late.catch(() => undefined);
    },
  };
}
