/** The steps of `bank-transfer/{id}`: submit, query, settle. */
import { present } from '../domain/assert';
import { nameOf, type Refused } from '../domain/outcome';
import { judgeName } from '../domain/payout-instructions';
import {
  originatorOf,
  payoutOrder,
  payoutReference,
  type Originator,
  type Attempt,
  type PayoutOrder,
  type QueryOutcome,
  type SubmitOutcome,
} from '../domain/payouts';
import type { Refusal } from '../domain/refusals';
import { waitBeforeAsking, type RequerySchedule } from '../domain/requery';
import type { ProviderFacts, Transaction, TransactionStatus } from '../domain/transactions';
import { isReported } from '../db/payments/callbacks';
import {
  changeAttempt,
  closeAttempts,
  factsOf,
  findAttempts,
  waitForName,
  isAskingFirst,
  openAttempt,
} from '../db/payments/transfer-attempts';
import { findBankTransfer } from '../db/ledger/transactions';
import { isDamaged } from '../db/reconcile/repairs';
import type { Config } from '../runtime/config';
import { companiesWithOrders, type Environment, type OpenCell } from '../runtime/environment';
import { NOTHING_TOLD, type Submitted } from '../providers/port';
import { askCompany, askedCompany, keepAnswer, payingCompany } from '../operations/money/ask-company';
import { routePayout } from '../operations/money/route-payout';
import { askForName } from '../operations/money/ask-names';
import { announceEnd, endByOrder, NOT_ACCEPTED, postSettlement } from '../operations/money/end-transfer';
import { nameMismatched } from '../wire/webhooks';
import type { BankTransferInput } from '../contract/messages';
import { advancePayout, type Advanced } from './advance-payout';
import type { Dependencies } from './dependencies';
import { stillThere } from './resets';

/** How far a transfer has come, and what the provider's last answer was. */
export interface PayoutProgress {
  /** The status with which the transfer has ended; null while it is under way. */
  ended: TransactionStatus | null;
  /** What is due next. The rows of the attempts decide what is really done. */
  next: Advanced['next'];
  /** In one word, for whoever reads the workflow; null where nobody was asked. */
  answer: SubmitOutcome | QueryOutcome | null;
  facts: ProviderFacts | null;
  /** Under which the company knows the order that this is about; null where none was begun. */
  reference: string | null;
  /** When the next step is due; null leaves it to a callback or an operator. */
  pollAfterMs: number | null;
  /** True once the transfer is older than anybody should have to wait (D58), or where only people can help. */
  needsAttention: boolean;
}

export function bankTransferActivities({ environment, config, logger }: Dependencies) {
  const requery = requerySchedule(config);

  /**
   * Ends the transfer in one commit: completed, or failed with exactly one reversal of amount and fee, and the event.
   * Whoever locks the row first decides; a second run finds the end and changes nothing.
   * @returns the status that really holds.
   */
  async function end(
    { cell, transfer }: LoadedTransfer,
    attempt: Attempt,
    to: 'complete' | 'fail',
    reason: string | null,
  ): Promise<TransactionStatus> {
    const settled = await postSettlement(cell, transfer, announceEnd, {
      trigger: to === 'complete' ? 'provider_success' : 'provider_failure',
      failedReason: to === 'complete' ? null : (reason ?? NOT_ACCEPTED),
      facts: factsOf(attempt),
      handOrder: null,
    });
    if (!settled.ok) throw new Error(`the transfer could not be settled now: ${nameOf(settled)}`);
    return settled.value;
  }

  /** Sends the order. A call that broke off may have arrived. */
  async function send(cell: OpenCell, order: PayoutOrder, provider: string): Promise<Submitted> {
    try {
      const answer = await payingCompany(environment, provider).payouts.submit(order);
      return await keepAnswer({ cell, logger, order, provider }, answer);
    } catch (error) {
      logger.warn(
        { err: error, reference: order.reference, provider },
        'The provider did not answer the order of a payout',
      );
      return { ...NOTHING_TOLD, outcome: 'unknown', reason: 'The order was not answered' };
    }
  }

  /** The companies that can pay a transfer now. Whoever is passed over is in the log, with the reason. */
  async function usableFor({ transfer }: LoadedTransfer): Promise<string[]> {
    const { bankCode } = present(transfer.destAccount, 'the destination of a bank transfer');
    const asked = { bankCode, amountKobo: transfer.amountKobo };
    const companies = await routePayout(environment, asked, config.PAYOUT_RESERVE_KOBO);
    const usable = companies.filter(({ passedOver }) => passedOver === null);
    if (usable.length === 0) {
      logger.warn({ transactionId: transfer.id, companies }, 'No company can pay a transfer now');
    }
    return usable.map(({ name }) => name);
  }

  /**
   * The wait of a transfer that no company can take now: while many wait, they look again one after the other.
   * @param withinMs null where the transfer does not wait for a company.
   */
  async function inTurn(waitMs: number | null, withinMs: number | null): Promise<number | null> {
    if (waitMs === null || withinMs === null) return waitMs;
    const [preferred] = environment.providers.payouts;
    return Math.max(waitMs, (await preferred?.payouts.turnMs?.()) ?? 0);
  }

  /**
   * Does the next step of a transfer (`advancePayout`). If an answer ends the transfer, it is settled here, by the step
   * that has asked: no step takes an answer from a workflow. If that cannot be done now, the step is tried again, and
   * finds the answer in the attempt.
   * @param asked how many answers there were before; it only decides how long the next wait is.
   */
  async function advance(input: BankTransferInput, asked: number): Promise<PayoutProgress> {
    const loaded = await loadTransfer(environment, input);
    const { transfer, cell, attempts, isDoubtful, hasForgotten } = loaded;
    const { directory, providers } = environment;
    // Ended already, by an operation or in an earlier run: nothing more may be sent.
    if (transfer.status !== 'processing') return asEnded(transfer);
    const known = companiesWithOrders(providers).map(({ name }) => name);
    if (known.length === 0) throw new Error(`no provider pays out in ${environment.name}`);
    let status: TransactionStatus | null = null;
    const source = present(transfer.sourceWalletId, 'the source of a bank transfer');
    const advanced = await advancePayout({
      isDamaged: () => isDamaged(cell, source),
      configured: providers.payouts.map(({ name }) => name),
      known,
      usable: () => usableFor(loaded),
      attempts,
      isDoubtful,
      hasForgotten,
      createdAt: transfer.createdAt,
      holdMs: config.PAYOUT_HOLD_MS,
      now: () => new Date(),
      open: (attempt) => openAttempt(cell, directory, transfer, attempt),
      change: (attempt, rule, heard) =>
        changeAttempt(cell, transfer, attempt, rule, heard?.facts ?? null, heard?.resolvedName ?? null),
      // Opened only where a name is compared or sent.
      get toldName() {
        return transfer.destAccount?.resolvedName ?? null;
      },
      judgeName: (told) =>
        judgeName(present(transfer.destAccount, 'the destination of a bank transfer'), told),
      waitForName: async (told) => {
        const endpointIds = await waitForName(cell, transfer, told, (waiting) =>
          nameMismatched(waiting, new Date(transfer.createdAt.getTime() + config.PAYOUT_HOLD_MS)),
        );
        environment.relay.afterCommit(cell, { intentions: [], endpointIds });
      },
      enquire: (n) => {
        const order = orderOf(loaded, { n, providerRef: null });
        return askForName(providers.names, order, (error, company) => {
          logger.warn(
            { err: error, reference: order.reference, provider: company },
            'The name enquiry of a transfer was not answered',
          );
        });
      },
      send: (attempt, told) => send(cell, orderOf(loaded, attempt, told), attempt.provider),
      ask: (attempt) => {
        const order = orderOf(loaded, attempt);
        return askCompany(environment, { cell, logger, order, provider: attempt.provider });
      },
      close: (attempt, cause) => closeAttempts(cell, transfer, attempt, cause),
      asksFirst: async ({ provider }) =>
        askedCompany(environment, provider).can.asksFirst && (await isAskingFirst(cell, provider)),
      failsForGood: ({ provider }) => askedCompany(environment, provider).can.failsForGood,
      failOver: config.PAYOUT_FAIL_OVER,
      isFailureReported: ({ n }) => isReported(cell, transfer, n, 'failed'),
      async end(attempt, to, reason) {
        status = await end(loaded, attempt, to, reason);
      },
    });
    const ageMs = Date.now() - transfer.createdAt.getTime();
    const isLate = ageMs > config.TRANSFER_ALERT_AFTER_MS;
    return {
      ended: status,
      next: advanced.next,
      answer: advanced.answer?.outcome ?? null,
      facts: advanced.attempt && factsOf(advanced.attempt),
      reference: advanced.attempt && payoutReference(transfer.id, advanced.attempt.n),
      pollAfterMs: advanced.isOver
        ? null
        : (advanced.pollAfterMs ??
          (await inTurn(
            earlier(waitBeforeAsking(requery, asked, ageMs), advanced.withinMs),
            advanced.withinMs,
          ))),
      needsAttention: !advanced.isOver && (isLate || advanced.needsPeople),
    };
  }

  return {
    /**
     * Sends the order of a transfer, with a first question where its answer may be known already. An order that was
     * sent before is asked about.
     */
    submitTransfer: advance,

    /** Asks what became of the order, and ends the transfer if that is known. */
    queryTransfer: advance,

    /**
     * Carries out a hand order, and nothing else than its row says. A second run finds the transfer ended, and
     * changes nothing.
     * @returns the status that really holds; or FORBIDDEN where no order of this environment allows it.
     */
    async settleByOrder(
      input: BankTransferInput,
      orderId: string,
    ): Promise<{ status: TransactionStatus } | { refusal: Refusal }> {
      const { transfer, cell } = await loadTransfer(environment, input);
      if (transfer.status !== 'processing') return { status: transfer.status };
      const ended = await endByOrder(environment, { transfer, cell }, orderId);
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

/** A transfer with its cell, its attempts, and who pays. */
export interface LoadedTransfer {
  transfer: Transaction;
  cell: OpenCell;
  originator: Originator;
  attempts: readonly Attempt[];
  isDoubtful: boolean;
  hasForgotten: boolean;
}

export async function loadTransfer(
  environment: Environment,
  input: BankTransferInput,
): Promise<LoadedTransfer> {
  const { cell, partner } = await environment.partner(input.partnerId);
  const row = await findBankTransfer(cell, input.partnerId, input.transactionId);
  const { transfer, sender } = await stillThere(row, 'the transfer', cell, input);
  const found = await findAttempts(cell, environment.directory, transfer);
  return { transfer, cell, originator: originatorOf(sender, partner.businessName), ...found };
}

/** What a company is told of an attempt. @param told see `payoutOrder`. */
export const orderOf = (
  { transfer, originator }: LoadedTransfer,
  attempt: Pick<Attempt, 'n' | 'providerRef'>,
  told: string | null = null,
): PayoutOrder => payoutOrder(transfer, originator, attempt, told);

export const requerySchedule = (config: Config): RequerySchedule => ({
  waitsMs: config.TRANSFER_REQUERY_MS,
  lateAfterMs: config.TRANSFER_ALERT_AFTER_MS,
  lateEveryMs: config.TRANSFER_LATE_REQUERY_MS,
  untilMs: config.TRANSFER_REQUERY_UNTIL_MS,
});

/** The shorter one of two waits, of which either may be missing. */
const earlier = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other);

/** What a transfer that has ended says of itself. */
const asEnded = (transfer: Transaction): PayoutProgress => ({
  ended: transfer.status,
  next: 'query',
  answer: null,
  facts: transfer.pspMeta,
  reference: null,
  pollAfterMs: null,
  needsAttention: false,
});
