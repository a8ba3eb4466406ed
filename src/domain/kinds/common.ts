/** What several kinds of transaction have in common, named once. */
import type { Leg, OpeningCommon } from '../ledger/movements';
import type { EventsOfKind, Life } from './kind';

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
