/**
 * Asks about payouts that should not have happened: a company says that it has paid an attempt, and the transfer was given
 * back or paid by another attempt. What it has really paid is booked once, against the account of unexplained debits.
 */
import { findTransaction } from '../db/ledger/transactions';
import { releasedLately } from '../db/payments/transfer-attempts';
import { idNamed } from '../db/pg/ids';
import type { Cell } from '../db/pg/postgres';
import { present } from '../domain/assert';
import { payoutReference, type QueryOutcome } from '../domain/payouts';
import { bookLate } from '../operations/money/ask-again';
import { askCompany } from '../operations/money/ask-company';
import { loadTransfer, orderOf } from './bank-transfer';
import type { Dependencies } from './dependencies';

/** So many days a released attempt is asked about each day, although no callback has come. */
const ASKED_DAYS = 7;

interface NamedAttempt {
  partnerId: string;
  transactionId: string;
  n: number;
}

export function latePayouts({ environment, logger }: Dependencies) {
  /**
   * Asks the company of an attempt. A payment is booked by an id that is made from the attempt, so a second run books
   * nothing. Its finding is written in the same commit.
   * @returns what the company says; null where it cannot be asked, or the payment cannot be booked, now.
   */
  async function follow(asked: NamedAttempt): Promise<QueryOutcome | null> {
    const { partnerId, transactionId, n } = asked;
    const reference = payoutReference(transactionId, n);
    const { cell } = await environment.partner(partnerId);
    if (await findTransaction(cell, partnerId, idNamed(reference))) return 'success';
    const loaded = await loadTransfer(environment, { partnerId, transactionId, epoch: 0 });
    const attempt = present(
      loaded.attempts.find((one) => one.n === n),
      'the attempt that is asked about',
    );
    const order = orderOf(loaded, attempt);
    try {
      const { provider } = attempt;
      const answer = await askCompany(environment, { cell, logger, order, provider });
      if (answer.outcome === 'success') await bookLate(cell, loaded.transfer, attempt, answer);
      return answer.outcome;
    } catch (error) {
      logger.warn({ err: error, reference }, 'A payout that was given up could not be asked about or booked');
      return null;
    }
  }

  return {
    follow,

    /** The attempts of a cell that were released, and about which no callback has to come. */
    released: (cell: Cell, limit: number): Promise<NamedAttempt[]> => releasedLately(cell, ASKED_DAYS, limit),
  };
}
