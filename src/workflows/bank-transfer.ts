/**
 * A bank transfer after its debit: submit it, learn its outcome, settle it once. Money follows the
 * database's guarded update, never a timer: an outcome that is not known completes and reverses nothing,
 * however long it takes (D57, D58).
 */
import {
  allHandlersFinished,
  CancellationScope,
  condition,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
} from '@temporalio/workflow';
import type { Activities } from '../activities';
import type { PayoutProgress } from '../activities/bank-transfer';
import { refuse } from '../domain/outcome';
import type { TransactionStatus } from '../domain/transactions';
import { providerOutcome, settle, state, type BankTransferInput } from '../contract/messages';
import { needAttention, show } from './reading';
import { refusing } from './refusing';
import { unlessReset } from './resets';
import {
  ASK_AGAIN_MS,
  BANK_CALL,
  BANK_CALL_ONCE,
  COMMIT,
  COMMIT_AT_ONCE,
  settleAtOnce,
  unlessKnown,
  wokenWithin,
} from './steps';

type Provider = Pick<Activities, 'submitTransfer' | 'queryTransfer'>;
/** A second try of sending finds what the first one noted, and asks. */
const provider = proxyActivities<Provider>(BANK_CALL);
/** What is sent again is sent once, and then asked about. */
const providerOnce = proxyActivities<Provider>(BANK_CALL_ONCE);

type Ledger = Pick<Activities, 'settleTransfer'>;
const ledger = proxyActivities<Ledger>(COMMIT);
const ledgerAtOnce = proxyLocalActivities<Ledger>(COMMIT_AT_ONCE);

export function bankTransfer(input: BankTransferInput): Promise<TransactionStatus | 'reset'> {
  return unlessReset(() => transfer(input));
}

async function transfer(input: BankTransferInput): Promise<TransactionStatus> {
  const { transactionId } = input;
  // One object, because handlers and the main path both look at it.
  const now: { status: TransactionStatus; settled: boolean; heard: number } = {
    status: 'processing',
    settled: false,
    heard: 0,
  };

  const ended = (): boolean => now.settled;

  async function settleOnce(settling: Promise<TransactionStatus>): Promise<TransactionStatus> {
    const status = await settling;
    if (now.settled) return now.status;
    now.settled = true;
    now.status = status;
    show(status, `**${status}** · transfer \`${transactionId}\``);
    return status;
  }

  setHandler(state, () => now.status);
  setHandler(
    settle,
    ({ to, reason }) =>
      CancellationScope.nonCancellable(() =>
        // Many may come at the same moment, and a worker leaves some of many local activities unprocessed.
        settleOnce(ledger.settleTransfer(input, to, { by: 'operation', reason, facts: null })),
      ),
    {
      validator: (_request) => {
        if (now.settled) throw refusing(refuse('TRANSACTION_NOT_PROCESSING'));
      },
    },
  );
  setHandler(providerOutcome, () => {
    now.heard++;
  });
  show('processing', `**processing** · transfer \`${transactionId}\` · submitting`);

  // An operator's "cancel" must not interrupt money on its way.
  await CancellationScope.nonCancellable(async () => {
    let at: PayoutProgress = BEGINNING;
    let asked = 0;
    for (;;) {
      const { heard } = now;
      at = await step(input, at, asked);
      if (ended()) break;
      if (at.next === 'complete' || at.next === 'fail') {
        const settlement = [
          input,
          at.next === 'complete' ? 'completed' : 'failed',
          { by: 'provider', reason: at.reason, facts: at.facts },
        ] as const;
        await settleOnce(
          settleAtOnce(
            () => ledgerAtOnce.settleTransfer(...settlement),
            () => ledger.settleTransfer(...settlement),
          ),
        );
        break;
      }
      if (at.needsAttention) needAttention(true);
      const woken = await wokenWithin(at.pollAfterMs, () => ended() || now.heard > heard);
      if (ended()) break;
      // What a provider says by itself does not make us ask less often.
      if (!woken) asked++;
    }
  });
  await condition(allHandlersFinished);
  return now.status;
}

/** Does what is next about the transfer. Where it cannot be done nothing is known that was not known before. */
function step(input: BankTransferInput, at: PayoutProgress, asked: number): Promise<PayoutProgress> {
  const notKnown = { ...at, ...NOT_KNOWN };
  if (at.next === 'query') {
    return unlessKnown(provider.queryTransfer(input, at.standing, asked), notKnown);
  }
  if (at.next !== 'submit') return Promise.resolve(at);
  return at.standing === 'unsent'
    ? unlessKnown(provider.submitTransfer(input, false, asked), notKnown)
    : unlessKnown(providerOnce.submitTransfer(input, true, asked), {
        ...notKnown,
        next: 'query',
        standing: 'unsure',
      });
}

const NOT_KNOWN = {
  answer: 'unknown',
  reason: null,
  facts: null,
  pollAfterMs: ASK_AGAIN_MS,
  needsAttention: true,
} as const;

const BEGINNING: PayoutProgress = { ...NOT_KNOWN, next: 'submit', standing: 'unsent' };
