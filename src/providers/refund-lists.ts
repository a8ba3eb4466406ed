/**
 * What the adapters share about refunds. A company may take no reference of ours for one, so its list of refunds is read before
 * each order, and a refund of the same payment that is there is the answer.
 */
import type { RefundOrdered } from './port';

/** Beside ours a list may have every refund of the business, so it may be long; this long it never is. */
const PAGES_MAX = 20;
export const REFUNDS_PER_PAGE = 100;
/** The clock of a company may differ from ours, so its list is read from a day before the payment on. */
const DAY_MS = 24 * 3_600_000;

export const NOTHING_OF_REFUND = { providerRef: null, reason: null, pollAfterMs: null } as const;

/** A company has not told its list of refunds to the end. */
export class NoListError extends Error {}

/**
 * Reads a list of refunds to its end.
 * @param read gives one page, from 1 on.
 * @throws NoListError where it does not end; and what `read` throws.
 */
export async function readRefunds<Refund>(
  company: string,
  read: (page: number) => Promise<{ refunds: readonly Refund[]; hasMore: boolean }>,
): Promise<Refund[]> {
  const all: Refund[] = [];
  for (let page = 1; page <= PAGES_MAX; page++) {
    const { refunds, hasMore } = await read(page);
    all.push(...refunds);
    if (!hasMore) return all;
  }
  throw new NoListError(`${company} tells of more refunds than can be read`);
}

/** From when on a list has every refund of a payment. */
export const refundsSince = (receivedAt: Date): Date => new Date(receivedAt.getTime() - DAY_MS);

/**
 * The answer to an order where it need not be sent: the payment has a refund already, or nobody knows whether it has.
 * @param find the refund of the payment that has not failed, of whomever; null where there is none.
 * @returns null where the order may be sent.
 */
export async function answerBefore(
  find: () => Promise<{ providerRef: string; isWhole: boolean } | null>,
): Promise<RefundOrdered | null> {
  let before: Awaited<ReturnType<typeof find>>;
  try {
    before = await find();
  } catch (error) {
    // Nothing has left yet, whatever has gone wrong.
    return { ...NOTHING_OF_REFUND, outcome: 'not_sent', reason: (error as Error).message };
  }
  if (!before) return null;
  const { providerRef, isWhole } = before;
  return isWhole
    ? { ...NOTHING_OF_REFUND, outcome: 'exists', providerRef }
    : { ...NOTHING_OF_REFUND, outcome: 'refused', reason: 'A part of the payment was given back before' };
}
