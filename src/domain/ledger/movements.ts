/**
 * What can be asked of the ledger. A movement either begins transactions (an opening), ends a bank transfer
 * (a settlement), or carries out a USSD payment that its payer has confirmed.
 */
import type { Kobo } from '../money';
import type { BankAccount, BankTransferTrigger, ProviderFacts, SplitShare } from '../transactions';
import type { Metadata } from '../wallets';

/** The first use of an Idempotency-Key within its window (D44). */
export interface UsedKey {
  operation: string;
  key: string;
  /** Of the body after aliases are folded, path ids included (D44, D167). */
  fingerprint: string;
}

interface OpeningCommon {
  kind: 'open';
  transactionId: string;
  partnerId: string;
  reference: string;
  /** Of all its legs together. */
  amountKobo: Kobo;
  description: string;
  metadata: Metadata;
  key: UsedKey | null;
}

/** A movement that begins a transaction, or one for each leg of a split. */
export type Opening = OpeningCommon &
  (
    | { type: 'p2p_transfer'; sourceWalletId: string; destWalletId: string }
    | { type: 'bank_transfer'; sourceWalletId: string; destAccount: BankAccount; hold: boolean }
    | { type: 'wallet_funding'; destWalletId: string; from: FundingSource }
    | { type: 'qr_payment'; sourceWalletId: string; destWalletId: string; qrRequestId: string }
    | { type: 'split_payment'; sourceWalletId: string; shares: readonly SplitLeg[] }
    /** An operator's correction: its transaction id is the adjustment's, so that it is posted once (D14). */
    | { type: 'wallet_credit'; destWalletId: string }
    | { type: 'wallet_debit'; sourceWalletId: string }
  );

/** Sandbox money, or a bank transfer to our own MFB, which credits a wallet once and for all (D60, R8). */
export type FundingSource = { kind: 'sandbox' } | { kind: 'own_mfb'; bankTransferId: string };

/** One destination of a split, with the id of its transaction; the first one's is the split's. */
interface SplitLeg extends SplitShare {
  transactionId: string;
}

/** A movement that ends a bank transfer, or takes a completed one back. */
export interface Settlement {
  kind: 'settle';
  transactionId: string;
  partnerId: string;
  /** Never changes, so it is known before the transfer is locked: accounts are locked first, everywhere. */
  sourceWalletId: string;
  trigger: BankTransferTrigger;
  paidBy: 'psp' | 'own_mfb';
  /** The id of the reversal, should this settlement need one. */
  reversalId: string;
  failedReason: string | null;
  facts: ProviderFacts | null;
}

/** A USSD payment whose PIN was accepted: it completes, or fails with the code of what was in its way. */
export interface UssdPayment {
  kind: 'pay_ussd';
  transactionId: string;
  partnerId: string;
  sourceWalletId: string;
  destWalletId: string;
}

export type Movement = Opening | Settlement | UssdPayment;

/** One debit with its credit, as its own transaction: a split has several, every other opening one. */
export interface Leg {
  transactionId: string;
  sourceWalletId: string | null;
  destWalletId: string | null;
  amountKobo: Kobo;
}

export function legsOf(opening: Opening): readonly Leg[] {
  if (opening.type === 'split_payment') {
    const { sourceWalletId } = opening;
    return opening.shares.map(({ transactionId, walletId, amountKobo }) => ({
      transactionId,
      sourceWalletId,
      destWalletId: walletId,
      amountKobo,
    }));
  }
  const { transactionId, amountKobo } = opening;
  return [
    {
      transactionId,
      amountKobo,
      sourceWalletId: 'sourceWalletId' in opening ? opening.sourceWalletId : null,
      destWalletId: 'destWalletId' in opening ? opening.destWalletId : null,
    },
  ];
}

/** The wallets whose rows a movement needs locked. A settlement gives its money back to the source. */
export function walletsOf(movement: Movement): string[] {
  if (movement.kind === 'settle') return [movement.sourceWalletId];
  if (movement.kind === 'pay_ussd') return [movement.sourceWalletId, movement.destWalletId];
  return walletsOfLegs(legsOf(movement));
}

/** Each once, in the order of the legs. */
function walletsOfLegs(legs: readonly Leg[]): string[] {
  const ids: string[] = [];
  for (const { sourceWalletId: source, destWalletId: dest } of legs) {
    if (source !== null && !ids.includes(source)) ids.push(source);
    if (dest !== null && !ids.includes(dest)) ids.push(dest);
  }
  return ids;
}

/** The transactions that must be there before, and are locked after the accounts. */
export function transactionOf(movement: Movement): string | null {
  return movement.kind === 'open' ? null : movement.transactionId;
}

/** True for the kinds that use up a partner's reference; a QR's was used when it was created (D45, R6). */
export const usesReference = (opening: Opening): boolean => REFERRING.includes(opening.type);
const REFERRING: readonly Opening['type'][] = ['p2p_transfer', 'bank_transfer', 'split_payment'];

/** What makes two requests with one reference the same: type, wallets or account, amount (D45, D160). */
export function termsOf(opening: Opening): string {
  const { type, amountKobo } = opening;
  if (type === 'bank_transfer') {
    const { bankCode, accountNumber } = opening.destAccount;
    return JSON.stringify([type, opening.sourceWalletId, bankCode, accountNumber, amountKobo]);
  }
  if (type === 'split_payment') {
    const shares = opening.shares.map((share) => [share.walletId, share.amountKobo]);
    return JSON.stringify([type, opening.sourceWalletId, shares]);
  }
  return JSON.stringify([type, ...walletsOfLegs(legsOf(opening)), amountKobo]);
}
