/** Freezing, unfreezing and closing a wallet, for both ports (interface: Wallets; D26, D28, D137). */
import { map, type Outcome } from '../../domain/outcome';
import type { Wallet } from '../../domain/wallets';
import { accountClosingIntention } from '../../contract/intentions';
import { moveWallet as writeMove, type WalletMove } from '../../db/wallets/wallet-life';
import type { Tenant } from '../tenant';

/**
 * Changes the status of a wallet, with a row for the audit. A partner can neither lift the freeze of an operator
 * nor close such a wallet (D26).
 * @returns the wallet as it is now, or refused: NOT_FOUND, VALIDATION_ERROR for an end in the past,
 *   INVALID_WALLET_STATE, WALLET_NOT_EMPTY with what is left in it.
 */
export async function moveWallet(
  { environment, cell, partner }: Tenant,
  move: Omit<WalletMove, 'partnerId' | 'closing'>,
): Promise<Outcome<Wallet>> {
  const closing = accountClosingIntention({ partnerId: partner.id, walletId: move.walletId });
  const moved = await writeMove(cell, { partnerId: partner.id, closing, ...move });
  return map(moved, ({ wallet, intention, news }) => {
    if (intention) environment.relay.afterCommit(cell, { intentions: [intention], endpointIds: [] });
    environment.relay.tellOfNewsLater(cell, news);
    return wallet;
  });
}
