/** The steps of `bank-transfer/{id}`: submit, query, settle. */
import { present } from '../domain/assert';
import type { Posted, Settlement } from '../domain/ledger';
import type { EventDraft } from '../domain/events';
import { nameOf } from '../domain/outcome';
import { waitBeforeAsking, type RequerySchedule } from '../domain/requery';
import {
  fundingReference,
  type BankAccount,
  type ProviderFacts,
  type Transaction,
  type TransactionStatus,
} from '../domain/transactions';
import { noteSubmission } from '../db/payments/callbacks';
import { newId } from '../db/pg/ids';
import { findTransaction, recordAcceptance } from '../db/ledger/transactions';
import type { Config } from '../runtime/config';
import type { Environment, OpenCell } from '../runtime/environment';
import type { TransferAnswer, TransferOrder, WalletOwner } from '../providers/providers';
import { bankTransferFailed, transactionCompleted } from '../wire/webhooks';
import type { BankTransferInput } from '../contract/messages';
import { providersOf, type Dependencies } from './dependencies';
import { stillThere } from './resets';

/** What a provider's answer means to the workflow. */
export interface TransferOutcome {
  outcome: Exclude<TransferAnswer['outcome'], 'reversed'>;
  reason: string | null;
  facts: ProviderFacts | null;
  /** When to ask again; null leaves it to a callback or an operator. */
  pollAfterMs: number | null;
  /** True once the transfer is older than anybody should have to wait (D58). */
  needsAttention: boolean;
}

export type SettledBy = Pick<TransferOutcome, 'reason' | 'facts'> & {
  by: 'provider' | 'operation';
};

/** NIP's code for an account that does not exist: our own MFB answers it too (D159). */
const INVALID_ACCOUNT = '07';

export function bankTransferActivities({ environment, config }: Dependencies) {
  const requery = requerySchedule(config);

  /** What an answer means; asking again follows our schedule, unless the provider named a time of its own. */
  function outcomeOf(answer: TransferAnswer, transfer: Transaction, asked: number): TransferOutcome {
    const ageMs = Date.now() - transfer.createdAt.getTime();
    return {
      // What came back before we booked its arrival never arrived.
      outcome: answer.outcome === 'reversed' ? 'failed' : answer.outcome,
      reason: answer.reason,
      facts: factsOf(environment, answer),
      pollAfterMs: answer.pollAfterMs ?? waitBeforeAsking(requery, asked, ageMs),
      needsAttention: ageMs > config.TRANSFER_ALERT_AFTER_MS,
    };
  }

  return {
    /**
     * Name enquiry, then submission, then what the provider said about it. The transfer's id is the
     * provider's key, so a second run is answered for the same transfer; an account that the enquiry does
     * not find is a final failure before anything was sent (D59).
     */
    async submitTransfer(input: BankTransferInput): Promise<TransferOutcome> {
      const { transfer, cell } = await loadTransfer(environment, input);
      // Ended already, by an operation or in an earlier run: nothing more may be sent.
      if (transfer.status !== 'processing') return asEnded(transfer);
      const { psp } = providersOf(environment);
      await noteSubmission(cell, environment.directory, transfer);
      const order = orderOf(transfer);
      const resolvedName = await psp.enquireName(order.bankCode, order.accountNumber);
      if (resolvedName === null && !order.hold) {
        const facts = { provider: psp.name, sessionId: null, responseCode: INVALID_ACCOUNT };
        return { outcome: 'failed', reason: 'Invalid account', facts, pollAfterMs: 0, needsAttention: false };
      }
      const answer = await psp.submit(order);
      if (answer.providerReference !== null) {
        await recordAcceptance(cell, transfer.id, {
          pspReference: answer.providerReference,
          facts: factsOf(environment, answer),
          resolvedName,
        });
      }
      return outcomeOf(answer, transfer, 0);
    },

    /** Asks for the status; asking changes nothing. */
    async queryTransfer(input: BankTransferInput, asked: number): Promise<TransferOutcome> {
      const { transfer } = await loadTransfer(environment, input);
      if (transfer.status !== 'processing') return asEnded(transfer);
      return outcomeOf(await providersOf(environment).psp.query(orderOf(transfer)), transfer, asked + 1);
    },

    /**
     * Ends the transfer in one commit: completed, or failed with exactly one reversal of amount and fee, and
     * the event. Whoever locks the row first decides; a second run finds the end and changes nothing.
     * A wallet of ours is credited first, once per transfer (D60, R8).
     * @returns the status that really holds.
     */
    async settleTransfer(
      input: BankTransferInput,
      to: 'completed' | 'failed',
      answer: SettledBy,
    ): Promise<TransactionStatus> {
      const { transfer, cell } = await loadTransfer(environment, input);
      if (transfer.status !== 'processing') return transfer.status;
      const owner =
        to === 'completed' ? await environment.providers?.psp.walletPaidBy(orderOf(transfer)) : null;
      const credited = owner ? await creditOwnWallet(transfer, owner) : null;
      const failed = to === 'failed' || credited === false;
      const facts =
        credited === false && answer.facts
          ? { ...answer.facts, responseCode: INVALID_ACCOUNT }
          : answer.facts;
      return postSettlement(cell, transfer, announceEnd, {
        trigger: failed ? 'provider_failure' : 'provider_success',
        paidBy: credited ? 'own_mfb' : 'psp',
        failedReason: failed
          ? (answer.reason ?? 'The destination account does not accept the transfer')
          : null,
        facts,
      });
    },
  };

  /** @returns false when the wallet does not take the money any more (closed since): the transfer then fails. */
  async function creditOwnWallet(transfer: Transaction, owner: WalletOwner): Promise<boolean> {
    const { cell } = await environment.partner(owner.partnerId);
    const transactionId = newId();
    const result = await cell.ledger.post({
      movement: {
        kind: 'open',
        type: 'wallet_funding',
        from: { kind: 'own_mfb', bankTransferId: transfer.id },
        transactionId,
        partnerId: owner.partnerId,
        destWalletId: owner.walletId,
        reference: fundingReference(transactionId),
        amountKobo: transfer.amountKobo,
        description: transfer.description,
        metadata: {},
        key: null,
      },
      announce: (posted) => [transactionCompleted(posted.transaction)],
    });
    if (!result.ok) return false;
    if (result.value.kind === 'locked') throw new Error('the destination wallet could not be locked now');
    return true;
  }
}

export async function loadTransfer(
  environment: Environment,
  input: BankTransferInput,
): Promise<{ transfer: Transaction; cell: OpenCell }> {
  const { cell } = await environment.partner(input.partnerId);
  const transfer = await findTransaction(cell, input.partnerId, input.transactionId);
  return { transfer: await stillThere(transfer, 'the transfer', cell, input), cell };
}

/**
 * Moves a transfer and its money in one commit, with the event.
 * @returns the status that really holds: a second time nothing moves.
 * @throws Error while its rows are locked.
 */
export async function postSettlement(
  cell: OpenCell,
  transfer: Transaction,
  announce: (posted: Posted) => EventDraft[],
  end: Pick<Settlement, 'trigger' | 'paidBy' | 'failedReason' | 'facts'>,
): Promise<TransactionStatus> {
  const movement: Settlement = {
    kind: 'settle',
    transactionId: transfer.id,
    partnerId: transfer.partnerId,
    sourceWalletId: present(transfer.sourceWalletId, 'the source of a bank transfer'),
    reversalId: newId(),
    ...end,
  };
  const result = await cell.ledger.post({ movement, announce });
  if (result.ok && (result.value.kind === 'posted' || result.value.kind === 'settled_before')) {
    return result.value.transaction.status;
  }
  throw new Error(`the transfer could not be settled now: ${nameOf(result)}`);
}

export const requerySchedule = (config: Config): RequerySchedule => ({
  waitsMs: config.TRANSFER_REQUERY_MS,
  lateAfterMs: config.TRANSFER_ALERT_AFTER_MS,
  lateEveryMs: config.TRANSFER_LATE_REQUERY_MS,
  untilMs: config.TRANSFER_REQUERY_UNTIL_MS,
});

export const factsOf = (environment: Environment, answer: TransferAnswer): ProviderFacts => ({
  provider: providersOf(environment).psp.name,
  sessionId: answer.sessionId,
  responseCode: answer.responseCode,
});

/** What a transfer that has ended says of itself; settling it again changes nothing. */
function asEnded(transfer: Transaction): TransferOutcome {
  return {
    outcome: transfer.status === 'completed' ? 'success' : 'failed',
    reason: transfer.failedReason,
    facts: transfer.pspMeta,
    pollAfterMs: 0,
    needsAttention: false,
  };
}

/** The one event of a transfer's end. */
function announceEnd({ transaction, reversal }: Posted): EventDraft[] {
  return [reversal ? bankTransferFailed(transaction, reversal) : transactionCompleted(transaction)];
}

export function orderOf(transfer: Transaction): TransferOrder {
  const account = present<BankAccount>(transfer.destAccount, 'the destination of a bank transfer');
  return {
    transactionId: transfer.id,
    amountKobo: transfer.amountKobo,
    bankCode: account.bankCode,
    accountNumber: account.accountNumber,
    acceptedAt: transfer.createdAt,
    completedAt: transfer.completedAt,
    hold: transfer.hold,
  };
}
