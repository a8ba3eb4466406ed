/** When a command ends that goes on until it is stopped: at a signal, and when whoever has started it is gone. */
import { fstatSync } from 'node:fs';

/** Taken before anything else is done, because it is another one once the parent is gone. */
const PARENT = process.ppid;
const LOOK_EVERY_MS = 500;

export interface Stop {
  signal: AbortSignal;
  /**
   * From here on the end of standard input ends the command too, where that is a pipe. One that had ended before was
   * never held by anybody, as in a job without input.
   */
  withInput: () => void;
}

/** Ends what goes on until the command is stopped. */
export function untilStopped(): Stop {
  const stopped = new AbortController();
  const stop = (): void => stopped.abort();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  setInterval(() => {
    if (process.ppid !== PARENT) stop();
  }, LOOK_EVERY_MS).unref();
  let isHeld = false;
  if (isPipe()) {
    const close = (): void => {
      if (isHeld) stop();
    };
    process.stdin.on('end', close).on('error', close).resume();
    // A command that fails is not to wait for it.
    (process.stdin as { unref?: () => void }).unref?.();
  }
  return {
    signal: stopped.signal,
    withInput: () => {
      isHeld = true;
    },
  };
}

function isPipe(): boolean {
  try {
    const input = fstatSync(0);
    return input.isFIFO() || input.isSocket();
  } catch {
    // A closed one is none.
    return false;
  }
}
