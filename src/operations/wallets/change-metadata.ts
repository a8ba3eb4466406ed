/** A partner tells more of the owner of a wallet, or takes something back: what waits for it goes on. */
import { done, refuse, type Outcome } from '../../domain/outcome';
import { missingAtTheDoor } from '../../domain/owner-details';
import { mergedMetadata, type Metadata, type Wallet } from '../../domain/wallets';
import { workflowIds } from '../../contract/messages';
import { changeMetadata as writeChange } from '../../db/wallets/owner-news';
import { findWallet } from '../../db/wallets/wallets';
import { readMergedMetadata } from '../../wire/wallets';
import { demandsOn, isIdentified, refuseMissing } from '../demands';
import type { Tenant } from '../tenant';

/**
 * Merges a change into the metadata of a wallet (RFC 7396), and has a parked opening of its account and the pending checks of
 * its owner look at once. What the companies demand cannot be taken away; what was never there may still be missing.
 * @returns the wallet as it is now, or refused: NOT_FOUND, INVALID_WALLET_STATE, WALLET_CLOSED, VALIDATION_ERROR.
 */
export async function changeMetadata(
  tenant: Tenant,
  { walletId, change }: { walletId: string; change: Metadata },
): Promise<Outcome<Wallet>> {
  const { environment, cell, partner } = tenant;
  const found = await findWallet(cell, partner.id, walletId);
  if (!found) return refuse('NOT_FOUND');
  const demands = await demandsOn(tenant);
  const isKnown = await isIdentified(tenant, demands, found.userRef);
  const missingIn = (metadata: Metadata) => missingAtTheDoor(demands, metadata, isKnown);
  const changed = await writeChange(cell, { partnerId: partner.id, walletId }, ({ metadata }) => {
    const becomes = readMergedMetadata(mergedMetadata(metadata, change));
    if (!becomes.ok) return becomes;
    const missedBefore = missingIn(metadata);
    const taken = missingIn(becomes.value).filter((detail) => !missedBefore.includes(detail));
    return refuseMissing(taken) ?? becomes;
  });
  if (!changed.ok) return changed;
  const { wallet, news, verificationIds } = changed.value;
  environment.relay.tellOfNewsLater(cell, news);
  const waiting = verificationIds.map((id) => ({
    workflowId: workflowIds.kycVerification(id),
    by: 'bureau' as const,
  }));
  environment.relay.forwardLater(waiting, 0);
  return done(wallet);
}
