/** Posts a movement that a partner asked for, and makes its answer. All kinds of payments share this. */
import { present } from '../../domain/assert';
import type { EventDraft } from '../../domain/events';
import type { Intention } from '../../domain/intentions';
import type { Opening, Posted, PostedLeg, StoredAnswer } from '../../domain/ledger';
import type { Outcome } from '../../domain/outcome';
import { stillLocked } from '../../db/ledger/idempotency';
import { balancesAfter, findLegs, findTransaction } from '../../db/ledger/transactions';
import { repeated, replied, type Replied } from '../reply';
import type { Tenant } from '../tenant';

export interface OpeningPost {
  opening: Opening;
  announce: (posted: Posted) => EventDraft[];
  intend?: (posted: Posted, epoch: number) => Intention;
  /** Writes the answer; a split has several legs, everything else one. */
  write: (first: PostedLeg, legs: readonly PostedLeg[]) => StoredAnswer;
}

/**
 * Posts a movement and answers: as posted, as refused, or as the first request of the same key or reference
 * was answered (D44, D45, D130). The ledger tells the relay after its commit.
 * @returns the answer, or the ledger's refusal; REQUEST_IN_PROGRESS with a key, SERVICE_UNAVAILABLE without
 *   one, where a row stayed locked for two seconds.
 */
export async function postOpening(tenant: Tenant, post: OpeningPost): Promise<Outcome<Replied>> {
  let written: StoredAnswer | undefined;
  // A posted movement has the parts of its first leg.
  const write = (posted: Posted): StoredAnswer => (written = post.write(posted, posted.legs));
  const result = await tenant.cell.ledger.post({
    movement: post.opening,
    requestId: tenant.requestId,
    announce: post.announce,
    ...(post.intend && { intend: post.intend }),
    answer: write,
  });
  if (!result.ok) return result;
  const { value } = result;
  switch (value.kind) {
    case 'posted':
      return replied(written ?? write(value));
    case 'same_key':
      return repeated(value.answer);
    case 'same_reference': {
      const found = await findTransaction(tenant.cell, tenant.partner.id, value.transactionId);
      const first = present(found, 'the transaction of a used reference');
      const legs = await balancesAfter(tenant.cell, await findLegs(tenant.cell, first));
      return repeated(post.write(present(legs[0], 'its first leg'), legs));
    }
    case 'locked':
      return stillLocked(post.opening.key);
    case 'settled_before':
      throw new Error('bug: an opening cannot have been settled');
  }
}
