/**
 * Sends the due deliveries of one endpoint, so that a dead endpoint delays nobody else. When nothing is due
 * it sleeps until the next retry or a wake-up, and ends after a quiet minute: the next event starts it again.
 */
import { condition, continueAsNew, proxyActivities, setHandler, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../activities';
import { state, wake, type WebhookDispatcherInput } from '../contract/messages';
import { show } from './reading';

/** Claims run out by themselves, and a delivery may be repeated with its id: at least once is promised (D110). */
const hooks = proxyActivities<Pick<Activities, 'deliverDue'>>({
  startToCloseTimeout: '2m',
  heartbeatTimeout: '30s',
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '30s' },
});

const IDLE_MS = 60_000;
const LONGEST_SLEEP_MS = 3_600_000;

export async function webhookDispatcher(input: WebhookDispatcherInput): Promise<void> {
  const now = { wakes: 0, doing: 'delivering' };
  setHandler(wake, () => {
    now.wakes++;
  });
  setHandler(state, () => now.doing);
  show('delivering', `endpoint \`${input.endpointId}\``);

  for (;;) {
    const seen = now.wakes;
    now.doing = 'delivering';
    const { nextDueMs } = await hooks.deliverDue(input);
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof webhookDispatcher>(input);
    if (nextDueMs === 0 || now.wakes > seen) continue;
    now.doing = nextDueMs === null ? 'idle' : 'waiting for a retry';
    const woken = await condition(() => now.wakes > seen, Math.min(nextDueMs ?? IDLE_MS, LONGEST_SLEEP_MS), {
      summary: now.doing,
    });
    if (!woken && nextDueMs === null) return;
  }
}
