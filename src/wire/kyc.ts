/** Verifications of end users' BVNs and NINs as the interface shows them: never the number (interface: KYC; D22, D112). */
import { z } from 'zod';
import type { EventDraft } from '../domain/events';
import {
  FAILURE_REASONS,
  VERIFICATION_STATUSES,
  VERIFICATION_TYPES,
  type Verification,
  type VerificationType,
} from '../domain/verifications';
import { userRef } from './fields';
import { readBody, type Read } from './read';

/** Eleven ASCII digits as text; the message says the rule and never what was sent. */
export const identityNumber = z.string().regex(/^[0-9]{11}$/, 'must be 11 digits');

/** The bodies of the two submissions. */
export const submissionSchemas = {
  bvn: z.object({ user_ref: userRef, bvn: identityNumber }),
  nin: z.object({ user_ref: userRef, nin: identityNumber }),
} satisfies Record<VerificationType, z.ZodType>;

export interface Submission {
  userRef: string;
  number: string;
}

/** Reads a submission of this kind of number; `userRef` is the same field as `user_ref` (D49). */
export function readSubmission(type: VerificationType, body: unknown): Read<Submission> {
  const schema = submissionSchemas[type].transform((read) => ({
    userRef: read.user_ref,
    number: 'bvn' in read ? read.bvn : read.nin,
  }));
  return readBody(schema, body, [['user_ref', 'userRef']]);
}

/** A user_ref of a path, or null where no user can have such a one. */
export function readUserRef(text: string): string | null {
  return userRef.safeParse(text).data ?? null;
}

const timestamp = z.iso.datetime();

export const submittedSchema = z.object({ verification_id: z.uuid(), status: z.literal('pending') });

const verificationSchema = z
  .object({
    verification_id: z.uuid(),
    type: z.enum(VERIFICATION_TYPES),
    status: z.enum(VERIFICATION_STATUSES),
    created_at: timestamp,
    verified_at: timestamp.nullable(),
    failure_reason: z.enum(FAILURE_REASONS).nullable(),
  })
  .meta({ id: 'KycVerification' });

export const kycStatusSchema = z.object({ user_ref: z.string(), verifications: z.array(verificationSchema) });

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
  const { id, userRef: of, directorId, type, status, subject, verifiedAt, failureReason } = verification;
  const data = {
    verification_id: id,
    user_ref: of,
    ...(directorId !== null && { director_id: directorId }),
    type,
    status,
    subject,
    ...(status === 'verified'
      ? { verified_at: verifiedAt?.toISOString() }
      : { failure_reason: failureReason }),
  };
  return {
    kind: status === 'verified' ? 'kyc.verified' : 'kyc.failed',
    alias: null,
    resourceId: id,
    data: JSON.stringify(data),
  };
}
