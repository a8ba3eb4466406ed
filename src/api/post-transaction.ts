/** From a movement to its answer: the part that all money routes share. */
import { present } from '../domain/assert';
import type { EventDraft } from '../domain/events';
import type { Intention } from '../domain/intentions';
import type { Opening, Posted, PostedLeg, StoredAnswer } from '../domain/ledger';
import { done, type Outcome } from '../domain/outcome';
import { stillLocked } from '../db/ledger/idempotency';
import { balancesAfter, findLegs, findTransaction } from '../db/ledger/transactions';
import { replayed, type Answer, type Call } from './route';

export interface TransactionPost {
  opening: Opening;
  announce: (posted: Posted) => EventDraft[];
  intend?: (posted: Posted, epoch: number) => Intention;
  /** Writes the answer in the form of this call; a split has several legs, everything else one. */
  write: (first: PostedLeg, legs: readonly PostedLeg[]) => Answer;
}

/**
 * Posts a movement and answers: as posted, as refused, or as the first request of the same key or reference
 * was answered (D44, D45, D130).
 */
export async function postTransaction(call: Call, post: TransactionPost): Promise<Outcome<Answer>> {
  let written: Answer | undefined;
  const write = (posted: Posted): Answer => (written = post.write(posted, posted.legs));
  const result = await call.cell.ledger.post({
    movement: post.opening,
    announce: post.announce,
    ...(post.intend && { intend: post.intend }),
    answer: (posted) => stored(write(posted)),
  });
  if (!result.ok) return result;
  const { value } = result;
  switch (value.kind) {
    case 'posted':
      return done(written ?? write(value));
    case 'same_key':
      return done(replayed(value.answer));
    case 'same_reference': {
      const found = await findTransaction(call.cell, call.partner.id, value.transactionId);
      const first = present(found, 'the transaction of a used reference');
      const legs = await balancesAfter(call.cell, await findLegs(call.cell, first));
      return done(replayed(post.write(present(legs[0], 'its first leg'), legs)));
    }
    case 'locked':
      return stillLocked(call.idempotencyKey);
    case 'settled_before':
      throw new Error('bug: an opening cannot have been settled');
  }
}

const stored = ({ status, body }: Answer): StoredAnswer => ({
  status,
  body: present(body, 'the body of an answer'),
});
