/** Registration, login and the partner itself as the interface shows them (interface: Partner; D100, D128). */
import { z } from 'zod';
import {
  ENVIRONMENTS,
  PARTNER_STATUSES,
  TIERS,
  type CallersKey,
  type EnvironmentName,
  type PartnerRecord,
} from '../domain/partners';
import { done, type Outcome } from '../domain/outcome';
import { hasZeroBehindCode, PHONE_EXAMPLE } from '../domain/phones';
import { TOKEN_LIFE_SECONDS } from './access-tokens';
import { timestamp, uuid } from './answers';
import { optional, PERSONAL, plainText, SECRET } from './fields';
import { code, email, knownEmail, newPassword, password } from './proofs';
import { publishedBody, readBody } from './read';

const registrationSchema = z.object({
  business_name: plainText(200)
    .refine((text) => text.trim() === text, 'must not begin or end with a space')
    .meta({ examples: ['Acme Fintech'] }),
  email,
  phone: z
    .string()
    .regex(
      /^\+?[0-9]{7,15}$/,
      `must be 7 to 15 digits, with or without a leading +, such as ${PHONE_EXAMPLE}`,
    )
    .refine((text) => !hasZeroBehindCode(text), `must have no 0 behind 234, as in ${PHONE_EXAMPLE}`)
    .meta({ ...PERSONAL, examples: [PHONE_EXAMPLE] }),
  password: newPassword,
});

/** Formats are not checked here: an email or password that cannot exist is answered like a wrong one. */
const loginSchema = z.object({
  email: knownEmail,
  password,
  environment: optional(z.enum(ENVIRONMENTS)),
  code: optional(code),
});

export const registrationBody = publishedBody('Registration', registrationSchema);
export const loginBody = publishedBody('Credentials', loginSchema);

export interface Registration {
  businessName: string;
  email: string;
  phone: string;
  password: string;
}

export function readRegistration(body: unknown): Outcome<Registration> {
  const read = readBody(registrationSchema, body);
  if (!read.ok) return read;
  const { business_name: businessName, ...rest } = read.value;
  return done({ businessName, ...rest });
}

export interface Login {
  email: string;
  password: string;
  environment: EnvironmentName;
  /** A one-time code or a recovery code; null where none was given. */
  code: string | null;
}

/** Reads a login; the token is for the sandbox unless live is asked for (D100). */
export function readLogin(body: unknown): Outcome<Login> {
  const read = readBody(loginSchema, body);
  if (!read.ok) return read;
  const { environment = 'sandbox', code: given = null, ...rest } = read.value;
  return done({ ...rest, environment, code: given });
}

export const partnerInfo = z
  .object({
    id: uuid,
    business_name: z.string().meta({ examples: ['Acme Fintech'] }),
    email: z.string().meta({ ...PERSONAL, examples: ['owner@acme.example'] }),
    phone: z.string().meta({ ...PERSONAL, examples: ['+2348012345678'] }),
    status: z.enum(PARTNER_STATUSES),
    tier: z.enum(TIERS),
    created_at: timestamp,
  })
  .meta({ id: 'Partner' });

export const writePartner = (partner: PartnerRecord): z.infer<typeof partnerInfo> => ({
  id: partner.id,
  business_name: partner.businessName,
  email: partner.email,
  phone: partner.phone,
  status: partner.status,
  tier: partner.tier,
  created_at: partner.createdAt.toISOString(),
});

export const partnerOfCaller = partnerInfo
  .extend({
    environment: z.enum(ENVIRONMENTS).meta({ description: 'Of the credential' }),
    credential: z.object({
      type: z.enum(['api_key', 'access_token']),
      key_prefix: z.string().nullable().meta({ description: 'The first 12 characters of an API key' }),
      expires_at: timestamp.nullable().meta({ description: 'null: not by itself' }),
    }),
    rate_limit: z
      .object({
        limit: z.int().meta({ description: 'Requests a minute' }),
        remaining: z.int().min(0),
        reset_seconds: z.int().min(1),
      })
      .meta({ description: 'As the headers of this answer say' }),
  })
  .meta({ id: 'PartnerOfCaller' });

/** What a caller is told of itself. */
interface CallerShown {
  environment: EnvironmentName;
  /** null for a person with an access token, which then says when it ends. */
  key: CallersKey | null;
  tokenExpiresAt: Date | null;
  rateLimit: { limit: number; remaining: number; resetSeconds: number };
}

/** The partner with the credential that asks. */
export const writePartnerOfCaller = (
  partner: PartnerRecord,
  { environment, key, tokenExpiresAt, rateLimit }: CallerShown,
): z.infer<typeof partnerOfCaller> => ({
  ...writePartner(partner),
  environment,
  credential: {
    type: key ? 'api_key' : 'access_token',
    key_prefix: key?.keyPrefix ?? null,
    expires_at: (key ? key.expiresAt : tokenExpiresAt)?.toISOString() ?? null,
  },
  rate_limit: {
    limit: rateLimit.limit,
    remaining: rateLimit.remaining,
    reset_seconds: rateLimit.resetSeconds,
  },
});

export const loginAnswer = z
  .object({
    access_token: z.string().meta({ ...SECRET, description: 'A JWT for one partner in one environment' }),
    token_type: z.literal('Bearer'),
    expires_in: z.literal(TOKEN_LIFE_SECONDS).meta({ description: 'In seconds' }),
    partner: partnerInfo,
  })
  .meta({ id: 'Login' });

export const writeLogin = (accessToken: string, partner: PartnerRecord): z.infer<typeof loginAnswer> => ({
  access_token: accessToken,
  token_type: 'Bearer',
  expires_in: TOKEN_LIFE_SECONDS,
  partner: writePartner(partner),
});
