/** A partner opens a wallet again that it has closed before there was an account. */
import { done, refuse, type Outcome } from '../../domain/outcome';
import { missingAtTheDoor } from '../../domain/owner-details';
import { mergedMetadata, type Metadata, type Wallet } from '../../domain/wallets';
import { walletIntention } from '../../contract/intentions';
import { reopenWallet as writeReopened } from '../../db/wallets/reopen';
import { findWallet } from '../../db/wallets/wallets';
import type { Config } from '../../runtime/config';
import { readMergedMetadata } from '../../wire/wallets';
import { demandsOn, isIdentified, refuseMissing } from '../demands';
import { notConfigured } from '../not-configured';
import type { Tenant } from '../tenant';

/**
 * Makes the wallet pending again and has an account opened for it, with a change of its metadata, which must have by then what
 * the companies demand.
 * @returns the wallet, or refused: SERVICE_UNAVAILABLE without a bank, NOT_FOUND, INVALID_WALLET_STATE, VALIDATION_ERROR.
 */
export async function reopenWallet(
  { config }: { config: Config },
  tenant: Tenant & { requestId: string },
  { walletId, change }: { walletId: string; change: Metadata },
): Promise<Outcome<Wallet>> {
  const { environment, partner, cell, requestId } = tenant;
  if (environment.providers.accounts.length === 0) return notConfigured('bank');
  const found = await findWallet(cell, partner.id, walletId);
  if (!found) return refuse('NOT_FOUND');
  const demands = await demandsOn(tenant);
  const isKnown = await isIdentified(tenant, demands, found.userRef);
  const of = { partnerId: partner.id, walletId, requestId };
  const parkAfterMs = config.PROVISIONING_PARK_AFTER_MS;
  const intention = walletIntention({ partnerId: partner.id, walletId, parkAfterMs, isAgain: true });
  const reopened = await writeReopened(
    cell,
    { ...of, intention: { ...intention, requestId } },
    ({ metadata }) => {
      const becomes = readMergedMetadata(mergedMetadata(metadata, change));
      return becomes.ok
        ? (refuseMissing(missingAtTheDoor(demands, becomes.value, isKnown)) ?? becomes)
        : becomes;
    },
  );
  if (!reopened.ok) return reopened;
  const { value } = reopened;
  environment.relay.afterCommit(cell, { intentions: [value.intention], endpointIds: [] });
  environment.relay.tellOfNewsLater(cell, value.news);
  return done(value.wallet);
}
