/**
 * A provider has said that a completed transfer came back. The provider is asked, and only its answer takes the
 * money back, once (D30, D57). It runs beside the transfer's own workflow, which has ended.
 */
import { CancellationScope, setHandler } from '@temporalio/workflow';
import type { Activities } from '../activities';
import type { TransactionStatus } from '../domain/transactions';
import { FIRST_STATE, providerOutcome, state, type BankTransferInput } from '../contract/messages';
import { moment, needAttention, show } from './reading';
import { unlessReset } from './resets';
import { ASK_AGAIN_MS, BANK_CALL, step, unlessKnown, wokenWithin } from './steps';

const askAboutReturn = step(
  'askAboutReturn',
  BANK_CALL,
  'Ask the provider whether the transfer came back, and give the money back if it did',
);

export function bankReturn(input: BankTransferInput): Promise<TransactionStatus | 'reset'> {
  return unlessReset(() => ask(input));
}

async function ask(input: BankTransferInput): Promise<TransactionStatus> {
  const now: { heard: number; doing: string } = { heard: 0, doing: 'asking' };
  setHandler(
    providerOutcome,
    () => {
      now.heard++;
    },
    { description: 'The provider has sent a callback about the transfer: ask the provider now' },
  );
  setHandler(state, () => now.doing, { description: 'What the workflow is doing' });
  const about = aboutOf(input);
  show(FIRST_STATE.bankReturn, about, 'The provider is asked whether the transfer came back.');

  // An operator's "cancel" must not interrupt money on its way.
  return CancellationScope.nonCancellable(async () => {
    for (let asked = 0; ; asked++) {
      const heard = now.heard;
      const answer = await unlessKnown(askAboutReturn(input, asked), UNKNOWN);
      if (answer.kind === 'unknown') {
        const { pollAfterMs } = answer;
        const next =
          pollAfterMs === null ? 'when it sends another callback' : `at ${moment(Date.now() + pollAfterMs)}`;
        show(
          'asking',
          about,
          `At ${moment(Date.now())} the provider did not know.`,
          `It is asked again ${next}.`,
        );
        await wokenWithin(answer.pollAfterMs, () => now.heard > heard);
        continue;
      }
      const { status, isContradicted } = answer;
      const why = isContradicted ? [CONTRADICTED] : [];
      if (isContradicted) needAttention(true);
      show(status, about, ...why);
      // Another callback has come meanwhile, so the provider is asked once more.
      if (now.heard === heard) return status;
    }
  });
}

const aboutOf = ({ transactionId }: BankTransferInput): string => `a return of transfer \`${transactionId}\``;

type Answer = Awaited<ReturnType<Activities['askAboutReturn']>>;
const UNKNOWN: Answer = { kind: 'unknown', pollAfterMs: ASK_AGAIN_MS };

const CONTRADICTED = 'The provider’s answer contradicts its callback: people are to look at it.';
