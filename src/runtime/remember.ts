/**
 * Remembers answers for a short time, so that frequent requests do not ask the database for what rarely changes.
 * The time is measured by a monotonic clock: if a wall clock were put back, a revoked key would stay valid (G33).
 */

const ENTRIES_MAX = 10_000;

/**
 * Wraps a look-up. Callers that ask at the same time share one look-up. A look-up that failed is forgotten at
 * once.
 * @param forMs how old an answer may be, in milliseconds.
 */
export function remember<T>(forMs: number, look: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const known = new Map<string, { answer: Promise<T>; until: number }>();
  return (key) => {
    const now = performance.now();
    const found = known.get(key);
    if (found && found.until > now) return found.answer;
    if (known.size >= ENTRIES_MAX) known.clear();
    const entry = { answer: look(key), until: now + forMs };
    known.set(key, entry);
    entry.answer.catch(() => {
      if (known.get(key) === entry) known.delete(key);
    });
    return entry.answer;
  };
}
