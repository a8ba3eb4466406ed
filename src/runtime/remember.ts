/**
 * Remembers answers for a short while, so that hot paths do not ask the database for what rarely changes. The
 * while is measured by a clock that nobody sets: a wall clock put back would keep a revoked key alive (G33).
 */

const ENTRIES_MAX = 10_000;

/**
 * Wraps a look-up. Callers that ask at once share one look; a failed look is forgotten at once.
 * @param forMs how long an answer may be old.
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
