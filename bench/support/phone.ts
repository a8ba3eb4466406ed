/** A payer's phone: pays by USSD through the gateway's callback, one screen after the other. */
import { randomUUID } from 'node:crypto';
import { createConnection } from 'node:net';
import { readAnswers } from './load';
import { timeOf } from './time';
import type { WholePlatform } from './whole-platform';

export type Step = 'dial' | 'confirm' | 'pin';

/** Milliseconds of each step of one session, from the callback to the screen. */
export type Timings = Record<Step, number>;

/** A PIN that was set for the payer. The sandbox's own PIN would not be hashed. */
export const PIN = '7391';
const SERVICE_CODE = '*384*4827#';
const AMOUNT_KOBO = 250_000;

/**
 * A payer with one gateway.
 * @returns what initiates a payment, dials, confirms and enters the PIN; it throws at a screen that is not the
 *   expected one.
 */
export function openPhone(platform: WholePlatform, payer: string, merchant: string): () => Promise<Timings> {
  const callGateway = openGateway(platform.gatewayUrl);
  return async () => {
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
        const screen = await callGateway({ sessionId, text });
        if (!screen.startsWith(expected)) throw new Error(`the payer saw: ${screen}`);
      });
    return {
      dial: await send(code, 'CON Pay NGN 2,500.00'),
      confirm: await send(`${code}*1`, 'CON Enter your 4-digit'),
      pin: await send(`${code}*1*${PIN}`, 'END Payment successful'),
    };
  };
}

/**
 * A gateway's call on a connection that it keeps, written as bytes: an HTTP client would take a twentieth of what
 * is measured.
 */
function openGateway(url: string): (fields: Record<string, string>) => Promise<string> {
  const { hostname, port, pathname } = new URL(url);
  const socket = createConnection({ host: hostname, port: Number(port), noDelay: true });
  let waiting: { resolve: (screen: string) => void; reject: (error: Error) => void } | undefined;
  const fail = (error: Error): void => waiting?.reject(error);
  readAnswers(socket, fail, (screen) => waiting?.resolve(screen));
  socket
    .on('error', fail)
    .on('close', () => fail(new Error('the gateway’s connection was closed')))
    .unref();
  return (fields) =>
    new Promise<string>((resolve, reject) => {
      waiting = { resolve, reject };
      // Nothing else may keep this process alive meanwhile.
      socket.ref();
      const form = new URLSearchParams({
        phoneNumber: '+2348012345678',
        serviceCode: SERVICE_CODE,
        ...fields,
      });
      const body = form.toString();
      socket.write(
        `POST ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\n` +
          'Content-Type: application/x-www-form-urlencoded\r\n' +
          `Content-Length: ${String(body.length)}\r\n\r\n${body}`,
        'latin1',
      );
    }).finally(() => socket.unref());
}
