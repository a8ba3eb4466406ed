/** What the ids of rows say about time: their first 48 bits are the milliseconds at which they were made (RFC 9562). */

const VERSION_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7/;

/** When a time-ordered id was made, in milliseconds since 1970; null for an id of another kind. */
export const madeAtMs = (id: string): number | null =>
  VERSION_7.test(id) ? parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : null;

/** An id below all those that are made at this time or later, and above all those made before it. */
export function firstIdOf(timeMs: number): string {
  const hex = Math.floor(timeMs).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}
