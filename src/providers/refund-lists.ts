/**
 * What the adapters share about refunds. A company may take no reference of ours for one, so its list of refunds is read before
 * each order, and a refund of the same payment that is there is the answer.
 */
import { NoListError } from './lists';
import type { RefundOrdered } from './port';

export const REFUNDS_PER_PAGE = 100;
/** The clock of a company may differ from ours, so its list is read from a day before the payment on. */
const DAY_MS = 24 * 3_600_000;

export const NOTHING_OF_REFUND = { providerRef: null, reason: null, pollAfterMs: null } as const;

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

/**
 * The refunds in the rows of a list, as a schema reads them. A row that is not understood stops nobody else's refund; one that
 * may be about the payment that is asked about does.
 * @param keyOf what a row says which payment it gives back, read alone.
 * @param about the payment that is asked about; null where all are, and such a row is left for the next look.
 * @throws NoListError
 */
export function refundsIn<Refund>(
  company: string,
  rows: readonly unknown[],
  read: (row: unknown) => Refund | undefined,
  keyOf: (row: unknown) => string | undefined,
  about: string | null,
): Refund[] {
  return rows.flatMap((row) => {
    const refund = read(row);
    if (refund !== undefined) return [refund];
    const key = keyOf(row);
    if (about !== null && (key === undefined || key === about)) {
      throw new NoListError(`${company} told a refund that is not understood`);
    }
    return [];
  });
}
