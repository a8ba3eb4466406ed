/** Transactions: show one, and end a bank transfer whose outcome only people could find out (D58). */
import { done, refuse } from '../../../domain/outcome';
import { findTransaction } from '../../../db/ledger/transactions';
import { listAttempts } from '../../../db/payments/transfer-attempts';
import {
  readNothing,
  readRelease,
  readResolution,
  writeAskedAgain,
  writeAttempt,
} from '../../../wire/operators';
import { writeTransaction } from '../../../wire/transactions';
import { askAgain } from '../../../operations/money/ask-again';
import { releasable } from '../../../operations/money/release-payout';
import { settleByHand } from '../../../operations/money/settle-by-hand';
import { decide, mayResolve } from '../../../operations/operators/decisions';
import { dataAnswer } from '../../route';
import { command, decided, idOf, ofPartner, peopleView, view, type PartnerCall, type Served } from '../route';

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
  view(
    `${OF_PARTNER}/bank-transfers/:transaction_id/attempts`,
    'listAttempts',
    'The attempts to pay a bank transfer, the first one first',
    ofPartner(async (call) => {
      const found = await transaction(call);
      if (!found) return refuse('NOT_FOUND');
      return done(dataAnswer(call, 200, (await listAttempts(call.cell, found.id)).map(writeAttempt)));
    }),
  ),
  command(
    `${OF_PARTNER}/bank-transfers/:transaction_id/ask`,
    'askAgain',
    'Ask the providers of a bank transfer again, whatever its status is, and book what they say',
    'Only what the provider says is booked, as if its event had come; nobody decides anything',
    readNothing,
    ofPartner(async (call) => {
      const id = idOf(call, 'transaction_id');
      const asked = id && (await askAgain(call, call.services.logger, id));
      if (!asked) return refuse('NOT_FOUND');
      const body = writeAskedAgain(asked);
      return done({ ...dataAnswer(call, 200, body), noted: { said: body.said } });
    }),
  ),
  command(
    `${OF_PARTNER}/bank-transfers/:transaction_id/release`,
    'releasePayout',
    'Give up an order that its provider does not have by its own statement; in live 202 with a proposal',
    null,
    readRelease,
    ofPartner(async (call, asked) => {
      const id = idOf(call, 'transaction_id');
      if (id === null) return refuse('NOT_FOUND');
      const may = await releasable(call, id);
      if (!may.ok) return may;
      const { n, openPosts, provider } = may.value;
      const terms = { ...asked, transactionId: id, n, openPosts, provider };
      const outcome = await decide(call, call, 'release_payout', terms, call.operator.id);
      return decided(call, outcome, async () =>
        done(dataAnswer(call, 200, (await listAttempts(call.cell, id)).map(writeAttempt))),
      );
    }),
  ),
];
