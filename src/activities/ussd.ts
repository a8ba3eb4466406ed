/**
 * The steps of `ussd/{id}`: move the session, settle the payment. Both are one commit, and a second call changes
 * nothing.
 */
import { isRowId, NOT_ORDERED } from '../domain/hand-orders';
import type { Posted } from '../domain/ledger';
import { nameOf } from '../domain/outcome';
import type { UssdMove, UssdSession } from '../domain/ussd';
import { moveUssdSession, type UssdRules } from '../db/payments/ussd-moves';
import { findUssdSession } from '../db/payments/ussd-sessions';
import { ussdCompleted, ussdEnded } from '../wire/webhooks';
import type { UssdSessionInput, UssdState } from '../contract/messages';
import { assertSimulation, stopping, type Dependencies } from './dependencies';
import { stillThere } from './resets';

const stateOf = ({ status, failureReason }: UssdSession): UssdState => ({ status, failureReason });

export function ussdActivities({ environment }: Dependencies) {
  const rules: UssdRules = {
    hasSandboxPin: environment.allowsSimulation,
    announce: ussdEnded,
  };
  return {
    /**
     * Moves the session as far as its rows allow: the clock, the counted attempts of its PIN, and in the sandbox an
     * order to pay. The message only names the row.
     * @returns where the session stands now, moved or not.
     */
    async moveUssd(input: UssdSessionInput, asked: UssdMove): Promise<UssdState> {
      if (asked.kind === 'simulate') {
        assertSimulation(environment);
        if (!isRowId(asked.orderId)) throw stopping(NOT_ORDERED);
      }
      const { cell } = await environment.partner(input.partnerId);
      const { partnerId, sessionId } = input;
      const result = await moveUssdSession(cell, partnerId, sessionId, asked, rules);
      const moved = await stillThere(result, 'the session to move', cell, input);
      environment.relay.afterCommit(cell, { intentions: [], endpointIds: moved.endpointIds });
      return stateOf(moved.session);
    },

    /**
     * Debits the payer and credits the merchant, or ends the payment with the refusal that it would get now (D73).
     * The ledger changes transaction and session in the same commit as the money.
     */
    async settleUssd(input: UssdSessionInput): Promise<UssdState> {
      const { cell } = await environment.partner(input.partnerId);
      const find = async () =>
        stillThere(
          await findUssdSession(cell, input.partnerId, input.sessionId),
          'the session to settle',
          cell,
          input,
        );
      const session = await find();
      if (session.status !== 'processing') return stateOf(session);
      const result = await cell.ledger.post({
        movement: {
          kind: 'pay_ussd',
          transactionId: session.transactionId,
          partnerId: session.partnerId,
          sourceWalletId: session.payerWalletId,
          destWalletId: session.merchantWalletId,
        },
        announce: ({ transaction }: Posted) => [
          transaction.status === 'completed'
            ? ussdCompleted(transaction, session)
            : ussdEnded(transaction, session),
        ],
      });
      if (result.ok && result.value.kind === 'posted') {
        // The ledger has given the session the end of its transaction.
        const { status, failedReason } = result.value.transaction;
        return { status: status === 'completed' ? 'completed' : 'failed', failureReason: failedReason };
      }
      if (result.ok && result.value.kind === 'settled_before') return stateOf(await find());
      throw new Error(`the payment could not be settled now: ${nameOf(result)}`);
    },
  };
}
