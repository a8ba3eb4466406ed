/**
 * A bank transfer after its debit: submit it and learn its outcome. The step that learns the outcome settles the
 * transfer, once; this workflow only says when to ask. While the outcome is not known, nothing is completed or
 * reversed, however long it takes, and never because of a timer (D57, D58).
 */
import { allHandlersFinished, CancellationScope, condition, setHandler } from '@temporalio/workflow';
import type { PayoutProgress } from '../activities/bank-transfer';
import { isRowId, NOT_ORDERED } from '../domain/hand-orders';
import { refuse } from '../domain/outcome';
import type { TransactionStatus } from '../domain/transactions';
import { FIRST_STATE, providerOutcome, settle, state, type BankTransferInput } from '../contract/messages';
import { moment, needAttention, show } from './reading';
import { refusing } from './refusing';
import { unlessReset } from './resets';
import { ASK_AGAIN_MS, BANK_CALL, COMMIT, step, unlessKnown, wokenWithin } from './steps';

/** A second try finds the attempt of the first one, and asks the provider. */
const submitTransfer = step('submitTransfer', BANK_CALL, 'Send the order to the provider');
const queryTransfer = step(
  'queryTransfer',
  BANK_CALL,
  'Ask the provider what became of the order, and end the transfer',
);

/**
 * This is not a local activity. Many messages may come at the same moment, and when many local activities start at
 * once, a worker leaves some of them unprocessed.
 */
const settleByOrder = step('settleByOrder', COMMIT, 'End the transfer as a person has ordered');
export function bankTransfer(input: BankTransferInput): Promise<TransactionStatus | 'reset'> {
  return unlessReset(() => transfer(input));
}

async function transfer(input: BankTransferInput): Promise<TransactionStatus> {
  const { transactionId } = input;
  // It is one object, because handlers and the main path share it.
  const now: { status: TransactionStatus; settled: boolean; heard: number; answers: string[] } = {
    status: 'processing',
    settled: false,
    heard: 0,
    answers: [],
  };
  const about = `transfer \`${transactionId}\``;

  const ended = (): boolean => now.settled;

  function settledAs(status: TransactionStatus): TransactionStatus {
    if (now.settled) return now.status;
    now.settled = true;
    now.status = status;
    show(status, about, ...now.answers);
    return status;
  }

  setHandler(state, () => now.status, { description: 'The status of the transfer' });
  setHandler(
    settle,
    (orderId) =>
      CancellationScope.nonCancellable(async () => {
        const settled = await settleByOrder(input, orderId);
        if ('refusal' in settled) throw refusing({ ok: false, ...settled });
        return settledAs(settled.status);
      }),
    {
      description: 'End a transfer as the API has written into its table of orders',
      validator: (orderId) => {
        if (!isRowId(orderId)) throw refusing(NOT_ORDERED);
        if (now.settled) throw refusing(refuse('TRANSACTION_NOT_PROCESSING'));
      },
    },
  );
  setHandler(
    providerOutcome,
    () => {
      now.heard++;
    },
    { description: 'The provider has sent a callback about the transfer: ask the provider now' },
  );
  show(FIRST_STATE.bankTransfer, about, 'The order is being sent to the provider.');

  // An operator's "cancel" must not interrupt money on its way.
  await CancellationScope.nonCancellable(async () => {
    let at: PayoutProgress = BEGINNING;
    let asked = 0;
    for (;;) {
      const { heard } = now;
      at = await takeStep(input, at, asked);
      if (ended()) break;
      if (at.answer !== null) now.answers = [answerIn(at)];
      if (at.ended !== null) {
        settledAs(at.ended);
        break;
      }
      if (at.needsAttention) needAttention(true);
      show('processing', about, ...now.answers, nextIn(at));
      const woken = await wokenWithin(at.pollAfterMs, () => ended() || now.heard > heard);
      if (ended()) break;
      // A callback of the provider does not make the platform ask less often.
      if (!woken) asked++;
    }
  });
  await condition(allHandlersFinished);
  return now.status;
}

/** Does the next step of the transfer. If the step cannot be done, nothing new is known about the transfer. */
function takeStep(input: BankTransferInput, at: PayoutProgress, asked: number): Promise<PayoutProgress> {
  const take = at.next === 'query' ? queryTransfer : submitTransfer;
  return unlessKnown(take(input, asked), { ...NOT_KNOWN, next: at.next });
}

/** The provider's own words are left out, because they may name people. */
function answerIn({ answer, facts, reference }: PayoutProgress): string {
  const code = facts?.responseCode ? `, code \`${facts.responseCode}\`` : '';
  const by = facts ? ` of \`${facts.provider}\`` : '';
  const about = reference ? ` about \`${reference}\`` : '';
  return `The last answer of the provider${by}${about}: \`${answer ?? 'none'}\`${code}, at ${moment(Date.now())}.`;
}

function nextIn({ next, pollAfterMs }: PayoutProgress): string {
  if (pollAfterMs === null)
    return 'It is asked again only after a callback; otherwise an operator ends the transfer.';
  const time = moment(Date.now() + pollAfterMs);
  return next === 'submit' ? `The order is sent again at ${time}.` : `It is asked again at ${time}.`;
}

const NOT_KNOWN = {
  ended: null,
  answer: 'unknown',
  facts: null,
  reference: null,
  pollAfterMs: ASK_AGAIN_MS,
  needsAttention: true,
} as const;

const BEGINNING: PayoutProgress = { ...NOT_KNOWN, next: 'submit' };
