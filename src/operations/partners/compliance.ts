/**
 * Brings steps and decisions to the workflow `kyb/{partner id}`: each is stored first, and the workflow gets its
 * id. Partners, the sandbox's review and operators all use this (interface: Partner compliance; D38-D40, D88-D90,
 * D139).
 */
import {
  complianceRefusal,
  isNoStep,
  letsAct,
  type ComplianceAsk,
  type ComplianceDecision,
  type ComplianceRecord,
  type StoredDirector,
} from '../../domain/compliance';
import { done, refuse, refuseFields, type Outcome, type Refused } from '../../domain/outcome';
import { forbidden } from '../../domain/refusal-reasons';
import { demandsNames } from '../../domain/owner-details';
import { isWholeName } from '../../domain/names';
import { kybIntention } from '../../contract/intentions';
import { review, submitStep } from '../../contract/messages';
import {
  findCompliance,
  keepComplianceRequest,
  keepWithdrawal,
  wasApplied,
} from '../../db/partners/compliance';
import { trustIn } from '../../db/partners/first-proof';
import { idNamed, newId } from '../../db/pg/ids';
import { tell, type Told } from '../../relay/messages';
import type { Environment } from '../../runtime/environment';
import { UnavailableError } from '../../runtime/unavailable';
import { directorNumberPlace, type Sealing } from '../../secrets/sealing';
import type { SubmittedDirector } from '../../wire/compliance';
import { demandsOn } from '../demands';
import type { Tenant } from '../tenant';

/**
 * Takes a step of the partner's own compliance.
 * @param directors of the step that brings them, with their numbers in the clear: from here on they are sealed.
 * @returns done, or refused: VALIDATION_ERROR where every identity company compares names and a director has half a one,
 *   COMPLIANCE_LOCKED, SERVICE_UNAVAILABLE.
 */
export async function submitComplianceStep(
  tenant: Tenant,
  ask: ComplianceAsk,
  directors: readonly SubmittedDirector[] = [],
): Promise<Outcome<null>> {
  const nameless = directors.flatMap(({ fullName, bvn, nin }, place) =>
    (bvn ?? nin) === null || isWholeName(fullName) ? [] : [`directors[${String(place)}].full_name`],
  );
  const [first, ...others] = nameless.map((field) => ({ field, message: HALF_A_NAME }));
  if (first && demandsNames(await demandsOn(tenant))) return refuseFields(first, ...others);
  const stored = directors.map((director) => sealed(tenant.environment.sealing, tenant.partner.id, director));
  return bring(tenant, 'partner', ask, stored);
}

const HALF_A_NAME = 'must be a first and a last name: identity companies compare names';

function sealed(
  sealing: Sealing,
  partnerId: string,
  { fullName, role, bvn, nin }: SubmittedDirector,
): StoredDirector {
  const id = newId();
  const seal = (number: string | null, type: 'bvn' | 'nin'): string | null =>
    number && sealing.seal(number, directorNumberPlace(partnerId, id, type));
  return { id, fullName, role, bvnSealed: seal(bvn, 'bvn'), ninSealed: seal(nin, 'nin') };
}

/**
 * A reviewer's decision on the partner's record in this environment (D90, D91, D139). On the live record the
 * partner's own status follows (D37).
 * @param actor `sandbox`, or the id of an operator: it is kept with the decision and shown to operators.
 * @param agreed what two people agreed on: the id of their proposal, under which the decision is applied once, and
 *   the moves of the record that they had read.
 * @returns the record as it is afterwards, or refused: INVALID_COMPLIANCE_STATE, SERVICE_UNAVAILABLE, and FORBIDDEN for a
 *   decision that lets a company act in live that has not proved its mailbox.
 */
export async function reviewCompliance(
  tenant: Tenant,
  decision: ComplianceDecision,
  reason: string | null,
  actor: string,
  agreed?: { id: string; moves: number },
): Promise<Outcome<ComplianceRecord>> {
  const ask = { kind: decision, reason, ...(agreed && { moves: agreed.moves }) };
  const reviewed = await bring(tenant, actor, ask, [], agreed?.id);
  if (!reviewed.ok) return reviewed;
  return done(await findCompliance(tenant.cell, tenant.partner.id));
}

const UNPROVED = forbidden(
  'email_unconfirmed',
  {},
  'Nobody has shown to read the mails of this company yet, so whoever has submitted its record may be somebody else',
);
const IS_ENDING = refuse('SERVICE_UNAVAILABLE', {
  message:
    'The address of the company was proved just now, and what was submitted before is being taken back. Ask again',
});

/**
 * Why a request about the record may not be made now; null where it may. What somebody else has submitted under the address
 * of a company goes once the company has proved it, and lets nobody act before (D175).
 * @returns FORBIDDEN where the decision lets a company act in live that has not proved its mailbox, or SERVICE_UNAVAILABLE
 *   while something is being taken back.
 */
export async function trustRefusal(
  { environment, partner }: Tenant,
  kind: ComplianceAsk['kind'],
): Promise<Refused | null> {
  const { isProved, isEnding } = await trustIn(environment.partnersPool, environment.name, partner.id);
  if (environment.requiresActivePartner && letsAct(kind) && !isProved) return UNPROVED;
  return isEnding ? IS_ENDING : null;
}

/**
 * Takes back what was submitted for a partner, so that the record is as before the first step: whoever reads the mails of
 * the company has proved it, and somebody else may have submitted it. A second call finds it taken back.
 * @param since only where something was submitted since then; null for all.
 * @throws UnavailableError when it is not known to be done; it may be asked again.
 */
export async function takeRecordBack(
  { environment, cell, partner }: Pick<Tenant, 'environment' | 'cell' | 'partner'>,
  { until, since }: { until: Date; since: Date | null },
): Promise<void> {
  const partnerId = partner.id;
  const id = idNamed(`withdrawal/${environment.name}/${partnerId}/${until.toISOString()}`);
  if (!(await keepWithdrawal(cell, { id, partnerId, since }))) return;
  const told = await toWorkflow(environment, partnerId, id, 'withdraw');
  // A later proof has taken everything back already.
  if (!told.ok) return;
  if (told.value.kind === 'answered' || (await wasApplied(cell, id))) return;
  throw new UnavailableError('the compliance record could not be taken back yet');
}

const MAY_BE_APPLIED = refuse('SERVICE_UNAVAILABLE', {
  message: 'Not available right now. It may still be applied: look at the record before you ask again',
});

/**
 * Brings a request about the record to its workflow. If the answer is lost, Postgres is asked: a request that was
 * applied is done, and anything else is answered 503 and may be sent again, because each request is applied by its
 * own id.
 * @param id of the request; the same request again is not kept a second time.
 */
async function bring(
  tenant: Tenant,
  actor: string,
  ask: ComplianceAsk,
  directors: readonly StoredDirector[],
  id = newId(),
): Promise<Outcome<null>> {
  const { environment, cell } = tenant;
  const partnerId = tenant.partner.id;
  if (await wasApplied(cell, id)) return done(null);
  const { status } = await findCompliance(cell, partnerId);
  const refused = complianceRefusal(status, ask.kind) ?? (await trustRefusal(tenant, ask.kind));
  if (refused) return refused;

  await keepComplianceRequest(cell, { id, partnerId, actor, ask }, directors);
  const told = await toWorkflow(environment, partnerId, id, ask.kind);
  if (!told.ok) return told;
  if (told.value.kind === 'answered' || (await wasApplied(cell, id))) return done(null);
  return MAY_BE_APPLIED;
}

/** Tells the workflow of a partner's record of a request that is kept. */
function toWorkflow(
  environment: Environment,
  partnerId: string,
  id: string,
  kind: ComplianceAsk['kind'],
): Promise<Told<unknown>> {
  const message = {
    intention: kybIntention(partnerId),
    updateId: id,
    // The workflow never completes, but after it was terminated the next message starts it again (R15).
    workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
  } as const;
  return isNoStep(kind)
    ? tell(environment, { ...message, update: review, args: [id, kind] })
    : tell(environment, { ...message, update: submitStep[kind], args: [id] });
}
