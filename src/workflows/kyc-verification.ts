/**
 * A BVN or NIN is looked up until the identity provider has answered, and its verification is concluded once.
 * While the provider cannot be asked the verification stays pending; after a day of that it fails as
 * PROVIDER_UNAVAILABLE (D35). When the provider signals that it has a result, it is asked again; the signal is
 * never the answer.
 */
import { ActivityFailure, condition, setHandler } from '@temporalio/workflow';
import type { EndStatus } from '../activities/identity';
import { lookAgain, state, type KycVerificationInput } from '../contract/messages';
import { moment, needAttention, show } from './reading';
import { COMMIT, step } from './steps';

/**
 * A question to the provider, keyed by the verification's id. The workflow itself waits between questions, so that
 * a signal can end the wait.
 */
const lookUpIdentity = step(
  'lookUpIdentity',
  { startToCloseTimeout: '15s', retry: { maximumAttempts: 1 } },
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
  show('pending', about, 'The identity provider is asked for the first time.');

  const deadline = Date.now() + input.giveUpAfterMs;
  let backOffMs = FIRST_WAIT_MS;
  let isAway = false;
  for (;;) {
    now.asked = false;
    const answer = await lookUp(input);
    if (isAway !== (answer === null)) {
      isAway = answer === null;
      needAttention(isAway);
    }
    if (answer?.outcome === 'ended') return conclude(answer.status);
    const leftMs = deadline - Date.now();
    if (leftMs <= 0) {
      const status = await giveUpVerification(input);
      if (status !== 'pending') {
        if (isAway) needAttention(false);
        return conclude(status);
      }
    }
    const waitMs = answer ? answer.pollAfterMs : backOffMs;
    if (!answer) backOffMs = Math.min(backOffMs * 2, LONGEST_WAIT_MS);
    const nextMs = leftMs > 0 ? Math.min(waitMs, leftMs) : waitMs;
    show(
      'pending',
      about,
      `At ${moment(Date.now())} the identity provider ${answer ? 'was still at work' : 'could not be asked'}.`,
      `It is asked again at ${moment(Date.now() + nextMs)}, or when the signal \`lookAgain\` comes.`,
      `Without an answer the verification fails as \`PROVIDER_UNAVAILABLE\` at ${moment(deadline)}.`,
    );
    await condition(() => now.asked, nextMs, {
      summary: answer ? 'the identity provider is at work' : 'the identity provider cannot be asked',
    });
  }
  function conclude(status: EndStatus): EndStatus {
    now.status = status;
    show(status, about);
    return status;
  }
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
