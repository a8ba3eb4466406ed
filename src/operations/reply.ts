/**
 * The answer of an operation that takes an Idempotency-Key: bytes, because a repeat is answered with the same
 * ones (D44). The caller makes them, in its own dialect. In the commit of its effect, the operation keeps them, or the
 * transaction from which they are made again.
 */
import type { OpeningKey, StoredAnswer } from '../domain/ledger';
import { done, type Outcome } from '../domain/outcome';
import type { Form } from '../wire/forms';

/** How a request is answered. */
export interface Told {
  form: Form;
  requestId: string;
  /** The fields of its body that had no effect, by their paths. */
  ignored: readonly string[];
}

export interface Reply<Value> {
  /** The key of this request; null where it came without one. */
  key: OpeningKey | null;
  /**
   * Writes the answer of what was done. It may be called inside the commit, so it waits for nothing.
   * @param told how the first request was answered, where its answer is made again; this request by default.
   */
  write: (value: Value, told?: Told) => StoredAnswer;
}

export interface Replied {
  answer: StoredAnswer;
  /** An earlier request with the same key or reference has done it. */
  isRepeat: boolean;
}

export const replied = (answer: StoredAnswer): Outcome<Replied> => done({ answer, isRepeat: false });
export const repeated = (answer: StoredAnswer): Outcome<Replied> => done({ answer, isRepeat: true });
