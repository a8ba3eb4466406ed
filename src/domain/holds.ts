/**
 * A hold: a part of a wallet's balance that is set aside for one later payment. It ends once: the payment captures it,
 * the partner releases it, or its time runs out. Until then nothing else can spend what it has set aside (D203, D204).
 */
import { next, type Row } from './machine';
import type { Kobo } from './money';
import { refuse, refuseFields, type Refused } from './outcome';
import { PAYER_REFUSALS, type WalletStatus } from './wallets';

export const HOLD_STATUSES = ['open', 'captured', 'released', 'expired'] as const;
export type HoldStatus = (typeof HOLD_STATUSES)[number];
export type HoldTrigger = 'capture' | 'release' | 'expire';

export const HOLD_MACHINE: readonly Row<HoldStatus, HoldTrigger>[] = [
  ['open', 'capture', 'captured'],
  ['open', 'release', 'released'],
  ['open', 'expire', 'expired'],
];

export interface Hold {
  id: string;
  partnerId: string;
  walletId: string;
  amountKobo: Kobo;
  /** The partner's; the payment that captures the hold has it, too. */
  reference: string;
  status: HoldStatus;
  createdAt: Date;
  expiresAt: Date;
  endedAt: Date | null;
  /** The payment that has captured it. Another capture on the same terms is a repeat; null before. */
  capture: { transactionId: string; amountKobo: Kobo; terms: string } | null;
}

/** How long an amount can be set aside, in seconds: the least, the most, and the time if the partner asks for none. */
export const HOLD_LIFETIME_SECONDS = { min: 1, default: 86_400, max: 604_800 } as const;

/** What makes two holds with one reference the same request (D45). */
export const holdTerms = (hold: { walletId: string; amountKobo: Kobo }): string =>
  JSON.stringify(['hold', hold.walletId, hold.amountKobo]);

/** What of a balance can be spent: all but what open holds have set aside. */
export const availableKobo = (account: { balanceKobo: Kobo; heldKobo: Kobo }): Kobo =>
  account.balanceKobo - account.heldKobo;

/** Why an amount cannot be set aside now; null if it can. The wallet's state is judged as for a payment (D55). */
export function holdRefusal(
  account: { status: WalletStatus; balanceKobo: Kobo; heldKobo: Kobo },
  amountKobo: Kobo,
): Refused | null {
  const code = PAYER_REFUSALS[account.status];
  if (code) return refuse(code);
  const available = availableKobo(account);
  if (available >= amountKobo) return null;
  return refuse('INSUFFICIENT_FUNDS', { detail: { availableKobo: available, requiredKobo: amountKobo } });
}

/**
 * Why a payment of this amount cannot capture the hold; null if it can. A hold whose time is over is not captured, also
 * while nobody has written yet that it has expired.
 */
export function captureRefusal(hold: Hold, amountKobo: Kobo, now: Date): Refused | null {
  if (!next(HOLD_MACHINE, hold.status, 'capture')) return holdNotOpen(hold);
  if (hold.expiresAt <= now) return holdNotOpen({ ...hold, status: 'expired' });
  if (amountKobo > hold.amountKobo) return refuseFields({ field: 'amount', message: 'is more than is held' });
  return null;
}

/** The refusal of whatever needs an open hold. */
export const holdNotOpen = ({ status, capture }: Pick<Hold, 'status' | 'capture'>): Refused =>
  refuse('HOLD_NOT_OPEN', { detail: { status, transactionId: capture?.transactionId ?? null } });
