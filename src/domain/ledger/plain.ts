/**
 * The plain yes: a payment that will be posted if its names are new, its wallets are active, and they have the money
 * and the room for all that a batch asks of them. What is decided here is all but that; the writer asks Postgres for
 * the rest in the statement that writes, so nothing is read before.
 */
import { openingKindOf } from '../kinds';
import { KOBO_MAX, type Kobo } from '../money';
import { booksOfAccounts, type Account, type Posted } from './books';
import { decide } from './decide';
import type { Movement, Opening } from './movements';
import { usesReference, walletsOf } from './needs';

/** Half of the largest balance: an assumed wallet has money, and room for as much. */
const ASSUMED_KOBO = Math.floor(KOBO_MAX / 2);

/**
 * Decides movements on the assumption that every wallet belongs to the partner that names it first, is active,
 * under no limits and rich, and that no name was used before this batch. The order of the movements decides which of two with the same
 * name is the first.
 * @returns for each movement what would be posted, with times and balances that mean nothing yet; null where it is no
 *   plain payment, or not a yes whatever the wallets have.
 */
export function assumeYes(movements: readonly Movement[], now: Date): (Posted | null)[] {
  const accounts = new Map<string, Account>();
  const plain = movements.filter(isPlain);
  for (const opening of plain) {
    for (const id of walletsOf(opening)) {
      if (!accounts.has(id)) accounts.set(id, assumedAccount(id, opening.partnerId));
    }
  }
  const decisions = decide(booksOfAccounts(now, accounts), plain);
  const yes = new Map<Movement, Posted>();
  for (const [place, decision] of decisions.entries()) {
    if (decision.ok && decision.value.kind === 'posted') yes.set(plain[place] as Opening, decision.value);
  }
  return movements.map((movement) => yes.get(movement) ?? null);
}

/**
 * Whether an opening is one transfer that is known again by its reference: between two wallets and complete at once, or out of
 * a wallet and in flight from then on, without stamp duty, which would be a second transaction, and on this day.
 */
function isPlain(movement: Movement): movement is Opening {
  if (movement.kind !== 'open' || movement.duty || movement.countsOn || !usesReference(movement))
    return false;
  const { legs, life } = openingKindOf(movement);
  const [leg, ...others] = legs(movement);
  if (others.length > 0 || typeof leg?.sourceWalletId !== 'string') return false;
  return leg.destWalletId === null ? life.inFlightWhile === life.bornAs : life.endedBy === null;
}

const assumedAccount = (id: string, partnerId: string): Account => ({
  id,
  partnerId,
  status: 'active',
  balanceKobo: ASSUMED_KOBO,
  inFlightKobo: 0,
  heldKobo: 0,
  sequence: 0,
  limits: null,
});

/** What was assumed, with the time at which it was written and the balances that its wallets have since. */
export function asWritten(
  assumed: Posted,
  now: Date,
  balances: { sourceKobo: Kobo; destKobo: Kobo | null },
): Omit<Posted, 'entries' | 'suspense'> {
  const completedAt = assumed.transaction.completedAt && now;
  const transaction = { ...assumed.transaction, createdAt: now, updatedAt: now, completedAt };
  const legs = [{ transaction, balances }];
  return { kind: 'posted', legs, transaction, balances, was: null, reversal: null, duty: null };
}
