/** What a USSD gateway sends, in Africa's Talking's form fields (D76). */
import { z } from 'zod';
import { isPlain } from './text';

const text = (max: number) => z.string().max(max).refine(isPlain);

/** The fields that are read. All other fields of a gateway are ignored. */
export const gatewayForm = z
  .object({
    sessionId: text(128).min(1),
    phoneNumber: text(32).min(1),
    serviceCode: text(64),
    /** Everything typed so far, joined by `*`; empty in the first request. */
    text: text(500).default(''),
  })
  .meta({ id: 'UssdGatewayForm' });

const schema = gatewayForm.transform((form) => ({
  gatewaySession: form.sessionId,
  phone: form.phoneNumber,
  serviceCode: form.serviceCode,
  text: form.text,
}));

export type GatewayRequest = z.infer<typeof schema>;

/** Reads a form-encoded body; null where a field is missing or is not what a gateway sends. */
export function readGatewayRequest(body: Buffer): GatewayRequest | null {
  const form = new URLSearchParams(body.toString('utf8'));
  const parsed = schema.safeParse(Object.fromEntries(form));
  return parsed.success ? parsed.data : null;
}

/** Writes a secret of 32 bytes in base64 as a part of an address: `-` for `+`, `_` for `/`, no `=`. */
export const pathSecret = (base64: string): string => Buffer.from(base64, 'base64').toString('base64url');
