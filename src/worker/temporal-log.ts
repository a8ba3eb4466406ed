/** Temporal's own log lines, written into ours: one process has one log, in one form. */
import { DefaultLogger, type Logger as TemporalLogger } from '@temporalio/worker';
import type { Logger } from 'pino';

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
