/**
 * A partner's compliance record (KYB): what was submitted and decided, and the machine of its overall
 * status (interface: Partner compliance, Compliance overall_status; D38-D40, D88-D90, D139). Every change of a
 * record is a request: a step from the partner, or a decision of a reviewer.
 */
import { next, sources, type Row } from './machine';
import type { PartnerTrigger } from './partners';
import { done, refuse, type Outcome, type Refused } from './outcome';
import type { Verification } from './verifications';

export const COMPLIANCE_STATUSES = [
  'incomplete',
  'submitted',
  'under_review',
  'approved',
  'rejected',
  'suspended',
] as const;
export type ComplianceStatus = (typeof COMPLIANCE_STATUSES)[number];

export const COMPLIANCE_STEPS = ['business_info', 'directors', 'agreements', 'use_case'] as const;
export type ComplianceStep = (typeof COMPLIANCE_STEPS)[number];

export const COMPLIANCE_DECISIONS = ['claim', 'approve', 'reject', 'suspend', 'reinstate'] as const;
export type ComplianceDecision = (typeof COMPLIANCE_DECISIONS)[number];

export const BUSINESS_TYPES = ['llc', 'sole_prop', 'ngo', 'partnership'] as const;
export type BusinessType = (typeof BUSINESS_TYPES)[number];

/** The terms in force; accepting the agreements accepts this version (D88). */
export const TERMS_VERSION = '2026-01';
/** What a rejection without a reason says (D166). */
const NO_REASON = 'Not specified';

/** What takes everything back that was submitted: somebody else than the company may have submitted it (D175). */
export const COMPLIANCE_WITHDRAWAL = 'withdraw';

/** `submit` is the use case, when every step is complete with it. Every other step is an `edit` (D39). */
export const COMPLIANCE_TRIGGERS = [
  'edit',
  'submit',
  ...COMPLIANCE_DECISIONS,
  COMPLIANCE_WITHDRAWAL,
] as const;
export type ComplianceTrigger = (typeof COMPLIANCE_TRIGGERS)[number];

export const COMPLIANCE_MACHINE: readonly Row<ComplianceStatus, ComplianceTrigger>[] = [
  ['incomplete', 'edit', 'incomplete'],
  ['incomplete', 'submit', 'submitted'],
  ['submitted', 'edit', 'submitted'],
  ['submitted', 'claim', 'under_review'],
  ['submitted', 'approve', 'approved'],
  ['submitted', 'reject', 'rejected'],
  ['under_review', 'approve', 'approved'],
  ['under_review', 'reject', 'rejected'],
  ['rejected', 'edit', 'incomplete'],
  ['rejected', 'submit', 'submitted'],
  ['approved', 'suspend', 'suspended'],
  ['suspended', 'reinstate', 'approved'],
  ...COMPLIANCE_STATUSES.map((status): Row<ComplianceStatus, ComplianceTrigger> => [
    status,
    'withdraw',
    'incomplete',
  ]),
];

/** How the partner's own status follows the live record (D37, D90). */
export const PARTNER_FOLLOWS: Readonly<Partial<Record<ComplianceTrigger, PartnerTrigger>>> = {
  submit: 'compliance_submitted',
  approve: 'compliance_approved',
  reject: 'compliance_rejected',
  suspend: 'suspend',
  reinstate: 'reinstate',
  withdraw: 'compliance_withdrawn',
};

export interface ComplianceRecord {
  partnerId: string;
  status: ComplianceStatus;
  /** Texts are "" and times null until they are given (D88, D139). */
  cacNumber: string;
  businessType: BusinessType | '';
  termsVersion: string;
  termsAcceptedAt: Date | null;
  amlPolicyAcceptedAt: Date | null;
  dpaAcceptedAt: Date | null;
  /** The request that brought the current directors. Earlier directors are kept, and not current (D89). */
  directorsSetId: string | null;
  directorsSubmittedAt: Date | null;
  useCaseDescription: string;
  /** Stays until the next submission (D38). */
  rejectionReason: string | null;
  /** Who claimed or decided last. */
  reviewer: string | null;
  /** How many requests have been applied. Of two copies of a record, the one with more is newer. */
  moves: number;
}

/** What is asked of a record. Directors are rows of their own, because their numbers are sealed. */
export type ComplianceAsk =
  | { kind: 'business_info'; cacNumber: string; businessType: BusinessType }
  | { kind: 'directors' }
  | { kind: 'agreements'; termsVersion: string }
  | { kind: 'use_case'; description: string }
  | { kind: 'withdraw' }
  | {
      kind: ComplianceDecision;
      reason: string | null;
      /** The moves of the record that two people have read; the decision is about no other. Absent for one person. */
      moves?: number;
    };

export interface ComplianceRequest {
  id: string;
  partnerId: string;
  /** `partner`, `sandbox`, `mailbox` where whoever reads the mails of the company has proved it, or an operator. */
  actor: string;
  ask: ComplianceAsk;
  askedAt: Date;
}

/** A director as stored. The operation that received the numbers has sealed them. */
export interface StoredDirector {
  id: string;
  fullName: string;
  role: string;
  bvnSealed: string | null;
  ninSealed: string | null;
}

/** A director as a reviewer sees it: with every verification of its numbers. */
export interface ReviewedDirector extends StoredDirector {
  verifications: readonly Verification[];
}

/** Whether no register has confirmed who a director is. A reviewer is warned, and decides (D89). */
export const isUnverified = ({ verifications }: ReviewedDirector): boolean =>
  !verifications.some(({ status }) => status === 'verified');

/** The record before anything was submitted. */
export const freshCompliance = (partnerId: string): ComplianceRecord => ({
  partnerId,
  status: 'incomplete',
  cacNumber: '',
  businessType: '',
  termsVersion: '',
  termsAcceptedAt: null,
  amlPolicyAcceptedAt: null,
  dpaAcceptedAt: null,
  directorsSetId: null,
  directorsSubmittedAt: null,
  useCaseDescription: '',
  rejectionReason: null,
  reviewer: null,
  moves: 0,
});

/** Which steps are done; a use case that came before the others is done too (D159). */
export const stepsOf = (record: ComplianceRecord): Record<ComplianceStep, boolean> => ({
  business_info: record.cacNumber !== '',
  directors: record.directorsSetId !== null,
  agreements:
    record.termsAcceptedAt !== null && record.amlPolicyAcceptedAt !== null && record.dpaAcceptedAt !== null,
  use_case: record.useCaseDescription !== '',
});

/** What is its own trigger: whatever is no step. */
export const isNoStep = (
  kind: ComplianceAsk['kind'],
): kind is ComplianceDecision | typeof COMPLIANCE_WITHDRAWAL =>
  kind === COMPLIANCE_WITHDRAWAL || COMPLIANCE_DECISIONS.some((decision) => decision === kind);

/** Whether a decision lets the company act. In live that needs a company that has proved its mailbox (D175). */
export const letsAct = (kind: ComplianceAsk['kind']): boolean => kind === 'approve' || kind === 'reinstate';

/** The refusal of such a request in this status; null if the record takes it (D40, D139). */
export function complianceRefusal(status: ComplianceStatus, kind: ComplianceAsk['kind']): Refused | null {
  if (next(COMPLIANCE_MACHINE, status, isNoStep(kind) ? kind : 'edit')) return null;
  return refuse(isNoStep(kind) ? 'INVALID_COMPLIANCE_STATE' : 'COMPLIANCE_LOCKED', {
    message: `The compliance record is ${status}`,
  });
}

/** The record after a request, with the move that it made. Nothing else changes a record. */
export function progress(
  record: ComplianceRecord,
  request: ComplianceRequest,
): Outcome<{ trigger: ComplianceTrigger; record: ComplianceRecord }> {
  const refused = complianceRefusal(record.status, request.ask.kind);
  if (refused) return refused;
  const { ask } = request;
  if ('moves' in ask && ask.moves !== record.moves) {
    return refuse('INVALID_COMPLIANCE_STATE', { message: 'The record has changed since it was read' });
  }
  const told = { ...record, ...changesOf(request) };
  const trigger = triggerOf(told, request.ask.kind);
  const status = next(COMPLIANCE_MACHINE, record.status, trigger) ?? record.status;
  const resubmitted = trigger === 'submit' ? { rejectionReason: null, reviewer: null } : {};
  return done({ trigger, record: { ...told, ...resubmitted, status, moves: record.moves + 1 } });
}

/** Only the use case submits, and only when every step is done. In `submitted` it is an edit (D39, D139). */
function triggerOf(record: ComplianceRecord, kind: ComplianceAsk['kind']): ComplianceTrigger {
  if (isNoStep(kind)) return kind;
  const complete = Object.values(stepsOf(record)).every(Boolean);
  const submits = sources(COMPLIANCE_MACHINE, 'submit').includes(record.status);
  return kind === 'use_case' && complete && submits ? 'submit' : 'edit';
}

function changesOf({ id, partnerId, actor, ask, askedAt }: ComplianceRequest): Partial<ComplianceRecord> {
  switch (ask.kind) {
    case 'business_info':
      return { cacNumber: ask.cacNumber, businessType: ask.businessType };
    case 'directors':
      return { directorsSetId: id, directorsSubmittedAt: askedAt };
    case 'agreements':
      return {
        termsVersion: ask.termsVersion,
        termsAcceptedAt: askedAt,
        amlPolicyAcceptedAt: askedAt,
        dpaAcceptedAt: askedAt,
      };
    case 'use_case':
      return { useCaseDescription: ask.description };
    case 'reject':
      return { reviewer: actor, rejectionReason: ask.reason ?? NO_REASON };
    case 'claim':
    case 'approve':
      return { reviewer: actor };
    case 'suspend':
    case 'reinstate':
      return {};
    case 'withdraw':
      return freshCompliance(partnerId);
  }
}
