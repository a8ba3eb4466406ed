/** What must be read before a movement is decided: the rows to lock, and names it may have used before. */
import { present } from '../assert';
import { openingKindOf } from '../kinds';
import type { Leg, Movement, Opening } from './movements';

/** The wallets whose rows a movement needs locked. A settlement gives its money back to the source. */
export function walletsOf(movement: Movement): string[] {
  if (movement.kind === 'settle') return [movement.sourceWalletId];
  if (movement.kind === 'pay_ussd') return [movement.sourceWalletId, movement.destWalletId];
  return walletsOfLegs(openingKindOf(movement).legs(movement));
}

/** Each wallet once, in the order of the legs. */
function walletsOfLegs(legs: readonly Leg[]): string[] {
  const ids: string[] = [];
  for (const { sourceWalletId: source, destWalletId: dest } of legs) {
    if (source !== null && !ids.includes(source)) ids.push(source);
    if (dest !== null && !ids.includes(dest)) ids.push(dest);
  }
  return ids;
}

/** The transaction that must exist already; null for an opening. It is locked after the accounts. */
export const transactionOf = (movement: Movement): string | null =>
  movement.kind === 'open' ? null : movement.transactionId;

/**
 * What makes two requests with one reference the same (D45, D160); null for an opening that uses up no reference.
 * The reference of a QR was used up when its request was created (R6), and that of a capture when its hold was.
 */
export function termsOf(opening: Opening): string | null {
  return usesReference(opening) ? termsAsked(opening) : null;
}

/** The hold that an opening captures and what would make another capture the same one; null where it captures none. */
export function captureOf(opening: Opening): { holdId: string; terms: string } | null {
  const { holdId } = opening;
  return holdId === undefined
    ? null
    : { holdId, terms: present(termsAsked(opening), 'the terms of a capture') };
}

function termsAsked(opening: Opening): string | null {
  const { once } = openingKindOf(opening);
  return once.by === 'reference' ? once.terms(opening) : null;
}

/** True for an opening that uses up a partner's reference. */
export const usesReference = (opening: Opening): boolean =>
  opening.holdId === undefined && openingKindOf(opening).once.by === 'reference';

/** The QR request that an opening pays, or null. */
export function qrRequestOf(opening: Opening): string | null {
  const { once } = openingKindOf(opening);
  return once.by === 'qr_request' ? once.id(opening) : null;
}

/** The bank transfer whose arrival an opening credits, or null. */
export function creditedTransferOf(opening: Opening): string | null {
  const { once } = openingKindOf(opening);
  return once.by === 'credited_transfer' ? once.id(opening) : null;
}

/** The transaction that an opening gives back, or null. */
export const reversedBy = (opening: Opening): string | null =>
  openingKindOf(opening).reverses?.(opening) ?? null;

/** The id under which an opening may have been posted before; null where a repeat is recognised in another way. */
export const ownIdOf = (opening: Opening): string | null =>
  openingKindOf(opening).once.by === 'own_id' ? opening.transactionId : null;

/** The stamp duty that may have been charged with the transfer which a settlement ends; null for other movements. */
export const dutyOf = (movement: Movement): string | null =>
  movement.kind === 'settle' ? movement.duty.transactionId : null;

/** The hand order that a settlement carries out, or null. */
export const handOrderOf = (movement: Movement): string | null =>
  movement.kind === 'settle' ? (movement.handOrder?.id ?? null) : null;
