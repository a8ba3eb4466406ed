/** What API and worker processes have in common: their log, and how they end. */
import pino, { type DestinationStream, type Logger } from 'pino';
import { logOutput } from './log-output';
import { ConfigError, loadDotEnv, type Config } from './config';
import { thisVersion } from './version';

/**
 * Fields that never reach a log line, whatever object is logged: every field that the interface marks as secret is among
 * them, which a test keeps. The one exception is `code`, because the code of a refusal has the same name and is what a
 * reader of the log looks for; a one-time code is good for a minute and once.
 */
export const SECRET_FIELDS: readonly string[] = [
  'authorization',
  'secret',
  'key',
  'pin',
  'current_pin',
  'bvn',
  'nin',
  'password',
  'new_password',
  'token',
  'access_token',
  'recovery_codes',
  'uri',
  'text',
  'session_msg',
  'form',
];

/** @param output where the lines go; standard output, unless a test collects them. */
export function createLogger(
  config: Pick<Config, 'LOG_LEVEL'>,
  name: string,
  output: DestinationStream = logOutput(),
): Logger {
  const paths = SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]);
  return pino({ name, level: config.LOG_LEVEL, redact: { paths, censor: '[secret]' } }, output);
}

/**
 * A log for lines that are written often and of which no field is a secret. The search for secret fields costs ten times
 * as much as the rest of such a line (decision 0039).
 */
export const frequentLines = (logger: Logger): Logger => logger.child({}, { redact: [] });

/**
 * Runs a process: reads the configuration, starts, says that it is ready, and stops once on a signal or
 * when the parent that started it is gone.
 */
export async function runProcess<Own extends Config>(
  name: string,
  readConfig: () => Own,
  start: (config: Own, logger: Logger) => Promise<{ ready: object; stop: () => Promise<void> }>,
): Promise<void> {
  let config: Own;
  try {
    loadDotEnv();
    config = readConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
  const logger = createLogger(config, name);
  // It is the first line, so that a process that cannot start says it too.
  logger.info(thisVersion(), `The ${name} process starts`);
  // Until it is ready a signal ends it at once, and so does the end of its parent.
  let stop = (_why: string): void => process.exit(1);
  if (config.END_WITH_PARENT) {
    process.stdin.resume();
    process.stdin
      .on('end', () => stop('its parent has ended'))
      .on('error', () => stop('its parent has ended'));
  }
  const running = await start(config, logger).catch((error: unknown) => {
    // A supervisor starts the process again, and what it needs may be there by then.
    logger.fatal({ err: error }, `The ${name} process did not start`);
    return process.exit(1);
  });
  let stopping = false;
  stop = (why) => {
    if (stopping) return;
    stopping = true;
    logger.info({ why }, `The ${name} process is stopping`);
    running.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, `The ${name} process did not stop cleanly`);
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop(signal));
  logger.info(running.ready, `The ${name} process is ready`);
  process.send?.({ ready: true, ...running.ready });
}
