/**
 * A legal hold: what is known of a person, or of a whole partner, is kept beyond its period and not erased, because a court
 * or an authority has ordered it.
 */

/** By what a person is named: never by the partner's own name of the person, which the trail would keep for good. */
export interface LegalHoldSubject {
  /** A wallet of the person; null where a check or the whole partner is meant. */
  walletId: string | null;
  /** A check of the person; null where a wallet or the whole partner is meant. */
  verificationId: string | null;
}

export interface LegalHold extends LegalHoldSubject {
  id: string;
  partnerId: string;
  reason: string;
  createdAt: Date;
  /** Null while it is in force. */
  liftedAt: Date | null;
}
