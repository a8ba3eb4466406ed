/** Transactions: show one, and end a bank transfer whose outcome only people could find out (D58). */
import { done, refuse } from '../../../domain/outcome';
import { findTransaction } from '../../../db/ledger/transactions';
import { readResolution } from '../../../wire/operators';
import { writeTransaction } from '../../../wire/transactions';
import { settleByHand } from '../../../operations/money/settle-by-hand';
import { dataAnswer } from '../../route';
import { command, idOf, ofPartner, peopleView, type PartnerCall } from '../route';

const OF_PARTNER = '/ops/:environment/partners/:partner_id';

const transaction = async (call: PartnerCall) => {
  const id = idOf(call, 'transaction_id');
  return id && findTransaction(call.cell, call.partner.id, id);
};

export const transferRoutes = [
  peopleView(
    `${OF_PARTNER}/transactions/:transaction_id`,
    'showTransaction',
    'One transaction; `reason` says why it is read',
    ofPartner(async (call) => {
      const found = await transaction(call);
      return found ? done(dataAnswer(call, 200, writeTransaction(found, 'reference'))) : refuse('NOT_FOUND');
    }),
  ),
  command(
    `${OF_PARTNER}/bank-transfers/:transaction_id/resolve`,
    'resolveBankTransfer',
    'End a processing bank transfer, with evidence of what the bank did',
    readResolution,
    ofPartner(async (call, { to, failureReason }) => {
      const found = await transaction(call);
      if (!found) return refuse('NOT_FOUND');
      // The evidence stays in the audit trail. Workflow and partner get the outcome, not the note.
      const reason = to === 'failed' ? failureReason : null;
      const settled = await settleByHand(call, found.id, { to, reason, actor: call.operator.id });
      if (!settled.ok) return settled;
      const ended = await transaction(call);
      return ended ? done(dataAnswer(call, 200, writeTransaction(ended, 'reference'))) : refuse('NOT_FOUND');
    }),
  ),
];
