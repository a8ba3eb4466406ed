/**
 * What makes two requests with one Idempotency-Key the same: a hash of the request as it was read (D44, D167). Behind it stands
 * which fields of the first one had no effect. They make no other request, and the first answer names them, so its repeat does.
 */

/** The alphabet of the hash (base64url) and the paths have neither of these. */
const [BEHIND_HASH, BETWEEN_PATHS] = ['#', ','];

/** @param ignored the paths of fields that were not read. */
export const fingerprintOf = (hash: string, ignored: readonly string[]): string =>
  ignored.length === 0 ? hash : hash + BEHIND_HASH + ignored.join(BETWEEN_PATHS);

const partsOf = (fingerprint: string): readonly string[] => fingerprint.split(BEHIND_HASH, 2);

export const isSameRequest = (one: string, other: string): boolean => partsOf(one)[0] === partsOf(other)[0];

/** The paths of the fields of the first request that were not read, where there are any. */
export function ignoredIn(fingerprint: string): { ignored?: readonly string[] } {
  const [, paths] = partsOf(fingerprint);
  return paths === undefined ? {} : { ignored: paths.split(BETWEEN_PATHS) };
}
