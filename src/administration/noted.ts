/**
 * `npm run noted -- backup --by pgbackrest`: notes that something was done which an alarm watches, where a program has done it
 * that is not ours. `npm run backup` and `npm run audit:anchor` note it by themselves.
 */
import { Argument, Command, InvalidArgumentError } from 'commander';
import { noteChore } from '../db/upkeep/chores';
import { CHORE_NAMES, type Chore } from '../domain/chores';
import { administerAs } from './admin';

function past(text: string): Date {
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) throw new InvalidArgumentError('not a date');
  if (at > new Date()) throw new InvalidArgumentError('has not come yet');
  return at;
}

void new Command('npm run noted --')
  .description('Notes that a backup or an anchor was made by another program.')
  .addArgument(new Argument('<what>', 'what was done').choices(CHORE_NAMES))
  .requiredOption('--by <program>', 'what has done it')
  .option('--at <date>', 'of which moment it is; now, unless given', past)
  .action((what: Chore, { by, at = new Date() }: { by: string; at?: Date }) =>
    administerAs('operator', async (db) => {
      await noteChore(db, what, at, by);
      process.stdout.write(`noted: ${what} of ${at.toISOString()} by ${by}\n`);
    }),
  )
  .parseAsync();
