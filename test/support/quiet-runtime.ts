/**
 * Temporal's native runtime, once per test file: it leaves signals to the test runner and says nothing below
 * an error, because breaking connections and refused replays are what these tests are about.
 */
import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker';

let installed: Runtime | undefined;

/** Must come before anything native; harmless when it is called again. */
export function installQuietRuntime(): void {
  installed ??= Runtime.install({
    logger: new DefaultLogger('ERROR'),
    shutdownSignals: [],
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR' }) } },
  });
}
