/**
 * Has a company give the account of a closed wallet up, and asks until it says that it has. Money that comes in meanwhile, or
 * later, is put into suspense, because no closed wallet takes it.
 */
import { sleep } from '@temporalio/workflow';
import { FIRST_STATE, type AccountClosingInput } from '../contract/messages';
import { anewWhenLong } from './long-lived';
import { needAttention, show } from './reading';
import { BANK_CALL, step, unlessKnown } from './steps';

const HOUR_MS = 3_600_000;
/** After a day without an answer people look at it, and the company is asked every six hours. */
const ASKED_HOURLY = 24;

const closeAccount = step('closeAccount', BANK_CALL, 'Have the company give the account up');

export async function accountClosing(input: AccountClosingInput): Promise<string> {
  const about = `the account number of wallet \`${input.walletId}\``;
  for (let asked = input.asked ?? 1; ; asked++) {
    show(FIRST_STATE.accountClosing, about, 'The company is to give the account up.');
    if (await unlessKnown(closeAccount(input), false)) break;
    if (asked === ASKED_HOURLY) needAttention(true);
    await sleep(asked < ASKED_HOURLY ? HOUR_MS : 6 * HOUR_MS, { summary: 'ask the company again' });
    await anewWhenLong<typeof accountClosing>({ ...input, asked: asked + 1 });
  }
  show('closed', about);
  return 'closed';
}
