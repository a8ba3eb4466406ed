/** A payer's phone: pays by USSD through the gateway's callback, one screen after the other. */
import { randomUUID } from 'node:crypto';
import { request } from 'undici';
import { timeOf } from './time';
import type { WholePlatform } from './whole-platform';

export type Step = 'dial' | 'confirm' | 'pin';

/** Milliseconds of each step of one session, from the callback to the screen. */
export type Timings = Record<Step, number>;

/** The payer's own; the sandbox's would not be hashed. */
export const PIN = '7391';
const SERVICE_CODE = '*384*4827#';
const AMOUNT_KOBO = 250_000;

/** Initiates a payment, dials, confirms and enters the PIN. @throws at a screen that is not the expected one. */
export async function payByPhone(platform: WholePlatform, payer: string, merchant: string): Promise<Timings> {
  const { dial_code } = await platform.call<{ dial_code: string }>('POST', '/v1/payments/ussd/initiate', {
    payer_wallet_id: payer,
    merchant_wallet_id: merchant,
    amount_kobo: AMOUNT_KOBO,
    merchant_name: 'Ada Stores',
    reference: randomUUID(),
  });
  const code = dial_code.slice(SERVICE_CODE.length, -1);
  const sessionId = `ATUid_${randomUUID()}`;
  const send = (text: string, expected: string): Promise<number> =>
    timeOf(async () => {
      const screen = await callGateway(platform.gatewayUrl, { sessionId, text });
      if (!screen.startsWith(expected)) throw new Error(`the payer saw: ${screen}`);
    });
  return {
    dial: await send(code, 'CON Pay NGN 2,500.00'),
    confirm: await send(`${code}*1`, 'CON Enter your 4-digit'),
    pin: await send(`${code}*1*${PIN}`, 'END Payment successful'),
  };
}

/** @returns the screen. */
async function callGateway(url: string, fields: Record<string, string>): Promise<string> {
  const form = new URLSearchParams({ phoneNumber: '+2348012345678', serviceCode: SERVICE_CODE, ...fields });
  const { body } = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
  });
  return body.text();
}
