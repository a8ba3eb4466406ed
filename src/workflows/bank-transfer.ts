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
import { refuse } from '../domain/outcome';
import type { TransactionStatus } from '../domain/transactions';
import { providerOutcome, settle, state, type BankTransferInput } from '../contract/messages';
import { needAttention, show } from './reading';
import { refusing } from './refusing';
import { unlessReset } from './resets';
import {
  ASK_AGAIN_MS,
  BANK_CALL,
  COMMIT,
  COMMIT_AT_ONCE,
  settleAtOnce,
  unlessKnown,
  wokenWithin,
} from './steps';

/** A second call asks before it sends. */
const provider = proxyActivities<Pick<Activities, 'submitTransfer' | 'queryTransfer'>>(BANK_CALL);

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
    let heard = now.heard;
    let answer = await unlessKnown(provider.submitTransfer(input), UNKNOWN);
    let asked = 0;
    while (!ended()) {
      if (answer.outcome === 'success' || answer.outcome === 'failed') {
        const settlement = [
          input,
          answer.outcome === 'success' ? 'completed' : 'failed',
          { by: 'provider', reason: answer.reason, facts: answer.facts },
        ] as const;
        await settleOnce(
          settleAtOnce(
            () => ledgerAtOnce.settleTransfer(...settlement),
            () => ledger.settleTransfer(...settlement),
          ),
        );
        break;
      }
      if (answer.needsAttention) needAttention(true);
      const woken = await wokenWithin(answer.pollAfterMs, () => ended() || now.heard > heard);
      heard = now.heard;
      if (!ended()) answer = await unlessKnown(provider.queryTransfer(input, asked), UNKNOWN);
      // What a provider says by itself does not make us ask less often.
      if (!woken) asked++;
    }
  });
  await condition(allHandlersFinished);
  return now.status;
}

const UNKNOWN: Awaited<ReturnType<Activities['queryTransfer']>> = {
  outcome: 'unknown',
  reason: null,
  facts: null,
  pollAfterMs: ASK_AGAIN_MS,
  needsAttention: true,
};
