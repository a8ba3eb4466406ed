/** Every kind of transaction: what it is, what becomes of it, and how partners hear of it. */
import { EVENT_OF_STATUS } from '../../src/domain/events';
import { kindOf, type TransactionKind } from '../../src/domain/kinds';
import { PUBLISHED_TYPES } from '../../src/domain/transaction-types';
import { code, codes, table } from './table';

export function transactionsPage(): string {
  const rows = PUBLISHED_TYPES.map((type) => {
    const kind = kindOf(type);
    const { bornAs, machine } = kind.life;
    const later = new Set(machine.map(([, , to]) => to));
    return [code(type), kind.summary, code(bornAs), codes([...later]), eventsOf(kind, [bornAs, ...later])];
  });
  return `# Transactions

The types of transactions. What each costs is among the [limits](limits.md#fees), and by which triggers it moves
among the [states](states.md).

${table(['Type', 'What it is', 'Begins as', 'May become', 'Events'], rows)}`;
}

function eventsOf({ events }: TransactionKind, statuses: readonly string[]): string {
  if (!events.areSent) return 'none of its own';
  const kinds = Object.entries(EVENT_OF_STATUS).filter(([status]) => statuses.includes(status));
  return codes(kinds.map(([, kind]) => kind));
}
