/**
 * Opens a wallet: it is written as pending in one commit with the intention to provision it (interface: Wallets;
 * D25, D48, D51).
 */
import type { Outcome } from '../../domain/outcome';
import { missingAtTheDoor } from '../../domain/owner-details';
import type { Metadata, Wallet } from '../../domain/wallets';
import { walletIntention } from '../../contract/intentions';
import { newId } from '../../db/pg/ids';
import { createWallet } from '../../db/wallets/wallets';
import type { Config } from '../../runtime/config';
import { demandsOn, isIdentified, refuseMissing } from '../demands';
import { notConfigured } from '../not-configured';
import { repeated, replied, type Replied, type Reply } from '../reply';
import type { Tenant } from '../tenant';

/**
 * Writes a pending wallet and has its workflow started.
 * @returns the answer, or refused: SERVICE_UNAVAILABLE without a bank, VALIDATION_ERROR without what the companies demand,
 *   WALLET_ALREADY_EXISTS, IDEMPOTENCY_KEY_REUSED, REQUEST_IN_PROGRESS.
 */
export async function openWallet(
  { config }: { config: Config },
  tenant: Tenant,
  request: { userRef: string; metadata: Metadata },
  { key, write }: Reply<Wallet>,
): Promise<Outcome<Replied>> {
  const { environment, partner, cell, requestId } = tenant;
  if (environment.providers.accounts.length === 0) return notConfigured('bank');
  const id = newId();
  const partnerId = partner.id;
  const parkAfterMs = config.PROVISIONING_PARK_AFTER_MS;
  const demands = await demandsOn(tenant);
  const isKnown = await isIdentified(tenant, demands, request.userRef);
  const created = await createWallet(
    cell,
    {
      id,
      partnerId,
      ...request,
      key,
      refused: refuseMissing(missingAtTheDoor(demands, request.metadata, isKnown)),
      answer: write,
      intention: { ...walletIntention({ partnerId, walletId: id, parkAfterMs }), requestId },
    },
    config.IDEMPOTENCY_WINDOW_MS,
  );
  if (!created.ok) return created;
  const { value } = created;
  if (value.kind === 'same_key') return repeated(value.answer);
  environment.relay.afterCommit(cell, { intentions: [value.intention], endpointIds: [] });
  return replied(write(value.wallet));
}
