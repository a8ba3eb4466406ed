/** Messages to a session's workflow, as gateway and sandbox send them. */
import { UnavailableError } from '../../runtime/unavailable';
import { findUssdSession } from '../../db/payments/ussd-sessions';
import { isOpen, type UssdSession } from '../../domain/ussd';
import type { Environment, OpenCell } from '../../runtime/environment';
import { ussdIntention } from '../../contract/intentions';
import { pinAttempt, simulatePayment, ussdMessages, type UssdState } from '../../contract/messages';
import { tell, type Told } from '../../relay/messages';

export type UssdMessage =
  | { kind: keyof typeof ussdMessages }
  | { kind: 'pin'; attemptId: string }
  | { kind: 'simulate'; orderId: string };

/**
 * @param requestId names this message, so that a repeat is the same message. A PIN attempt and an order are named by
 *   their own id instead.
 */
export function tellUssd(
  environment: Environment,
  session: UssdSession,
  message: UssdMessage,
  requestId: string,
): Promise<Told<UssdState>> {
  const known = {
    intention: ussdIntention(session, environment),
    isUnderWay: session.status !== 'initiated',
  };
  const { kind } = message;
  if (kind === 'pin') {
    const { attemptId } = message;
    return tell(environment, { ...known, update: pinAttempt, args: [attemptId], updateId: attemptId });
  }
  if (kind === 'simulate') {
    const { orderId } = message;
    return tell(environment, { ...known, update: simulatePayment, args: [orderId], updateId: orderId });
  }
  const updateId = `${kind}/${requestId}`;
  return tell(environment, { ...known, update: ussdMessages[kind], args: [], updateId });
}

/**
 * Where the session stands after the message, whoever ended it.
 * @throws UnavailableError when that is not known now.
 */
export async function stateAfter(
  environment: Environment,
  cell: OpenCell,
  session: UssdSession,
  message: UssdMessage,
  requestId: string,
): Promise<UssdState> {
  const told = await tellUssd(environment, session, message, requestId);
  if (told.ok && told.value.kind === 'answered') return told.value.result;
  if (told.ok && told.value.kind === 'unavailable')
    throw new UnavailableError('the session cannot be moved now');
  const row = await findUssdSession(cell, session.partnerId, session.id);
  // The workflow itself ends the session, so an open row means that the workflow was stopped from outside.
  if (!row || isOpen(row.status)) throw new UnavailableError('the session has no workflow now');
  return row;
}
