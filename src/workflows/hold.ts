/**
 * The time of a hold: one durable timer, and then one commit that ends the hold if nothing has ended it before. The
 * database decides whether it was captured or released first. A hold may last a week, so the workflow moves to the
 * current build of the workers.
 */
import { CancellationScope, setHandler, sleep, upsertSearchAttributes } from '@temporalio/workflow';
import type { HoldStatus } from '../domain/holds';
import { FIRST_STATE, searchAttributes, state, type HoldInput } from '../contract/messages';
import { moment, show } from './reading';
import { unlessReset } from './resets';
import { COMMIT, step } from './steps';
import { movesToTheCurrentBuild } from './versioning';

const expireHold = step('expireHold', COMMIT, 'End the hold if it is still open');

/** How long to wait when the clocks of the machines differ, and the database says that there is time left. */
const LOOK_AGAIN_MS = 1_000;

export function hold(input: HoldInput): Promise<HoldStatus | 'reset'> {
  return unlessReset(() => endInTime(input));
}

async function endInTime({ expiresAt, ...input }: HoldInput): Promise<HoldStatus> {
  let status: HoldStatus = FIRST_STATE.hold;
  const endsAt = new Date(expiresAt);
  const about = `hold \`${input.holdId}\``;
  setHandler(state, () => status, { description: 'The status of the hold, as this workflow knows it' });
  upsertSearchAttributes([{ key: searchAttributes.expiresAt, value: endsAt }]);
  show(status, about, `It ends at ${moment(endsAt.getTime())}.`);

  // An operator's "cancel" does not take the end of a hold away.
  return CancellationScope.nonCancellable(async () => {
    let waitMs = Math.max(1, endsAt.getTime() - Date.now());
    while (status === 'open') {
      await sleep(waitMs, { summary: 'the time of the hold' });
      status = await expireHold(input);
      waitMs = LOOK_AGAIN_MS;
    }
    show(status, about);
    return status;
  });
}

movesToTheCurrentBuild(hold);
