/** An operator notes that a company has given the account of a closed wallet up, where the company itself never says so (D211). */
import { done, refuse, type Outcome } from '../../domain/outcome';
import type { Wallet } from '../../domain/wallets';
import { findCustomer, noteAccountClosed } from '../../db/wallets/provider-customers';
import { findWallet } from '../../db/wallets/wallets';
import type { Tenant } from '../tenant';

/** So long the company is asked before a person may say it in its place. */
const ASKED_FOR_MS = 86_400_000;

/**
 * Ends the asking: the next look of the workflow finds it done. Money that comes to the number all the same is put into suspense,
 * as before. A second call finds it noted, and changes nothing.
 * @returns the wallet; or refused: NOT_FOUND, INVALID_WALLET_STATE unless the wallet has been closed for a day and an account
 *   was ordered for it.
 */
export async function noteGivenUp({ cell, partner }: Tenant, walletId: string): Promise<Outcome<Wallet>> {
  const wallet = await findWallet(cell, partner.id, walletId);
  if (!wallet) return refuse('NOT_FOUND');
  const customer = await findCustomer(cell, walletId);
  const isLongClosed = wallet.status === 'closed' && Date.now() - wallet.updatedAt.getTime() >= ASKED_FOR_MS;
  if (!customer || !isLongClosed) {
    const message = 'Only of a wallet that was closed a day ago, and for which an account was ordered';
    return refuse('INVALID_WALLET_STATE', { message });
  }
  await noteAccountClosed(cell, walletId);
  return done(wallet);
}
