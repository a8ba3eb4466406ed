/**
 * A partner's compliance: the four steps, the record, the sandbox's review (interface: Partner compliance;
 * D88-D90, D139, D152).
 */
import { z } from 'zod';
import {
  BUSINESS_TYPES,
  COMPLIANCE_DECISIONS,
  COMPLIANCE_STATUSES,
  stepsOf,
  TERMS_VERSION,
  type ComplianceAsk,
  type ComplianceDecision,
  type ComplianceRecord,
} from '../domain/compliance';
import { map, type Outcome } from '../domain/outcome';
import { timestamp } from './answers';
import { atMost, freeText, optional, PERSONAL, plainText, SECRET } from './fields';
import { readBody, type ReadSchema } from './read';
import { lengthOf } from './text';

const DIRECTORS_MAX = 50;
const DESCRIPTION_MIN = 20;
const DESCRIPTION_MAX = 5_000;

const oneOf = (values: readonly string[]) => ({ error: `must be one of: ${values.join(', ')}` });
const isTold = (text: string): boolean => text.trim() !== '';
const nameLike = plainText(200).refine(isTold, 'must not be blank');
const elevenDigits = optional(
  z
    .string()
    .regex(/^[0-9]{11}$/, 'must be 11 digits')
    .meta(SECRET),
);
const accepted = z.literal(true, 'must be true');

export const businessSchema = z.object({
  cac_number: z
    .string()
    .regex(/^(?:RC|BN|IT)[0-9]{5,8}$/, 'must be RC, BN or IT followed by 5 to 8 digits')
    .meta({ examples: ['RC1234567'] }),
  business_type: z.enum(BUSINESS_TYPES, oneOf(BUSINESS_TYPES)),
});

export const directorsSchema = z.object({
  directors: atMost(
    DIRECTORS_MAX,
    `must name at most ${String(DIRECTORS_MAX)} directors`,
    z
      .array(
        z.object(
          {
            full_name: nameLike.meta({ ...PERSONAL, examples: ['Ngozi Adeyemi'] }),
            role: nameLike.meta({ ...PERSONAL, examples: ['Director'] }),
            bvn: elevenDigits,
            nin: elevenDigits,
          },
          'must be an object',
        ),
        { error: (issue) => (issue.input === undefined ? undefined : 'must be an array') },
      )
      .min(1, 'must name at least one director'),
  ),
});

export const agreementsSchema = z.object({ terms: accepted, aml_policy: accepted, dpa: accepted });

export const useCaseSchema = z.object({
  description: freeText(DESCRIPTION_MAX)
    .refine(
      (text) => lengthOf(text.trim()) >= DESCRIPTION_MIN,
      `must have at least ${String(DESCRIPTION_MIN)} characters`,
    )
    .meta({ ...PERSONAL, examples: ['Wallets for the riders of a delivery company'] }),
});

export const reviewSchema = z.object({
  decision: z.enum(COMPLIANCE_DECISIONS, oneOf(COMPLIANCE_DECISIONS)),
  reason: optional(freeText(500).meta(PERSONAL)),
});

/** A director as submitted, with the numbers in the clear. The operation seals them before it stores anything. */
export interface SubmittedDirector {
  fullName: string;
  role: string;
  bvn: string | null;
  nin: string | null;
}

const read = <Schema extends ReadSchema, Value>(
  schema: Schema,
  body: unknown,
  into: (value: z.infer<Schema>) => Value,
): Outcome<Value> => {
  const found = readBody(schema, body);
  return map(found, into);
};

export const readBusiness = (body: unknown): Outcome<ComplianceAsk> =>
  read(businessSchema, body, (value) => ({
    kind: 'business_info',
    cacNumber: value.cac_number,
    businessType: value.business_type,
  }));

export const readDirectors = (body: unknown): Outcome<SubmittedDirector[]> =>
  read(directorsSchema, body, ({ directors }) =>
    directors.map(({ full_name: fullName, role, bvn, nin }) => ({
      fullName,
      role,
      bvn: bvn ?? null,
      nin: nin ?? null,
    })),
  );

/** To accept the agreements is to accept the terms in force (D88). */
export const readAgreements = (body: unknown): Outcome<ComplianceAsk> =>
  read(agreementsSchema, body, () => ({ kind: 'agreements', termsVersion: TERMS_VERSION }));

export const readUseCase = (body: unknown): Outcome<ComplianceAsk> =>
  read(useCaseSchema, body, ({ description }) => ({ kind: 'use_case', description }));

export const readReview = (body: unknown): Outcome<{ decision: ComplianceDecision; reason: string | null }> =>
  read(reviewSchema, body, ({ decision, reason }) => ({
    decision,
    reason: reason !== undefined && isTold(reason) ? reason : null,
  }));

const time = timestamp.nullable();

export const complianceSchema = z
  .object({
    overall_status: z.enum(COMPLIANCE_STATUSES),
    cac_number: z.string(),
    business_type: z.enum(['', ...BUSINESS_TYPES]),
    terms_version: z.string(),
    rejection_reason: z.string().nullable().meta(PERSONAL),
    steps: z.object({
      business_info: z.boolean(),
      directors: z.boolean(),
      agreements: z.boolean(),
      use_case: z.boolean(),
    }),
    directors_submitted_at: time,
    terms_accepted_at: time,
    aml_policy_accepted_at: time,
    dpa_accepted_at: time,
    use_case_description: z.string().meta(PERSONAL),
  })
  .meta({ id: 'ComplianceStatus' });

export function writeCompliance(record: ComplianceRecord): z.infer<typeof complianceSchema> {
  const text = (at: Date | null): string | null => at?.toISOString() ?? null;
  return {
    overall_status: record.status,
    cac_number: record.cacNumber,
    business_type: record.businessType,
    terms_version: record.termsVersion,
    rejection_reason: record.rejectionReason,
    steps: stepsOf(record),
    directors_submitted_at: text(record.directorsSubmittedAt),
    terms_accepted_at: text(record.termsAcceptedAt),
    aml_policy_accepted_at: text(record.amlPolicyAcceptedAt),
    dpa_accepted_at: text(record.dpaAcceptedAt),
    use_case_description: record.useCaseDescription,
  };
}

export const stepAnswerSchema = z.object({ status: z.literal('ok') });
/** Every step answers with exactly this (interface: Partner compliance). */
export const STEP_ANSWER: z.infer<typeof stepAnswerSchema> = { status: 'ok' };
