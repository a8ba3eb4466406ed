/**
 * A provider said that a completed transfer came back: it is asked, and only what it answers to that takes the
 * money back, once (D30, D57). It runs beside the transfer's own workflow, which has ended.
 */
import {
  ActivityFailure,
  CancellationScope,
  condition,
  proxyActivities,
  setHandler,
} from '@temporalio/workflow';
import type { Activities } from '../activities';
import type { TransactionStatus } from '../domain/transactions';
import { providerOutcome, state, type BankTransferInput } from './messages';
import { needAttention, show } from './reading';
import { isReset, unlessReset } from './resets';

/** The outside call; asking twice changes nothing. */
const provider = proxyActivities<Pick<Activities, 'askAboutReturn'>>({
  startToCloseTimeout: '15s',
  scheduleToCloseTimeout: '10m',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '60s' },
});

/** One idempotent commit each: they are repeated until they have happened. */
const ledger = proxyActivities<Pick<Activities, 'takeBack' | 'showContradiction'>>({
  startToCloseTimeout: '10s',
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '30s' },
});

/** When even the activity that would know the schedule gave up. */
const ASK_AGAIN_MS = 60_000;

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
      const answer = await unlessKnown(provider.askAboutReturn(input, asked));
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

async function wokenWithin(periodMs: number | null, reason: () => boolean): Promise<void> {
  if (periodMs === null) await condition(reason);
  else await condition(reason, periodMs, { summary: 'ask the provider again' });
}

/** A provider that could not be asked has told us nothing. */
async function unlessKnown(asked: Promise<Answer>): Promise<Answer> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isReset(error)) throw error;
    return { kind: 'unknown', pollAfterMs: ASK_AGAIN_MS };
  }
}
