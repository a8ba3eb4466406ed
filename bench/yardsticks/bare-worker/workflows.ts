/** Workflows that do nothing: what the server and the SDK cost by themselves. */
import { condition, defineUpdate, proxyActivities, setHandler } from '@temporalio/workflow';

export interface BareActivities {
  nothing(): Promise<void>;
}

const { nothing } = proxyActivities<BareActivities>({ startToCloseTimeout: '10s' });

/** Runs `count` activities, one after the other. */
export async function bareSteps(count: number): Promise<void> {
  for (let step = 0; step < count; step++) await nothing();
}

/** Answers at once; the last one ends the workflow. */
export const touch = defineUpdate<string, [last: boolean]>('touch');

/** Waits for its updates, a session's time at most. */
export async function bareSession(): Promise<void> {
  let over = false;
  setHandler(touch, (last) => {
    over = last;
    return 'touched';
  });
  await condition(() => over, '3 minutes');
}
