/**
 * Access tokens, the other kind of bearer credential (D99, D101): a JWT for one partner in one environment,
 * good for an hour. What the library does not check is checked here, claim by claim.
 */
import { createHash, randomUUID } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { z } from 'zod';
import { ENVIRONMENTS, type EnvironmentName } from '../domain/partners';

const ISSUER = 'partner-wallet';
const AUDIENCE = 'partner-wallet-api';
const LIFE_SECONDS = 3_600;
const CLOCK_TOLERANCE_SECONDS = 60;

/** Whom a token speaks for. */
export interface TokenHolder {
  partnerId: string;
  environment: EnvironmentName;
}

const headerSchema = z.object({
  alg: z.literal('HS256'),
  typ: z.literal('JWT'),
  kid: z.string(),
  crit: z.undefined().optional(),
});
const claimsSchema = z.object({
  sub: z.string().min(1),
  jti: z.string().min(1),
  partner_id: z.uuid(),
  env: z.enum(ENVIRONMENTS),
  iat: z.int(),
  exp: z.int(),
});

/** The key's name in a token's header: tokens of another key are refused before anything is computed. */
const kidOf = (keyBase64: string): string =>
  createHash('sha256').update(keyBase64).digest('base64url').slice(0, 8);

/** @param subject who asked for the token: a user or an administrator. */
export function issueAccessToken(keyBase64: string, holder: TokenHolder, subject: string): string {
  const claims = { partner_id: holder.partnerId, env: holder.environment, scope: 'partner' };
  return jwt.sign(claims, Buffer.from(keyBase64, 'base64'), {
    algorithm: 'HS256',
    keyid: kidOf(keyBase64),
    issuer: ISSUER,
    audience: AUDIENCE,
    subject,
    jwtid: randomUUID(),
    expiresIn: LIFE_SECONDS,
  });
}

/** @returns the holder, or null for every token that is not one of ours, in force, and complete. */
export function readAccessToken(keyBase64: string, token: string): TokenHolder | null {
  try {
    const { header, payload } = jwt.verify(token, Buffer.from(keyBase64, 'base64'), {
      algorithms: ['HS256'],
      issuer: ISSUER,
      audience: AUDIENCE,
      maxAge: LIFE_SECONDS,
      complete: true,
    });
    if (headerSchema.parse(header).kid !== kidOf(keyBase64)) return null;
    const claims = claimsSchema.parse(payload);
    if (claims.iat > Date.now() / 1_000 + CLOCK_TOLERANCE_SECONDS) return null;
    return { partnerId: claims.partner_id, environment: claims.env };
  } catch (error) {
    // The library lets a payload that is not JSON escape as a SyntaxError.
    const bad = [jwt.JsonWebTokenError, z.ZodError, SyntaxError].some((kind) => error instanceof kind);
    if (bad) return null;
    throw error;
  }
}
