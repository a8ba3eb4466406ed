/**
 * The simulated bank calls back about a transfer, where its sandbox has asked for a scenario in which it does (D206). What it
 * has to say, and when, follows from the transfer's row; this workflow only waits, so that a restart loses nothing. Live has
 * none.
 */
import { ActivityFailure, condition, setHandler } from '@temporalio/workflow';
import { FIRST_STATE, lookAgain, state, type BankTransferInput } from '../contract/messages';
import { moment, show } from './reading';
import { isReset, unlessReset } from './resets';
import { step } from './steps';

/** A company repeats a callback that is not taken, and gives up some day. A repeat has the same id, so it counts once. */
const callBack = step(
  'callBackAsSimulator',
  {
    startToCloseTimeout: '30s',
    scheduleToCloseTimeout: '24h',
    retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '10m' },
  },
  'Call back as the simulated bank, when it is time',
);

type Status = 'waiting' | 'over' | 'given_up';

export function simulatorCallback(input: BankTransferInput): Promise<Status | 'reset'> {
  return unlessReset(() => tell(input));
}

async function tell(input: BankTransferInput): Promise<Status> {
  const now: { status: Status; heard: number } = { status: FIRST_STATE.simulatorCallback, heard: 0 };
  setHandler(state, () => now.status, {
    description: 'Whether the simulated bank has something left to say',
  });
  setHandler(
    lookAgain,
    () => {
      now.heard++;
    },
    { description: 'Look now whether it is time' },
  );
  const about = `the callback of transfer \`${input.transactionId}\``;
  show(now.status, about);

  for (;;) {
    const { heard } = now;
    const waitMs = await callBack(input).catch(givenUp);
    if (typeof waitMs !== 'number') {
      now.status = waitMs ?? 'over';
      show(now.status, about);
      return now.status;
    }
    show(now.status, about, `It looks again at ${moment(Date.now() + waitMs)}.`);
    await condition(() => now.heard > heard, waitMs, { summary: 'until it is time to call back' });
  }
}

function givenUp(error: unknown): 'given_up' {
  if (!(error instanceof ActivityFailure) || isReset(error)) throw error;
  return 'given_up';
}
