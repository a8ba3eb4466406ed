/**
 * `npm run audit:verify`: checks the operators' audit trail from its first row, and names the first row that was
 * changed (G35).
 */
import { verifyAudit } from '../db/upkeep/audit';
import { administer, administeredSecret, withDatabase } from './admin';

void administer((settings, databaseUrl) =>
  withDatabase(databaseUrl, async (db) => {
    const key = Buffer.from(administeredSecret(settings, 'AUDIT_KEY'), 'base64');
    const verdict = await verifyAudit(db, key);
    if (verdict.ok) {
      process.stdout.write(`whole: ${verdict.rows} rows, last seal ${verdict.hash}\n`);
      return;
    }
    process.stdout.write(`BROKEN at row ${verdict.sequence}: ${verdict.why}\n`);
    process.exitCode = 1;
  }),
);
