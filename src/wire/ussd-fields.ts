/** What the forms of a started USSD payment share (D24, D69). */
import { z } from 'zod';
import { USSD_STATUSES } from '../domain/ussd';
import { dataOf, timestamp } from './answers';

export const SESSION_EXAMPLE = 'ussd_01HW000000E008000000000051';
export const DIAL_CODE_EXAMPLE = '*384*4827*615203#';

export const sessionId = z.string().meta({ examples: [SESSION_EXAMPLE] });
export const dialCode = z
  .string()
  .meta({ description: 'What the payer dials', examples: [DIAL_CODE_EXAMPLE] });
export const ussdStatus = z.enum(USSD_STATUSES).meta({ id: 'UssdStatus' });

/** What a payer has to dial, and until when. The code is there under both published names. */
export const ussdStarted = z
  .object({ session_id: sessionId, ussd_code: dialCode, dial_code: dialCode, expires_at: timestamp })
  .meta({ id: 'UssdStarted' });
export type UssdStarted = z.infer<typeof ussdStarted>;

export const plainUssdStarted = dataOf(ussdStarted);

/** `{ data, meta }`, as every other answer. */
export const writePlainUssdStarted = (
  started: UssdStarted,
  _session: unknown,
  requestId: string,
): object => ({
  data: started,
  meta: { request_id: requestId },
});
