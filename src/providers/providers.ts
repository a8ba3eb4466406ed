/**
 * The companies outside, as the platform needs them. An answer says what is known; what is not known is
 * `unknown`, never a guess. A company that cannot be reached is a thrown outage, and is asked again.
 */
import type { IdentityRecord, VerificationType } from '../domain/verifications';
import type { IssuedAccount } from '../domain/wallets';

/** What the MFB is asked for. The wallet's id is its key: asking twice gives the same account. */
interface AccountOrder {
  partnerId: string;
  walletId: string;
  accountName: string;
  createdAt: Date;
}

export type AccountAnswer =
  { outcome: 'issued'; account: IssuedAccount } | { outcome: 'pending'; pollAfterMs: number };

interface MicrofinanceBank {
  issueAccount(order: AccountOrder): Promise<AccountAnswer>;
}

/** A transfer to another bank. Its id is the provider's key: submitting twice moves money once. */
export interface TransferOrder {
  transactionId: string;
  amountKobo: number;
  bankCode: string;
  accountNumber: string;
  acceptedAt: Date;
  /** When we have booked its success; null as long as we wait for an outcome. */
  completedAt: Date | null;
  hold: boolean;
}

export interface TransferAnswer {
  /**
   * `failed` only on a final refusal, `reversed` where the money went and came back; a time-out, an odd answer
   * or silence is `unknown` (G12).
   */
  outcome: 'success' | 'failed' | 'reversed' | 'pending' | 'unknown';
  /** The provider's id of the transfer, once it has one. */
  providerReference: string | null;
  sessionId: string | null;
  responseCode: string | null;
  reason: string | null;
  /** When asking again makes sense; null leaves it to our own schedule. */
  pollAfterMs: number | null;
}

export interface PaymentProvider {
  name: string;
  /** The name that the destination bank has for an account, or null when it knows no such account (D59). */
  enquireName(bankCode: string, accountNumber: string): Promise<string | null>;
  submit(order: TransferOrder): Promise<TransferAnswer>;
  query(order: TransferOrder): Promise<TransferAnswer>;
  /** The wallet of ours that a transfer pays, where its destination is our own MFB (D60); else null. */
  walletPaidBy(order: TransferOrder): Promise<WalletOwner | null>;
}

export interface WalletOwner {
  partnerId: string;
  walletId: string;
}

/** A number to look up. The verification's id is the bureau's key: asking twice is one look-up. */
export interface IdentityOrder {
  verificationId: string;
  type: VerificationType;
  /** The BVN or NIN itself: it goes to the bureau and nowhere else. */
  number: string;
  /** For bureaus that compare names themselves; null when none is known. */
  expectedName: string | null;
  submittedAt: Date;
}

export type IdentityAnswer =
  | { outcome: 'found'; record: IdentityRecord }
  | { outcome: 'not_found' }
  | { outcome: 'pending'; pollAfterMs: number }
  /** The bureau itself has given up on the register behind it: asking again is of no use. */
  | { outcome: 'unavailable' };

export interface IdentityBureau {
  lookUp(order: IdentityOrder): Promise<IdentityAnswer>;
}

export interface Providers {
  mfb: MicrofinanceBank;
  psp: PaymentProvider;
  identity: IdentityBureau;
}

/** What the simulator may look up about our own wallets; given to it, so that it stays without state (R21). */
export interface WalletPorts {
  drawNuban(owner: WalletOwner): Promise<string>;
  findNuban(accountNumber: string): Promise<(WalletOwner & { accountName: string }) | null>;
}
