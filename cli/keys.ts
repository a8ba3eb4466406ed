/** Keys of the terminal while a command goes on. */

/** The part of standard input that is used here. */
interface Keyboard extends NodeJS.EventEmitter {
  isTTY?: boolean;
  setRawMode?: (isRaw: boolean) => unknown;
  pause(): unknown;
}

const CTRL_C = '\u0003';

/**
 * Does something at each press of these keys. Without a terminal nothing is read.
 * @param stop is called at Ctrl-C, which a terminal that gives single keys does not turn into a signal.
 * @returns what gives the terminal back.
 */
export function onKeys(
  keys: Readonly<Record<string, () => void>>,
  stop: () => void,
  input: Keyboard = process.stdin,
): () => void {
  if (input.isTTY !== true) return () => undefined;
  const press = (typed: Buffer): void => {
    for (const key of String(typed)) (key === CTRL_C ? stop : keys[key])?.();
  };
  input.setRawMode?.(true);
  input.on('data', press);
  return () => {
    input.off('data', press);
    input.setRawMode?.(false);
    input.pause();
  };
}
