/** What is read of a body that may be large, where its bytes are: it is all that the operation needs of them. */
import type { Outcome } from '../domain/outcome';
import type { IgnoredField } from '../wire/ignored-fields';
import type { KeptText } from './kept-text';

export interface Prepared<Read = unknown> {
  /** The fields beside its long list: they decide the form of the answer, and have its reference. */
  head: unknown;
  /** How many places of the rate limit the operation takes for what is in it. */
  places: number;
  /** How many writes it leaves for later (`writesLater` of the route). */
  later: number;
  /** What the log of requests keeps of it. */
  kept: KeptText;
  /** The fields that the operation does not read. */
  ignored: readonly IgnoredField[];
  /** What the operation reads in it, with the hash of that; or why it is refused. */
  read: Outcome<{ request: Read; hash: string }>;
}
