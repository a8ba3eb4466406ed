/** How many movements the ledger writes at once, seen from outside: all items of a batch are answered together. */
import type { LedgerWriter } from '../db/ledger/writer';
import type { Environment } from '../runtime/environment';
import type { Metrics } from './metrics';

/** Puts a counting writer before each cell's own; what is answered in one turn of the event loop was one batch. */
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
