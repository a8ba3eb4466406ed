/** A request to be paid by QR code. It becomes a transaction only when it is paid (D66, D68). */
import type { Kobo } from './money';
import type { Metadata } from './wallets';

export interface QrRequest {
  id: string;
  partnerId: string;
  /** The wallet that receives the payment. */
  walletId: string;
  amountKobo: Kobo;
  reference: string;
  /** What the printed code carries in place of the reference, which may be longer than EMVCo allows. */
  label: string;
  /** The name that the payer reads, as it was when the code was made, so that a replay gives the same picture. */
  payeeName: string;
  description: string;
  metadata: Metadata;
  createdAt: Date;
  expiresAt: Date;
  paid: { transactionId: string; sourceWalletId: string } | null;
}

/** What the ledger needs of it. */
export type PayableQr = Omit<QrRequest, 'payeeName'>;

/** What a request is at a moment. */
export const QR_STATUSES = ['open', 'paid', 'expired'] as const;
export type QrStatus = (typeof QR_STATUSES)[number];

/** A request with what it is by the clock of the database. */
export interface QrRequestNow extends QrRequest {
  status: QrStatus;
}

/**
 * How long a request can be paid, in seconds: the least and the most that a partner may ask for, and the time if
 * the partner asks for none (interface: Limits; D67).
 */
export const QR_LIFETIME_SECONDS = { min: 1, default: 300, max: 86_400 } as const;

/** What makes two creations with one reference the same request (D45). */
export const qrTerms = (request: { walletId: string; amountKobo: Kobo }): string =>
  JSON.stringify(['qr_request', request.walletId, request.amountKobo]);
