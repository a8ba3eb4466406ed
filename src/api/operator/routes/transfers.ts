/** Transactions: show one, and end a bank transfer whose outcome only people could find out (D58). */
import { done, refuse } from '../../../domain/outcome';
import { findTransaction } from '../../../db/ledger/transactions';
import { readResolution } from '../../../wire/operators';
import { writeTransaction } from '../../../wire/transactions';
import { settleByHand } from '../../../operations/money/settle-by-hand';
import { decide, mayResolve } from '../../../operations/operators/decisions';
import { dataAnswer } from '../../route';
import { command, decided, idOf, ofPartner, peopleView, type PartnerCall, type Served } from '../route';

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
    'End a processing bank transfer, with evidence of what the bank did; in live 202 with a proposal',
    null,
    readResolution,
    ofPartner(async (call, asked) => {
      const found = await transaction(call);
      if (!found) return refuse('NOT_FOUND');
      const show = async (): Promise<Served> => {
        const now = await transaction(call);
        return now ? done(dataAnswer(call, 200, writeTransaction(now, 'reference'))) : refuse('NOT_FOUND');
      };
      // Where it has ended, there is nothing to decide: it has ended so, or it has not.
      if (found.status !== 'processing') {
        const ended = await settleByHand(call, found.id, {
          to: asked.to,
          reason: null,
          actor: call.operator.id,
          withoutWorkflow: true,
        });
        return ended.ok ? show() : ended;
      }
      const about = { ...asked, transactionId: found.id };
      const may = await mayResolve(call, about);
      if (!may.ok) return may;
      // The evidence stays in the audit trail and the proposal. Workflow and partner get the outcome, not the note.
      const terms = { ...about, ...may.value };
      const outcome = await decide(call, call, 'resolve_transfer', terms, call.operator.id);
      return decided(call, outcome, show);
    }),
  ),
];
