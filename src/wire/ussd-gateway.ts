/**
 * What USSD gateways send, and how they are answered: one row for each gateway's dialect (D76). A dialect reads a
 * message into the one form in which a dialogue is carried on, and writes a screen in the gateway's own way.
 */
import { z } from 'zod';
import { phoneOf } from '../domain/phones';
import { PERSONAL, SECRET } from './fields';
import { isPlain } from './text';

const text = (max: number) => z.string().max(max).refine(isPlain);

/** A message with everything that was typed so far. */
export interface GatewayRequest {
  gatewaySession: string;
  /** In E.164 form, however the gateway writes it. */
  phone: string;
  serviceCode: string;
  /** All inputs, joined by `*`; empty in the first message. */
  text: string;
}

/** A message as gateways send it: with all inputs, with the newest one alone, or about the end of the dialogue. */
export type GatewayMessage = GatewayRequest & { sends: 'all' | 'first' | 'next' | 'end' };

/** The fields of Africa's Talking that are read. All other fields of a gateway are ignored. */
export const gatewayForm = z
  .object({
    sessionId: text(128).min(1),
    phoneNumber: text(32).min(1).meta(PERSONAL),
    serviceCode: text(64),
    /** Everything typed so far, joined by `*`; empty in the first request. */
    text: text(500).default('').meta(SECRET),
  })
  .meta({ id: 'UssdGatewayForm' });

const africasTalking = gatewayForm.transform((form): GatewayMessage => ({
  gatewaySession: form.sessionId,
  phone: phoneOf(form.phoneNumber),
  serviceCode: form.serviceCode,
  text: form.text,
  sends: 'all',
}));

/** The parameters of Hollatags that are read. */
export const hollatagsQuery = z
  .object({
    session_id: text(128).min(1).meta({ description: 'The dialogue, as the gateway calls it' }),
    session_msisdn: z
      .string()
      .regex(/^[0-9]{6,15}$/)
      .meta({ ...PERSONAL, description: 'The phone, without a plus', examples: ['2348012345678'] }),
    session_operation: z.enum(['begin', 'continue', 'end']),
    session_msg: text(160)
      .default('')
      .meta({ ...SECRET, description: 'What was dialled, or typed last' }),
    session_from: text(64).default('').meta({ description: 'The code of the service' }),
  })
  .meta({ id: 'UssdHollatagsQuery' });

const SENT_WITH = { begin: 'first', continue: 'next', end: 'end' } as const;
const hollatags = hollatagsQuery.transform((query): GatewayMessage => ({
  gatewaySession: query.session_id,
  phone: phoneOf(query.session_msisdn),
  serviceCode: query.session_from,
  text: query.session_msg.trim(),
  sends: SENT_WITH[query.session_operation],
}));

export const hollatagsAnswer = z
  .object({
    session_operation: z.enum(['continue', 'end']),
    session_type: z.union([z.literal(1), z.literal(4)]).meta({ description: '1 waits for input, 4 closes' }),
    session_id: z.string(),
    session_msg: z.string().meta(PERSONAL),
  })
  .meta({ id: 'UssdHollatagsAnswer' });

interface Dialect {
  /** Reads form-encoded fields; null where one is missing or is not what the gateway sends. */
  parse(fields: Buffer): GatewayMessage | null;
  /** Writes a screen. @param gatewaySession of the message; null where it could not be read. */
  answer(screen: string, gatewaySession: string | null): { type: string; body: string };
}

const fieldsOf = (encoded: Buffer): object =>
  Object.fromEntries(new URLSearchParams(encoded.toString('utf8')));

export const GATEWAY_DIALECTS = {
  'africas-talking': {
    parse: (fields) => africasTalking.safeParse(fieldsOf(fields)).data ?? null,
    answer: (screen) => ({ type: 'text/plain; charset=utf-8', body: screen }),
  },
  hollatags: {
    parse: (fields) => hollatags.safeParse(fieldsOf(fields)).data ?? null,
    answer: (screen, gatewaySession) => {
      const goesOn = screen.startsWith('CON ');
      const body = {
        session_operation: goesOn ? 'continue' : 'end',
        session_type: goesOn ? 1 : 4,
        session_id: gatewaySession ?? '',
        session_msg: screen.slice('CON '.length),
      } satisfies z.infer<typeof hollatagsAnswer>;
      return { type: 'application/json; charset=utf-8', body: JSON.stringify(body) };
    },
  },
} as const satisfies Record<string, Dialect>;

export type GatewayName = keyof typeof GATEWAY_DIALECTS;

/** Writes a secret of 32 bytes in base64 as a part of an address: `-` for `+`, `_` for `/`, no `=`. */
export const pathSecret = (base64: string): string => Buffer.from(base64, 'base64').toString('base64url');
