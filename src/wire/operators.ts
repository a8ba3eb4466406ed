/** What operators send and see: the bodies of commands, and resources with fields that partners do not see. */
import { WAITING, type Waiting } from '../domain/waiting';
import { z } from 'zod';
import type { AuditRow } from '../domain/audit';
import { ADJUSTMENT_DIRECTIONS } from '../domain/adjustments';
import {
  PROPOSAL_KINDS,
  PROPOSAL_STATUSES,
  PROPOSALS,
  type Proposal,
  type ProposalKind,
} from '../domain/proposals';
import { snakeKeys } from './error-fields';
import { isUnverified, type ComplianceRecord, type ReviewedDirector } from '../domain/compliance';
import type { OperatorRecord } from '../domain/operators';
import { FINDING_CLASSES, type FindingClass, type FindingRecord } from '../domain/findings';
import type { ShownCredit } from '../domain/inbound';
import type { LegalHold } from '../domain/legal-holds';
import { nairaText } from '../domain/money';
import { PARTNER_STATUSES, TIERS, type PartnerRecord } from '../domain/partners';
import type { Outcome } from '../domain/outcome';
import {
  payoutReference,
  type AttemptRecord,
  type OpenWithCompany,
  type QueryOutcome,
} from '../domain/payouts';
import type { TransactionStatus } from '../domain/transactions';
import { erasureTold, OF_CHECKED_PERSON } from '../domain/personal-data';
import type { KeptBreaker } from '../domain/breakers';
import type { UserForOperators } from '../domain/users';
import {
  CONSENT_BASES,
  VERIFICATION_FAILURES,
  type RecordedConsent,
  type Verification,
} from '../domain/verifications';
import type { Wallet } from '../domain/wallets';
import { writeCompliance } from './compliance';
import * as field from './fields';
import { pageQuery } from './pages';
import { writeVerification } from './kyc';
import { readBody, type ReadSchema } from './read';
import { writeSender } from './transaction-fields';
import { writeWallet } from './wallets';

export const OPERATOR_TOKEN_PREFIX = 'op_';

export const reason = field.freeText(500).refine((text) => text.trim() !== '', 'must say why');

/** What an erasure did: what is gone, and what is kept and why. */
export const writeErasure = (walletId: string, erasedAt: string) => ({
  wallet_id: walletId,
  erased_at: erasedAt,
  ...erasureTold(),
});

/** The same for somebody who never had a wallet. */
export const writeCheckedErasure = (verificationId: string) => ({
  verification_id: verificationId,
  ...erasureTold(OF_CHECKED_PERSON),
});

export const reader =
  <Schema extends ReadSchema>(schema: Schema) =>
  (body: unknown): Outcome<z.infer<Schema>> =>
    readBody(schema, body);

export const readNothing = reader(z.object({}).transform(() => ({})));
export const readReason = reader(z.object({ reason }));
/** A decision needs no reason. */
export const readDecision = reader(z.object({ reason: field.optional(reason) }));
export const readNote = reader(z.object({ note: reason }));
export const readTier = reader(z.object({ tier: z.enum(TIERS), reason }));

/** Whose data are to be kept: those of a person, named in one of two ways, or of the whole partner. */
export const readLegalHold = reader(
  z
    .object({
      wallet_id: field.optional(field.walletId),
      verification_id: field.optional(z.uuid('must be a uuid')),
      reason,
    })
    .refine((body) => body.wallet_id === undefined || body.verification_id === undefined, {
      path: ['verification_id'],
      message: 'must not be given together with wallet_id',
    })
    .transform((body) => ({
      walletId: body.wallet_id ?? null,
      verificationId: body.verification_id ?? null,
      reason: body.reason,
    })),
);

/** An order to freeze: why, on whose authority, and when it ends, if it ends by itself. */
export const readFreeze = reader(
  z
    .object({
      reason,
      authority: field.optional(field.plainText(200)),
      expires_at: field.optional(z.iso.datetime({ offset: true, error: 'must be a time with its zone' })),
    })
    .transform((body) => ({
      reason: body.reason,
      authority: body.authority ?? null,
      frozenUntil: body.expires_at === undefined ? null : new Date(body.expires_at),
    })),
);

/** A transfer ended by hand needs evidence: a note, and where the proof is kept. */
export const readResolution = reader(
  z
    .object({
      to: z.enum(['completed', 'failed']),
      note: reason,
      evidence_ref: field.plainText(200),
      failure_reason: field.optional(field.plainText(200)),
    })
    .transform((body) => ({
      to: body.to,
      note: body.note,
      evidenceRef: body.evidence_ref,
      /** What the partner reads. The partner never sees the note. */
      failureReason: body.failure_reason ?? 'The bank did not execute the transfer',
    })),
);

/** What people have seen of an order of unknown fate. */
export const readRelease = reader(
  z
    .object({ note: reason, evidence_ref: field.plainText(200) })
    .transform((body) => ({ note: body.note, evidenceRef: body.evidence_ref })),
);

/** To whom a payment belongs that no wallet took. */
export const readAllocation = reader(
  z
    .object({ wallet_id: field.walletId, note: reason, evidence_ref: field.plainText(200) })
    .transform((body) => ({ walletId: body.wallet_id, note: body.note, evidenceRef: body.evidence_ref })),
);

/** Why a payment goes back to its payer, or why a refund is given up. */
export const readRefund = reader(
  z
    .object({ note: reason, evidence_ref: field.plainText(200) })
    .transform((body) => ({ note: body.note, evidenceRef: body.evidence_ref })),
);

/** An attempt to pay a transfer; it names no person. */
export const writeAttempt = (attempt: AttemptRecord) => ({
  n: attempt.n,
  provider: attempt.provider,
  reference: payoutReference(attempt.transactionId, attempt.n),
  state: attempt.state,
  open_posts: attempt.openPosts,
  cause: attempt.cause,
  provider_reference: attempt.providerRef,
  session_id: attempt.sessionId,
  response_code: attempt.code,
  said: attempt.said,
  said_code: attempt.saidCode,
  said_reason: attempt.saidReason,
  sent_at: attempt.sentAt.toISOString(),
  declined_at: attempt.declinedAt?.toISOString() ?? null,
  fee_kobo: attempt.feeKobo,
  stamp_duty_kobo: attempt.dutyKobo,
  failed_at: attempt.failedAt?.toISOString() ?? null,
  approved_at: attempt.approvedAt?.toISOString() ?? null,
  begun_at: attempt.begunAt.toISOString(),
  updated_at: attempt.updatedAt.toISOString(),
});

/** What the companies of a transfer have said when they were asked again, and what followed from it. */
export const writeAskedAgain = ({
  status,
  said,
}: {
  status: TransactionStatus;
  said: readonly {
    n: number;
    provider: string;
    says: QueryOutcome;
    code: string | null;
    reason: string | null;
    followedBy: string;
  }[];
}) => ({
  status,
  said: said.map(({ followedBy, ...one }) => ({ ...one, followed_by: followedBy })),
});

/** A company outside, as operators look at it. */
export interface ProviderHealth {
  name: string;
  /** The parts of `src/providers/port.ts` that it serves. */
  serves: readonly string[];
  /** Whether it has lately asked about everything that it has paid; null where it does not promise to ask. */
  asksFirst: boolean | null;
  /** What is open with it, in each cell. */
  open: readonly OpenWithCompany[];
  lastCallbackAt: Date | null;
  /** The last payment that came in through it; null where none has come for a day. */
  lastCreditAt: Date | null;
  /** What it can pay out for us; null where it does not tell. */
  floatKobo: number | null;
  /** How long that lasts at the rate of the last hours; null where nothing was ordered. */
  floatHours: number | null;
  /** Its breakers that are open: for all banks (null), or for one. */
  breakers: readonly Pick<KeptBreaker, 'bankCode' | 'openedAt' | 'openUntil'>[];
}

export function writeProviderHealth(health: ProviderHealth) {
  const { name, serves, asksFirst, open, lastCallbackAt, lastCreditAt, floatKobo, floatHours, breakers } =
    health;
  const sum = (of: (one: OpenWithCompany) => number): number =>
    open.reduce((total, one) => total + of(one), 0);
  const oldest = (of: (one: OpenWithCompany) => Date | null): string | null =>
    open
      .flatMap((one) => of(one)?.toISOString() ?? [])
      .sort()
      .at(0) ?? null;
  return {
    name,
    serves: [...serves].sort(),
    asks_before_it_pays: asksFirst,
    float_kobo: floatKobo,
    float_naira: floatKobo === null ? null : nairaText(floatKobo),
    float_hours: floatHours === null ? null : Math.floor(floatHours * 10) / 10,
    open_breakers: breakers.map(({ bankCode, openedAt, openUntil }) => ({
      bank_code: bankCode,
      opened_at: openedAt?.toISOString() ?? null,
      open_until: openUntil?.toISOString() ?? null,
    })),
    open_attempts: {
      waiting: sum(({ waiting }) => waiting),
      unknown: sum(({ unknown }) => unknown),
      accepted: sum(({ accepted }) => accepted),
      to_authorize: sum(({ toAuthorize }) => toAuthorize),
      oldest_at: oldest(({ oldestAt }) => oldestAt),
      unknown_oldest_at: oldest(({ unknownOldestAt }) => unknownOldestAt),
    },
    last_callback_at: lastCallbackAt?.toISOString() ?? null,
    last_credit_at: lastCreditAt?.toISOString() ?? null,
  };
}

export const readAdjustment = reader(
  z
    .object({
      wallet_id: field.walletId,
      direction: z.enum(ADJUSTMENT_DIRECTIONS),
      amount_kobo: field.amountKobo.min(1, 'must be at least 1').max(Number.MAX_SAFE_INTEGER),
      finding_id: field.optional(z.uuid('must be a uuid')),
      reason,
    })
    .transform((body) => ({
      walletId: body.wallet_id,
      direction: body.direction,
      amountKobo: body.amount_kobo,
      findingId: body.finding_id ?? null,
      reason: body.reason,
    })),
);

/** The shortest reason that says something. Blanks at its ends, and several in a row, do not count. */
const REASON_MIN = 10;
/** One character again and again says nothing. */
const DIFFERENT_MIN = 4;

/** Why somebody reads people's data: a case, a complaint, an order. */
export const peopleQuery = z.object({
  reason: reason.refine(
    (text) => {
      const said = text.trim().replace(/\s+/g, ' ');
      return said.length >= REASON_MIN && new Set(said.toLowerCase()).size >= DIFFERENT_MIN;
    },
    `must say why, in at least ${String(REASON_MIN)} characters`,
  ),
});

/** A filter by one of these words. */
const word = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, `must be one of ${words.join(', ')}`).optional();

export const partnersQuery = pageQuery.extend({ status: word(PARTNER_STATUSES) });
export const proposalsQuery = pageQuery.extend({
  status: word(PROPOSAL_STATUSES),
  kind: word(PROPOSAL_KINDS as [ProposalKind, ...ProposalKind[]]),
});
export const findingsQuery = pageQuery.extend({
  class: word(Object.keys(FINDING_CLASSES) as [FindingClass, ...FindingClass[]]),
});

/** A partner without the address and telephone number of its owner. */
export const writePartner = (partner: PartnerRecord) => ({
  id: partner.id,
  business_name: partner.businessName,
  status: partner.status,
  tier: partner.tier,
  created_at: partner.createdAt.toISOString(),
});

export const writeContact = ({ id, email, phone }: PartnerRecord) => ({ id, email, phone });

/** A user as operators see one. */
export const writeUser = (user: UserForOperators) => ({
  id: user.id,
  email: user.email,
  role: user.role,
  email_confirmed_at: user.emailConfirmedAt?.toISOString() ?? null,
  one_time_codes_since: user.codesEnabledAt?.toISOString() ?? null,
  created_at: user.createdAt.toISOString(),
});

/**
 * An operator as the others see it. By the first characters of the token its owner and whoever admits it make sure that
 * they mean the same one.
 */
export const writeOperator = (one: OperatorRecord) => ({
  id: one.id,
  name: one.name,
  role: one.role,
  token_prefix: one.tokenPrefix,
  admitted_at: one.admittedAt?.toISOString() ?? null,
  admitted_by: one.admittedBy,
  expires_at: one.expiresAt.toISOString(),
  revoked_at: one.revokedAt?.toISOString() ?? null,
  created_at: one.createdAt.toISOString(),
});

export const writeProposal = (proposal: Proposal) => ({
  id: proposal.id,
  kind: proposal.kind,
  meaning: PROPOSALS[proposal.kind].meaning,
  environment: proposal.environment,
  partner_id: proposal.partnerId,
  terms: {
    ...snakeKeys({ ...proposal.terms }),
    ...('amountKobo' in proposal.terms && { amount_naira: nairaText(proposal.terms.amountKobo) }),
  },
  status: proposal.status,
  refusal: proposal.refusal,
  approvals_needed: PROPOSALS[proposal.kind].approvals,
  proposed_by: proposal.proposedBy.name,
  approved_by: proposal.approvedBy.map(({ name }) => name),
  created_at: proposal.createdAt.toISOString(),
  updated_at: proposal.updatedAt.toISOString(),
  expires_at: proposal.expiresAt.toISOString(),
});

/** Who answered, and what it said of the watch list: null is that it did not say. */
const writeAnswered = ({ company, watchListed }: Verification) => ({ company, watch_listed: watchListed });

/**
 * The record with what only reviewers see: whether a director's numbers were given and what their verification said
 * (D89), but never the numbers; and what a reviewer should know before approving.
 */
/** @param people who acts for the company, and when its address was confirmed: null while it may be anybody's. */
export const writeRecord = (
  record: ComplianceRecord,
  directors: readonly ReviewedDirector[],
  people: { emailConfirmedAt: Date | null; users: readonly UserForOperators[] },
) => ({
  ...writeCompliance(record),
  email_confirmed_at: people.emailConfirmedAt?.toISOString() ?? null,
  users: people.users.map(writeUser),
  reviewer: record.reviewer,
  warnings: reviewWarnings(directors),
  directors: directors.map((director) => ({
    id: director.id,
    full_name: director.fullName,
    role: director.role,
    bvn_given: director.bvnSealed !== null,
    nin_given: director.ninSealed !== null,
    verifications: director.verifications.map((verification) => ({
      type: verification.type,
      status: verification.status,
      failure_reason: verification.failureReason,
      meaning: verification.failureReason && VERIFICATION_FAILURES[verification.failureReason].meaning,
      ...writeAnswered(verification),
      submitted_at: verification.createdAt.toISOString(),
      verified_at: verification.verifiedAt?.toISOString() ?? null,
    })),
  })),
});

/** What is known of the owner of a wallet, for the person who asks: without the numbers, which nobody is shown. */
export const writePerson = (
  wallet: Wallet,
  verifications: readonly Verification[],
  consents: readonly RecordedConsent[],
) => ({
  wallet: writeWallet(wallet, 'reference'),
  verifications: verifications.map((verification) => ({
    ...writeVerification(verification),
    ...writeAnswered(verification),
    consents: consents
      .filter(({ verificationId }) => verificationId === verification.id)
      .map(({ basis, consent, requestId, recordedAt }) => ({
        basis,
        meaning: CONSENT_BASES[basis],
        given_at: consent?.givenAt.toISOString() ?? null,
        text_version: consent?.textVersion ?? null,
        channel: consent?.channel ?? null,
        request_id: requestId,
        recorded_at: recordedAt.toISOString(),
      })),
  })),
});

/** What the reviewer of a record is warned of. It names nobody, because it is also kept with a proposal. */
export function reviewWarnings(directors: readonly ReviewedDirector[]): string[] {
  const unverified = directors.filter(isUnverified).length;
  if (unverified === 0) return [];
  return [`${String(unverified)} of ${String(directors.length)} directors are not verified`];
}

/** A legal hold. It names nobody: whoever has to know looks the wallet or the verification up. */
export const writeLegalHold = (one: LegalHold) => ({
  id: one.id,
  partner_id: one.partnerId,
  wallet_id: one.walletId,
  verification_id: one.verificationId,
  reason: one.reason,
  placed_at: one.createdAt.toISOString(),
  lifted_at: one.liftedAt?.toISOString() ?? null,
});

export const writeWaiting = ({ kind, cell, resource, partnerId, since }: Waiting) => ({
  kind,
  meaning: WAITING[kind],
  cell,
  resource,
  partner_id: partnerId,
  since: since.toISOString(),
});

export const writeFinding = (finding: FindingRecord) => ({
  id: finding.id,
  class: finding.class,
  meaning: FINDING_CLASSES[finding.class],
  resource: finding.resource,
  detail: finding.detail,
  orders: finding.orders,
  account: finding.account,
  kobo: finding.kobo,
  first_seen: finding.createdAt.toISOString(),
  last_seen: finding.lastSeen.toISOString(),
  closed_at: finding.closedAt?.toISOString() ?? null,
  closed_by: finding.closedBy,
  closed_note: finding.closedNote,
});

/** A payment that came in from outside, with who has paid: people look for its owner. */
export const writeCredit = (credit: ShownCredit) => ({
  id: credit.id,
  provider: credit.provider,
  reference: credit.reference,
  amount_kobo: credit.amountKobo,
  bank_code: credit.bankCode,
  account_number: credit.accountNumber,
  partner_id: credit.partnerId,
  wallet_id: credit.walletId,
  allocated_to: credit.allocatedTo,
  received_at: credit.receivedAt.toISOString(),
  sender: credit.sender && writeSender(credit.sender),
});

export const writeAuditRow = (row: AuditRow) => ({
  sequence: row.sequence,
  at: row.at.toISOString(),
  request_id: row.requestId,
  operator_id: row.operator.id,
  operator_name: row.operator.name,
  action: row.action,
  resource: row.resource,
  phase: row.phase,
  detail: row.detail,
});
