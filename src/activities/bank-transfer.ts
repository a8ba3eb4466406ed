/** The steps of `bank-transfer/{id}`: submit, query, settle. */
import { INVALID_ACCOUNT, meaningOfNipCode } from '../domain/nip';
import { nameOf, type Refused } from '../domain/outcome';
import {
  afterQuery,
  afterSubmit,
  needsPeople,
  payoutOrder,
  type AskingStanding,
  type PayoutOrder,
  type PayoutStep,
  type QueryOutcome,
  type SubmitOutcome,
} from '../domain/payouts';
import type { Refusal } from '../domain/refusals';
import { waitBeforeAsking, type RequerySchedule } from '../domain/requery';
import type { ProviderFacts, Transaction, TransactionStatus } from '../domain/transactions';
import { noteSubmission, withdrawSubmission } from '../db/payments/callbacks';
import { findBankTransfer, recordAcceptance } from '../db/ledger/transactions';
import type { Config } from '../runtime/config';
import type { Environment, OpenCell } from '../runtime/environment';
import { NOTHING_TOLD, type Facts, type NameAnswer, type Submitted } from '../providers/port';
import { announceEnd, endByOrder, NOT_ACCEPTED, postSettlement } from '../operations/money/end-transfer';
import type { BankTransferInput } from '../contract/messages';
import { serving, type Dependencies } from './dependencies';
import { stillThere } from './resets';

/** What is done next about a transfer that has not ended, and what the provider's last answer was. */
export type PayoutProgress = OpenStep & {
  /** The status with which the transfer has ended; null while it is under way. */
  ended: TransactionStatus | null;
  /** In one word, for whoever reads the workflow; null where the transfer had ended before anybody was asked. */
  answer: SubmitOutcome | QueryOutcome | null;
  facts: ProviderFacts | null;
  /** When the next step is due; null leaves it to a callback or an operator. */
  pollAfterMs: number | null;
  /** True once the transfer is older than anybody should have to wait (D58), or where only people can help. */
  needsAttention: boolean;
};

type OpenStep = Exclude<PayoutStep, { next: 'complete' | 'fail' }>;
type EndingStep = Exclude<PayoutStep, OpenStep>;

/** An account that the name enquiry does not find is refused before anything is sent (D59). */
const NO_SUCH_ACCOUNT: Submitted = {
  ...NOTHING_TOLD,
  outcome: 'refused',
  cause: 'beneficiary',
  code: INVALID_ACCOUNT,
  reason: meaningOfNipCode(INVALID_ACCOUNT),
};

export function bankTransferActivities({ environment, config, logger }: Dependencies) {
  const requery = requerySchedule(config);

  /**
   * Follows an answer of the provider. If it ends the transfer, the transfer is settled here, by the step that has
   * asked: no step takes an answer from a workflow. If that cannot be done now, the step is tried again and asks again.
   * Otherwise it is the next step with all that the workflow shows of it: by our schedule, unless the provider named
   * a time of its own.
   * @param asked how many answers there were before this one.
   */
  async function follow(
    step: PayoutStep,
    answer: Facts & { outcome: SubmitOutcome | QueryOutcome },
    loaded: LoadedTransfer,
    asked: number,
  ): Promise<PayoutProgress> {
    const facts = factsOf(environment, answer);
    if (step.next === 'complete' || step.next === 'fail') {
      const ended = await end(step, loaded, { reason: answer.reason, facts });
      return { ...HAS_ENDED, ended, answer: answer.outcome, facts };
    }
    const ageMs = Date.now() - loaded.transfer.createdAt.getTime();
    return {
      ...step,
      ended: null,
      answer: answer.outcome,
      facts,
      pollAfterMs: answer.pollAfterMs ?? waitBeforeAsking(requery, asked, ageMs),
      needsAttention: ageMs > config.TRANSFER_ALERT_AFTER_MS,
    };
  }

  /**
   * Ends the transfer in one commit: completed, or failed with exactly one reversal of amount and fee, and the event.
   * Whoever locks the row first decides; a second run finds the end and changes nothing.
   * @returns the status that really holds.
   */
  async function end(
    { next }: EndingStep,
    { cell, transfer }: LoadedTransfer,
    { reason, facts }: { reason: string | null; facts: ProviderFacts },
  ): Promise<TransactionStatus> {
    const settled = await postSettlement(cell, transfer, announceEnd, {
      trigger: next === 'complete' ? 'provider_success' : 'provider_failure',
      failedReason: next === 'complete' ? null : (reason ?? NOT_ACCEPTED),
      facts,
      handOrder: null,
    });
    if (!settled.ok) throw new Error(`the transfer could not be settled now: ${nameOf(settled)}`);
    return settled.value;
  }

  /** Keeps the provider's own id of the transfer, once: the first one told stays. @returns the transfer with it. */
  async function keepAcceptance(
    loaded: LoadedTransfer,
    answer: Facts,
    resolvedName: string | null,
  ): Promise<LoadedTransfer> {
    const { transfer, cell, order } = loaded;
    const { providerRef } = answer;
    if (providerRef === null || transfer.pspReference !== null) return loaded;
    const facts = factsOf(environment, answer);
    await recordAcceptance(cell, transfer.id, { pspReference: providerRef, facts, resolvedName });
    return { cell, transfer: { ...transfer, pspReference: providerRef }, order: { ...order, providerRef } };
  }

  async function ask(
    loaded: LoadedTransfer,
    standing: AskingStanding,
    asked: number,
    resolvedName: string | null = null,
  ): Promise<PayoutProgress> {
    const answer = await serving(environment, 'payouts').payouts.query(loaded.order);
    await keepAcceptance(loaded, answer, resolvedName);
    return follow(afterQuery(standing, answer.outcome), answer, loaded, asked);
  }

  /** Whatever keeps the enquiry from an answer does not stop the transfer: only "not found" does (D59). */
  async function enquire({ bankCode, accountNumber, reference }: PayoutOrder): Promise<NameAnswer> {
    const { names } = environment.providers;
    if (!names) return 'unknown';
    try {
      return await names.names.enquire(bankCode, accountNumber, reference);
    } catch (error) {
      logger.warn({ err: error, reference }, 'The bank did not answer the name enquiry of a transfer');
      return 'unknown';
    }
  }

  /** Sends the order. A call that broke off may have arrived. */
  async function send(order: PayoutOrder): Promise<Submitted> {
    try {
      return await serving(environment, 'payouts').payouts.submit(order);
    } catch (error) {
      logger.warn(
        { err: error, reference: order.reference },
        'The provider did not answer the order of a payout',
      );
      return { ...NOTHING_TOLD, outcome: 'unknown', reason: 'The order was not answered' };
    }
  }

  return {
    /**
     * Name enquiry, then the order, then a first question where its answer may be known already. An order that was
     * sent before is not sent again but asked about: a note says so, which is committed before anything is sent and
     * taken back when the provider has proved that it has no order. So a second run of this step is harmless.
     * Retention deletes old notes. An order for a transfer of that age may have been sent, so it is asked about too.
     * @param again the provider has said that it knows no order under our reference: it is sent once more.
     * @param asked how many answers there were before.
     */
    async submitTransfer(input: BankTransferInput, again: boolean, asked: number): Promise<PayoutProgress> {
      const loaded = await loadTransfer(environment, input);
      const { transfer, cell, order } = loaded;
      // Ended already, by an operation or in an earlier run: nothing more may be sent.
      if (transfer.status !== 'processing') return asEnded(transfer);
      if (transfer.pspReference !== null) return ask(loaded, 'accepted', asked);
      const isFirst = await noteSubmission(cell, environment.directory, transfer);
      const isNoteForgotten = Date.now() - transfer.createdAt.getTime() >= config.RETENTION_MS;
      if ((!isFirst || isNoteForgotten) && !again) return ask(loaded, 'unsure', asked);

      const standing = again ? 'unsure' : 'unsent';
      const name = await enquire(order);
      const answer = name === 'not_found' ? NO_SUCH_ACCOUNT : await send(order);
      const step = afterSubmit(standing, answer);
      const hasNoOrder = step.next === 'fail' || (step.next === 'submit' && step.standing === 'unsent');
      if (hasNoOrder) await withdrawSubmission(cell, environment.directory, transfer);
      const resolvedName = typeof name === 'object' ? name.found : null;
      const sent = await keepAcceptance(loaded, answer, resolvedName);
      const isKnownNow = answer.outcome === 'exists' || answer.pollAfterMs === 0;
      if (step.next === 'query' && step.standing === 'accepted' && isKnownNow) {
        return ask(sent, 'accepted', asked, resolvedName);
      }
      const done = await follow(step, answer, loaded, asked);
      return { ...done, needsAttention: done.needsAttention || needsPeople(answer) };
    },

    /** Asks for the status, and ends the transfer if the answer says how it ended. Asking itself changes nothing. */
    async queryTransfer(
      input: BankTransferInput,
      standing: AskingStanding,
      asked: number,
    ): Promise<PayoutProgress> {
      const loaded = await loadTransfer(environment, input);
      if (loaded.transfer.status !== 'processing') return asEnded(loaded.transfer);
      return ask(loaded, standing, asked);
    },

    /**
     * Carries out a hand order, and nothing else than its row says. A second run finds the transfer ended, and
     * changes nothing.
     * @returns the status that really holds; or FORBIDDEN where no order of this environment allows it.
     */
    async settleByOrder(
      input: BankTransferInput,
      orderId: string,
    ): Promise<{ status: TransactionStatus } | { refusal: Refusal }> {
      const { transfer, cell, order } = await loadTransfer(environment, input);
      if (transfer.status !== 'processing') return { status: transfer.status };
      const ended = await endByOrder(environment, { transfer, cell, order }, orderId);
      return ended.ok ? { status: ended.value } : refused(transfer, ended);
    },
  };

  /** The API writes the order before it sends the message, so such a message is a bug or somebody else's. */
  function refused({ id, partnerId }: Transaction, { refusal }: Refused): { refusal: Refusal } {
    logger.warn(
      { transactionId: id, partnerId, why: refusal.message },
      'A message to end a transfer by hand named no order that allows it',
    );
    return { refusal };
  }
}

/** A transfer with its cell and with what the provider is told of it. */
export interface LoadedTransfer {
  transfer: Transaction;
  cell: OpenCell;
  order: PayoutOrder;
}

export async function loadTransfer(
  environment: Environment,
  input: BankTransferInput,
): Promise<LoadedTransfer> {
  const { cell, partner } = await environment.partner(input.partnerId);
  const row = await findBankTransfer(cell, input.partnerId, input.transactionId);
  const { transfer, senderName } = await stillThere(row, 'the transfer', cell, input);
  return { transfer, cell, order: payoutOrder(transfer, senderName ?? partner.businessName) };
}

export const requerySchedule = (config: Config): RequerySchedule => ({
  waitsMs: config.TRANSFER_REQUERY_MS,
  lateAfterMs: config.TRANSFER_ALERT_AFTER_MS,
  lateEveryMs: config.TRANSFER_LATE_REQUERY_MS,
  untilMs: config.TRANSFER_REQUERY_UNTIL_MS,
});

export const factsOf = (environment: Environment, answer: Facts): ProviderFacts => ({
  provider: serving(environment, 'payouts').name,
  sessionId: answer.sessionId,
  responseCode: answer.code,
});

/** Nothing is left to do. `next` is not followed any more. */
const HAS_ENDED = { next: 'query', standing: 'accepted', pollAfterMs: null, needsAttention: false } as const;

/** What a transfer that has ended says of itself. */
const asEnded = (transfer: Transaction): PayoutProgress => ({
  ...HAS_ENDED,
  ended: transfer.status,
  answer: null,
  facts: transfer.pspMeta,
});
