/**
 * Steps and decisions on their way to `kyb/{partner id}`: kept first, then told by id. Partners, the
 * sandbox's review and operators all come through here.
 */
import {
  complianceRefusal,
  type ComplianceAsk,
  type ComplianceDecision,
  type ComplianceRecord,
  type StoredDirector,
} from '../domain/compliance';
import { done, refuse, type Outcome } from '../domain/outcome';
import { findCompliance, keepComplianceRequest, wasApplied } from '../db/partners/compliance';
import { newId } from '../db/pg/ids';
import type { Environment } from '../runtime/environment';
import { kybIntention } from '../contract/intentions';
import { review, submitStep } from '../contract/messages';
import { tell } from '../relay/messages';

interface Asked {
  partnerId: string;
  /** `partner`, `sandbox`, or the id of an operator. */
  actor: string;
  ask: ComplianceAsk;
  directors?: readonly StoredDirector[];
}

/**
 * Brings a request about a partner's record to its workflow. A lost answer is looked up in Postgres: what was
 * applied is done, anything else is 503 and may be asked again, because each request is applied by its own id.
 * @returns done, or refused: COMPLIANCE_LOCKED, INVALID_COMPLIANCE_STATE (D40, D139), SERVICE_UNAVAILABLE, or
 *   NOT_FOUND for a partner that is not there.
 */
export async function askCompliance(environment: Environment, asked: Asked): Promise<Outcome<null>> {
  const { partnerId, actor, ask, directors = [] } = asked;
  const found = await environment.findPartner(partnerId);
  if (!found) return refuse('NOT_FOUND');
  const { status } = await findCompliance(found.cell, partnerId);
  const refused = complianceRefusal(status, ask.kind);
  if (refused) return refused;

  const id = newId();
  await keepComplianceRequest(found.cell, { id, partnerId, actor, ask }, directors);
  const message = {
    intention: kybIntention(partnerId),
    updateId: id,
    // The entity never completes, but a terminated one lives again with the next message (R15).
    workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
  } as const;
  const told =
    'reason' in ask
      ? await tell(environment, { ...message, update: review, args: [id, ask.kind] })
      : await tell(environment, { ...message, update: submitStep[ask.kind], args: [id] });
  if (!told.ok) return told;
  if (told.value.kind === 'answered' || (await wasApplied(found.cell, id))) return done(null);
  return refuse('SERVICE_UNAVAILABLE');
}

/**
 * A reviewer's decision on the partner's record in this environment (D90, D91, D139). On the live record the
 * partner's own status follows (D37).
 * @param actor `sandbox`, or the id of an operator: it is kept with the decision and shown to operators.
 * @returns the record as it is afterwards, or the refusal.
 */
export async function reviewCompliance(
  environment: Environment,
  partnerId: string,
  decision: ComplianceDecision,
  reason: string | null,
  actor: string,
): Promise<Outcome<ComplianceRecord>> {
  const asked = await askCompliance(environment, { partnerId, actor, ask: { kind: decision, reason } });
  if (!asked.ok) return asked;
  const { cell } = await environment.partner(partnerId);
  return done(await findCompliance(cell, partnerId));
}
