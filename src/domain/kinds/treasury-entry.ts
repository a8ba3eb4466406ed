/**
 * What two operators have booked of our money with a company: money that was sent there, settlements, and corrections of
 * its fees. It is in our own books alone: it has no wallet, and no partner meets it.
 */
import type { OpeningOf } from '../ledger/movements';
import { IN_OUR_BOOKS } from './common';
import type { OpeningKind } from './kind';

export const treasuryEntry: OpeningKind<OpeningOf<'treasury_entry'>> = {
  ...IN_OUR_BOOKS,
  summary: 'An entry about our money with a provider',
  once: { by: 'own_id' },
  suspense: ({ finding }) => finding,
  postings: { accept: ({ postings }) => [...postings], settle: null, return: null },
};
