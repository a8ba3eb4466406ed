/**
 * A BVN or NIN is looked up until the identity provider has answered, and its verification is concluded once.
 * While the provider cannot be asked it stays pending; after a day of that it fails as PROVIDER_UNAVAILABLE
 * (D35). A result that arrives at the provider later is a reason to look again, never itself the answer.
 */
import { ActivityFailure, condition, proxyActivities, setHandler } from '@temporalio/workflow';
import type { Activities } from '../activities';
import type { EndStatus } from '../activities/identity';
import type { Verdict } from '../domain/verifications';
import { lookAgain, state, type KycVerificationInput } from '../contract/messages';
import { needAttention, show } from './reading';
import { COMMIT } from './steps';

/** A question to somebody outside, keyed by the verification's id. The waits between questions are ours, so that a signal cuts them short. */
const bureau = proxyActivities<Pick<Activities, 'lookUpIdentity'>>({
  startToCloseTimeout: '15s',
  retry: { maximumAttempts: 1 },
});

const ledger = proxyActivities<Pick<Activities, 'concludeVerification'>>(COMMIT);

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 300_000;

const GIVEN_UP: Verdict = { status: 'failed', reason: 'PROVIDER_UNAVAILABLE' };

export async function kycVerification(input: KycVerificationInput): Promise<EndStatus> {
  const now: { status: EndStatus; asked: boolean } = { status: 'pending', asked: false };
  setHandler(state, () => now.status);
  setHandler(lookAgain, () => {
    now.asked = true;
  });
  show('pending', `**pending** · verification \`${input.verificationId}\``);

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
    if (answer?.outcome === 'known')
      return conclude(await ledger.concludeVerification(input, answer.verdict));
    const leftMs = deadline - Date.now();
    if (leftMs <= 0) break;
    const waitMs = answer ? answer.pollAfterMs : backOffMs;
    if (!answer) backOffMs = Math.min(backOffMs * 2, LONGEST_WAIT_MS);
    await condition(() => now.asked, Math.min(waitMs, leftMs), {
      summary: answer ? 'the identity provider is at work' : 'the identity provider cannot be asked',
    });
  }
  const status = await ledger.concludeVerification(input, GIVEN_UP);
  if (isAway) needAttention(false);
  return conclude(status);

  function conclude(status: EndStatus): EndStatus {
    now.status = status;
    show(status, `**${status}** · verification \`${input.verificationId}\``);
    return status;
  }
}

/** What the provider said, or null when it could not be asked. */
async function lookUp(input: KycVerificationInput) {
  try {
    return await bureau.lookUpIdentity(input);
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    return null;
  }
}
