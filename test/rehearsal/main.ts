/**
 * `npm run rehearse`: a day in live on this machine. The platform pays out and takes money in through a fake Paystack, and once through a fake Monnify; the
 * story checks every figure. At the end two people close the day without an unexplained line, and our books must agree with
 * what the fakes say they have done.
 *
 * `npm run rehearse -- --faults --seconds 60 --seed 1`: payments both ways under random faults instead of the story. The
 * exit code is 0 when nothing was found.
 */
import { Command } from 'commander';
import { formatNaira } from '../../sdk/src';
import { balancesOf, disagreements, payoutsOf } from './books';
import { closeDays } from './day';
import { hurt, SETTINGS_UNDER_FAULTS } from './faults';
import { openStage, type Stage } from './stage';
import { tellStory } from './story';

const SECONDS = 60;

async function main(): Promise<void> {
  const { faults, seconds, seed } = new Command('rehearse')
    .option('--faults', 'payments under random faults, instead of the story', false)
    .option('--seconds <number>', 'how long the faults last', Number, SECONDS)
    .option('--seed <number>', 'the same seed chooses the same faults', Number, Date.now() % 2 ** 31)
    .parse()
    .opts<{ faults: boolean; seconds: number; seed: number }>();
  console.log('  Starting the platform in live, with fakes of Paystack and Monnify: no money moves');
  const began = new Date();
  const stage = await openStage(faults ? SETTINGS_UNDER_FAULTS : {});
  try {
    if (faults) await hurt(stage, { seconds, seed }, console.log);
    else await tellStory(stage, console.log);
    await closeDays(stage, began, console.log);
    await printBooks(stage);
    const payouts = await payoutsOf(stage);
    const { payments, attempts } = payouts;
    const [paid, completed, unexplained] = [
      payouts.paidKobo,
      payouts.completedKobo,
      payouts.unexplainedKobo,
    ].map((kobo) => formatNaira(kobo));
    console.log(
      `\n  The companies have paid ${String(payments.length)} times, ${String(paid)} in all. ` +
        `${String(attempts.filter(({ isPaid }) => isPaid).length)} of our transfers are completed, ${String(completed)} in all, ` +
        `and 1900 has ${String(unexplained)}.`,
    );
    const found = await disagreements(stage, payouts);
    for (const line of found) console.log(`  WRONG  ${line}`);
    console.log(
      found.length === 0
        ? '\n  Our books and the fake companies agree.'
        : `\n  ${String(found.length)} disagreements.`,
    );
    if (found.length > 0) process.exitCode = 1;
  } finally {
    await stage.close();
  }
}

const WIDTH = 18;

async function printBooks(stage: Stage): Promise<void> {
  const line = (title: string, debit: string, credit: string): void =>
    console.log(`  ${title.padEnd(68)}${debit.padStart(WIDTH)}${credit.padStart(WIDTH)}`);
  console.log();
  line('Our books', 'debit', 'credit');
  for (const { title, kobo } of await balancesOf(stage)) {
    line(title, kobo < 0 ? formatNaira(-kobo) : '', kobo < 0 ? '' : formatNaira(kobo));
  }
}

void main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
