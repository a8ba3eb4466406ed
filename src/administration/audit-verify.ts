/**
 * `npm run audit:verify [-- --expect <anchor>]`: checks the operators' audit trail from its first row, and names the
 * first row that was changed, and rows that are gone although their seal was kept elsewhere (G35).
 */
import { Command, InvalidArgumentError } from 'commander';
import { verifyAudit } from '../db/upkeep/audit';
import { readKeptSeal, type KeptSeal } from '../domain/audit';
import { administerAs, trailKeys } from './admin';

function keptSeal(text: string): KeptSeal {
  const kept = readKeptSeal(text);
  if (!kept) throw new InvalidArgumentError('neither a line of audit:anchor nor a seal of 64 hex digits');
  return kept;
}

void new Command('npm run audit:verify --')
  .description("Checks the operators' audit trail.")
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
  )
  .parseAsync();
