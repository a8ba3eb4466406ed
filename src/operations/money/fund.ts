/**
 * The sandbox's funding of a wallet, as an inbound transfer would credit it (interface: Sandbox-only operations;
 * D94).
 */
import type { PostedLeg } from '../../domain/ledger';
import { refuse, type Outcome } from '../../domain/outcome';
import { fundingReference } from '../../domain/transactions';
import { newId } from '../../db/pg/ids';
import { completedAtOnce } from '../../wire/webhooks';
import type { Replied, Reply } from '../reply';
import type { Tenant } from '../tenant';
import { postOpening } from './post-opening';

/**
 * Credits a wallet, also a pending or a frozen one.
 * @returns the answer, or refused: NOT_FOUND, or by the ledger.
 */
export async function fundWallet(
  tenant: Tenant,
  request: { walletId: string; amountKobo: number; note: string | null },
  { key, write }: Reply<PostedLeg>,
): Promise<Outcome<Replied>> {
  const transactionId = newId();
  const outcome = await postOpening(tenant, {
    opening: {
      kind: 'open',
      type: 'wallet_funding',
      from: { kind: 'sandbox' },
      transactionId,
      partnerId: tenant.partner.id,
      destWalletId: request.walletId,
      reference: fundingReference(transactionId),
      amountKobo: request.amountKobo,
      description: request.note ?? '',
      metadata: {},
      key,
    },
    announce: ({ transaction }) => [completedAtOnce(transaction)],
    write,
  });
  // The wallet is named in the path, so an absent one is an absent resource (D132).
  return !outcome.ok && outcome.refusal.code === 'WALLET_NOT_FOUND' ? refuse('NOT_FOUND') : outcome;
}
