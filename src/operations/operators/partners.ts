/** A partner as a whole, in both environments at once: its tier and its status (D37). */
import type pg from 'pg';
import { next } from '../../domain/machine';
import { done, refuse, type Outcome, type Refused } from '../../domain/outcome';
import { PARTNER_MACHINE, type PartnerRecord, type PartnerTrigger, type Tier } from '../../domain/partners';
import type { RefusalCode } from '../../domain/refusals';
import { accountClosingIntention } from '../../contract/intentions';
import { closeWallets } from '../../db/partners/partner-closing';
import { findPartnerRecord, setTier } from '../../db/partners/partner-records';
import { movePartner, reinstatePartner, suspendedSince } from '../../db/partners/partner-status';
import type { Environment } from '../../runtime/environment';

type Moved = Outcome<PartnerRecord, RefusalCode | 'INVALID_STATE'>;

/**
 * Changes the tier; the new limit is in force within five seconds.
 * @param change from the tier that was seen. The same change again changes nothing.
 * @returns the partner, or refused: NOT_FOUND, INVALID_STATE when the tier is another one by now.
 */
export async function changeTier(
  platform: pg.Pool,
  partnerId: string,
  change: { from: Tier; tier: Tier },
): Promise<Moved> {
  const changed = await setTier(platform, partnerId, change);
  const partner = await find(platform, partnerId);
  if (changed || !partner.ok) return partner;
  return refuse('INVALID_STATE', { message: `The tier is ${partner.value.tier}` });
}

/**
 * Makes a partner active again that was suspended at this time. The same call again changes nothing.
 * @returns the partner, or refused: NOT_FOUND, INVALID_STATE when it was closed, or suspended anew, since.
 */
export async function reinstate(platform: pg.Pool, partnerId: string, suspendedAt: Date): Promise<Moved> {
  const reinstated = await reinstatePartner(platform, partnerId, suspendedAt);
  const partner = await find(platform, partnerId);
  if (reinstated || !partner.ok) return partner;
  const isAnother = partner.value.status === 'suspended';
  return isAnother
    ? refuse('INVALID_STATE', { message: 'The partner was suspended anew since' })
    : isNow(partner.value.status);
}

/** The suspension that is in force. @returns when it began, or refused: NOT_FOUND, INVALID_STATE. */
export async function suspensionOf(
  platform: pg.Pool,
  partnerId: string,
): Promise<Outcome<Date, RefusalCode | 'INVALID_STATE'>> {
  const partner = await find(platform, partnerId);
  if (!partner.ok) return partner;
  const since = await suspendedSince(platform, partnerId);
  return since ? done(since) : isNow(partner.value.status);
}

/** Suspends a partner. @returns the partner, or refused: NOT_FOUND, INVALID_STATE. */
export const suspend = (platform: pg.Pool, partnerId: string): Promise<Moved> =>
  changeStatus(platform, partnerId, 'suspend');

async function changeStatus(platform: pg.Pool, partnerId: string, trigger: PartnerTrigger): Promise<Moved> {
  const partner = await find(platform, partnerId);
  if (!partner.ok) return partner;
  const moved = await movePartner(platform, partnerId, trigger);
  return moved ? find(platform, partnerId) : isNow(partner.value.status);
}

/**
 * Closes a partner for ever, with its live wallets. Its live wallets must be empty, with nothing under way. Money
 * in the sandbox does not count.
 * @returns the partner, or refused: NOT_FOUND, INVALID_STATE, WALLET_NOT_EMPTY with what is left.
 */
export async function closePartner(
  platform: pg.Pool,
  environments: readonly Environment[],
  partnerId: string,
): Promise<Moved> {
  const partner = await find(platform, partnerId);
  if (!partner.ok) return partner;
  if (!next(PARTNER_MACHINE, partner.value.status, 'close')) return isNow(partner.value.status);
  // The cell is closed first. After a crash in between, the operator repeats the command, which finds nothing left
  // to close (R19).
  for (const environment of environments) {
    if (environment.allowsSimulation) continue;
    const { cell } = await environment.partner(partnerId);
    const closed = await closeWallets(cell, partnerId, (walletId) =>
      accountClosingIntention({ partnerId, walletId }),
    );
    if ('balanceKobo' in closed) return refuse('WALLET_NOT_EMPTY', { detail: { ...closed } });
    environment.relay.afterCommit(cell, { intentions: closed.intentions, endpointIds: [] });
    environment.relay.tellOfNewsLater(cell, closed.news);
  }
  return changeStatus(platform, partnerId, 'close');
}

async function find(platform: pg.Pool, partnerId: string): Promise<Moved> {
  const found = await findPartnerRecord(platform, partnerId);
  return found ? done(found) : refuse('NOT_FOUND');
}

const isNow = (status: string): Refused<'INVALID_STATE'> =>
  refuse('INVALID_STATE', { message: `The partner is ${status}` });
