/**
 * Temporal's native runtime, once per test file: it leaves signals to the test runner, and its log goes to the
 * report of the test that fails. Its core logs errors only, because tests break connections on purpose.
 */
import { IllegalStateError } from '@temporalio/common';
import { makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import { temporalLog } from '../../src/worker/temporal-runtime';
import { testLogger } from './log';

let installed = false;

/** Must be called before any native part of Temporal is used; harmless when it is called again. */
export function installQuietRuntime(): void {
  if (installed) return;
  try {
    Runtime.install({
      logger: temporalLog(testLogger({ LOG_LEVEL: 'warn' })),
      shutdownSignals: [],
      telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR' }) } },
    });
  } catch (error) {
    // A worker that failed to start in an earlier file of this process has left its runtime, which is the same.
    if (!(error instanceof IllegalStateError)) throw error;
  }
  installed = true;
}
