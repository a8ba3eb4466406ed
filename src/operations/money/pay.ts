/**
 * Payments between wallets of one partner: P2P, QR and split (interface: Transfers, Payments; D52-D55, D64-D68,
 * D77-D80).
 */
import type { EventDraft } from '../../domain/events';
import type { OpeningOf, Posted, PostedLeg } from '../../domain/ledger';
import { refuse, refuseFields, type Outcome } from '../../domain/outcome';
import { present } from '../../domain/assert';
import { findQrRequest } from '../../db/payments/qr-requests';
import { newId } from '../../db/pg/ids';
import { isEmv, NOT_OURS, readEmvLabel, writeEmv } from '../../wire/emv';
import type { SplitRequest } from '../../wire/payments';
import type { P2pRequest } from '../../wire/transfers';
import { completedAtOnce } from '../../wire/webhooks';
import type { Replied, Reply } from '../reply';
import type { Tenant } from '../tenant';
import { postOpening } from './post-opening';

/** The events of a payment that is complete at once: one for each transaction. */
export const announce = ({ legs }: Posted): EventDraft[] =>
  legs.map(({ transaction }) => completedAtOnce(transaction));

/**
 * Moves money between two wallets, in one commit; nothing else is waited for (interface: POST /v1/transfers/p2p,
 * rule 4).
 */
export const payP2p = (
  tenant: Tenant,
  request: P2pRequest,
  { key, write }: Reply<PostedLeg>,
): Promise<Outcome<Replied>> =>
  postOpening(tenant, { opening: { ...p2pOpening(tenant, request), key }, announce, write });

/** The movement that a P2P request asks for; a quote asks the ledger about the same one. */
export const p2pOpening = (tenant: Tenant, request: P2pRequest): OpeningOf<'p2p_transfer'> => ({
  kind: 'open',
  type: 'p2p_transfer',
  transactionId: newId(),
  partnerId: tenant.partner.id,
  ...request,
  key: null,
});

/**
 * Pays a QR request, which can be paid only once. Its row is locked after the wallets, and a repeat by its payer
 * gets the original payment (D66).
 * @param request named by the text of a scanned code, which `wire` has found well-formed, or else by the partner's
 *   reference. Such a text must be the one that we issued, byte for byte (D160).
 * @returns the answer, or refused: NOT_FOUND, VALIDATION_ERROR for a text that we did not issue, or by the ledger.
 */
export async function payQr(
  tenant: Tenant,
  request: { qrReference: string; sourceWalletId: string },
  { key, write }: Reply<PostedLeg>,
): Promise<Outcome<Replied>> {
  const { qrReference, sourceWalletId } = request;
  const label = isEmv(qrReference) ? readEmvLabel(qrReference) : null;
  const by = label === null ? { reference: qrReference } : { label };
  const found = await findQrRequest(tenant.cell, tenant.partner.id, by);
  if (!found) return refuse('NOT_FOUND');
  // Everybody can compute the check. The payer has read the name and the amount of the text, and what is paid is ours.
  if (label !== null && qrReference !== writeEmv(found))
    return refuseFields({ field: 'qr_reference', message: NOT_OURS });
  return postOpening(tenant, {
    opening: {
      kind: 'open',
      type: 'qr_payment',
      qrRequestId: found.id,
      transactionId: newId(),
      partnerId: tenant.partner.id,
      sourceWalletId,
      destWalletId: found.walletId,
      amountKobo: found.amountKobo,
      reference: found.reference,
      description: found.description,
      metadata: found.metadata,
      key,
    },
    announce,
    write,
  });
}

/** Pays several wallets, all or none, in one commit (D77). */
export function paySplit(
  tenant: Tenant,
  { shares, ...request }: SplitRequest,
  { key, write }: Reply<readonly PostedLeg[]>,
): Promise<Outcome<Replied>> {
  const legs = shares.map((share) => ({ ...share, transactionId: newId() }));
  return postOpening(tenant, {
    opening: {
      kind: 'open',
      type: 'split_payment',
      transactionId: present(legs[0], 'the first leg').transactionId,
      partnerId: tenant.partner.id,
      ...request,
      amountKobo: legs.reduce((sum, leg) => sum + leg.amountKobo, 0),
      shares: legs,
      key,
    },
    announce,
    write: (_first, told, posted) => write(posted, told),
  });
}
