/**
 * The operators' audit trail at the command line. `npm run audit:verify [-- --expect <anchor>]` checks it from its first
 * row, and names the first row that was changed, and rows that are gone although their seal was kept elsewhere.
 * `npm run audit:anchor` prints its end as one line, to be kept where nobody who can write to the database can change
 * it (G35).
 */
import { Command, InvalidArgumentError } from 'commander';
import { noteChore } from '../db/upkeep/chores';
import { verifyAudit } from '../db/upkeep/audit';
import { readKeptSeal, writeAnchor, type KeptSeal } from '../domain/audit';
import { administerAs, trailKeys } from './admin';
import { StartError } from './project';

function keptSeal(text: string): KeptSeal {
  const kept = readKeptSeal(text);
  if (!kept) throw new InvalidArgumentError('neither a line of audit:anchor nor a seal of 64 hex digits');
  return kept;
}

const program = new Command('audit').description("Works on the operators' audit trail.");

program
  .command('verify')
  .description('check it from its first row')
  .option(
    '--expect <anchor>',
    'a line of audit:anchor, or a seal from the log; the trail must have it',
    keptSeal,
  )
  .action(({ expect }: { expect?: KeptSeal }) =>
    administerAs('operator', async (db, settings) => {
      const verdict = await verifyAudit(db, trailKeys(settings), expect);
      if (verdict.ok) {
        const { sequence, seal } = verdict.end;
        process.stdout.write(`whole: ${sequence} rows, last seal ${seal}\n`);
        return;
      }
      process.stdout.write(`BROKEN at row ${verdict.sequence}: ${verdict.why}\n`);
      process.exitCode = 1;
    }),
  );

program
  .command('anchor')
  .description('print its end, to be kept elsewhere')
  .action(() =>
    administerAs('operator', async (db, settings) => {
      const verdict = await verifyAudit(db, trailKeys(settings));
      // The anchor of a broken trail would later vouch for what somebody has written into it.
      if (!verdict.ok) throw new StartError(`BROKEN at row ${verdict.sequence}: ${verdict.why}`);
      process.stdout.write(`${writeAnchor(verdict.end)}\n`);
      await noteChore(db, 'anchor', new Date(), 'npm run audit:anchor');
    }),
  );

void program.parseAsync();
