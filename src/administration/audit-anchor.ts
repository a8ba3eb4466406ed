/**
 * `npm run audit:anchor`: prints the end of the operators' audit trail as one line, to be kept where nobody who can
 * write to the database can change it. `npm run audit:verify -- --expect <line>` looks for it later (G35).
 */
import { verifyAudit } from '../db/upkeep/audit';
import { writeAnchor } from '../domain/audit';
import { administerAs, trailKeys } from './admin';
import { StartError } from './project';

void administerAs('operator', async (db, settings) => {
  const verdict = await verifyAudit(db, trailKeys(settings));
  // The anchor of a broken trail would later vouch for what somebody has written into it.
  if (!verdict.ok) throw new StartError(`BROKEN at row ${verdict.sequence}: ${verdict.why}`);
  process.stdout.write(`${writeAnchor(verdict.end)}\n`);
});
