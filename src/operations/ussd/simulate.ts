/** The sandbox acts in the payer's place: the same moves through the same workflow, without a PIN (D34). */
import { availableKobo } from '../../domain/holds';
import { done, refuse, type Outcome, type Refused } from '../../domain/outcome';
import { REFUSALS, type RefusalCode } from '../../domain/refusals';
import { isFinal, isOpen, notOpen, type UssdSession } from '../../domain/ussd';
import { insertHandOrder, withdrawOrder } from '../../db/payments/hand-orders';
import { findSessionAsTold } from '../../db/payments/ussd-moves';
import type { Cell, SealedCell } from '../../db/pg/postgres';
import { findWallet } from '../../db/wallets/wallets';
import type { Tenant } from '../tenant';
import { tellUssd, type UssdMessage } from './messages';
import type { UssdState } from '../../contract/messages';

/**
 * Confirms or cancels a session as its payer would.
 * @param requestId names the message, so that a repeat after a lost answer is the same message.
 * @returns the session as it was before, once it has ended as asked; or refused: NOT_FOUND, USSD_SESSION_EXPIRED,
 *   USSD_SESSION_NOT_ACTIVE, SERVICE_UNAVAILABLE, or with the code for which the payment failed.
 */
export async function simulateUssd(
  { environment, cell, partner }: Tenant,
  { sessionId, action }: { sessionId: string; action: 'confirm' | 'cancel' },
  requestId: string,
): Promise<Outcome<UssdSession>> {
  const find = () => findSessionAsTold(cell, partner.id, sessionId);
  const session = await find();
  if (!session) return refuse('NOT_FOUND');
  if (!isOpen(session.status)) return notOpen(session.status);
  const message = action === 'cancel' ? CANCEL : await orderPayment(cell, session);
  const told = await tellUssd(environment, session, message, requestId);
  if (!told.ok) return told;
  const answer = async ({ status, failureReason }: UssdState): Promise<Outcome<UssdSession>> => {
    const asked = action === 'confirm' ? status === 'completed' : failureReason === 'CANCELLED';
    if (asked) return done(session);
    if (status === 'failed' && isCode(failureReason)) return refusedBy(cell, session, failureReason);
    return notOpen(status);
  };
  switch (told.value.kind) {
    case 'ended':
      return notOpen((await find())?.status ?? 'failed');
    case 'unavailable': {
      // Nobody pays by the order after this answer; it may have been carried out before.
      if (message.kind === 'simulate' && (await withdrawOrder(cell, message.orderId))) return MAY_BE_REPEATED;
      const now = (await find()) ?? session;
      if (isFinal(now.status)) return answer(now);
      return now.status === 'processing' ? IS_PROCESSED : MAY_BE_CANCELLED;
    }
    case 'answered':
      return answer(told.value.result);
  }
}

const MAY_BE_REPEATED = refuse('SERVICE_UNAVAILABLE');
const IS_PROCESSED = refuse('SERVICE_UNAVAILABLE', {
  message: 'The payment is being processed: look at the session for its end',
});
const MAY_BE_CANCELLED = refuse('SERVICE_UNAVAILABLE', {
  message:
    'Not available right now. The session may still be cancelled by this request; to ask again is safe',
});

const CANCEL: UssdMessage = { kind: 'cancel' };

async function orderPayment(cell: Cell, { id: resourceId, partnerId }: UssdSession): Promise<UssdMessage> {
  const terms = { kind: 'pay_ussd', verdict: 'confirmed', partnerId, resourceId } as const;
  return {
    kind: 'simulate',
    orderId: await insertHandOrder(cell, { ...terms, reason: null, actor: 'sandbox' }),
  };
}

const isCode = (reason: string | null): reason is RefusalCode =>
  reason !== null && Object.hasOwn(REFUSALS, reason);

/** The refusal for which a payment failed. INSUFFICIENT_FUNDS says how much there is and how much was needed. */
async function refusedBy(cell: SealedCell, session: UssdSession, code: RefusalCode): Promise<Refused> {
  if (code !== 'INSUFFICIENT_FUNDS') return refuse(code);
  const payer = await findWallet(cell, session.partnerId, session.payerWalletId);
  return refuse(code, {
    detail: { availableKobo: payer ? availableKobo(payer) : 0, requiredKobo: session.amountKobo },
  });
}
