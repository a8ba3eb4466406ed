/**
 * Money that two or three people take out of suspense: written off as a loss, or passed on because a wallet of another cell
 * has it. It is in our own books alone: it has no wallet, and no partner meets it.
 */
import type { OpeningOf } from '../ledger/movements';
import { suspenseMovePostings } from '../postings';
import { IN_OUR_BOOKS } from './common';
import type { OpeningKind } from './kind';

export const suspenseMove: OpeningKind<OpeningOf<'suspense_move'>> = {
  ...IN_OUR_BOOKS,
  summary: 'Money that waited in suspense, written off or passed on to another cell',
  once: { by: 'own_id' },
  suspense: ({ from }) => ({ class: from.class, resource: from.resource, detail: null }),
  postings: {
    accept: ({ from: { account }, holds, to }, { amountKobo }) =>
      suspenseMovePostings(amountKobo, { account, holds, to }),
    settle: null,
    return: null,
  },
};
