/**
 * Sends the due deliveries of one endpoint, so that an endpoint that does not answer delays no other. Its step stays for
 * what becomes due next. When nothing comes it sleeps until the next retry or a wake-up. After a minute without work it
 * ends, and the next event starts it again.
 */
import { condition, setHandler } from '@temporalio/workflow';
import type { Activities } from '../activities';
import { FIRST_STATE, state, wake, type WebhookDispatcherInput } from '../contract/messages';
import { anewWhenLong } from './long-lived';
import { moment, show } from './reading';
import { step } from './steps';
import { movesToTheCurrentBuild } from './versioning';

/**
 * Claims end by themselves, and a delivery may be repeated with the same id, because at least one delivery is
 * promised (D110).
 */
const deliverDue = step(
  'deliverDue',
  {
    startToCloseTimeout: '2m',
    heartbeatTimeout: '5s',
    retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '30s' },
  },
  'Send what is due',
);

const IDLE_MS = 60_000;
const LONGEST_SLEEP_MS = 3_600_000;

export async function webhookDispatcher(input: WebhookDispatcherInput): Promise<void> {
  const now = { wakes: 0, doing: 'delivering' };
  setHandler(
    wake,
    () => {
      now.wakes++;
    },
    { description: 'Deliveries are due' },
  );
  setHandler(state, () => now.doing, { description: 'What the dispatcher is doing' });
  const about = `endpoint \`${input.endpointId}\``;
  show(FIRST_STATE.webhookDispatcher, about);

  for (;;) {
    const seen = now.wakes;
    now.doing = 'delivering';
    const { nextDueMs, ...sight } = await deliverDue(input);
    show(stateOf(sight), about, ...factsOf(sight, nextDueMs));
    await anewWhenLong<typeof webhookDispatcher>(input);
    if (nextDueMs === 0 || now.wakes > seen) continue;
    now.doing = nextDueMs === null ? 'idle' : 'waiting for a retry';
    const woken = await condition(() => now.wakes > seen, Math.min(nextDueMs ?? IDLE_MS, LONGEST_SLEEP_MS), {
      summary: now.doing,
    });
    if (!woken && nextDueMs === null) return;
  }
}

type Sight = Omit<Awaited<ReturnType<Activities['deliverDue']>>, 'nextDueMs'>;

/** An endpoint stays in the list of failing endpoints until the delivery that failed has arrived. */
function stateOf({ url, lastError }: Sight): 'delivering' | 'retrying' | 'disabled' {
  if (url === null) return 'disabled';
  return lastError === null ? 'delivering' : 'retrying';
}

function factsOf({ url, waiting, lastError }: Sight, nextDueMs: number | null): string[] {
  if (url === null) return ['The endpoint is disabled or deleted. Nothing is sent to it.'];
  const due = nextDueMs === null ? 'none' : moment(Date.now() + nextDueMs);
  return [
    `It is sent to \`${url}\`.`,
    `Deliveries that wait: ${waiting}. The next one is due at: ${due}.`,
    lastError === null ? 'None of them has failed.' : `The last error of those that wait: ${lastError}.`,
  ];
}

movesToTheCurrentBuild(webhookDispatcher);
