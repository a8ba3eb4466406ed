/**
 * Asks about payouts that should not have happened: a company says that it has paid an attempt, and the transfer was given
 * back or paid by another attempt. What it has really paid is booked once, against the account of unexplained debits.
 */
import { findTransaction } from '../db/ledger/transactions';
import { closeContradicted } from '../db/payments/callbacks';
import { releasedLately } from '../db/payments/transfer-attempts';
import { idNamed } from '../db/pg/ids';
import type { Cell } from '../db/pg/postgres';
import { present } from '../domain/assert';
import { payoutReference, type QueryOutcome } from '../domain/payouts';
import { payingCompany } from '../operations/money/ask-provider';
import { postOwn } from '../operations/money/post-own';
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
    const answer = await payingCompany(environment, attempt.provider)
      .payouts.query(orderOf(loaded, attempt))
      .catch((error: unknown) => {
        logger.warn(
          { err: error, reference },
          'The provider did not answer about a payout that was given up',
        );
        return null;
      });
    if (answer?.outcome !== 'success') return answer?.outcome ?? null;
    const { amountKobo } = loaded.transfer;
    const why = await postOwn(cell, {
      type: 'late_payout',
      originalId: transactionId,
      attempt: n,
      by: { company: attempt.provider, feeKobo: answer.feeKobo, dutyKobo: answer.dutyKobo },
      transactionId: idNamed(reference),
      partnerId,
      reference: `late_${reference}`,
      amountKobo,
      metadata: { original_transaction_id: transactionId, attempt: n },
    });
    if (why === null) {
      await closeContradicted(cell, transactionId);
      return 'success';
    }
    logger.warn({ reference, why }, 'A late payout could not be booked now');
    return null;
  }

  return {
    follow,

    /** The attempts of a cell that were released, and about which no callback has to come. */
    released: (cell: Cell, limit: number): Promise<NamedAttempt[]> => releasedLately(cell, ASKED_DAYS, limit),
  };
}
