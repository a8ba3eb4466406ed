/** Requests by which people prove who they are, change their password and use one-time codes. */
import { z } from 'zod';
import { map, type Outcome } from '../domain/outcome';
import { passwordForm } from '../domain/plain-text';
import { isCommonPassword } from './common-passwords';
import { optional, PERSONAL, plainText, SECRET } from './fields';
import { publishedBody, readBody } from './read';
import { isPlain, lengthOf } from './text';

/** The longest address that mail can be sent to (RFC 5321). */
const EMAIL_MAX = 254;
const PASSWORD_MIN = 8;
const PASSWORD_MAX = 128;
const CODE_MAX = 40;
const TOKEN_MAX = 200;

/** An email address that mail can be sent to. */
export const email = z
  .email('must be an email address')
  .max(EMAIL_MAX, `must have at most ${String(EMAIL_MAX)} characters`)
  .meta({ ...PERSONAL, examples: ['owner@acme.example'] });

/** An email that somebody has: one that cannot exist is answered like one that nobody has. */
export const knownEmail = plainText(EMAIL_MAX).meta({ ...PERSONAL, examples: ['owner@acme.example'] });

/** Whatever it looks like: one that cannot exist is answered like one that is not in force. */
export const oneUseToken = plainText(TOKEN_MAX).meta({ ...SECRET, examples: ['the token of the mail'] });

/** A password. Keyboards that send several characters for a letter take nothing from its greatest length. */
const passwordOf = (least: number) =>
  z
    .string()
    .refine(
      (text) => {
        const [typed, kept] = [lengthOf(text), lengthOf(passwordForm(text))];
        return Math.min(typed, kept) >= least && Math.min(typed, kept) <= PASSWORD_MAX;
      },
      { error: `must have ${String(least)} to ${String(PASSWORD_MAX)} characters`, abort: true },
    )
    .refine(isPlain, 'must not contain control characters')
    .meta({ minLength: least, maxLength: PASSWORD_MAX });

/** A password that somebody chooses. There are no rules about its characters, as NIST SP 800-63B asks. */
export const newPassword = passwordOf(PASSWORD_MIN)
  .refine((text) => !isCommonPassword(text), 'is one of the most common passwords, which guessers try first')
  .meta({
    ...SECRET,
    minLength: PASSWORD_MIN,
    maxLength: PASSWORD_MAX,
    examples: ['seven green kettles'],
  });

/** A password that somebody has: one that cannot exist is answered like a wrong one. */
export const password = passwordOf(1).meta({
  ...SECRET,
  minLength: 1,
  maxLength: PASSWORD_MAX,
  examples: ['seven green kettles'],
});

/** Wrong ones of any shape are answered alike. */
export const code = plainText(CODE_MAX).meta({
  ...SECRET,
  description: 'A one-time code of six digits, or a recovery code',
  examples: ['492039'],
});

const proofSchema = z.object({ password, code: optional(code) });
const passwordChangeSchema = z.object({ password, new_password: newPassword, code: optional(code) });
const forgottenSchema = z.object({ email: knownEmail });
const resetSchema = z.object({ token: oneUseToken, new_password: newPassword });
const emailChangeSchema = z.object({
  password,
  new_email: email.meta({ examples: ['new-owner@acme.example'] }),
  code: optional(code),
});
const firstCodeSchema = z.object({ code });

export const proofBody = publishedBody('Proof', proofSchema);
export const passwordChangeBody = publishedBody('PasswordChange', passwordChangeSchema);
export const forgottenBody = publishedBody('ForgottenPassword', forgottenSchema);
export const resetBody = publishedBody('PasswordReset', resetSchema);
export const emailChangeBody = publishedBody('EmailChange', emailChangeSchema);
/** Taking an address back replaces the password, too. */
export const takeBackBody = publishedBody('EmailTakeBack', resetSchema);
export const firstCodeBody = publishedBody('FirstCode', firstCodeSchema);

interface Proof {
  password: string;
  code: string | null;
}

export const readProof = (body: unknown): Outcome<Proof> =>
  map(readBody(proofSchema, body), (read) => ({ password: read.password, code: read.code ?? null }));

export const readPasswordChange = (body: unknown): Outcome<Proof & { newPassword: string }> =>
  map(readBody(passwordChangeSchema, body), (read) => ({
    password: read.password,
    newPassword: read.new_password,
    code: read.code ?? null,
  }));

export const readEmailChange = (body: unknown): Outcome<Proof & { newEmail: string }> =>
  map(readBody(emailChangeSchema, body), (read) => ({
    password: read.password,
    newEmail: read.new_email,
    code: read.code ?? null,
  }));

/** @returns the email of somebody who has forgotten the password. */
export const readForgotten = (body: unknown): Outcome<string> =>
  map(readBody(forgottenSchema, body), ({ email }) => email);

export const readReset = (body: unknown): Outcome<{ token: string; newPassword: string }> =>
  map(readBody(resetSchema, body), (read) => ({ token: read.token, newPassword: read.new_password }));

/** @returns the first code of an authenticator. */
export const readFirstCode = (body: unknown): Outcome<string> =>
  map(readBody(firstCodeSchema, body), (read) => read.code);

export const codeOffer = z
  .object({
    secret: z.string().meta({ ...SECRET, description: 'For typing into an authenticator, in base32' }),
    uri: z.string().meta({ ...SECRET, description: 'The same as an address, to be shown as a QR code' }),
  })
  .meta({ id: 'OneTimeCodeOffer' });

export const recoveryCodes = z
  .object({
    recovery_codes: z.array(z.string().meta({ examples: ['3MZQ-K5TA-7WQN-XJ2C'] })).meta({
      ...SECRET,
      description: 'Each works once in place of a one-time code; they are shown here and never again',
    }),
  })
  .meta({ id: 'RecoveryCodes' });
