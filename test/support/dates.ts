/** Makes the date stand still in a test, while everything that waits goes on. */

/** All that Jest could fake beside the date. */
const NOT_THE_DATE = [
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
  'setTimeout',
  'clearTimeout',
] as const;

/**
 * Lets the date stand until `jest.useRealTimers()`.
 * @param now is the date at which it stands: now, unless it is given.
 */
export function standStill(now = new Date()): void {
  jest.useFakeTimers({ now, doNotFake: [...NOT_THE_DATE] });
}
