/**
 * A BVN or NIN is looked up until the identity provider has answered, and its verification is concluded once.
 * While the provider cannot be asked the verification stays pending; after a day of that it fails as
 * PROVIDER_UNAVAILABLE (D35). When the provider signals that it has a result, it is asked again; the signal is
 * never the answer. A provider that only compares names waits until the partner has told the name in the wallet's
 * metadata; operators see that, too.
 */
import { ActivityFailure, condition, setHandler, workflowInfo } from '@temporalio/workflow';
import type { EndStatus } from '../activities/identity';
import {
  FIRST_STATE,
  lookAgain,
  searchAttributes,
  state,
  type KycVerificationInput,
} from '../contract/messages';
import { anewWhenLong } from './long-lived';
import { moment, needAttention, show } from './reading';
import { COMMIT, step } from './steps';

/**
 * A question to the providers, keyed by the verification's id; each has 12 seconds. The workflow itself waits between
 * questions, so that a signal can end the wait.
 */
const lookUpIdentity = step(
  'lookUpIdentity',
  { startToCloseTimeout: '30s', retry: { maximumAttempts: 1 } },
  'Ask the identity provider, and write the verdict',
);

const giveUpVerification = step('giveUpVerification', COMMIT, 'Give the verification up');

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 300_000;

export async function kycVerification(input: KycVerificationInput): Promise<EndStatus> {
  const now: { status: EndStatus; asked: boolean } = { status: 'pending', asked: false };
  setHandler(state, () => now.status, { description: 'The status of the verification' });
  setHandler(
    lookAgain,
    () => {
      now.asked = true;
    },
    { description: 'Ask the identity provider now, without waiting' },
  );
  const about = `verification \`${input.verificationId}\``;
  show(FIRST_STATE.kycVerification, about, 'The identity provider is asked for the first time.');

  const deadline = Date.now() + input.giveUpAfterMs;
  let backOffMs = input.backOffMs ?? FIRST_WAIT_MS;
  // An earlier run may have raised the flag.
  let isStuck = workflowInfo().typedSearchAttributes.get(searchAttributes.needsAttention) === true;
  for (;;) {
    now.asked = false;
    const answer = await lookUp(input);
    const trouble = troubleOf(answer);
    if (isStuck !== (trouble !== null)) {
      isStuck = trouble !== null;
      needAttention(isStuck);
    }
    if (answer?.outcome === 'ended') return conclude(answer.status);
    const leftMs = deadline - Date.now();
    if (leftMs <= 0) {
      const status = await giveUpVerification(input);
      if (status !== 'pending') {
        if (isStuck) needAttention(false);
        return conclude(status);
      }
    }
    const waitMs = answer?.outcome === 'pending' ? answer.pollAfterMs : backOffMs;
    if (trouble !== null) backOffMs = Math.min(backOffMs * 2, LONGEST_WAIT_MS);
    const nextMs = leftMs > 0 ? Math.min(waitMs, leftMs) : waitMs;
    show(
      'pending',
      about,
      `At ${moment(Date.now())} ${trouble ?? 'the identity provider was still at work'}.`,
      `It is asked again at ${moment(Date.now() + nextMs)}, or when the signal \`lookAgain\` comes.`,
      `Without an answer the verification fails as \`PROVIDER_UNAVAILABLE\` at ${moment(deadline)}.`,
    );
    await condition(() => now.asked, nextMs, {
      summary: trouble ?? 'the identity provider is at work',
    });
    const giveUpAfterMs = deadline - Date.now();
    await anewWhenLong<typeof kycVerification>({ ...input, giveUpAfterMs, backOffMs });
  }
  function conclude(status: EndStatus): EndStatus {
    now.status = status;
    show(status, about);
    return status;
  }
}

/** Why people must look at the verification; null where they need not. */
function troubleOf(answer: Awaited<ReturnType<typeof lookUp>>): string | null {
  if (answer === null) return 'the identity provider could not be asked';
  return answer.outcome === 'needs_name' ? 'the name of the person was missing' : null;
}

/** What the provider answered, or null if it could not be asked. */
async function lookUp(input: KycVerificationInput) {
  try {
    return await lookUpIdentity(input);
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    return null;
  }
}
