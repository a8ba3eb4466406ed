/**
 * The answer of an operation that takes an Idempotency-Key: bytes, because a repeat is answered with the same
 * ones (D44). The caller makes them, in its own dialect, and the operation keeps them in the commit of its effect.
 */
import type { StoredAnswer, UsedKey } from '../domain/ledger';
import { done, type Outcome } from '../domain/outcome';

export interface Reply<Value> {
  /** The key of this request; null where it came without one. */
  key: UsedKey | null;
  /** Writes the answer of what was done. It may be called inside the commit, so it waits for nothing. */
  write: (value: Value) => StoredAnswer;
}

export interface Replied {
  answer: StoredAnswer;
  /** An earlier request with the same key or reference has done it. */
  isRepeat: boolean;
}

export const replied = (answer: StoredAnswer): Outcome<Replied> => done({ answer, isRepeat: false });
export const repeated = (answer: StoredAnswer): Outcome<Replied> => done({ answer, isRepeat: true });
