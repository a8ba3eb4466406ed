/** Freezing, unfreezing and closing a wallet, for both ports (interface: Wallets; D26, D28, D137). */
import type { Outcome } from '../../domain/outcome';
import type { Wallet } from '../../domain/wallets';
import { moveWallet as writeMove, type WalletMove } from '../../db/wallets/wallet-life';
import type { Tenant } from '../tenant';

/**
 * Changes the status of a wallet, with a row for the audit. A partner can neither lift the freeze of an operator
 * nor close such a wallet (D26).
 * @returns the wallet as it is now, or refused: NOT_FOUND, VALIDATION_ERROR for an end in the past,
 *   INVALID_WALLET_STATE, WALLET_NOT_EMPTY with what is left in it.
 */
export const moveWallet = (
  { cell, partner }: Tenant,
  move: Omit<WalletMove, 'partnerId'>,
): Promise<Outcome<Wallet>> => writeMove(cell, { partnerId: partner.id, ...move });
