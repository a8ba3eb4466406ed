/** One-time codes by time (TOTP, RFC 6238), and the recovery codes for whoever has lost the device. */
import { hash } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

const ISSUER = 'Partner wallet';
const SETTINGS = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
const SECRET_BYTES = 20;
/** The code before and the one after are accepted too, because clocks differ and people are slow. */
const STEPS_AROUND = 1;
const RECOVERY_CODES = 10;
/** 80 random bits: a fast hash is enough for them. */
const RECOVERY_BYTES = 10;

const totpOf = (secret: string, label: string): TOTP =>
  new TOTP({ ...SETTINGS, issuer: ISSUER, label, secret: Secret.fromBase32(secret) });

/** A new secret, in base32 as people type it. */
export const newTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/** The address that an authenticator reads from a QR code. It contains the secret. */
export const totpUri = (secret: string, email: string): string => totpOf(secret, email).toString();

/** Apps show a code in two groups, and people copy it so: `123 456`, `123-456`. */
const BETWEEN_GROUPS = /[\s\p{Pd}]+/gu;

/** @returns the step of time that the code belongs to, or null for a wrong code. */
export function stepOfCode(secret: string, code: string, now: Date): number | null {
  const totp = totpOf(secret, '');
  const timestamp = now.getTime();
  const around = totp.validate({ token: code.replace(BETWEEN_GROUPS, ''), timestamp, window: STEPS_AROUND });
  return around === null ? null : totp.counter({ timestamp }) + around;
}

/** Ten new recovery codes: 16 characters in groups of four. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () =>
    new Secret({ size: RECOVERY_BYTES }).base32.replace(/.{4}(?=.)/g, '$&-'),
  );

/** What is kept of a recovery code, however its letters and groups are written. */
export const hashRecoveryCode = (code: string): Buffer =>
  hash('sha256', code.toUpperCase().replace(/[^A-Z2-7]/g, ''), 'buffer');
