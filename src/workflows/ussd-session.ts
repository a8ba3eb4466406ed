/**
 * A USSD payment from its first minute to its end: messages move it, one absolute deadline ends it, and an
 * accepted PIN is settled through the ledger. The database decides what came first; the workflow goes on
 * until the session's row is final (R18).
 */
import {
  allHandlersFinished,
  CancellationScope,
  condition,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import { refuse } from '../domain/outcome';
import { isFinal, isOpen, notOpen, type UssdMove, type UssdStatus } from '../domain/ussd';
import {
  pinAttempt,
  searchAttributes,
  state,
  ussdMessages,
  type UssdSessionInput,
  type UssdState,
} from '../contract/messages';
import { moment, show } from './reading';
import { refusing } from './refusing';
import { isReset, showReset } from './resets';
import { COMMIT, COMMIT_AT_ONCE, localStep, settleAtOnce, step } from './steps';

/** One short commit while the payer waits; done twice it finds the session moved. */
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

/** The window is over, but a PIN that was counted in it is being verified, or the clocks differ by a little. */
const LOOK_AGAIN_MS = 1_000;

export async function ussdSession(input: UssdSessionInput): Promise<UssdStatus | 'reset'> {
  const now: UssdState = { status: 'initiated', failureReason: null };
  const gone = { withReset: false };
  const expiresAt = new Date(input.expiresAt);
  const shielded = new CancellationScope({ cancellable: false });
  let queue: Promise<unknown> = Promise.resolve();

  /** One after the other, so that two PINs never race; an operator's "cancel" interrupts none. */
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
  /** What is settled at once was never seen on its way. */
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
  /** A message that waited for its turn may find that the session has ended meanwhile. */
  const answer = (asked: UssdMove): Promise<UssdState> =>
    inTurn(async () => {
      assertOpen();
      await move(asked);
      assertThere();
      return { ...now };
    });

  setHandler(state, () => now.status, { description: 'The status of the session' });
  for (const kind of ['dial', 'confirm', 'cancel', 'pay'] as const) {
    setHandler(ussdMessages[kind], () => answer({ kind }), { validator: assertOpen });
  }
  setHandler(pinAttempt, (attemptId) => answer({ kind: 'pin', attemptId }), {
    validator: (_attemptId) => assertOpen(),
  });
  upsertSearchAttributes([{ key: searchAttributes.expiresAt, value: expiresAt }]);
  showSession();

  const over = (): boolean => gone.withReset || isFinal(now.status);
  return CancellationScope.nonCancellable(async () => {
    let waitMs = Math.max(1, expiresAt.getTime() - Date.now());
    while (!(await condition(over, waitMs, { summary: 'the payer’s time' }))) {
      await inTurn(() => move({ kind: 'expire' }));
      waitMs = LOOK_AGAIN_MS;
    }
    await condition(allHandlersFinished);
    if (gone.withReset) return showReset();
    return now.status;
  });
}
