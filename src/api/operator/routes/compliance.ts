/**
 * The review of a partner's compliance record. The live record also moves the partner's status (D37, D90, D139).
 */
import { done } from '../../../domain/outcome';
import { COMPLIANCE_DECISIONS, type ComplianceDecision } from '../../../domain/compliance';
import { reviewedRecord } from '../../../operations/operators/reviewed-record';
import { readDecision, readReason, writeRecord } from '../../../wire/operators';
import { reviewCompliance } from '../../../operations/partners/compliance';
import { dataAnswer } from '../../route';
import { command, ofPartner, peopleView, type PartnerCall } from '../route';

const PATH = '/ops/:environment/partners/:partner_id/compliance';

const show = async (call: PartnerCall) => {
  const { record, directors } = await reviewedRecord(call);
  return done(dataAnswer(call, 200, writeRecord(record, directors)));
};

const SUMMARIES: Record<ComplianceDecision, string> = {
  claim: 'Take a submitted record under review',
  approve: 'Approve it; in live the partner becomes active',
  reject: 'Reject it, with the reason that the partner reads',
  suspend: 'Suspend an approved record; in live the partner is suspended as well',
  reinstate: 'Lift the suspension',
};

export const complianceRoutes = [
  peopleView(
    PATH,
    'showCompliance',
    'The compliance record, its reviewer and directors; `reason` says why it is read',
    ofPartner(show),
  ),
  ...COMPLIANCE_DECISIONS.map((decision) =>
    command<{ reason?: string | undefined }>(
      `${PATH}/${decision}`,
      `${decision}Compliance`,
      SUMMARIES[decision],
      decision === 'reject' ? readReason : readDecision,
      ofPartner(async (call, { reason = null }: { reason?: string | undefined | null }) => {
        const reviewed = await reviewCompliance(call, decision, reason, call.operator.id);
        return reviewed.ok ? show(call) : reviewed;
      }),
    ),
  ),
];
