/**
 * A pending wallet gets its account number: the MFB is asked until it has issued one. After a day without
 * one the workflow parks, is listed for operators, and goes on when one says so; the wallet stays pending (D27).
 */
import { ActivityFailure, condition, rootCause, setHandler, sleep } from '@temporalio/workflow';
import { missingWords, type WalletStatus } from '../domain/wallets';
import { FIRST_STATE, lookAgain, retryNow, state, type WalletProvisioningInput } from '../contract/messages';
import { anewWhenLong } from './long-lived';
import { moment, needAttention, show } from './reading';
import { isReset, unlessReset } from './resets';
import { step } from './steps';

/** Where nobody says that the owner was verified, that is looked for each minute, and after ten of them each quarter. */
const SOON = 10;
const IDENTITY_SOON_MS = 60_000;
const IDENTITY_LATER_MS = 900_000;

export function walletProvisioning(input: WalletProvisioningInput): Promise<WalletStatus | 'reset'> {
  return unlessReset(() => provision(input));
}

async function provision(input: WalletProvisioningInput): Promise<WalletStatus> {
  const now: { status: WalletStatus | 'parked'; retry: boolean } = { status: 'pending', retry: false };
  setHandler(state, () => now.status, { description: 'The status of the wallet, or `parked`' });
  setHandler(
    retryNow,
    () => {
      now.retry = true;
      return undefined;
    },
    { description: 'Ask the MFB again for a wallet that is parked' },
  );
  setHandler(
    lookAgain,
    () => {
      now.retry = true;
    },
    { description: 'The owner of the wallet was verified: look whether the account can be opened now' },
  );
  const about = `wallet \`${input.walletId}\``;

  let opened = await openWithin(input, about, now);
  while ('missing' in opened) {
    now.status = 'parked';
    show(
      'parked',
      about,
      `Since ${moment(Date.now())} the wallet waits for an operator: ${opened.missing}.`,
      'The update `retryNow` asks the MFB again.',
    );
    needAttention(true);
    now.retry = false;
    await condition(() => now.retry);
    needAttention(false);
    now.status = 'pending';
    await anewWhenLong<typeof walletProvisioning>(input);
    opened = await openWithin(input, about, now);
  }

  now.status = opened.status;
  show(opened.status, about);
  return opened.status;
}

/**
 * The status of a wallet that has its account, or what is missing: details about the owner, or an answer of the
 * MFB.
 */
async function openWithin(
  input: WalletProvisioningInput,
  about: string,
  now: { retry: boolean },
): Promise<{ status: WalletStatus } | { missing: string }> {
  // The wallet's id is the MFB's key, so however often it is asked, one account is issued.
  const openAccount = step(
    'openAccount',
    {
      startToCloseTimeout: '15s',
      scheduleToCloseTimeout: input.parkAfterMs,
      retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '5m' },
    },
    'Ask the MFB for the account',
  );
  const deadline = Date.now() + input.parkAfterMs;
  const until = `Without an account the wallet waits for an operator from ${moment(deadline)} on.`;
  show(FIRST_STATE.walletProvisioning, about, 'The MFB is asked for the account.', until);
  try {
    for (let asked = 0; Date.now() < deadline; asked++) {
      const answer = await openAccount(input);
      if (answer.outcome === 'opened') return { status: answer.status };
      // To ask again is useless until the partner has given more details about the owner (D27).
      if (answer.outcome === 'needs') {
        const missing = missingWords(answer.details);
        if (!answer.details.every((detail) => detail === 'identity')) return { missing };
        // The owner is often verified only after the wallet was made.
        show('pending', about, `No account can be opened yet: ${missing}.`, until);
        now.retry = false;
        const waitMs = asked < SOON ? IDENTITY_SOON_MS : IDENTITY_LATER_MS;
        await condition(() => now.retry, waitMs, { summary: 'until the owner is verified' });
        continue;
      }
      const next = moment(Date.now() + answer.pollAfterMs);
      show('pending', about, `The MFB is at work. It is asked again at ${next}.`, until);
      await sleep(answer.pollAfterMs, { summary: 'the MFB is at work' });
    }
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isReset(error)) throw error;
    return { missing: `the MFB has issued no account (${rootCause(error) ?? 'no answer'})` };
  }
  return { missing: 'the MFB has issued no account, and was still at work' };
}
