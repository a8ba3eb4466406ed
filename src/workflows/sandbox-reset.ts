/**
 * Everything of a partner's sandbox is deleted (D97): the fence goes up, what is under way is ended, the rows
 * go, the fence comes down. Every step can happen twice, so a reset that was interrupted is repeated whole.
 */
import { CancellationScope, type ActivityOptions } from '@temporalio/workflow';
import type { SandboxResetInput } from '../contract/messages';
import { show } from './reading';
import { step } from './steps';

/** One idempotent commit each, or one idempotent pass: repeated until it has happened. */
const UNTIL_DONE: ActivityOptions = {
  startToCloseTimeout: '10m',
  heartbeatTimeout: '30s',
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '10s' },
};

const beginReset = step('beginReset', UNTIL_DONE, 'Put up the fence and begin a new epoch');
const endWorkflowsOfPartner = step('endWorkflowsOfPartner', UNTIL_DONE, 'End what is under way');
const erasePartner = step('erasePartner', UNTIL_DONE, 'Delete the rows');
const finishReset = step('finishReset', UNTIL_DONE, 'Take the fence down');

/** @returns when the sandbox was empty, as ISO text by Postgres' clock. */
export async function sandboxReset(input: SandboxResetInput): Promise<string> {
  // Half a reset would leave the partner behind its fence.
  return CancellationScope.nonCancellable(async () => {
    show('erasing', `the sandbox of partner \`${input.partnerId}\``);
    await beginReset(input);
    await endWorkflowsOfPartner(input);
    await erasePartner(input);
    const resetAt = await finishReset(input);
    show('erased', `the sandbox of partner \`${input.partnerId}\``, `It was empty at ${resetAt}.`);
    return resetAt;
  });
}
