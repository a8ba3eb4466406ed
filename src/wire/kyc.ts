/** Verifications of BVNs and NINs as the interface shows them, without the number (interface: KYC; D22, D112). */
import { z } from 'zod';
import { present } from '../domain/assert';
import type { EventDraft } from '../domain/events';
import {
  VERIFICATION_STATUSES,
  type Consent,
  type Verification,
  type VerificationType,
} from '../domain/verifications';
import type { Outcome } from '../domain/outcome';
import { failureReason, timestamp, uuid, verificationType } from './answers';
import type { KycFailed, KycVerified } from './event-payloads';
import { optional, PERSONAL, SECRET, userRef } from './fields';
import { namesFor } from './forms';
import { publishedBody, readBody } from './read';

/** Eleven ASCII digits as text; the message says the rule and never what was sent. */
const identityNumber = z
  .string()
  .regex(/^[0-9]{11}$/, 'must be 11 digits')
  .meta({ ...SECRET, examples: ['22222222222'] });

/** So narrow that nobody's data fits into it. */
const consentWord = z
  .string()
  .regex(/^[A-Za-z0-9._-]{1,64}$/, 'must have 1 to 64 letters, digits, dots, hyphens or underscores');

const consent = optional(
  z.object(
    {
      given_at: z.iso
        .datetime({ offset: true, error: 'must be a time with its zone' })
        .meta({ description: 'When the customer agreed', examples: ['2026-11-22T10:15:00Z'] }),
      text_version: consentWord.meta({
        description: 'The version of the text that the customer agreed to',
        examples: ['privacy-2026-03'],
      }),
      channel: consentWord.meta({ description: 'Where the customer agreed', examples: ['mobile_app'] }),
    },
    'must be an object',
  ),
).meta({
  description: 'The customer’s consent. Without it the partner’s agreement is recorded as the basis',
});

const submissions = {
  bvn: z.object({ user_ref: userRef, bvn: identityNumber, consent }),
  nin: z.object({ user_ref: userRef, nin: identityNumber, consent }),
};

export const submissionBodies: Record<VerificationType, z.ZodType> = {
  bvn: publishedBody('BvnSubmission', submissions.bvn),
  nin: publishedBody('NinSubmission', submissions.nin),
};

export interface Submission {
  userRef: string;
  number: string;
  /** null where the partner tells none. */
  consent: Consent | null;
}

/** Reads a submission of this kind of number; `userRef` is the same field as `user_ref` (D49). */
export function readSubmission(type: VerificationType, body: unknown): Outcome<Submission> {
  const schema = submissions[type].transform((read) => ({
    userRef: read.user_ref,
    number: 'bvn' in read ? read.bvn : read.nin,
    consent: read.consent
      ? {
          givenAt: new Date(read.consent.given_at),
          textVersion: read.consent.text_version,
          channel: read.consent.channel,
        }
      : null,
  }));
  return readBody(schema, body, namesFor('user_ref'));
}

/** The user_ref in a path, or null if no user can have it. */
export function readUserRef(text: string): string | null {
  return userRef.safeParse(text).data ?? null;
}

export const submittedSchema = z
  .object({ verification_id: uuid, status: z.literal('pending') })
  .meta({ id: 'KycSubmitted' });

const verificationSchema = z
  .object({
    verification_id: uuid,
    type: verificationType,
    status: z.enum(VERIFICATION_STATUSES),
    created_at: timestamp,
    verified_at: timestamp.nullable(),
    failure_reason: failureReason.nullable(),
  })
  .meta({ id: 'KycVerification' });

export const kycStatusSchema = z
  .object({ user_ref: z.string().meta(PERSONAL), verifications: z.array(verificationSchema) })
  .meta({ id: 'KycStatus' });

export function writeVerification(verification: Verification): z.infer<typeof verificationSchema> {
  return {
    verification_id: verification.id,
    type: verification.type,
    status: verification.status,
    created_at: verification.createdAt.toISOString(),
    verified_at: verification.verifiedAt?.toISOString() ?? null,
    failure_reason: verification.failureReason,
  };
}

/** `kyc.verified` or `kyc.failed` of a verification that has ended; a director is named by its id (D112). */
export function verificationConcluded(verification: Verification): EventDraft {
  const { id, userRef: of, directorId, type, subject, verifiedAt, failureReason: reason } = verification;
  const about = {
    verification_id: id,
    user_ref: of,
    ...(directorId !== null && { director_id: directorId }),
    type,
    subject,
  };
  const common = { alias: null, resourceId: id };
  if (verification.status === 'verified') {
    const verified_at = present(verifiedAt, 'the time of a verification').toISOString();
    const data: KycVerified = { ...about, status: 'verified', verified_at };
    return { ...common, kind: 'kyc.verified', data: JSON.stringify(data) };
  }
  const failure_reason = present(reason, 'the reason of a failed verification');
  const data: KycFailed = { ...about, status: 'failed', failure_reason };
  return { ...common, kind: 'kyc.failed', data: JSON.stringify(data) };
}
