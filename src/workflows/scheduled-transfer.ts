/**
 * One look at a scheduled transfer, begun by its Schedule: pays what is due, and waits for money that is missing. What is
 * due stands in the rows, so a look that comes too often does nothing (D205).
 */
import { setHandler, sleep } from '@temporalio/workflow';
import type { ScheduleStatus } from '../domain/scheduled-transfers';
import { FIRST_STATE, state, type ScheduledTransferInput } from '../contract/messages';
import { anewWhenLong } from './long-lived';
import { moment, show } from './reading';
import { unlessReset } from './resets';
import { step } from './steps';
import { movesToTheCurrentBuild } from './versioning';

/** Every due time is paid once, by its reference, so the step is repeated until it has happened. */
const runDue = step(
  'runDue',
  {
    startToCloseTimeout: '1m',
    heartbeatTimeout: '5s',
    retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '30s' },
  },
  'Pay what is due',
);

export function scheduledTransfer(input: ScheduledTransferInput): Promise<ScheduleStatus | 'reset'> {
  return unlessReset(() => look(input));
}

async function look(input: ScheduledTransferInput): Promise<ScheduleStatus> {
  let status: ScheduleStatus = FIRST_STATE.scheduledTransfer;
  const about = `scheduled transfer \`${input.scheduledTransferId}\``;
  setHandler(state, () => status, { description: 'The status of the scheduled transfer' });
  show(status, about);

  for (;;) {
    const { lookAgainAt, ...seen } = await runDue(input);
    status = seen.status;
    if (lookAgainAt === null) break;
    await anewWhenLong<typeof scheduledTransfer>(input);
    const at = Date.parse(lookAgainAt);
    show(status, about, `It looks again at ${moment(at)}.`);
    await sleep(Math.max(1, at - Date.now()), { summary: 'until there is something to do' });
  }
  show(status, about);
  return status;
}

movesToTheCurrentBuild(scheduledTransfer);
