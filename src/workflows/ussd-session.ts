/**
 * A USSD payment from its first minute to its end: messages move it, one absolute deadline ends it, and an
 * accepted PIN is settled through the ledger. The database decides which of two events came first. The workflow
 * goes on until the row of the session is final (R18).
 */
import {
  allHandlersFinished,
  CancellationScope,
  condition,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import { isRowId, NOT_ORDERED } from '../domain/hand-orders';
import { refuse } from '../domain/outcome';
import { isFinal, isOpen, notOpen, type UssdMove, type UssdStatus } from '../domain/ussd';
import {
  FIRST_STATE,
  pinAttempt,
  searchAttributes,
  simulatePayment,
  state,
  timeForwarded,
  ussdMessages,
  type UssdSessionInput,
  type UssdState,
} from '../contract/messages';
import { moment, show } from './reading';
import { refusing } from './refusing';
import { isReset, showReset } from './resets';
import { COMMIT, COMMIT_AT_ONCE, localStep, settleAtOnce, step } from './steps';

/** One short commit while the payer waits. A second run finds the session moved. */
const moveUssd = localStep(
  'moveUssd',
  {
    startToCloseTimeout: '3s',
    localRetryThreshold: '5s',
    retry: { initialInterval: '50ms', backoffCoefficient: 2, maximumInterval: '5s' },
  },
  'Move the session as far as it may go',
);

const SETTLING = 'Debit the payer and credit the merchant';
const settleUssd = step('settleUssd', COMMIT, SETTLING);
const settleUssdAtOnce = localStep('settleUssd', COMMIT_AT_ONCE, SETTLING);

/**
 * How long to wait when the window is over, but a PIN that was counted in time is still being checked, or the
 * clocks differ.
 */
const LOOK_AGAIN_MS = 1_000;

export async function ussdSession(input: UssdSessionInput): Promise<UssdStatus | 'reset'> {
  const now: UssdState = { status: FIRST_STATE.ussdSession, failureReason: null };
  const gone = { withReset: false };
  const forwarded = { times: 0, ms: 0 };
  const expiresAt = new Date(input.expiresAt);
  const shielded = new CancellationScope({ cancellable: false });
  let queue: Promise<unknown> = Promise.resolve();

  /**
   * Messages are handled one after the other, so that two PINs never race. An operator's "cancel" interrupts none
   * of them.
   */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = queue.then(() => shielded.run(work));
    queue = done.catch(() => undefined);
    return done;
  }
  function showSession(): void {
    const why = now.failureReason === null ? [] : [`It failed with \`${now.failureReason}\`.`];
    const until = isOpen(now.status) ? [`The payer has until ${moment(expiresAt.getTime())}.`] : [];
    show(now.status, `session \`${input.sessionId}\``, ...why, ...until);
  }
  function see(seen: UssdState): void {
    if (seen.status === now.status) return;
    Object.assign(now, seen);
    showSession();
  }
  /** A payment that is settled at once is never shown as being settled. */
  const settle = (accepted: UssdState): Promise<UssdState> =>
    settleAtOnce(
      () => settleUssdAtOnce(input),
      () => {
        see(accepted);
        return settleUssd(input);
      },
    );
  async function move(asked: UssdMove): Promise<void> {
    try {
      const moved = await moveUssd(input, asked);
      see(moved.status === 'processing' ? await settle(moved) : moved);
    } catch (error) {
      if (!isReset(error)) throw error;
      gone.withReset = true;
    }
  }
  const assertThere = (): void => {
    if (gone.withReset) throw refusing(refuse('NOT_FOUND'));
  };
  const assertOpen = (): void => {
    assertThere();
    if (!isOpen(now.status)) throw refusing(notOpen(now.status));
  };
  /** The session may have ended while a message waited for its turn. */
  const answer = (asked: UssdMove): Promise<UssdState> =>
    inTurn(async () => {
      assertOpen();
      await move(asked);
      assertThere();
      return { ...now };
    });

  setHandler(state, () => now.status, { description: 'The status of the session' });
  for (const kind of ['dial', 'confirm', 'cancel'] as const) {
    setHandler(ussdMessages[kind], () => answer({ kind }), { validator: assertOpen });
  }
  setHandler(pinAttempt, (attemptId) => answer({ kind: 'pin', attemptId }), {
    validator: (_attemptId) => assertOpen(),
  });
  if (input.allowsSimulation) {
    setHandler(simulatePayment, (orderId) => answer({ kind: 'simulate', orderId }), {
      validator: (orderId) => {
        if (!isRowId(orderId)) throw refusing(NOT_ORDERED);
        assertOpen();
      },
    });
  }
  setHandler(
    timeForwarded,
    (ms) => {
      forwarded.times++;
      forwarded.ms += ms;
    },
    { description: 'The sandbox has moved its deadlines earlier: look when the new one is over' },
  );
  upsertSearchAttributes([{ key: searchAttributes.expiresAt, value: expiresAt }]);
  showSession();

  const over = (): boolean => gone.withReset || isFinal(now.status);
  return CancellationScope.nonCancellable(async () => {
    let waitAtLeastMs = 1;
    while (!over()) {
      const { times } = forwarded;
      const waitMs = Math.max(waitAtLeastMs, expiresAt.getTime() - forwarded.ms - Date.now());
      const isToWait = (): boolean => !over() && forwarded.times === times;
      if (await condition(() => !isToWait(), waitMs, { summary: 'the payer’s time' })) continue;
      await inTurn(() => move({ kind: 'expire' }));
      waitAtLeastMs = LOOK_AGAIN_MS;
    }
    await condition(allHandlersFinished);
    if (gone.withReset) return showReset();
    return now.status;
  });
}
