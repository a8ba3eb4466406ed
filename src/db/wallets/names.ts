/** Names of accounts as the other shelves read them: sealed, and gone once their owner was erased. */
import { ERASED } from '../../domain/personal-data';
import type { Sealing } from '../../secrets/sealing';

/**
 * The name in a row.
 * @param sealed null once its owner was erased: a constant stands in its place then, which names nobody.
 * @throws when it was sealed under a key that is not known here, or belongs to another row.
 */
export const openedName = (sealing: Sealing, sealed: string | null, place: string): string =>
  sealed === null ? ERASED : sealing.open(sealed, place);
