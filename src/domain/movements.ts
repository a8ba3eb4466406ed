/**
 * What lies outside of the database about each movement of money, and what a restored database is compared with. A line names no
 * person: ids, the partner's own reference, an amount and a status.
 */
import type { Finding } from './findings';
import type { Kobo } from './money';

interface LineCommon {
  /** The cell that has the transaction. */
  cell: string;
  transactionId: string;
  partnerId: string;
  at: Date;
}

/** A transaction as it was written or as it has moved on; or an order to a company that is to pay it. */
export type MovementLine = LineCommon &
  (
    | {
        kind: 'movement';
        reference: string;
        type: string;
        status: string;
        amountKobo: Kobo;
        sourceWalletId: string | null;
        destWalletId: string | null;
      }
    /** `reference` is the one that the company has (`payoutReference`). */
    | { kind: 'order'; company: string; reference: string; state: string }
  );

/** What makes a line the same as one that was shipped before. */
export const lineKey = (line: MovementLine): string =>
  line.kind === 'movement'
    ? `${line.transactionId} ${line.status}`
    : `${line.reference} ${line.company} ${line.state}`;

/** All that was told of one transaction: its last movement, and the orders to companies. */
export interface ToldTransaction {
  movement: Extract<MovementLine, { kind: 'movement' }> | null;
  orders: Map<string, Extract<MovementLine, { kind: 'order' }>>;
  cell: string;
  partnerId: string;
}

/** Adds a line to what was told. Of two movements of one transaction the later one counts. */
export function addLine(told: Map<string, ToldTransaction>, line: MovementLine): void {
  const one = told.get(line.transactionId) ?? {
    movement: null,
    orders: new Map(),
    cell: line.cell,
    partnerId: line.partnerId,
  };
  if (line.kind === 'order') one.orders.set(`${line.company} ${line.reference}`, line);
  else if (!one.movement || one.movement.at <= line.at) one.movement = line;
  told.set(line.transactionId, one);
}

/** A status in which nothing moves any more by itself. What was open goes on, and asks its company. */
const isEnded = (status: string): boolean => status !== 'pending' && status !== 'processing';

/**
 * What a restored database has forgotten of a transaction: all of it, or its end.
 * @param has its status there; undefined where it is not there.
 * @returns null where nothing is forgotten.
 */
export function forgottenOf(
  transactionId: string,
  { movement, orders, partnerId }: ToldTransaction,
  has: string | undefined,
): Finding | null {
  const isEndForgotten = movement !== null && isEnded(movement.status) && has !== movement.status;
  if (has !== undefined && (!isEndForgotten || isEnded(has))) return null;
  return {
    class: 'lost_in_restore',
    resource: transactionId,
    detail: {
      partner_id: partnerId,
      was: movement?.status ?? 'processing',
      is: has ?? 'forgotten',
      ...(movement && {
        type: movement.type,
        reference: movement.reference,
        kobo: movement.amountKobo,
        source_wallet: movement.sourceWalletId,
        dest_wallet: movement.destWalletId,
        at: movement.at.toISOString(),
      }),
      orders: [...orders.values()].map(({ company, reference, state }) => ({ company, reference, state })),
    },
  };
}
