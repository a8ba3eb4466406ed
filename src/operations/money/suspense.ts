/** What the operations that take money out of suspense have in common (R54). */
import { decide, walletsOf, type Opening, type SettledFinding } from '../../domain/ledger';
import { present } from '../../domain/assert';
import type { OperatorCode } from '../../domain/operators';
import { done, type Outcome } from '../../domain/outcome';
import { OF_NO_PARTNER } from '../../domain/partners';
import { fundingReference } from '../../domain/transactions';
import { findBooks } from '../../db/ledger/books-as-read';
import { findAnyTransaction } from '../../db/payments/callbacks';
import { idNamed } from '../../db/pg/ids';
import type { OpenCell } from '../../runtime/environment';
import type { Tenant } from '../tenant';
import { postOwn } from './post-own';

/**
 * Asks the ledger's decision on the books as they can be read now, so that what would be refused is refused when it is
 * proposed. Nothing is locked and nothing is written.
 * @returns done; or the refusal of the ledger.
 */
export async function wouldBePosted(
  { environment, cell, partner }: Tenant,
  opening: Opening,
): Promise<Outcome<null, OperatorCode>> {
  const books = await findBooks(cell, partner.id, walletsOf(opening), environment.allowsSimulation);
  const decision = present(decide(books, [opening])[0], 'the decision of a movement');
  return decision.ok ? done(null) : decision;
}

/** Whether money was taken out of suspense by this name. */
export const wasMoved = async (cell: OpenCell, name: string): Promise<boolean> =>
  (await findAnyTransaction(cell, idNamed(name))) !== null;

/**
 * Takes money of a finding out of suspense without a wallet, once by its name.
 * @param to 1990, where a wallet of another cell has it; 5900, where it is lost.
 * @throws an outage while the ledger does not answer; to repeat it is safe.
 */
export async function moveOutOfSuspense(
  cell: Pick<OpenCell, 'ledger'>,
  name: string,
  from: SettledFinding,
  amountKobo: number,
  to: '1990' | '5900',
): Promise<void> {
  const transactionId = idNamed(name);
  const why = await postOwn(cell, {
    type: 'suspense_move',
    from,
    holds: amountKobo > 0 ? 'credit' : 'debit',
    to,
    transactionId,
    partnerId: OF_NO_PARTNER,
    reference: fundingReference(transactionId),
    amountKobo: Math.abs(amountKobo),
  });
  if (why !== null) throw new Error(`the money cannot be taken out of suspense now: ${why}`);
}
