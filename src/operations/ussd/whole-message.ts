/**
 * Makes a whole message of one from a gateway that sends one input at a time: the marks of what was typed before are
 * kept with the dial code, and stand for the inputs (D76). Only the newest input is read by its digits.
 */
import { markOf, meantBy, readDialled } from '../../domain/ussd-dialogue';
import { addTyped, bindGateway, sessionOfCode } from '../../db/payments/dial-codes';
import type { Environment } from '../../runtime/environment';
import type { GatewayMessage, GatewayRequest } from '../../wire/ussd-gateway';

/** @param serviceBase our part of the dial code. */
export async function wholeMessage(
  { pool, directory }: Environment,
  serviceBase: string,
  message: GatewayMessage,
): Promise<GatewayRequest> {
  const { gatewaySession } = message;
  if (message.sends === 'first') {
    const { code, inputs } = readDialled(serviceBase, message);
    // The text is the service's own code then, which nobody has typed.
    if (code === null) return { ...message, text: '' };
    const dialled = await sessionOfCode(pool, directory, code);
    if (dialled) {
      await bindGateway(pool, directory, dialled.sessionId, gatewaySession, inputs.map(markOf).join(''));
    }
    return { ...message, serviceCode: '', text: [code, ...inputs].join('*') };
  }
  if (message.sends !== 'next') return message;
  const input = meantBy(message.text);
  const marks = await addTyped(pool, directory, gatewaySession, markOf(input));
  const text = marks === null ? '' : [...Array.from(marks).slice(0, -1), input].join('*');
  return { ...message, serviceCode: '', text };
}
