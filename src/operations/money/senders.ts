/**
 * Who has paid the money that came in from outside, for the partner whose wallet got it, and for people who look for its
 * owner. It is sealed in the database.
 */
import { cellOfCredit, findSenders, findShownCredit } from '../../db/payments/inbound-credits';
import type { SealedCell } from '../../db/pg/postgres';
import { findOwnSenders } from '../../db/payments/own-senders';
import type { Sender, ShownCredit } from '../../domain/inbound';
import type { Transaction } from '../../domain/transactions';
import type { Environment } from '../../runtime/environment';
import { senderPlace } from '../../secrets/sealing';
import { writeSender } from '../../wire/transaction-fields';

/** What it takes to say who has paid. */
export interface Asking {
  cell: SealedCell;
  environment: Pick<Environment, 'sealing' | 'allowsSimulation'> & { cells: ReadonlyMap<string, SealedCell> };
}

/**
 * The same transactions, with `metadata.inbound` on those that credit a payment from outside, or from a wallet by an account
 * number of our own MFB. A payment that was allocated out of another cell shows no sender.
 */
export async function withSenders(
  asking: Asking,
  transactions: readonly Transaction[],
): Promise<Transaction[]> {
  const fromOutside = transactions.filter(
    ({ sourceWalletId, destWalletId }) => sourceWalletId === null && destWalletId !== null,
  );
  const senders = await sendersOf(
    asking,
    fromOutside.map(({ id }) => id),
  );
  return transactions.map((transaction) => {
    const sender = senders.get(transaction.id);
    return sender
      ? { ...transaction, metadata: { ...transaction.metadata, inbound: writeSender(sender) } }
      : transaction;
  });
}

/** Who has paid these credits, by their ids; those are left out of whom nobody has told. */
export async function sendersOf(
  { environment, cell }: Asking,
  creditIds: readonly string[],
): Promise<Map<string, Sender>> {
  if (creditIds.length === 0) return new Map();
  const found = new Map<string, Sender>(await findOwnSenders(cell, environment.cells.values(), creditIds));
  // No money comes in from outside in a simulation, and whoever waits for one more query holds the page in memory (D151).
  if (environment.allowsSimulation) return found;
  for (const [id, { creditId, sealed }] of await findSenders(cell, creditIds)) {
    found.set(id, JSON.parse(environment.sealing.open(sealed, senderPlace(creditId))) as Sender);
  }
  return found;
}

/**
 * A payment that came in, as an operator reads it who has said why.
 * @returns it; null where there is no such payment.
 */
export async function showCredit(environment: Environment, creditId: string): Promise<ShownCredit | null> {
  const name = await cellOfCredit(environment, creditId);
  const cell = name === null ? undefined : environment.cells.get(name);
  const found = cell && (await findShownCredit(cell, creditId));
  if (!found) return null;
  const { senderSealed, ...credit } = found;
  if (senderSealed === null) return { ...credit, sender: null };
  const text = environment.sealing.open(senderSealed, senderPlace(creditId));
  return { ...credit, sender: JSON.parse(text) as Sender };
}
