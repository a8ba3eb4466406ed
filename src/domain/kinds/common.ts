/** What several kinds of transaction have in common, named once. */
import { FREE } from '../fees';
import type { Leg, OpeningCommon } from '../ledger/movements';
import type { EventsOfKind, Life, OpeningKind } from './kind';

/** Booked and complete in one commit. */
export const COMPLETE_AT_ONCE: Life = {
  bornAs: 'completed',
  machine: [],
  endedBy: null,
  inFlightWhile: null,
  entries: { completed: ['accept'] },
  givenBack: null,
};

/** Events of its own, under the interface's names alone. */
export const EVENTS_OF_ITS_OWN: EventsOfKind = {
  areSent: true,
  areAliased: false,
  completedNames: 'both_wallets',
};

/** The one leg of an opening that is one transaction. null stands for the world outside the wallets. */
export const oneLeg = (
  { transactionId, amountKobo }: OpeningCommon,
  sourceWalletId: string | null,
  destWalletId: string | null,
): readonly Leg[] => [{ transactionId, sourceWalletId, destWalletId, amountKobo }];

/** From one wallet to another. */
export const betweenWallets = (
  opening: OpeningCommon & { sourceWalletId: string; destWalletId: string },
): readonly Leg[] => oneLeg(opening, opening.sourceWalletId, opening.destWalletId);

/** Of a kind that is in our own books alone: it has no wallet, costs nothing, is complete at once, and no partner meets it. */
export const IN_OUR_BOOKS = {
  fees: FREE,
  life: COMPLETE_AT_ONCE,
  events: { ...EVENTS_OF_ITS_OWN, areSent: false },
  sourceRefusals: null,
  limits: [],
  legs: (opening: OpeningCommon) => oneLeg(opening, null, null),
  record: null,
} satisfies Partial<OpeningKind<never>>;
