/**
 * Where the lines of the log go: to standard output, several at once. One call of the system per line would cost a busy
 * API more than the making of the line (decision 0039). Warnings and errors wait for nothing, and take all that
 * came before them with them. A process that is killed loses the lines of its last moments that report no trouble.
 */
import pino, { symbols, type DestinationStream } from 'pino';

const WAIT_MS = 10;
const WAITING_MAX_LENGTH = 16_384;
const WARN = pino.levels.values['warn'] as number;

/** @param descriptor of the file: standard output, unless a test has another one. */
export function logOutput(descriptor = 1): DestinationStream {
  const file = pino.destination(descriptor);
  let waiting = '';
  const write = (): void => {
    const lines = waiting;
    waiting = '';
    if (lines !== '') file.write(lines);
  };
  process.on('exit', () => {
    write();
    file.flushSync();
  });
  return {
    // With this mark pino says before each line which level it has.
    [symbols.needsMetadataGsym]: true,
    lastLevel: 0,
    write(line: string) {
      if (waiting === '') setTimeout(write, WAIT_MS).unref();
      waiting += line;
      if (this.lastLevel >= WARN || waiting.length >= WAITING_MAX_LENGTH) write();
    },
  } as DestinationStream & { lastLevel: number };
}
