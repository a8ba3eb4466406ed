/**
 * The steps of `bank-return/{id}`: ask whether a completed transfer came back, and take it back once if it did
 * (D30).
 */
import { contradictReturn } from '../db/payments/callbacks';
import type { Posted } from '../domain/ledger';
import { nameOf } from '../domain/outcome';
import { RETURN_MEANINGS, type QueryOutcome } from '../domain/payouts';
import { waitBeforeAsking } from '../domain/requery';
import type { ProviderFacts, TransactionStatus } from '../domain/transactions';
import { bankTransferReturned } from '../wire/webhooks';
import type { BankTransferInput } from '../contract/messages';
import { factsOf, loadTransfer, postSettlement, requerySchedule } from './bank-transfer';
import { serving, type Dependencies } from './dependencies';

/** What the answer of the provider means for a transfer that was booked as completed. */
export type ReturnAnswer =
  | { kind: 'returned'; reason: string | null; facts: ProviderFacts }
  | { kind: 'contradicted'; outcome: QueryOutcome }
  | { kind: 'unknown'; pollAfterMs: number | null }
  | { kind: 'ended'; status: TransactionStatus };

export function bankReturnActivities({ environment, config }: Dependencies) {
  const requery = requerySchedule(config);

  return {
    /** Asks the provider. The question changes nothing. */
    async askAboutReturn(input: BankTransferInput, asked: number): Promise<ReturnAnswer> {
      const { transfer, order } = await loadTransfer(environment, input);
      if (transfer.status !== 'completed') return { kind: 'ended', status: transfer.status };
      const answer = await serving(environment, 'payouts').payouts.query(order);
      const meaning = RETURN_MEANINGS[answer.outcome];
      if (meaning === 'contradicted') return { kind: 'contradicted', outcome: answer.outcome };
      if (meaning === 'returned') {
        return { kind: 'returned', reason: answer.reason, facts: factsOf(environment, answer) };
      }
      return { kind: 'unknown', pollAfterMs: answer.pollAfterMs ?? waitBeforeAsking(requery, asked, 0) };
    },

    /**
     * Takes the money back in one commit: the transfer is `reversed`, amount and fee return to its source, and the
     * event reports it. Only a completed transfer changes, so a second call does nothing.
     * @returns the status that the transfer really has.
     */
    async takeBack(
      input: BankTransferInput,
      answer: { reason: string | null; facts: ProviderFacts },
    ): Promise<TransactionStatus> {
      const { transfer, cell } = await loadTransfer(environment, input);
      const announce = ({ transaction, reversal }: Posted) => [bankTransferReturned(transaction, reversal)];
      const taken = await postSettlement(cell, transfer, announce, {
        trigger: 'provider_return',
        failedReason: answer.reason ?? 'Returned by the bank',
        facts: answer.facts,
        handOrder: null,
      });
      if (!taken.ok) throw new Error(`the transfer could not be taken back now: ${nameOf(taken)}`);
      return taken.value;
    },

    /** Writes a finding that the provider's callback and its answer differ. A second call changes nothing. */
    async showContradiction(input: BankTransferInput, outcome: string): Promise<TransactionStatus> {
      const { transfer, cell } = await loadTransfer(environment, input);
      await contradictReturn(cell, transfer, outcome);
      return transfer.status;
    },
  };
}
