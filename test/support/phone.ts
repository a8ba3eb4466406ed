/**
 * A payer's phone: reaches the platform through a gateway, which sends all inputs typed so far with each message.
 */
import { randomUUID } from 'node:crypto';
import { pathSecret } from '../../src/wire/ussd-gateway';
import { TEST_SECRETS } from './settings';

/** The sandbox's secret in the path of the gateway, as tests configure it. */
export const SANDBOX_SECRET = pathSecret(TEST_SECRETS.USSD_CALLBACK_SECRET_SANDBOX);
const SERVICE_CODE = '*384*4827#';

export interface Phone {
  /** Dials; everything typed before is forgotten. @returns the screen. */
  dial(): Promise<string>;
  /** Types an input into the dialogue. @returns the screen. */
  type(input: string): Promise<string>;
  /** The gateway sends the last message once more. */
  repeat(): Promise<string>;
}

/** The form that a gateway posts; `more` replaces fields. */
export async function postToGateway(
  url: string,
  more: Record<string, string> = {},
  secret = SANDBOX_SECRET,
): Promise<{ status: number; type: string | null; text: string }> {
  const form = new URLSearchParams({
    sessionId: `ATUid_${randomUUID()}`,
    phoneNumber: '+2348012345678',
    networkCode: '99999',
    serviceCode: SERVICE_CODE,
    text: '',
    ...more,
  });
  const response = await fetch(`${url}/v1/ussd/callback/${secret}`, { method: 'POST', body: form });
  const type = response.headers.get('content-type');
  return { status: response.status, type, text: await response.text() };
}

/**
 * @param dialCode as the platform gave it, `*384*4827*615203#`; null dials the service and is found by its number.
 */
export function openPhone(url: string, dialCode: string | null, phoneNumber = '+2348012345678'): Phone {
  const code = dialCode === null ? [] : [dialCode.slice(SERVICE_CODE.length, -1)];
  let inputs: string[] = [];
  let sessionId = '';
  const send = async (): Promise<string> => {
    const { status, text } = await postToGateway(url, { sessionId, phoneNumber, text: inputs.join('*') });
    if (status !== 200) throw new Error(`the gateway was answered ${status}`);
    return text;
  };
  return {
    dial() {
      sessionId = `ATUid_${randomUUID()}`;
      inputs = [...code];
      return send();
    },
    type(input) {
      inputs.push(input);
      return send();
    },
    repeat: send,
  };
}

/** What Hollatags asks; `more` replaces parameters. */
export async function askAsHollatags(
  url: string,
  more: Record<string, string>,
  secret = SANDBOX_SECRET,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const query = new URLSearchParams({
    session_id: randomUUID(),
    session_msisdn: '2348012345678',
    session_operation: 'begin',
    session_msg: '',
    session_from: SERVICE_CODE,
    session_type: '1',
    session_mno: 'MTN',
    ...more,
  });
  const response = await fetch(`${url}/v1/ussd/callback/${secret}/hollatags?${query.toString()}`);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** The same phone behind Hollatags, which sends one input with each message. Screens are shown as the other gateway's. */
export function openHollatagsPhone(url: string, dialCode: string | null): Phone {
  let sent: Record<string, string> = {};
  let session_id = '';
  const send = async (): Promise<string> => {
    const { status, body } = await askAsHollatags(url, sent);
    if (status !== 200 || body['session_id'] !== session_id) throw new Error(`answered ${status}`);
    return `${body['session_type'] === 1 ? 'CON' : 'END'} ${String(body['session_msg'])}`;
  };
  return {
    dial() {
      session_id = randomUUID();
      sent = { session_id, session_operation: 'begin', session_msg: dialCode ?? SERVICE_CODE };
      return send();
    },
    type(input) {
      sent = { session_id, session_operation: 'continue', session_msg: input };
      return send();
    },
    repeat: send,
  };
}
