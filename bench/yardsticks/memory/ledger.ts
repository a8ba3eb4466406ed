/** Decides like the real one, over balances in memory: every wallet that is named exists and has money. */
import type { LedgerWriter } from '../../../src/db/ledger/writer';
import { present } from '../../../src/domain/assert';
import { booksOfAccounts, decide, walletsOf, type Account } from '../../../src/domain/ledger';
import { FUND_KOBO } from '../../support/p2p';

export function createMemoryLedger(): LedgerWriter {
  const accounts = new Map<string, Account>();
  const open = (id: string, partnerId: string): void => {
    if (accounts.has(id)) return;
    const money = { balanceKobo: FUND_KOBO, inFlightKobo: 0, heldKobo: 0 };
    accounts.set(id, { id, partnerId, status: 'active', ...money, sequence: 1, limits: null });
  };
  return {
    isLate: () => false,
    post({ movement }) {
      for (const id of walletsOf(movement)) open(id, movement.partnerId);
      // References and keys are new every time, so none is remembered.
      const [decision] = decide(booksOfAccounts(new Date(), accounts), [movement]);
      return Promise.resolve(present(decision, 'a decision for each movement'));
    },
    close: () => Promise.resolve(),
  };
}
