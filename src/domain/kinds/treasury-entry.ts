/**
 * What two operators have booked of our money with a company: money that was sent there, settlements, and corrections of
 * its fees. It is in our own books alone: it has no wallet, and no partner meets it.
 */
import type { OpeningOf } from '../ledger/movements';
import { treasuryPostings } from '../postings';
import { suspenseOfEntry } from '../treasury';
import { IN_OUR_BOOKS } from './common';
import type { OpeningKind } from './kind';

export const treasuryEntry: OpeningKind<OpeningOf<'treasury_entry'>> = {
  ...IN_OUR_BOOKS,
  summary: 'An entry about our money with a provider',
  once: { by: 'own_id' },
  suspense: ({ booked }) => suspenseOfEntry(booked),
  postings: { accept: ({ booked }) => treasuryPostings(booked), settle: null, return: null },
};
