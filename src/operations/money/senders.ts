/**
 * Who has paid the money that came in from outside, for the partner whose wallet got it, and for people who look for its
 * owner. It is sealed in the database.
 */
import { cellOfCredit, findSenders, findShownCredit } from '../../db/payments/inbound-credits';
import type { Sender, ShownCredit } from '../../domain/inbound';
import type { Transaction } from '../../domain/transactions';
import type { Environment } from '../../runtime/environment';
import { senderPlace } from '../../secrets/sealing';
import { writeSender } from '../../wire/transaction-fields';
import type { Tenant } from '../tenant';

/**
 * The same transactions, with `metadata.inbound` on those that credit a payment from outside. A payment that was allocated
 * out of another cell shows no sender.
 */
export async function withSenders(
  {
    environment,
    cell,
  }: Pick<Tenant, 'cell'> & { environment: Pick<Environment, 'sealing' | 'allowsSimulation'> },
  transactions: readonly Transaction[],
): Promise<Transaction[]> {
  // No money comes in from outside in a simulation, and whoever waits for a second query holds the page in memory (D151).
  if (environment.allowsSimulation) return [...transactions];
  const fromOutside = transactions.filter(
    ({ sourceWalletId, destWalletId }) => sourceWalletId === null && destWalletId !== null,
  );
  if (fromOutside.length === 0) return [...transactions];
  const senders = await findSenders(
    cell,
    fromOutside.map(({ id }) => id),
  );
  return transactions.map((transaction) => {
    const found = senders.get(transaction.id);
    if (!found) return transaction;
    const text = environment.sealing.open(found.sealed, senderPlace(found.creditId));
    const inbound = writeSender(JSON.parse(text) as Sender);
    return { ...transaction, metadata: { ...transaction.metadata, inbound } };
  });
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
