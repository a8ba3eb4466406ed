/**
 * Everything of a partner's sandbox is deleted (D97): the fence goes up, what is under way is ended, the rows
 * go, the fence comes down. Every step can happen twice, so a reset that was interrupted is repeated whole.
 */
import { CancellationScope, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities';
import type { SandboxResetInput } from '../contract/messages';
import { show } from './reading';

/** One idempotent commit each, or one idempotent pass: repeated until it has happened. */
const steps = proxyActivities<
  Pick<Activities, 'beginReset' | 'endWorkflowsOfPartner' | 'erasePartner' | 'finishReset'>
>({
  startToCloseTimeout: '10m',
  heartbeatTimeout: '30s',
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '10s' },
});

/** @returns when the sandbox was empty, as ISO text by Postgres' clock. */
export async function sandboxReset(input: SandboxResetInput): Promise<string> {
  // Half a reset would leave the partner behind its fence.
  return CancellationScope.nonCancellable(async () => {
    show('erasing', `**erasing** the sandbox of partner \`${input.partnerId}\``);
    await steps.beginReset(input);
    await steps.endWorkflowsOfPartner(input);
    await steps.erasePartner(input);
    const resetAt = await steps.finishReset(input);
    show('erased', `**erased** at ${resetAt}`);
    return resetAt;
  });
}
