/**
 * Temporal's native runtime, once per test file: it leaves signals to the test runner, and its log goes to the
 * report of the test that fails. Its core logs errors only, because tests break connections on purpose.
 */
import { makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import { temporalLog } from '../../src/worker/temporal-runtime';
import { testLogger } from './log';

let installed: Runtime | undefined;

/** Must be called before any native part of Temporal is used; harmless when it is called again. */
export function installQuietRuntime(): void {
  installed ??= Runtime.install({
    logger: temporalLog(testLogger({ LOG_LEVEL: 'warn' })),
    shutdownSignals: [],
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR' }) } },
  });
}
