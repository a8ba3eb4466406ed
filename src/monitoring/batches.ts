/**
 * Counts how many movements the ledger writes at once. It is measured from outside, because all items of a batch
 * are answered together.
 */
import type { LedgerWriter } from '../db/ledger/writer';
import type { Environment } from '../runtime/environment';
import type { Metrics } from './metrics';

/**
 * Puts a counting writer in front of the writer of each cell. Items that are answered in one turn of the event
 * loop were one batch.
 */
export function countBatches(environments: readonly Environment[], metrics: Metrics): void {
  for (const { cells } of environments) {
    for (const cell of cells.values()) cell.ledger = counted(cell.ledger, metrics.ledgerBatch);
  }
}

function counted(ledger: LedgerWriter, onBatch: (items: number) => void): LedgerWriter {
  let answered = 0;
  const count = (): void => {
    if (answered++ > 0) return;
    setImmediate(() => {
      onBatch(answered);
      answered = 0;
    });
  };
  return {
    ...ledger,
    post(item) {
      const result = ledger.post(item);
      result.then(count, count);
      return result;
    },
  };
}
