/**
 * The log of a platform in this process: its warnings and errors go to the report of a failing test.
 */
import type { Logger } from 'pino';
import type { Config } from '../../src/runtime/config';
import { createLogger } from '../../src/runtime/process';
import { testFile } from '../setup/test-file';

export function testLogger(config: Pick<Config, 'LOG_LEVEL'>): Logger {
  return createLogger(config, 'test', { write: (line) => testFile()?.logged(line) });
}
