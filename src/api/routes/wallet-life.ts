/** A wallet's life after its activation: freeze, unfreeze, close (D26, D28, D137). */
import type { WalletMove } from '../../db/wallets/wallet-life';
import { reopenWallet } from '../../operations/wallets/reopen-wallet';
import { moveWallet } from '../../operations/wallets/wallet-life';
import { map, refuse } from '../../domain/outcome';
import { dataAnswer, type Route, type RouteDoc } from '../route';
import { dataOf } from '../../wire/answers';
import { canonicalId } from '../../wire/ids';
import { readWalletReopening, walletInAnyForm, walletReopening, writeWallet } from '../../wire/wallets';
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

/** A wallet that was closed before it had an account: nothing outside knows it, so it may wait for one again (D11, D48). */
const reopen: Route = {
  method: 'POST',
  path: '/v1/wallets/:id/reopen',
  operation: 'reopenWallet',
  needs: 'run',
  needsActivePartner: true,
  bodyOptional: true,
  harmlessTwice: true,
  doc: {
    section: 'Wallets',
    sdk: 'wallets.reopen',
    summary: 'Open a wallet again that never had an account',
    description:
      'A wallet that was closed while it was pending, before an account was ordered for it, is pending again, and its ' +
      'user_ref names it as before. Any other closed wallet stays closed. `metadata` is merged into what is there.',
    body: walletReopening,
    answer: { status: 200, description: 'The wallet, pending', body: dataOf(walletInAnyForm) },
    refusals: ['INVALID_WALLET_STATE', 'SERVICE_UNAVAILABLE'],
  },
  async handle(call) {
    const walletId = canonicalId(call.params.id ?? '', 'wallet');
    if (!walletId) return refuse('NOT_FOUND');
    const read = readWalletReopening(call.body);
    if (!read.ok) return read;
    const reopened = await reopenWallet(call.services, call, { walletId, change: read.value });
    return map(reopened, (wallet) => dataAnswer(call, 200, writeWallet(wallet, call.form)));
  },
};

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
      'A wallet that has an account is closed for ever; its user_ref stays taken. Its balance must be zero, and it must ' +
      'have no pending or processing transaction. A pending wallet that is closed gets no account any more, and can be ' +
      'opened again while none was ordered for it (`reopen`).',
    body: reasonBody,
    refusals: ['INVALID_WALLET_STATE', 'WALLET_NOT_EMPTY'],
  }),
  reopen,
];
