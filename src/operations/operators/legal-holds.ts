/**
 * Keeps what is known of a person or of a whole partner beyond its period, when a court or an authority has ordered it.
 * One operator proposes it and another one approves, and so it is lifted.
 */
import type pg from 'pg';
import {
  findUserRef,
  forgetLegalHold,
  insertLegalHold,
  liftLegalHold,
  listLegalHolds,
  noteLegalHold,
} from '../../db/upkeep/legal-holds';
import type { LegalHold, LegalHoldSubject } from '../../domain/legal-holds';
import type { OperatorCode } from '../../domain/operators';
import { done, refuse, type Outcome } from '../../domain/outcome';
import type { Tenant } from '../tenant';

/** Whether the subject names a person, and not the whole partner. */
const isPerson = ({ walletId, verificationId }: LegalHoldSubject): boolean =>
  walletId !== null || verificationId !== null;

/**
 * Who a legal hold would be about.
 * @returns the partner's own name of the person, null for the whole partner; or NOT_FOUND.
 */
export async function subjectOf(
  { cell, partner }: Tenant,
  subject: LegalHoldSubject,
): Promise<Outcome<string | null>> {
  if (!isPerson(subject)) return done(null);
  const userRef = await findUserRef(cell, partner.id, subject);
  return userRef === null ? refuse('NOT_FOUND') : done(userRef);
}

/**
 * Places a legal hold: from now on nothing that it covers is erased or blanked. A second call finds it.
 * @param id of the proposal.
 * @returns done, or NOT_FOUND.
 */
export async function placeLegalHold(
  platform: pg.Pool,
  tenant: Tenant,
  id: string,
  { reason, ...subject }: LegalHoldSubject & { reason: string },
): Promise<Outcome<null>> {
  const { cell, partner } = tenant;
  const found = await subjectOf(tenant, subject);
  if (!found.ok) return found;
  await insertLegalHold(cell, { id, partnerId: partner.id, ...subject, userRef: found.value, reason });
  // The schema platform may lie on another server; a crash in between is made good by the same approval again.
  if (!isPerson(subject)) await noteLegalHold(platform, partner.id, id);
  return done(null);
}

/** A legal hold that is in force. @returns it, or refused: NOT_FOUND, INVALID_STATE when it was lifted. */
export async function legalHoldInForce(
  { cell, partner }: Tenant,
  id: string,
): Promise<Outcome<LegalHold, OperatorCode>> {
  const [found] = await listLegalHolds(cell, { after: null, limit: 1, id });
  if (found?.partnerId !== partner.id) return refuse('NOT_FOUND');
  if (found.liftedAt === null) return done(found);
  return refuse<OperatorCode>('INVALID_STATE', { message: 'The legal hold was lifted' });
}

/** Lifts a legal hold: from now on the periods are in force again. A second call changes nothing. */
export async function endLegalHold(
  platform: pg.Pool,
  { cell, partner }: Tenant,
  id: string,
): Promise<Outcome<null>> {
  await liftLegalHold(cell, partner.id, id);
  await forgetLegalHold(platform, partner.id, id);
  return done(null);
}
