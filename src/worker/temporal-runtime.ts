/**
 * The native part of Temporal's SDK: its log lines become ours, so that one process has one log in one form, and its
 * metrics come out at our own port.
 */
import { createServer, type AddressInfo } from 'node:net';
import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import type { Logger as TemporalLogger } from '@temporalio/worker';
import type { Logger } from 'pino';

export interface TemporalRuntime {
  /** The metrics of the SDK as Prometheus text; nothing when they cannot be read now. */
  metrics(): Promise<string>;
}

const LOOPBACK = '127.0.0.1';
const ANSWERS_WITHIN_MS = 1_000;

/** Must be called before any other native part of Temporal is used, once in a process. */
export async function installRuntime(logger: Logger): Promise<TemporalRuntime> {
  const address = `${LOOPBACK}:${String(await freePort())}`;
  Runtime.install({
    logger: temporalLog(logger),
    // The process handles signals itself: the workers drain first, and the connections close after them.
    shutdownSignals: [],
    telemetryOptions: {
      logging: { forward: {}, filter: makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' }) },
      metrics: {
        prometheus: {
          bindAddress: address,
          countersTotalSuffix: true,
          unitSuffix: true,
          useSecondsForDurations: true,
        },
      },
    },
  });
  return {
    async metrics() {
      try {
        const signal = AbortSignal.timeout(ANSWERS_WITHIN_MS);
        return await (await fetch(`http://${address}/metrics`, { signal })).text();
      } catch (error) {
        logger.warn({ err: error }, 'The metrics of the Temporal SDK could not be read');
        return '';
      }
    },
  };
}

/** Passes on warnings and errors. The lower levels are of no use to an operator. */
export function temporalLog(logger: Logger): TemporalLogger {
  return new DefaultLogger('WARN', ({ level, message, meta = {} }) => {
    const { error, taskToken: _taskToken, ...more } = meta as Record<string, unknown>;
    logger[level === 'ERROR' ? 'error' : 'warn'](
      { ...more, ...(error !== undefined && { err: error }) },
      message,
    );
  });
}

/**
 * The SDK serves its metrics at a port of its own, which cannot be left to the system. Another program could take the
 * port in between; then the process does not start, and its supervisor starts it again.
 */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, LOOPBACK, resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
