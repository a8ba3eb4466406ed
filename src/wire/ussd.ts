/** USSD payments as the interface shows them, in both forms, and the ids of their sessions (D4, D24, D69-D72). */
import { z } from 'zod';
import { CURRENCY, nairaText } from '../domain/money';
import { isE164, PHONE_EXAMPLE } from '../domain/phones';
import { PIN_ATTEMPTS_MAX } from '../domain/pins';
import { attemptsLeft, USSD_STATUSES, type UssdSession } from '../domain/ussd';
import { done, type Outcome } from '../domain/outcome';
import * as field from './fields';
import { DIALECTS, formOfBody, inAnyForm, namesFor, type Form } from './forms';
import { kobo, naira, timestamp, uuid } from './answers';
import { DIAL_CODE_EXAMPLE, dialCode, sessionId, ussdStatus } from './ussd-fields';
import { pageQuery } from './pages';
import { publishedBody, readBody } from './read';
import type { GatewayRequest } from './ussd-gateway';

const SESSION_PREFIX = 'ussd_';
/** Crockford's base 32, which leaves out letters that are easily confused. */
const BASE32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const ID_LENGTH = 26;
const ID_BITS = 128n;

/** `ussd_` and the 128 bits of the session's uuid in 26 characters. */
export function writeSessionId(uuid: string): string {
  let bits = BigInt(`0x${uuid.replaceAll('-', '')}`);
  let text = '';
  for (let place = 0; place < ID_LENGTH; place++) {
    text = (BASE32[Number(bits & 31n)] as string) + text;
    bits >>= 5n;
  }
  return SESSION_PREFIX + text;
}

/** The uuid behind a session id, or null if it is malformed, which is answered like an unknown id (D165). */
export function readSessionId(text: string): string | null {
  const body = text.startsWith(SESSION_PREFIX) ? text.slice(SESSION_PREFIX.length).toUpperCase() : '';
  if (body.length !== ID_LENGTH) return null;
  let bits = 0n;
  for (const letter of body) {
    const value = BASE32.indexOf(letter);
    if (value < 0) return null;
    bits = (bits << 5n) | BigInt(value);
  }
  if (bits >> ID_BITS !== 0n) return null;
  const hex = bits.toString(16).padStart(32, '0');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

const ALIASES = namesFor('wallet_id', 'amount');

const phone = z
  .string()
  .refine(isE164, `must be a phone number in E.164 form, such as ${PHONE_EXAMPLE}`)
  .meta({ ...field.PERSONAL, pattern: '^\\+[1-9][0-9]{7,14}$', examples: [PHONE_EXAMPLE] });

const fields = {
  wallet_id: field.walletId,
  merchant_wallet_id: field.optional(field.walletId),
  amount: field.amountKobo,
  merchant_name: field.optional(field.plainText(60).meta(field.PERSONAL)),
  reference: field.referenceLike('order-1005'),
};
const withPhone = z.object({ ...fields, phone });
const withoutPhone = z.object({ ...fields, phone: field.optional(phone) });

export interface UssdRequest {
  payerWalletId: string;
  merchantWalletId: string | null;
  amountKobo: number;
  merchantName: string | null;
  reference: string;
  phone: string | null;
}

/** Reads a request in any form; the guide does not ask for the phone (D70). */
export function readUssdInitiation(body: unknown, form: Form): Outcome<UssdRequest> {
  const asksForPhone = [form, formOfBody(body)].every((one) => DIALECTS[one].asksForPhone);
  const read = readBody(asksForPhone ? withPhone : withoutPhone, body, ALIASES);
  if (!read.ok) return read;
  const { value } = read;
  return done({
    payerWalletId: value.wallet_id,
    merchantWalletId: value.merchant_wallet_id ?? null,
    amountKobo: value.amount,
    merchantName: value.merchant_name ?? null,
    reference: value.reference,
    phone: value.phone ?? null,
  });
}

/** Both published bodies; the guide's needs no phone. */
export const ussdInitiationBody = z.union([
  publishedBody('UssdInitiation', withPhone),
  publishedBody('GuideUssdInitiation', renamed(withoutPhone)),
]);

/** The schema under the guide's names. */
function renamed(schema: typeof withoutPhone): z.ZodObject {
  const nameOf = (name: string): string => ALIASES.find(([own]) => own === name)?.[1] ?? name;
  return z.object(
    Object.fromEntries(Object.entries(schema.shape).map(([name, value]) => [nameOf(name), value])),
  );
}

/** The whole dial code, as in `*384*4827*615203#` (D25). */
const dialText = (serviceBase: string, session: UssdSession): string => `${serviceBase}*${session.dialCode}#`;

export const ussdStartedAnswer = inAnyForm((dialect) => dialect.ussdStarted.answer);

/** The whole answer to an initiation. */
export function writeUssdStarted(
  session: UssdSession,
  serviceBase: string,
  { form, requestId }: { form: Form; requestId: string },
): object {
  const code = dialText(serviceBase, session);
  const started = {
    session_id: writeSessionId(session.id),
    ussd_code: code,
    dial_code: code,
    expires_at: session.expiresAt.toISOString(),
  };
  return DIALECTS[form].ussdStarted.write(started, session, requestId);
}

export const ussdSession = z
  .object({
    session_id: sessionId,
    status: ussdStatus,
    ussd_code: dialCode,
    dial_code: dialCode,
    amount: kobo,
    amount_kobo: kobo,
    amount_naira: naira,
    currency: z.literal(CURRENCY),
    reference: z.string(),
    payer_wallet_id: uuid,
    merchant_wallet_id: uuid,
    merchant_name: z.string().meta(field.PERSONAL),
    transaction_id: uuid,
    pin_attempts_remaining: z.int().min(0).max(PIN_ATTEMPTS_MAX),
    failure_reason: z
      .string()
      .nullable()
      .meta({ examples: [null, 'WRONG_PIN', 'CANCELLED'] }),
    created_at: timestamp,
    expires_at: timestamp,
    completed_at: timestamp.nullable(),
  })
  .meta({ id: 'UssdSession' });

/** The session for status checks (D72), the same in every form. */
export function writeUssdSession(session: UssdSession, serviceBase: string): z.infer<typeof ussdSession> {
  const code = dialText(serviceBase, session);
  return {
    session_id: writeSessionId(session.id),
    status: session.status,
    ussd_code: code,
    dial_code: code,
    amount: session.amountKobo,
    amount_kobo: session.amountKobo,
    amount_naira: nairaText(session.amountKobo),
    currency: CURRENCY,
    reference: session.reference,
    payer_wallet_id: session.payerWalletId,
    merchant_wallet_id: session.merchantWalletId,
    merchant_name: session.merchantName,
    transaction_id: session.transactionId,
    pin_attempts_remaining: attemptsLeft(session),
    failure_reason: session.failureReason,
    created_at: session.createdAt.toISOString(),
    expires_at: session.expiresAt.toISOString(),
    completed_at: session.completedAt?.toISOString() ?? null,
  };
}

export const ussdQuery = pageQuery.extend({
  wallet_id: field.walletId.optional().meta({ description: 'The payer or the merchant' }),
  status: z.enum(USSD_STATUSES, `must be of: ${USSD_STATUSES.join(', ')}`).optional(),
});

const dial = z
  .object({
    phone,
    gateway_session: field
      .plainText(100)
      .meta({ description: 'The same for all messages of one dialogue', examples: ['dialogue-1'] }),
    service_code: field
      .plainText(64)
      .meta({ description: 'What was dialled', examples: [DIAL_CODE_EXAMPLE] }),
    text: field.optional(field.plainText(500, 0)).meta({
      ...field.SECRET,
      description:
        'Everything typed so far, joined by `*`: nothing at first, then `1`, then `1*` and the PIN',
      examples: ['1'],
    }),
  })
  .transform((body) => ({
    phone: body.phone,
    gatewaySession: body.gateway_session,
    serviceCode: body.service_code,
    text: body.text ?? '',
  }));

export const dialBody = publishedBody('UssdDial', dial);
export const readDial = (body: unknown): Outcome<GatewayRequest> => readBody(dial, body);

export const dialAnswer = z
  .object({
    reply: z.string().meta({ ...field.PERSONAL, description: 'The screen, without the word before it' }),
    open: z.boolean().meta({ description: 'Whether the dialogue waits for an input' }),
    form: z.string().meta({ ...field.SECRET, description: 'What a gateway would have sent to the callback' }),
  })
  .meta({ id: 'UssdScreen' });

/** @param screen `CON` or `END`, a space, and the text. */
export const writeDial = (request: GatewayRequest, screen: string): z.infer<typeof dialAnswer> => ({
  reply: screen.slice('CON '.length),
  open: screen.startsWith('CON '),
  form: new URLSearchParams({
    sessionId: request.gatewaySession,
    phoneNumber: request.phone,
    serviceCode: request.serviceCode,
    text: request.text,
  }).toString(),
});

const simulationSchema = z.object({ session_id: sessionId, action: z.enum(['confirm', 'cancel']) });

export const ussdSimulationBody = publishedBody('UssdSimulation', simulationSchema);

export const readUssdSimulation = (body: unknown): Outcome<z.infer<typeof simulationSchema>> =>
  readBody(simulationSchema, body);

export const ussdSimulated = z.object({
  session_id: sessionId,
  action: z.enum(['confirm', 'cancel']),
  result: z.string(),
  transaction_id: uuid,
});

/** Flat, as the sandbox operations are (interface: Sandbox-only operations). */
export const writeUssdSimulated = (
  session: UssdSession,
  action: 'confirm' | 'cancel',
): z.infer<typeof ussdSimulated> => ({
  session_id: writeSessionId(session.id),
  action,
  result: action === 'confirm' ? 'payment completed' : 'payment cancelled',
  transaction_id: session.transactionId,
});
