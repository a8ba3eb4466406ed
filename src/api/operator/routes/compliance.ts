/**
 * The review of a partner's compliance record. The live record also moves the partner's status (D37, D90, D139).
 */
import { done } from '../../../domain/outcome';
import { COMPLIANCE_DECISIONS, complianceRefusal, type ComplianceDecision } from '../../../domain/compliance';
import { findConfirmation, findUsersForOperators } from '../../../db/partners/people';
import { decide } from '../../../operations/operators/decisions';
import { reviewedRecord } from '../../../operations/operators/reviewed-record';
import { readDecision, readReason, reviewWarnings, writeRecord } from '../../../wire/operators';
import { reviewCompliance, trustRefusal } from '../../../operations/partners/compliance';
import { dataAnswer } from '../../route';
import { command, decided, ofPartner, peopleView, type PartnerCall, type Served } from '../route';

const PATH = '/ops/:environment/partners/:partner_id/compliance';

const show = async (call: PartnerCall) => {
  const { record, directors } = await reviewedRecord(call);
  const people = {
    emailConfirmedAt: await findConfirmation(call.platform, call.partner.id),
    users: await findUsersForOperators(call.platform, call.partner.id),
  };
  return done(dataAnswer(call, 200, writeRecord(record, directors, people)));
};

const SUMMARIES: Record<ComplianceDecision, string> = {
  claim: 'Take a submitted record under review',
  approve: 'Approve it; in live 202 with a proposal, and then the partner becomes active',
  reject: 'Reject it, with the reason that the partner reads',
  suspend: 'Suspend an approved record; in live the partner is suspended as well',
  reinstate: 'Lift the suspension; in live 202 with a proposal, and then the partner is active again',
};

const ALONE: Record<ComplianceDecision, string | null> = {
  claim: 'It decides nothing',
  approve: null,
  reject: 'It only holds back',
  suspend: 'It only holds back',
  reinstate: null,
};

/** What lets a partner act names the record that was read, so that two people decide about the same one. */
async function release(
  call: PartnerCall,
  decision: 'approve' | 'reinstate',
  reason: string | null,
): Promise<Served> {
  const { record, directors } = await reviewedRecord(call);
  const refused = complianceRefusal(record.status, decision) ?? (await trustRefusal(call, decision));
  if (refused) return refused;
  const seen = { moves: record.moves, reason };
  const outcome =
    decision === 'approve'
      ? await decide(
          call,
          call,
          'approve_compliance',
          { ...seen, warnings: reviewWarnings(directors) },
          call.operator.id,
        )
      : await decide(call, call, 'reinstate_compliance', seen, call.operator.id);
  return decided(call, outcome, () => show(call));
}

export const complianceRoutes = [
  peopleView(
    PATH,
    'showCompliance',
    'The compliance record, its reviewer, directors and users, and when the address was confirmed; `reason` says why it is read',
    ofPartner(show),
  ),
  ...COMPLIANCE_DECISIONS.map((decision) => ({
    ...command<{ reason?: string | undefined }>(
      `${PATH}/${decision}`,
      `${decision}Compliance`,
      SUMMARIES[decision],
      ALONE[decision],
      decision === 'reject' ? readReason : readDecision,
      ofPartner(async (call, { reason = null }: { reason?: string | undefined | null }) => {
        if (decision === 'approve' || decision === 'reinstate') return release(call, decision, reason);
        const reviewed = await reviewCompliance(call, decision, reason, call.operator.id);
        return reviewed.ok ? show(call) : reviewed;
      }),
    ),
    // The answer is the whole record.
    countsAsReading: true,
  })),
];
