/** An operator lets a parked provisioning of a wallet go on (D27). */
import { done, refuse, type Outcome } from '../../domain/outcome';
import type { Wallet } from '../../domain/wallets';
import { findWallet } from '../../db/wallets/wallets';
import { tellRetryNow } from '../../relay/messages';
import type { Config } from '../../runtime/config';
import type { Tenant } from '../tenant';

/**
 * Tells the wallet's workflow to ask for the account number again. A provisioning that is not parked goes on
 * anyway.
 * @param requestId names the message, so that a repeat after a lost answer is the same message.
 * @returns the wallet, still pending; or refused: NOT_FOUND, INVALID_WALLET_STATE, SERVICE_UNAVAILABLE.
 */
export async function retryProvisioning(
  { config }: { config: Config },
  { environment, cell, partner }: Tenant,
  walletId: string,
  requestId: string,
): Promise<Outcome<Wallet>> {
  const wallet = await findWallet(cell, partner.id, walletId);
  if (!wallet) return refuse('NOT_FOUND');
  if (wallet.status !== 'pending') return refuse('INVALID_WALLET_STATE');
  const input = { partnerId: partner.id, walletId, parkAfterMs: config.PROVISIONING_PARK_AFTER_MS };
  const told = await tellRetryNow(environment, input, requestId);
  if (!told.ok) return told;
  if (told.value.kind === 'unavailable') return refuse('SERVICE_UNAVAILABLE');
  return told.value.kind === 'ended' ? refuse('INVALID_WALLET_STATE') : done(wallet);
}
