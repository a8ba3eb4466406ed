/**
 * A provider said that a completed transfer came back: it is asked, and only what it answers to that takes the
 * money back, once (D30, D57). It runs beside the transfer's own workflow, which has ended.
 */
import { CancellationScope, proxyActivities, setHandler } from '@temporalio/workflow';
import type { Activities } from '../activities';
import type { TransactionStatus } from '../domain/transactions';
import { providerOutcome, state, type BankTransferInput } from '../contract/messages';
import { needAttention, show } from './reading';
import { unlessReset } from './resets';
import { ASK_AGAIN_MS, BANK_CALL, COMMIT, unlessKnown, wokenWithin } from './steps';

const provider = proxyActivities<Pick<Activities, 'askAboutReturn'>>(BANK_CALL);

const ledger = proxyActivities<Pick<Activities, 'takeBack' | 'showContradiction'>>(COMMIT);

export function bankReturn(input: BankTransferInput): Promise<TransactionStatus | 'reset'> {
  return unlessReset(() => ask(input));
}

async function ask(input: BankTransferInput): Promise<TransactionStatus> {
  const now: { heard: number; doing: string } = { heard: 0, doing: 'asking' };
  setHandler(providerOutcome, () => {
    now.heard++;
  });
  setHandler(state, () => now.doing);
  show('asking', `**asking** · has transfer \`${input.transactionId}\` come back?`);

  // An operator's "cancel" must not interrupt money on its way.
  return CancellationScope.nonCancellable(async () => {
    for (let asked = 0; ; asked++) {
      const heard = now.heard;
      const answer = await unlessKnown(provider.askAboutReturn(input, asked), UNKNOWN);
      if (answer.kind === 'unknown') {
        await wokenWithin(answer.pollAfterMs, () => now.heard > heard);
        continue;
      }
      const status = await follow(input, answer);
      // What was said meanwhile may be news: then the provider is asked once more.
      if (now.heard === heard) return status;
    }
  });
}

type Answer = Awaited<ReturnType<Activities['askAboutReturn']>>;
const UNKNOWN: Answer = { kind: 'unknown', pollAfterMs: ASK_AGAIN_MS };

async function follow(
  input: BankTransferInput,
  answer: Exclude<Answer, { kind: 'unknown' }>,
): Promise<TransactionStatus> {
  if (answer.kind === 'ended') return answer.status;
  const contradicted = answer.kind === 'contradicted';
  const status = contradicted
    ? await ledger.showContradiction(input, answer.outcome)
    : await ledger.takeBack(input, answer);
  if (contradicted) needAttention(true);
  show(
    status,
    `**${status}** · transfer \`${input.transactionId}\`${contradicted ? ' · not confirmed' : ''}`,
  );
  return status;
}
