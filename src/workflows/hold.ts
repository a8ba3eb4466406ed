/**
 * The time of a hold: one durable timer, and then one commit that ends the hold if nothing has ended it before. The
 * database decides whether it was captured or released first. A hold may last a week, so the workflow moves to the
 * current build of the workers.
 */
import { CancellationScope, condition, setHandler, upsertSearchAttributes } from '@temporalio/workflow';
import type { HoldStatus } from '../domain/holds';
import { FIRST_STATE, searchAttributes, state, timeForwarded, type HoldInput } from '../contract/messages';
import { anewWhenLong } from './long-lived';
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
  const forwarded = { times: 0, ms: 0 };
  const about = `hold \`${input.holdId}\``;
  setHandler(state, () => status, { description: 'The status of the hold, as this workflow knows it' });
  setHandler(
    timeForwarded,
    (ms) => {
      forwarded.times++;
      forwarded.ms += ms;
    },
    { description: 'The sandbox has moved its deadlines earlier: look when the new one is over' },
  );
  upsertSearchAttributes([{ key: searchAttributes.expiresAt, value: endsAt }]);
  show(status, about, `It ends at ${moment(endsAt.getTime())}.`);

  // An operator's "cancel" does not take the end of a hold away.
  return CancellationScope.nonCancellable(async () => {
    let waitAtLeastMs = 1;
    while (status === 'open') {
      const { times } = forwarded;
      const waitMs = Math.max(waitAtLeastMs, endsAt.getTime() - forwarded.ms - Date.now());
      const woken = await condition(() => forwarded.times > times, waitMs, {
        summary: 'the time of the hold',
      });
      if (woken) {
        const endsNow = new Date(endsAt.getTime() - forwarded.ms).toISOString();
        await anewWhenLong<typeof hold>({ ...input, expiresAt: endsNow });
        continue;
      }
      status = await expireHold(input);
      waitAtLeastMs = LOOK_AGAIN_MS;
    }
    show(status, about);
    return status;
  });
}

movesToTheCurrentBuild(hold);
