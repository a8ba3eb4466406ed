/**
 * A pending wallet gets its account number: the MFB is asked until it has issued one. After a day without one, or at once where
 * details about the owner are missing, the workflow parks, tells the partner why, and is listed for operators. It goes on when
 * the partner has told more of the owner, when the owner was verified, or when an operator says so; and it ends when the wallet
 * is closed. Meanwhile the wallet stays pending (D27).
 */
import { ActivityFailure, condition, rootCause, setHandler, sleep } from '@temporalio/workflow';
import { missingWords, type NeededDetail } from '../domain/owner-details';
import type { WalletStatus } from '../domain/wallets';
import { FIRST_STATE, lookAgain, retryNow, state, type WalletProvisioningInput } from '../contract/messages';
import { anewWhenLong } from './long-lived';
import { moment, needAttention, show } from './reading';
import { isReset, unlessReset } from './resets';
import { COMMIT, step } from './steps';

/** Where nobody says that the owner was verified, that is looked for each minute, and after ten of them each quarter. */
const SOON = 10;
const IDENTITY_SOON_MS = 60_000;
const IDENTITY_LATER_MS = 900_000;

const parkWallet = step('parkWallet', COMMIT, 'Tell the partner that the wallet is parked');

/** What the workflow learned: the wallet has ended its waiting, or why it cannot. */
type Opened = { status: WalletStatus } | { missing: NeededDetail[]; why: string };

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
    {
      description:
        'There is news of the owner, or the wallet was closed: look whether the account can be opened',
    },
  );
  const about = `wallet \`${input.walletId}\``;

  let opened = await openWithin(input, about, now);
  while ('missing' in opened) {
    now.status = 'parked';
    show(
      'parked',
      about,
      `Since ${moment(Date.now())} the wallet waits for ${opened.missing.length > 0 ? 'its partner' : 'an operator'}: ${opened.why}.`,
      'The update `retryNow` asks the MFB again, and so does news of its owner.',
    );
    needAttention(true);
    const since = new Date().toISOString();
    const status = await parkWallet({ ...input, since, missing: opened.missing });
    if (status === 'pending') await condition(() => now.retry);
    needAttention(false);
    now.status = 'pending';
    await anewWhenLong<typeof walletProvisioning>(input);
    opened = await openWithin(input, about, now);
  }

  now.status = opened.status;
  show(opened.status, about);
  return opened.status;
}

/** A handler may have changed it since. */
const hasNews = (now: { retry: boolean }): boolean => now.retry;

/**
 * The status of a wallet that has its account or was closed, or what is missing: details about the owner, or an answer of the
 * MFB. News that came since the details were last looked at are not forgotten; where nothing of the owner is missing, news say
 * nothing about the MFB.
 */
async function openWithin(
  input: WalletProvisioningInput,
  about: string,
  now: { retry: boolean },
): Promise<Opened> {
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
  let isUnidentified = false;
  try {
    for (let asked = 0; Date.now() < deadline; asked++) {
      now.retry = false;
      const answer = await openAccount(input);
      if (answer.outcome === 'opened') {
        // News that came meanwhile may be that it was opened again.
        if (answer.status === 'closed' && hasNews(now)) continue;
        return { status: answer.status };
      }
      // To ask again is useless until the partner has given more details about the owner (D27).
      if (answer.outcome === 'needs') {
        const { details: missing } = answer;
        const why = missingWords(missing);
        if (!missing.every((detail) => detail === 'identity')) return { missing, why };
        // The owner is often verified only after the wallet was made.
        isUnidentified = true;
        show('pending', about, `No account can be opened yet: ${why}.`, until);
        const waitMs = asked < SOON ? IDENTITY_SOON_MS : IDENTITY_LATER_MS;
        await condition(() => now.retry, waitMs, { summary: 'until the owner is verified' });
        continue;
      }
      isUnidentified = false;
      const next = moment(Date.now() + answer.pollAfterMs);
      show('pending', about, `The MFB is at work. It is asked again at ${next}.`, until);
      await sleep(answer.pollAfterMs, { summary: 'the MFB is at work' });
    }
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isReset(error)) throw error;
    now.retry = false;
    return { missing: [], why: `the MFB has issued no account (${rootCause(error) ?? 'no answer'})` };
  }
  if (isUnidentified) return { missing: ['identity'], why: missingWords(['identity']) };
  now.retry = false;
  return { missing: [], why: 'the MFB has issued no account, and was still at work' };
}
