/**
 * Gives a payment that no wallet took back to its payer: two operators have ordered it, the company is told once, and asked
 * until it says what became of the refund. Its row decides what is really done.
 */
import { CancellationScope, setHandler } from '@temporalio/workflow';
import type { RefundProgress } from '../activities/inbound-refunds';
import { FIRST_STATE, providerOutcome, state, type InboundRefundInput } from '../contract/messages';
import { moment, needAttention, show } from './reading';
import { ASK_AGAIN_MS, BANK_CALL, step, unlessKnown, wokenWithin } from './steps';

/** A second try finds in the row whether the order may have been sent, and then only asks. */
const advanceRefund = step('advanceRefund', BANK_CALL, 'Order the refund once, or ask what became of it');

export async function inboundRefund(input: InboundRefundInput): Promise<string> {
  const now: { heard: number; doing: string } = { heard: 0, doing: FIRST_STATE.inboundRefund };
  setHandler(
    providerOutcome,
    () => {
      now.heard++;
    },
    { description: 'There is news of the refund: ask the company now' },
  );
  setHandler(state, () => now.doing, { description: 'What became of the refund' });
  const about = `the refund of credit \`${input.creditId}\``;
  show(FIRST_STATE.inboundRefund, about, 'The company is told to give the payment back.');

  const begunAt = Date.now();
  let flagged = false;
  // An operator's "cancel" must not interrupt money on its way.
  return CancellationScope.nonCancellable(async () => {
    for (let asked = 0; ; asked++) {
      const { heard } = now;
      const progress = await unlessKnown(advanceRefund(input, asked, Date.now() - begunAt), NOT_KNOWN);
      if (progress.needsPeople !== flagged) {
        flagged = progress.needsPeople;
        needAttention(flagged);
      }
      if (progress.ended !== null) {
        now.doing = progress.ended;
        show(progress.ended, about);
        return progress.ended;
      }
      now.doing = progress.answer ?? now.doing;
      const next =
        progress.pollAfterMs === null ? 'later' : `at ${moment(Date.now() + progress.pollAfterMs)}`;
      const said = progress.answer ?? 'nothing';
      show(FIRST_STATE.inboundRefund, about, `The last answer: \`${said}\`. It is asked again ${next}.`);
      await wokenWithin(progress.pollAfterMs, () => now.heard > heard);
    }
  });
}

const NOT_KNOWN: RefundProgress = {
  ended: null,
  answer: null,
  pollAfterMs: ASK_AGAIN_MS,
  needsPeople: false,
};
