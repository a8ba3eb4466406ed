/** Says of each entry of a statement who has paid, or was paid (D196). */
import { listEntriesBetween, type NamedPayment, type TracedEntry } from '../../db/ledger/entries';
import { findCounterparties } from '../../db/payments/own-senders';
import { maskedAccount } from '../../domain/counterparties';
import type { Counterparty, StatementEntry } from '../../domain/entries';
import type { Sender } from '../../domain/inbound';
import { sendersOf, type Asking } from './senders';

/**
 * The entries of a wallet behind one running number until another, oldest first, some at a time, each with its other side.
 * @throws an outage when they are gone, because the sandbox is being reset.
 */
export async function* entriesWithParties(
  asking: Asking,
  walletId: string,
  range: { after: number; until: number },
): AsyncGenerator<StatementEntry[], void, undefined> {
  for await (const entries of listEntriesBetween(asking.cell, walletId, range)) {
    yield await withParties(asking, walletId, entries);
  }
}

async function withParties(
  asking: Asking,
  walletId: string,
  entries: readonly TracedEntry[],
): Promise<StatementEntry[]> {
  const payments = entries.map(({ payment }) => payment);
  const others = new Set(payments.flatMap((payment) => otherWallet(payment, walletId) ?? []));
  const wallets = others.size === 0 ? null : await findCounterparties(asking.cell, [...others]);
  const fromOutside = payments.filter(({ sourceWalletId }) => sourceWalletId === null).map(({ id }) => id);
  const senders = await sendersOf(asking, fromOutside);
  return entries.map(({ payment, ...entry }) => {
    const other = otherWallet(payment, walletId);
    return {
      ...entry,
      counterparty:
        (other === null ? null : wallets?.get(other)) ??
        paidAccount(payment) ??
        sender(senders.get(payment.id)),
    };
  });
}

const otherWallet = ({ sourceWalletId, destWalletId }: NamedPayment, walletId: string): string | null =>
  sourceWalletId === walletId ? destWalletId : sourceWalletId;

/** The name that the bank has told stands before the one that the partner sent. */
const paidAccount = ({ paid }: NamedPayment): Counterparty | null =>
  paid && {
    name: paid.resolvedName ?? paid.accountName,
    bankName: paid.bankName,
    accountNumber: maskedAccount(paid.accountNumber),
  };

const sender = (told: Sender | undefined): Counterparty | null =>
  told
    ? { name: told.name, bankName: told.bankName, accountNumber: maskedAccount(told.accountNumber) }
    : null;
