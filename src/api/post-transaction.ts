/** From a movement to its answer: the part that all money routes share. */
import { present } from '../domain/assert';
import type { EventDraft } from '../domain/events';
import type { Intention } from '../domain/intentions';
import type { Opening, Posted, StoredAnswer } from '../domain/ledger';
import { refuse, type Refusal } from '../domain/refusals';
import type { Transaction } from '../domain/transactions';
import { balancesAfter, findTransaction } from '../db/transactions';
import type { BalancesAfter } from '../wire/transactions';
import { replayed, type Answer, type Call } from './route';

export interface TransactionPost {
  opening: Opening;
  announce: (posted: Posted) => EventDraft[];
  intend?: (posted: Posted) => Intention;
  /** Writes the answer in the form of this call. */
  write: (transaction: Transaction, balances: BalancesAfter) => Answer;
}

/**
 * Posts a movement and answers: as posted, as refused, or as the first request of the same key or reference
 * was answered (D44, D45, D130).
 */
export async function postTransaction(call: Call, post: TransactionPost): Promise<Answer | Refusal> {
  let written: Answer | undefined;
  const write = (posted: Posted): Answer => (written = post.write(posted.transaction, posted.balances));
  const result = await call.cell.ledger.post({
    movement: post.opening,
    announce: post.announce,
    ...(post.intend && { intend: post.intend }),
    answer: (posted) => stored(write(posted)),
  });
  switch (result.kind) {
    case 'posted':
      return written ?? write(result);
    case 'refused':
      return result.refusal;
    case 'same_key':
      return replayed(result.answer);
    case 'same_reference': {
      const found = await findTransaction(call.cell, call.partner.id, result.transactionId);
      const transaction = present(found, 'the transaction of a used reference');
      return replayed(post.write(transaction, await balancesAfter(call.cell, transaction)));
    }
    case 'held':
      return refuse(call.idempotencyKey === null ? 'SERVICE_UNAVAILABLE' : 'REQUEST_IN_PROGRESS');
    case 'settled_before':
      throw new Error('bug: an opening cannot have been settled');
  }
}

const stored = ({ status, body }: Answer): StoredAnswer => ({
  status,
  body: present(body, 'the body of an answer'),
});
