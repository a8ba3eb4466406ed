/**
 * The log of a platform in this process: its warnings and errors go to the report of a failing test, and a test can read
 * its lines.
 */
import type { Logger } from 'pino';
import type { Config } from '../../src/runtime/config';
import { createLogger } from '../../src/runtime/process';
import { testFile } from '../setup/test-file';
import type { Json } from './calls';

const lines: string[] = [];

export function testLogger(config: Pick<Config, 'LOG_LEVEL'>): Logger {
  return createLogger(config, 'test', {
    write(line) {
      lines.push(line);
      testFile()?.logged(line);
    },
  });
}

/** What platforms in this process have logged since the test file began, or since the last call of `forgetLog`. */
export const logLines = (): Json[] => lines.map((line) => JSON.parse(line));

export const forgetLog = (): void => void lines.splice(0);
