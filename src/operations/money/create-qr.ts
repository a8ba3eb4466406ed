/** A request to be paid by QR: nothing moves, but its reference is used up (interface: Payments; D45, D64-D68). */
import { randomInt } from 'node:crypto';
import { present } from '../../domain/assert';
import { done, refuse, type Outcome } from '../../domain/outcome';
import { qrTerms, type QrRequest } from '../../domain/qr-requests';
import { accept } from '../../db/ledger/acceptance';
import { findQrRequest, insertQrRequest } from '../../db/payments/qr-requests';
import { newId } from '../../db/pg/ids';
import { findWallet } from '../../db/wallets/wallets';
import type { Config } from '../../runtime/config';
import type { EmvRequest } from '../../wire/emv';
import type { QrCreation } from '../../wire/payments';
import { repeated, replied, type Replied, type Reply } from '../reply';
import type { Tenant } from '../tenant';

/** The reply of a QR request. To draw its picture takes time, so it is drawn before the commit. */
export interface QrReply extends Reply<{ request: QrRequest; image: string }> {
  draw: (request: EmvRequest) => string;
}

/**
 * Writes the request with its reference and the answer of its key, in one commit; a repeat finds them.
 * @returns the answer, or refused: AMOUNT_TOO_LOW, WALLET_NOT_FOUND, WALLET_CLOSED, DUPLICATE_REFERENCE,
 *   IDEMPOTENCY_KEY_REUSED.
 */
export async function createQr(
  { config }: { config: Config },
  { cell, partner }: Tenant,
  creation: QrCreation,
  { key, draw, write }: QrReply,
): Promise<Outcome<Replied>> {
  const { walletId, amountKobo, reference, description, metadata, lifetimeSeconds } = creation;
  if (amountKobo < 1) return refuse('AMOUNT_TOO_LOW');
  const id = newId();
  // This is read before the transaction, because no code takes a second connection while it holds one. An unpaid
  // QR never stops a wallet from being closed, so it does not matter which of the two comes first.
  const wallet = await findWallet(cell, partner.id, walletId);
  const asked = {
    id,
    partnerId: partner.id,
    walletId,
    amountKobo,
    reference,
    label: newLabel(),
    payeeName: wallet?.account?.accountName ?? partner.businessName,
    description,
    metadata,
  };
  // The picture is drawn before the transaction, because the transaction locks the reference and others may wait
  // for it.
  const image = draw(asked);
  const accepted = await accept(
    cell,
    {
      partnerId: partner.id,
      key,
      reference,
      terms: qrTerms({ walletId, amountKobo }),
      resourceId: id,
      transactionId: null,
    },
    config.IDEMPOTENCY_WINDOW_MS,
    async (trx) => {
      if (!wallet) return refuse('WALLET_NOT_FOUND');
      if (wallet.status === 'closed') return refuse('WALLET_CLOSED');
      const request = await insertQrRequest(trx, cell, asked, lifetimeSeconds);
      const answer = write({ request, image });
      return done({ value: answer, answer });
    },
  );
  if (!accepted.ok) return accepted;
  switch (accepted.value.kind) {
    case 'accepted':
      return replied(accepted.value.value);
    case 'same_key':
      return repeated(accepted.value.answer);
    case 'same_reference': {
      const found = await findQrRequest(cell, partner.id, { reference });
      const request = present(found, 'the QR request of a used reference');
      return repeated(write({ request, image: draw(request) }));
    }
  }
}

/** Crockford's digits: people and scanners do not mistake one for another. */
const LABEL_DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const newLabel = (): string =>
  Array.from({ length: 12 }, () => LABEL_DIGITS[randomInt(LABEL_DIGITS.length)]).join('');
