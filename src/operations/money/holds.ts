/** Amounts that are set aside for one later payment: placed, captured by the payment, or released. */
import { present } from '../../domain/assert';
import { holdNotOpen, type Hold } from '../../domain/holds';
import type { PostedLeg } from '../../domain/ledger';
import { done, map, refuse, type Outcome } from '../../domain/outcome';
import { holdIntention, payoutIntentions } from '../../contract/intentions';
import { endHold, findHold, insertHold } from '../../db/payments/holds';
import { newId } from '../../db/pg/ids';
import type { Config } from '../../runtime/config';
import type { CaptureRequest, HoldRequest } from '../../wire/holds';
import { completedAtOnce } from '../../wire/webhooks';
import { repeated, replied, type Replied, type Reply } from '../reply';
import type { Tenant } from '../tenant';
import { p2pOpening } from './pay';
import { postOpening, type OpeningPost } from './post-opening';
import { bankOpening } from './send-to-bank';

/**
 * Sets an amount aside, and has the workflow started that ends the hold when its time is over.
 * @returns the answer, or refused: AMOUNT_TOO_LOW, DUPLICATE_REFERENCE, WALLET_NOT_FOUND, by the state of the wallet as
 *   for a payment, or INSUFFICIENT_FUNDS.
 */
export async function placeHold(
  { config }: { config: Config },
  tenant: Tenant,
  request: HoldRequest,
  { key, write }: Reply<Hold>,
): Promise<Outcome<Replied>> {
  if (request.amountKobo < 1) return refuse('AMOUNT_TOO_LOW');
  const { cell, partner, environment } = tenant;
  const placed = await insertHold(
    cell,
    {
      ...request,
      id: newId(),
      partnerId: partner.id,
      key,
      answer: write,
      intend: (hold) => ({ ...holdIntention(hold), requestId: tenant.requestId }),
    },
    config.IDEMPOTENCY_WINDOW_MS,
  );
  if (!placed.ok) return placed;
  switch (placed.value.kind) {
    case 'accepted': {
      const { answer, intention } = placed.value.value;
      environment.relay.afterCommit(cell, { intentions: [intention], endpointIds: [] });
      return replied(answer);
    }
    case 'same_key':
      return repeated(placed.value.answer);
    case 'same_reference': {
      const hold = await findHold(cell, partner.id, placed.value.resourceId);
      return repeated(write(present(hold, 'the hold of a used reference')));
    }
  }
}

/**
 * Pays from a hold: the ordinary payment of its destination, whose source may spend what the hold has set aside, in one
 * commit with the end of the hold. What it does not take is free again. A transfer to a bank that fails later is given
 * back to the wallet; the hold stays captured.
 * @returns the answer, or refused: NOT_FOUND, HOLD_NOT_OPEN, INVALID_BANK_CODE, or by the ledger.
 */
export async function captureHold(
  tenant: Tenant,
  holdId: string,
  request: CaptureRequest,
  { key, write }: Reply<PostedLeg>,
): Promise<Outcome<Replied>> {
  const hold = await findHold(tenant.cell, tenant.partner.id, holdId);
  if (!hold) return refuse('NOT_FOUND');
  const payment = await paymentOf(tenant, hold, request);
  if (!payment.ok) return payment;
  const { opening, ...told } = payment.value;
  return postOpening(tenant, { opening: { ...opening, holdId, key }, ...told, write });
}

/** The ordinary payment from the wallet of a hold, and what is told and begun with it. */
async function paymentOf(
  tenant: Tenant,
  { walletId: sourceWalletId, reference }: Hold,
  request: CaptureRequest,
): Promise<Outcome<Omit<OpeningPost, 'write'>>> {
  if ('destWalletId' in request) {
    const opening = p2pOpening(tenant, { ...request, sourceWalletId, reference });
    return done({ opening, announce: ({ transaction }) => [completedAtOnce(transaction)] });
  }
  return map(await bankOpening(tenant, { ...request, sourceWalletId, reference }), (opening) => ({
    opening,
    // Partners are told of the transfer's end, and not of its acceptance.
    announce: () => [],
    intend: ({ transaction }, epoch) => payoutIntentions(transaction, epoch),
  }));
}

/**
 * Releases a hold. A second call finds it released, and answers the same.
 * @returns the hold; or NOT_FOUND, or HOLD_NOT_OPEN where it was captured or has expired.
 */
export async function releaseHold({ cell, partner }: Tenant, holdId: string): Promise<Outcome<Hold>> {
  const hold = await endHold(cell, { partnerId: partner.id, holdId, trigger: 'release' });
  if (!hold) return refuse('NOT_FOUND');
  return hold.status === 'released' ? done(hold) : holdNotOpen(hold);
}
