/**
 * Access tokens, the other kind of bearer credential (D99, D101): a JWT for one partner in one environment,
 * good for an hour at most, because it ends with its session. What the library does not check is checked here,
 * claim by claim.
 */
import { createSecretKey, type KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { z } from 'zod';
import { ENVIRONMENTS, type EnvironmentName } from '../domain/partners';
import { keyId } from '../secrets/key-id';

const ISSUER = 'partner-wallet';
const AUDIENCE = 'partner-wallet-api';
/** There is no renewal. A caller who needs a longer life makes an API key (D101). */
export const TOKEN_LIFE_SECONDS = 3_600;
const CLOCK_TOLERANCE_SECONDS = 60;

/** Whom a token speaks for. */
export interface TokenHolder {
  partnerId: string;
  environment: EnvironmentName;
  /** The token is good while this session is in force. It is the `jti` of the token. */
  sessionId: string;
}

// The library refuses every algorithm but ours too. This second check does not depend on it.
const headerSchema = z.object({
  alg: z.literal('HS256'),
  typ: z.literal('JWT'),
  crit: z.undefined().optional(),
});
const claimsSchema = z.object({
  sub: z.string().min(1),
  jti: z.uuid(),
  partner_id: z.uuid(),
  env: z.enum(ENVIRONMENTS),
  iat: z.int(),
  exp: z.int(),
});

/** The key's name in a token's header: tokens of another key are refused before anything is computed. */
const kidOf = (keyBase64: string): string => keyId(Buffer.from(keyBase64, 'base64'));

/** The library would try to read bytes as a public key first, at each token, which takes longer than the check. */
const secretOf = (keyBase64: string): KeyObject => createSecretKey(keyBase64, 'base64');

/** @param subject who asked for the token: a user or an administrator. */
export function issueAccessToken(keyBase64: string, holder: TokenHolder, subject: string): string {
  const claims = { partner_id: holder.partnerId, env: holder.environment, scope: 'partner' };
  return jwt.sign(claims, secretOf(keyBase64), {
    algorithm: 'HS256',
    keyid: kidOf(keyBase64),
    issuer: ISSUER,
    audience: AUDIENCE,
    subject,
    jwtid: holder.sessionId,
    expiresIn: TOKEN_LIFE_SECONDS,
  });
}

/** Gives the holder of a token; null if the token is not ours, not in force, or not complete. */
export type TokenReader = (token: string) => TokenHolder | null;

/**
 * Accepts the tokens of several keys, so that a new key can sign while the old one's tokens run out.
 * @param keysBase64 a token is checked with the one that its `kid` names among these, and with no other.
 */
export function createTokenReader(keysBase64: readonly string[]): TokenReader {
  const keys = new Map(keysBase64.map((key) => [kidOf(key), secretOf(key)]));
  return (token) => {
    try {
      const named = jwt.decode(token, { complete: true })?.header.kid;
      const key = typeof named === 'string' ? keys.get(named) : undefined;
      if (!key) return null;
      const { header, payload } = jwt.verify(token, key, {
        algorithms: ['HS256'],
        issuer: ISSUER,
        audience: AUDIENCE,
        maxAge: TOKEN_LIFE_SECONDS,
        complete: true,
      });
      headerSchema.parse(header);
      const claims = claimsSchema.parse(payload);
      if (claims.iat > Date.now() / 1_000 + CLOCK_TOLERANCE_SECONDS) return null;
      return { partnerId: claims.partner_id, environment: claims.env, sessionId: claims.jti };
    } catch (error) {
      // The library lets a payload that is not JSON escape as a SyntaxError.
      const bad = [jwt.JsonWebTokenError, z.ZodError, SyntaxError].some((kind) => error instanceof kind);
      if (bad) return null;
      throw error;
    }
  };
}
