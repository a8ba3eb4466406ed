/**
 * What all legs of a split share, its metadata and its shares, is stored once, with the first leg. Stored with each
 * leg, a request of a hundred legs would write megabytes.
 */
import type { Transaction } from '../../domain/transactions';
import type { SealedCell } from '../pg/postgres';
import { toTransaction, type TransactionRow } from './transaction-row';

/** The transactions of one movement as they are written: the legs after the first keep only their place. */
export const legsAsStored = (legs: readonly Transaction[]): Transaction[] =>
  legs.map((leg, place) =>
    place === 0 || leg.splitConfig === null
      ? leg
      : { ...leg, splitConfig: null, metadata: { split_index: leg.metadata['split_index'] } },
  );

/** Reads rows as transactions. Legs of splits get what they share; without one no statement is sent. */
export async function asRead(cell: SealedCell, rows: readonly TransactionRow[]): Promise<Transaction[]> {
  // A partner may give other transactions such metadata too. Their reference leads to no shares.
  const legs = rows.filter((row) => row.split_config === null && Object.hasOwn(row.metadata, 'split_index'));
  if (legs.length === 0) return rows.map((row) => toTransaction(row, cell.sealing));
  const asked = new Map(legs.map((leg) => [nameOf(leg), leg]));
  const { rows: firsts } = await cell.pool.query<FirstLeg>(
    `SELECT first.partner_id, first.reference, first.split_config, first.metadata
       FROM unnest($1::uuid[], $2::text[]) AS asked (partner_id, reference)
       JOIN ${cell.schema}.used_references used USING (partner_id, reference)
       JOIN ${cell.schema}.transactions first
         ON first.id = used.transaction_id AND first.split_config IS NOT NULL`,
    [[...asked.values()].map((leg) => leg.partner_id), [...asked.values()].map((leg) => leg.reference)],
  );
  const shared = new Map(firsts.map((first) => [nameOf(first), first]));
  return rows.map((row) => {
    // While a sandbox is reset, the first leg may have gone before the others.
    const first = legs.includes(row) ? shared.get(nameOf(row)) : undefined;
    if (!first) return toTransaction(row, cell.sealing);
    const metadata = { ...first.metadata, ...row.metadata };
    return toTransaction({ ...row, split_config: first.split_config, metadata }, cell.sealing);
  });
}

type FirstLeg = Pick<TransactionRow, 'partner_id' | 'reference' | 'split_config' | 'metadata'>;

const nameOf = (row: Pick<FirstLeg, 'partner_id' | 'reference'>): string =>
  `${row.partner_id} ${row.reference}`;
