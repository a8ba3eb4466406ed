/**
 * The steps of `bank-return/{id}`: ask whether a completed transfer came back, and take it back once if it did
 * (D30).
 */
import { closeContradicted, contradictReturn, isReported } from '../db/payments/callbacks';
import type { Posted } from '../domain/ledger';
import { nameOf } from '../domain/outcome';
import { RETURN_MEANINGS, UNKNOWN_ATTEMPT } from '../domain/payouts';
import { waitBeforeAsking } from '../domain/requery';
import type { TransactionStatus } from '../domain/transactions';
import type { Queried } from '../providers/port';
import { bankTransferReturned } from '../wire/webhooks';
import type { BankTransferInput } from '../contract/messages';
import { postSettlement } from '../operations/money/end-transfer';
import { payingCompany } from '../operations/money/ask-provider';
import { loadTransfer, orderOf, requerySchedule, type LoadedTransfer } from './bank-transfer';
import type { Dependencies } from './dependencies';

/** What came of asking the provider about a transfer that was booked as completed. */
export type ReturnAnswer =
  | { kind: 'unknown'; pollAfterMs: number | null }
  /** The status that the transfer really has. `isContradicted`: the answer differs from the callback. */
  | { kind: 'ended'; status: TransactionStatus; isContradicted: boolean };

export function bankReturnActivities({ environment, config, logger }: Dependencies) {
  const requery = requerySchedule(config);

  /**
   * Takes the money back in one commit: the transfer is `reversed`, amount and fee return to its source, and the
   * event reports it. Only a completed transfer changes, so a second call does nothing. What the company had contradicted
   * before is settled with it.
   */
  async function takeBack(
    { transfer, cell }: LoadedTransfer,
    provider: string,
    answer: Queried,
  ): Promise<TransactionStatus> {
    const announce = ({ transaction, reversal }: Posted) => [bankTransferReturned(transaction, reversal)];
    const taken = await postSettlement(cell, transfer, announce, {
      trigger: 'provider_return',
      failedReason: answer.reason ?? 'Returned by the bank',
      facts: {
        provider,
        sessionId: answer.sessionId,
        responseCode: answer.code,
        feeKobo: answer.feeKobo,
        dutyKobo: answer.dutyKobo,
      },
      handOrder: null,
    });
    if (!taken.ok) throw new Error(`the transfer could not be taken back now: ${nameOf(taken)}`);
    await closeContradicted(cell, transfer.id);
    return taken.value;
  }

  return {
    /**
     * Asks the provider, and follows its answer: the money is taken back, or a finding says that callback and answer
     * differ. The answer is never taken from a workflow, and nobody is asked unless a callback that the API has kept
     * says that the transfer came back. A second run finds the transfer reversed, or the callback marked, and changes
     * nothing.
     */
    async askAboutReturn(input: BankTransferInput, asked: number): Promise<ReturnAnswer> {
      const loaded = await loadTransfer(environment, input);
      const { transfer, cell, attempts } = loaded;
      const { status } = transfer;
      const nothingToAsk = { kind: 'ended', status, isContradicted: false } as const;
      // It may have been taken back by a run whose answer was lost.
      if (status === 'reversed') await closeContradicted(cell, transfer.id);
      if (status !== 'completed') return nothingToAsk;
      // People may have ended a transfer of which no order is noted.
      const attempt = attempts.at(-1) ?? UNKNOWN_ATTEMPT;
      if (!(await isReported(cell, transfer, attempt.n, 'reversed'))) {
        const { id: transactionId, partnerId } = transfer;
        logger.warn({ transactionId, partnerId }, 'No callback says that the transfer came back');
        return nothingToAsk;
      }
      const company = payingCompany(environment, attempt.provider);
      const answer = await company.payouts.query(orderOf(loaded, attempt));
      switch (RETURN_MEANINGS[answer.outcome]) {
        case 'returned':
          return {
            kind: 'ended',
            status: await takeBack(loaded, company.name, answer),
            isContradicted: false,
          };
        case 'contradicted':
          await contradictReturn(cell, transfer, answer.outcome);
          return { kind: 'ended', status, isContradicted: true };
        case 'not known':
          return { kind: 'unknown', pollAfterMs: answer.pollAfterMs ?? waitBeforeAsking(requery, asked, 0) };
      }
    },
  };
}
