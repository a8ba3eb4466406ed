/** A wallet's life after its activation: freeze, unfreeze, close (D26, D28, D137). */
import type { WalletMove } from '../../db/wallets/wallet-life';
import { moveWallet } from '../../operations/wallets/wallet-life';
import { map, refuse } from '../../domain/outcome';
import { dataAnswer, type Route, type RouteDoc } from '../route';
import { dataOf } from '../../wire/answers';
import { canonicalId } from '../../wire/ids';
import { walletInAnyForm, writeWallet } from '../../wire/wallets';
import { freezeBody, readFreeze, readReason, reasonBody } from '../../wire/wallet-life';

const move = (trigger: WalletMove['trigger'], doc: Omit<RouteDoc, 'section' | 'answer'>): Route => ({
  method: 'POST',
  path: `/v1/wallets/:id/${trigger}`,
  operation: `${trigger}Wallet`,
  needs: 'run',
  bodyOptional: true,
  // Not the lifting: between two tries somebody may have frozen the wallet for another reason.
  ...(trigger !== 'unfreeze' && { harmlessTwice: true }),
  doc: {
    section: 'Wallets',
    answer: { status: 200, description: 'The wallet as it is now', body: dataOf(walletInAnyForm) },
    ...doc,
  },
  async handle(call) {
    const walletId = canonicalId(call.params.id ?? '', 'wallet');
    if (!walletId) return refuse('NOT_FOUND');
    const read = trigger === 'freeze' ? readFreeze(call.body) : readReason(call.body);
    if (!read.ok) return read;
    const moved = await moveWallet(call, {
      walletId,
      trigger,
      actor: { kind: 'partner' },
      // An operator's freeze is out of a partner's reach in any case.
      overOrder: 'kept',
      requestId: call.requestId,
      reason: read.value.reason,
      authority: null,
      frozenUntil: read.value.frozenUntil,
    });
    return map(moved, (wallet) => dataAnswer(call, 200, writeWallet(wallet, call.form)));
  },
});

export const walletLifeRoutes: readonly Route[] = [
  move('freeze', {
    sdk: 'wallets.freeze',
    summary: 'Freeze a wallet',
    description:
      'Money still comes in, and none goes out, until it is unfrozen or `expires_at` has passed. The reason is ' +
      'kept for audits and shown to nobody.',
    body: freezeBody,
    refusals: ['INVALID_WALLET_STATE'],
  }),
  move('unfreeze', {
    sdk: 'wallets.unfreeze',
    summary: 'Unfreeze a wallet',
    description: "Lifts the partner's own freeze; an operator's is lifted by operators alone.",
    body: reasonBody,
    refusals: ['INVALID_WALLET_STATE'],
  }),
  move('close', {
    sdk: 'wallets.close',
    summary: 'Close a wallet',
    description:
      'A wallet is closed for ever; its user_ref stays taken. Its balance must be zero, and it must have no ' +
      'pending or processing transaction.',
    body: reasonBody,
    refusals: ['INVALID_WALLET_STATE', 'WALLET_NOT_EMPTY'],
  }),
];
