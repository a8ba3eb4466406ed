/**
 * Ids as partners may write them: a uuid in upper or lower case, with or without the prefix that the guides give
 * to its kind (D4, D153, D173).
 */

const PREFIXES = { wallet: 'wlt_', transaction: 'tx_', verification: 'kyc_' } as const;

/** What an id is meant to name; `other` has no prefix. */
export type IdKind = 'wallet' | 'transaction' | 'other';

const CANONICAL_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** @returns the canonical uuid in an id of this kind; null if it is malformed or has another kind's prefix. */
export function canonicalId(text: string, kind: IdKind): string | null {
  const prefix = kind === 'other' ? '' : PREFIXES[kind];
  const id = (text.startsWith(prefix) ? text.slice(prefix.length) : text).toLowerCase();
  return CANONICAL_UUID.test(id) ? id : null;
}

/** The kind that the prefix of an id names; null if it has no prefix. */
export const kindByPrefix = (text: string): string | null =>
  Object.entries(PREFIXES).find(([, prefix]) => text.startsWith(prefix))?.[0] ?? null;
