/** Posts a movement that a partner asked for, and makes its answer. All kinds of payments share this. */
import { present } from '../../domain/assert';
import type { EventDraft } from '../../domain/events';
import type { Intention } from '../../domain/intentions';
import { asBegun, type Opening, type Posted, type PostedLeg, type StoredAnswer } from '../../domain/ledger';
import type { Outcome } from '../../domain/outcome';
import { stillLocked } from '../../db/ledger/idempotency';
import { findPostedLegs } from '../../db/ledger/transactions';
import { formNamed } from '../../wire/forms';
import { repeated, replied, type Replied, type Told } from '../reply';
import type { Tenant } from '../tenant';

export interface OpeningPost {
  opening: Opening;
  announce: (posted: Posted) => EventDraft[];
  intend?: (posted: Posted, epoch: number) => Intention[];
  /** Writes the answer; a split has several legs, everything else one. */
  write: (first: PostedLeg, told: Told | undefined, legs: readonly PostedLeg[]) => StoredAnswer;
}

/**
 * Posts a movement and answers: as posted, as refused, or as the first request of the same key or reference
 * was answered (D44, D45, D130). The ledger tells the relay after its commit.
 * The first answer to a key is made again from what never changes: the transaction as it was begun, the balances in
 * its entries, and the form and the id of the first request.
 * @returns the answer, or the ledger's refusal; REQUEST_IN_PROGRESS with a key, SERVICE_UNAVAILABLE without
 *   one, where a row stayed locked for two seconds.
 * @throws an outage where a reset is deleting what a repeat asks for.
 */
export async function postOpening(tenant: Tenant, post: OpeningPost): Promise<Outcome<Replied>> {
  const result = await tenant.cell.ledger.post({
    movement: post.opening,
    requestId: tenant.requestId,
    announce: post.announce,
    ...(post.intend && { intend: post.intend }),
  });
  if (!result.ok) return result;
  const { value } = result;
  switch (value.kind) {
    case 'posted':
      // A posted movement has the parts of its first leg.
      return replied(post.write(value, undefined, value.legs));
    case 'same_key': {
      const { transactionId, form, requestId, ignored = [] } = value.first;
      const found = await findPostedLegs(tenant.cell, tenant.partner.id, transactionId);
      const legs = found.map((leg) => ({ ...leg, transaction: asBegun(leg.transaction) }));
      const told = { form: formNamed(form), requestId, ignored };
      return repeated(post.write(present(legs[0], 'its first leg'), told, legs));
    }
    case 'same_reference': {
      const legs = await findPostedLegs(tenant.cell, tenant.partner.id, value.transactionId);
      return repeated(post.write(present(legs[0], 'its first leg'), undefined, legs));
    }
    case 'locked':
      return stillLocked(post.opening.key);
    case 'settled_before':
      throw new Error('bug: an opening cannot have been settled');
  }
}
