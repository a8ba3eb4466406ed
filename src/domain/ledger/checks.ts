/** The checks of an opening, in the published order (D135, D166). The first one that refuses is the answer. */
import { present } from '../assert';
import { availableKobo, captureRefusal } from '../holds';
import { feesFor, kindOf, openingKindOf, type OpeningKind, type TransactionKind } from '../kinds';
import { creditLimitRefusal, debitLimitRefusal } from '../limits';
import { KOBO_MAX, type Kobo } from '../money';
import { done, refuse, refuseFields, type Refused } from '../outcome';
import type { TransactionType } from '../transaction-types';
import type { Transaction } from '../transactions';
import { DESTINATION_CLOSED } from '../wallets';
import { calendarOf, isResetting, referenceName, type Account, type Books, type Decision } from './books';
import type { Leg, Movement, Opening } from './movements';
import { captureOf } from './needs';

/** An opening with values that every check needs. */
export interface Asked {
  opening: Opening;
  kind: OpeningKind<Opening>;
  legs: readonly Leg[];
  /** What its source pays for all legs, and as stamp duty beside them. */
  totalKobo: Kobo;
}

export function ask(opening: Opening): Asked {
  const kind = openingKindOf(opening);
  const legs = kind.legs(opening);
  const totalKobo = legs.reduce(
    (sum, leg) => sum + debitKobo(opening.type, leg.amountKobo),
    opening.duty?.amountKobo ?? 0,
  );
  return { opening, kind, legs, totalKobo };
}

/**
 * The wallets that have less than these movements together take from them while something of them is held: what is held may
 * be over. Money that comes in by other movements is not counted, so a wallet may be named without need.
 */
export function shortOfMoney(books: Books, movements: readonly Movement[]): Account[] {
  const holding = [...books.accounts.values()].filter(({ heldKobo }) => heldKobo > 0);
  if (holding.length === 0) return [];
  const takenKobo = new Map<string, Kobo>();
  for (const movement of movements) {
    const taken = takenBy(movement, books);
    if (taken) takenKobo.set(taken.walletId, (takenKobo.get(taken.walletId) ?? 0) + taken.kobo);
  }
  return holding.filter((account) => availableKobo(account) < (takenKobo.get(account.id) ?? 0));
}

/** What a movement takes from a wallet beside what its own hold has set aside; null where it takes nothing. */
function takenBy(movement: Movement, books: Books): { walletId: string; kobo: Kobo } | null {
  switch (movement.kind) {
    case 'settle':
      return null;
    case 'pay_ussd': {
      const agreed = books.transactions.get(movement.transactionId);
      return agreed
        ? { walletId: movement.sourceWalletId, kobo: debitKobo(agreed.type, agreed.amountKobo) }
        : null;
    }
    case 'open': {
      const asked = ask(movement);
      const walletId = payerOf(asked);
      const setAsideKobo = books.holds.get(movement.holdId ?? '')?.amountKobo ?? 0;
      return walletId === null ? null : { walletId, kobo: asked.totalKobo - setAsideKobo };
    }
  }
}

type Check = (asked: Asked, books: Books) => Decision | null;

/** What a leg takes from its source. */
const debitKobo = (type: TransactionType, amountKobo: Kobo): Kobo =>
  amountKobo + (amountKobo < 1 ? 0 : feesFor(type, amountKobo).customerFeeKobo);

export const CHECKS: readonly Check[] = [
  function partnerIsReset({ opening }, books) {
    return isResetting(books, opening.partnerId) ? refuse('SERVICE_UNAVAILABLE') : null;
  },
  function sumBeyondIntegers({ totalKobo }) {
    if (totalKobo <= KOBO_MAX) return null;
    return refuseFields({ field: 'amount', message: 'plus its fee is beyond the largest integer' });
  },
  function amountTooLow({ legs }) {
    return legs.some((leg) => leg.amountKobo < 1) ? refuse('AMOUNT_TOO_LOW') : null;
  },
  function qrState(asked, books) {
    const { opening, kind } = asked;
    if (kind.once.by !== 'qr_request') return null;
    const { paid, expiresAt } = present(books.qrRequests.get(kind.once.id(opening)), 'the QR request to pay');
    if (paid?.sourceWalletId === payerOf(asked)) {
      return done({ kind: 'same_reference', transactionId: paid.transactionId });
    }
    if (paid) return refuse('QR_ALREADY_PAID');
    return expiresAt <= books.now ? refuse('QR_EXPIRED') : null;
  },
  function holdState({ opening }, books) {
    const capture = captureOf(opening);
    if (!capture) return null;
    const hold = present(books.holds.get(capture.holdId), 'the hold to capture');
    if (hold.capture?.terms === capture.terms) return repeatOf(hold.capture.transactionId);
    return captureRefusal(hold, opening.amountKobo, books.now);
  },
  function sameWallet({ legs }) {
    // Two sides outside of the wallets are not the same one.
    const same = legs.some((leg) => leg.sourceWalletId !== null && leg.sourceWalletId === leg.destWalletId);
    return same ? refuse('SAME_WALLET_TRANSFER') : null;
  },
  function postedBefore({ opening, kind: { once } }, books) {
    // The check of the hold's state has found a repeat of a capture already.
    if (opening.holdId !== undefined) return null;
    switch (once.by) {
      case 'reference':
        return referenceUsed(opening, once.terms(opening), books);
      case 'credited_transfer': {
        const bankTransferId = once.id(opening);
        return bankTransferId === null ? null : repeatOf(books.creditedTransfers.get(bankTransferId));
      }
      case 'own_id':
        return repeatOf(books.transactions.get(opening.transactionId)?.id);
      case 'qr_request':
        // The check of the request's state has found a repeat already.
        return null;
    }
  },
  function walletsExist({ opening, legs }, books) {
    const isMissing = (id: string | null) => id !== null && !owned(books, opening, id);
    const missing = legs.some((leg) => isMissing(leg.sourceWalletId) || isMissing(leg.destWalletId));
    return missing ? refuse('WALLET_NOT_FOUND') : null;
  },
  function sourceState(asked, books) {
    const source = sourceOf(asked, books);
    return source ? sourceRefusal(asked.kind, source) : null;
  },
  function destinationClosed({ opening, legs }, books) {
    return legs.some((leg) => owned(books, opening, leg.destWalletId)?.status === 'closed')
      ? DESTINATION_CLOSED
      : null;
  },
  function regulatoryLimits(asked, books) {
    const { opening, kind } = asked;
    const source = sourceOf(asked, books);
    const on = opening.countsOn ?? calendarOf(books, opening.partnerId);
    const aheadMs = on.getTime() - books.now.getTime();
    const ofDebit = source && debitLimitRefusal(kind.limits, source, opening.amountKobo, books.now, aheadMs);
    if (ofDebit) return ofDebit;
    for (const [dest, amountKobo] of creditsOf(asked, books)) {
      const ofCredit = creditLimitRefusal(kind.limits, dest, amountKobo);
      if (ofCredit) return ofCredit;
    }
    return null;
  },
  function funds(asked, books) {
    const { holdId } = asked.opening;
    const setAsideKobo = holdId === undefined ? 0 : (books.holds.get(holdId)?.amountKobo ?? 0);
    return fundsFor(sourceOf(asked, books), asked.totalKobo, setAsideKobo);
  },
  function roomInDestination(asked, books) {
    return [...creditsOf(asked, books)].some(([dest, amountKobo]) => !hasRoom(dest, amountKobo))
      ? noRoom()
      : null;
  },
];

/** What each wallet gets of all legs. */
function creditsOf({ opening, legs }: Asked, books: Books): Map<Account, Kobo> {
  const credits = new Map<Account, Kobo>();
  for (const { destWalletId, amountKobo } of legs) {
    const dest = owned(books, opening, destWalletId);
    if (dest) credits.set(dest, (credits.get(dest) ?? 0) + amountKobo);
  }
  return credits;
}

/** Why a payment that was agreed earlier cannot be carried out now, as its wallets are now; or null (D34, D73). */
export function paymentRefusal(
  { type, amountKobo }: Transaction,
  { source, dest }: { source: Account; dest: Account },
  now: Date,
  aheadMs: number,
): Refused | null {
  const kind = kindOf(type);
  const stopped = sourceRefusal(kind, source);
  if (stopped) return stopped;
  if (dest.status === 'closed') return DESTINATION_CLOSED;
  const limited =
    debitLimitRefusal(kind.limits, source, amountKobo, now, aheadMs) ??
    creditLimitRefusal(kind.limits, dest, amountKobo);
  if (limited) return limited;
  const short = fundsFor(source, debitKobo(type, amountKobo));
  if (short) return short;
  return hasRoom(dest, amountKobo) ? null : noRoom();
}

function sourceRefusal({ sourceRefusals }: TransactionKind, source: Account): Refused | null {
  const code = sourceRefusals?.[source.status];
  return code ? refuse(code) : null;
}

/** Whether there is room for this credit and for everything that may still come back to the wallet. */
export const hasRoom = (account: Account, amountKobo: Kobo): boolean =>
  account.balanceKobo + account.inFlightKobo <= KOBO_MAX - amountKobo;

const noRoom = (): Refused =>
  refuse('LIMIT_EXCEEDED', { message: 'The balance would pass the largest integer' });

/** @param setAsideKobo what the hold that is captured has set aside for this very payment. */
function fundsFor(source: Account | undefined, requiredKobo: Kobo, setAsideKobo: Kobo = 0): Refused | null {
  if (!source) return null;
  const spendableKobo = availableKobo(source) + setAsideKobo;
  if (spendableKobo >= requiredKobo) return null;
  return refuse('INSUFFICIENT_FUNDS', { detail: { availableKobo: spendableKobo, requiredKobo } });
}

const repeatOf = (transactionId: string | undefined): Decision | null =>
  transactionId === undefined ? null : done({ kind: 'same_reference', transactionId });

function referenceUsed(opening: Opening, terms: string, books: Books): Decision | null {
  const known = books.references.get(referenceName(opening.partnerId, opening.reference));
  if (!known) return null;
  const { transactionId } = known;
  // Only a QR request can be without a transaction, and it is never the same as a transfer.
  if (transactionId !== null && terms === known.terms) {
    return done({ kind: 'same_reference', transactionId });
  }
  return refuse('DUPLICATE_REFERENCE', { detail: { transactionId } });
}

/**
 * The account, if it belongs to this partner. The answer for a wallet of another partner is the same as for one
 * that does not exist (D29).
 */
function owned(books: Books, opening: Opening, walletId: string | null): Account | undefined {
  const account = walletId === null ? undefined : books.accounts.get(walletId);
  return account?.partnerId === opening.partnerId ? account : undefined;
}

/** All legs of an opening have one source. */
const payerOf = ({ legs }: Asked): string | null => (legs[0] as Leg).sourceWalletId;

const sourceOf = (asked: Asked, books: Books): Account | undefined =>
  owned(books, asked.opening, payerOf(asked));
