/** Stops with an error when our own code is wrong. Such a bug is never answered as a refusal. */
export function assert(condition: unknown, promise: string): asserts condition {
  if (!condition) throw new Error(`bug: ${promise}`);
}

/** Gives the value. If it is missing, our own code is wrong. */
export function present<T>(value: T | null | undefined, what: string): T {
  assert(value !== null && value !== undefined, `${what} is missing`);
  return value;
}
