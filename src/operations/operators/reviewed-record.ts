/** The compliance record as a reviewer reads it: with its directors and what became of their verifications (D89). */
import type { ComplianceRecord, ReviewedDirector } from '../../domain/compliance';
import { findCompliance, listDirectors } from '../../db/partners/compliance';
import { verificationsOfDirectors } from '../../db/partners/verifications';
import type { Tenant } from '../tenant';

/** @returns the partner's record in this environment with its current directors, in the order they were given. */
export async function reviewedRecord({
  cell,
  partner,
}: Tenant): Promise<{ record: ComplianceRecord; directors: ReviewedDirector[] }> {
  const record = await findCompliance(cell, partner.id);
  const stored = record.directorsSetId
    ? await listDirectors(cell.pool, cell.schema, record.directorsSetId)
    : [];
  const all = await verificationsOfDirectors(
    cell,
    stored.map(({ id }) => id),
  );
  const directors = stored.map((director) => ({
    ...director,
    verifications: all.filter(({ directorId }) => directorId === director.id),
  }));
  return { record, directors };
}
