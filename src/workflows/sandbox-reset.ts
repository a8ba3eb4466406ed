/**
 * Everything of a partner's sandbox is deleted (D97): the fence is raised, the workflows under way are ended, the
 * rows are deleted, and the fence is taken down. Every step can happen twice, so a reset that was interrupted is
 * repeated from its beginning.
 */
import { CancellationScope, type ActivityOptions } from '@temporalio/workflow';
import type { SandboxResetInput } from '../contract/messages';
import { show } from './reading';
import { refusing } from './refusing';
import { step } from './steps';

/** Each is one idempotent commit or one idempotent pass, and is repeated until it has happened. */
const UNTIL_DONE: ActivityOptions = {
  startToCloseTimeout: '10m',
  heartbeatTimeout: '30s',
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '10s' },
};

const beginReset = step('beginReset', UNTIL_DONE, 'Put up the fence and begin a new epoch');
const endWorkflowsOfPartner = step('endWorkflowsOfPartner', UNTIL_DONE, 'End what is under way');
const erasePartner = step('erasePartner', UNTIL_DONE, 'Delete the rows');
const finishReset = step('finishReset', UNTIL_DONE, 'Take the fence down');

/**
 * @returns when the sandbox was empty, as ISO text by Postgres' clock.
 * @throws a failure FORBIDDEN when no order of the API allows the reset.
 */
export async function sandboxReset(input: SandboxResetInput): Promise<string> {
  // If a reset stopped in the middle, the partner's fence would stay up.
  return CancellationScope.nonCancellable(async () => {
    show('erasing', `the sandbox of partner \`${input.partnerId}\``);
    const refused = await beginReset(input);
    if (refused) throw refusing(refused);
    await endWorkflowsOfPartner(input);
    await erasePartner(input);
    const resetAt = await finishReset(input);
    show('erased', `the sandbox of partner \`${input.partnerId}\``, `It was empty at ${resetAt}.`);
    return resetAt;
  });
}
