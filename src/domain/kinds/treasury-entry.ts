/**
 * What two operators have booked of our money with a company: money that was sent there, settlements, and corrections of
 * its fees. It is in our own books alone: it has no wallet, and no partner meets it.
 */
import { FREE } from '../fees';
import type { OpeningOf } from '../ledger/movements';
import { treasuryPostings } from '../postings';
import { COMPLETE_AT_ONCE, EVENTS_OF_ITS_OWN, oneLeg } from './common';
import type { OpeningKind } from './kind';

export const treasuryEntry: OpeningKind<OpeningOf<'treasury_entry'>> = {
  summary: 'An entry about our money with a provider',
  fees: FREE,
  life: COMPLETE_AT_ONCE,
  events: { ...EVENTS_OF_ITS_OWN, areSent: false },
  sourceRefusals: null,
  limits: [],
  once: { by: 'own_id' },
  legs: (opening) => oneLeg(opening, null, null),
  record: null,
  postings: { accept: ({ booked }) => treasuryPostings(booked), settle: null, return: null },
};
