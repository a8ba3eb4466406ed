/**
 * The check of a person's BVN or NIN: its machine (interface: States, KYC verification), why it can fail
 * (D35, D83), and what a bureau's record means for it.
 */
import type { Row } from './machine';
import { isSameName } from './names';

export const VERIFICATION_TYPES = ['bvn', 'nin'] as const;
export type VerificationType = (typeof VERIFICATION_TYPES)[number];

/** Whose number it is: a partner's customer, or a director of the partner itself (D112). */
export const VERIFICATION_SUBJECTS = ['end_user', 'director'] as const;
export type VerificationSubject = (typeof VERIFICATION_SUBJECTS)[number];

export const VERIFICATION_STATUSES = ['pending', 'verified', 'failed'] as const;
export type VerificationStatus = (typeof VERIFICATION_STATUSES)[number];

export type VerificationTrigger = 'record_fits' | 'record_refused' | 'bureau_silent';

export const VERIFICATION_MACHINE: readonly Row<VerificationStatus, VerificationTrigger>[] = [
  ['pending', 'record_fits', 'verified'],
  ['pending', 'record_refused', 'failed'],
  ['pending', 'bureau_silent', 'failed'],
];

/** Why a verification failed, in the order in which it is looked for; partners and operators read these codes. */
export const VERIFICATION_FAILURES = {
  BVN_NOT_FOUND: { trigger: 'record_refused', meaning: 'Nobody has this BVN' },
  NIN_NOT_FOUND: { trigger: 'record_refused', meaning: 'Nobody has this NIN' },
  WATCH_LISTED: { trigger: 'record_refused', meaning: 'The person is on a watch list' },
  NAME_MISMATCH: { trigger: 'record_refused', meaning: 'The record has another name' },
  PROVIDER_UNAVAILABLE: {
    trigger: 'bureau_silent',
    meaning: 'The identity provider did not answer in time; submit again',
  },
} as const satisfies Record<string, { trigger: VerificationTrigger; meaning: string }>;
export type VerificationFailure = keyof typeof VERIFICATION_FAILURES;

export const FAILURE_REASONS = Object.keys(VERIFICATION_FAILURES) as VerificationFailure[];

/** What is kept of the answer that ended a verification; null where it ended without one. */
export type AnsweredBy = Pick<Verification, 'company' | 'watchListed'> | null;

/** How a verification ends. */
export type Verdict = { status: 'verified' } | { status: 'failed'; reason: VerificationFailure };

/** The trigger of the machine that belongs to a verdict. */
export const triggerOf = (verdict: Verdict): VerificationTrigger =>
  verdict.status === 'verified' ? 'record_fits' : VERIFICATION_FAILURES[verdict.reason].trigger;

/** The verification without its number, which only the bureau gets. */
export interface Verification {
  id: string;
  partnerId: string;
  subject: VerificationSubject;
  /** null for a director. */
  userRef: string | null;
  /** null for an end user. */
  directorId: string | null;
  type: VerificationType;
  status: VerificationStatus;
  failureReason: VerificationFailure | null;
  /** The company that answered; null while none has. */
  company: string | null;
  /** Whether the company said that the person is on the watch list; null where it did not say. */
  watchListed: boolean | null;
  createdAt: Date;
  verifiedAt: Date | null;
}

/** What a bureau knows about a number. Bureaus answer with the name, with their own comparison, or with both. */
export interface IdentityRecord {
  name: string | null;
  /** Whether the bureau says that the given name is the name in its record; null if it did not compare. */
  nameFits: boolean | null;
  /** Whether the person is on the watch list of the registers; null if the bureau does not say. */
  watchListed: boolean | null;
}

/**
 * What a record means: verified when the person is not known to be watch-listed and, where a name is expected, has
 * that name (D35).
 * @param record null when the bureau knows no such number.
 * @param expectedName the name that the person should have; null when none is known.
 */
export function judge(
  type: VerificationType,
  record: IdentityRecord | null,
  expectedName: string | null,
): Verdict {
  const failed = (reason: VerificationFailure): Verdict => ({ status: 'failed', reason });
  if (!record) return failed(type === 'bvn' ? 'BVN_NOT_FOUND' : 'NIN_NOT_FOUND');
  if (record.watchListed) return failed('WATCH_LISTED');
  const fits =
    record.nameFits ??
    (expectedName === null || record.name === null || isSameName(expectedName, record.name));
  return fits ? { status: 'verified' } : failed('NAME_MISMATCH');
}

/** That a customer has agreed to the check of a BVN or NIN, as the partner tells it. */
export interface Consent {
  givenAt: Date;
  /** Which version of the partner's text the customer agreed to. */
  textVersion: string;
  /** Where the customer agreed: an app, a shop, a call. */
  channel: string;
}

/** On what a number is submitted. Without a told consent it is the partner's word, which its agreement obliges it to. */
export const CONSENT_BASES = {
  customer: 'The customer has agreed, as the partner tells',
  partner_agreement: 'Asserted by the partner’s agreement: the partner keeps the proof',
} as const;

/** What is kept of each submission of a number. */
export interface RecordedConsent {
  verificationId: string;
  basis: keyof typeof CONSENT_BASES;
  /** null unless the basis is the customer's own consent. */
  consent: Consent | null;
  requestId: string;
  recordedAt: Date;
}

/** How far the clock of a partner may be ahead of ours, in milliseconds. */
const CLOCK_SKEW_MS = 300_000;

/** Whether a consent is said to be given later than now. */
export const isGivenLater = ({ givenAt }: Consent, now: Date): boolean =>
  givenAt.getTime() > now.getTime() + CLOCK_SKEW_MS;
