/** The demo checks what it prints: the first wrong figure ends the demo with one clear line. */

/** A promise of the interface that did not hold; the message says what was expected and what came. */
export class BrokenPromise extends Error {}

/** @throws BrokenPromise with `promise` as its message unless `holds`. */
export function check(holds: boolean, promise: string): asserts holds {
  if (!holds) throw new BrokenPromise(promise);
}

/** @throws BrokenPromise naming the figure, what it should be and what it is. */
export function checkSame(what: string, actual: unknown, expected: unknown): void {
  check(actual === expected, `${what} should be ${String(expected)}, but is ${String(actual)}`);
}
