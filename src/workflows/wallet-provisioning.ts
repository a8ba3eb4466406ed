/**
 * A pending wallet gets its account number: the MFB is asked until it has issued one. After a day without
 * one the workflow parks, is listed for operators, and goes on when one says so; the wallet stays pending (D27).
 */
import { ActivityFailure, condition, proxyActivities, setHandler, sleep } from '@temporalio/workflow';
import type { Activities } from '../activities';
import type { IssuedAccount, WalletStatus } from '../domain/wallets';
import { retryNow, state, type WalletProvisioningInput } from '../contract/messages';
import { needAttention, show } from './reading';
import { isReset, unlessReset } from './resets';
import { COMMIT } from './steps';

const ledger = proxyActivities<Pick<Activities, 'activateWallet'>>(COMMIT);

export function walletProvisioning(input: WalletProvisioningInput): Promise<WalletStatus | 'reset'> {
  return unlessReset(() => provision(input));
}

async function provision(input: WalletProvisioningInput): Promise<WalletStatus> {
  const now: { status: WalletStatus | 'parked'; retry: boolean } = { status: 'pending', retry: false };
  setHandler(state, () => now.status);
  setHandler(retryNow, () => {
    now.retry = true;
    return undefined;
  });

  let issued = await issue(input);
  while ('missing' in issued) {
    now.status = 'parked';
    show(
      'parked',
      `**parked** · ${issued.missing} · wallet \`${input.walletId}\` · update \`retryNow\` goes on`,
    );
    needAttention(true);
    now.retry = false;
    await condition(() => now.retry);
    needAttention(false);
    now.status = 'pending';
    issued = await issue(input);
  }

  const { account } = issued;
  const status = await ledger.activateWallet(input, account);
  now.status = status;
  show(status, `**${status}** · wallet \`${input.walletId}\` · account ${account.accountNumber}`);
  return status;
}

/** The issued account, or what is missing: details of the owner, or an answer of the MFB within the time given. */
async function issue(
  input: WalletProvisioningInput,
): Promise<{ account: IssuedAccount } | { missing: string }> {
  // The wallet's id is the MFB's key, so asking any number of times issues one account.
  const mfb = proxyActivities<Pick<Activities, 'issueAccount'>>({
    startToCloseTimeout: '15s',
    scheduleToCloseTimeout: input.parkAfterMs,
    retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '5m' },
  });
  const deadline = Date.now() + input.parkAfterMs;
  show('pending', `**pending** · wallet \`${input.walletId}\` · waiting for its account`);
  try {
    while (Date.now() < deadline) {
      const answer = await mfb.issueAccount(input);
      if (answer.outcome === 'issued') return { account: answer.account };
      // Asking again changes nothing until the partner has told more of the owner (D27).
      if (answer.outcome === 'needs') return { missing: `its metadata lacks ${answer.details.join(', ')}` };
      await sleep(answer.pollAfterMs, { summary: 'the MFB is at work' });
    }
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isReset(error)) throw error;
  }
  return { missing: 'the MFB has issued no account' };
}
