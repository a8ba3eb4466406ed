/** One text for all bodies that ask for the same, and its digest (D44). */
import { hash } from 'node:crypto';

/** @param what the operation, the ids in its path and the body as it was read. */
export const hashOfRequest = (what: readonly [operation: string, params: object, request: object]): string =>
  hash('sha256', canonical(what), 'base64url');

/** JSON with the keys of every object sorted, because the order of keys does not make another request. */
function canonical(value: unknown): string {
  const isWhole = typeof value !== 'object' || value === null || value instanceof Date;
  if (isWhole) return JSON.stringify(value ?? null);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const members = value as Record<string, unknown>;
  const written = Object.keys(members)
    .filter((key) => members[key] !== undefined)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(members[key])}`);
  return `{${written.join(',')}}`;
}
