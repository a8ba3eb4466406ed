/**
 * A payment that a company says to have received for us: it is asked until it says what became of the payment. The step
 * that learns it books it, once. It is begun by the company's notice, and by its list where no notice came.
 */
import { CancellationScope, setHandler } from '@temporalio/workflow';
import type { PaymentProgress } from '../activities/inbound';
import { FIRST_STATE, providerOutcome, state, type InboundPaymentInput } from '../contract/messages';
import { moment, needAttention, show } from './reading';
import { ASK_AGAIN_MS, BANK_CALL, step, unlessKnown, wokenWithin } from './steps';

/** A second try finds the payment booked. */
const bookPayment = step('bookPayment', BANK_CALL, 'Ask the company about the payment, and book it');

export async function inboundPayment(input: InboundPaymentInput): Promise<string> {
  const now: { heard: number; doing: string } = { heard: 0, doing: FIRST_STATE.inboundPayment };
  setHandler(
    providerOutcome,
    () => {
      now.heard++;
    },
    { description: 'The company has sent a notice of the payment: ask it now' },
  );
  setHandler(state, () => now.doing, { description: 'What became of the payment' });
  const about = `payment \`${input.reference}\` at \`${input.provider}\``;
  show(FIRST_STATE.inboundPayment, about, 'The company is asked about the payment.');

  const begunAt = Date.now();
  // An operator's "cancel" must not interrupt money on its way.
  return CancellationScope.nonCancellable(async () => {
    for (let asked = 0; ; asked++) {
      const { heard } = now;
      const progress = await unlessKnown(bookPayment(input, asked, Date.now() - begunAt), NOT_KNOWN);
      if (progress.kind === 'ended') {
        now.doing = progress.as;
        if (progress.as === 'unallocated' || progress.as === 'unconfirmed') needAttention(true);
        show(progress.as, about);
        return progress.as;
      }
      const next = moment(Date.now() + progress.pollAfterMs);
      show(
        FIRST_STATE.inboundPayment,
        about,
        `The last answer: \`${progress.answer}\`. It is asked again at ${next}.`,
      );
      await wokenWithin(progress.pollAfterMs, () => now.heard > heard);
    }
  });
}

const NOT_KNOWN: PaymentProgress = { kind: 'open', answer: 'unknown', pollAfterMs: ASK_AGAIN_MS };
