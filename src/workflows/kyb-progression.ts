/**
 * A partner's compliance in one environment, for as long as the partner exists: each step and each decision
 * is an update, and the commit that applies it decides. The record in Postgres is the state; what is
 * remembered here only refuses early and is shown. So a run that was ended lives again at the next update,
 * and a long one goes on as a new run (R15).
 */
import {
  allHandlersFinished,
  condition,
  continueAsNew,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities';
import {
  complianceRefusal,
  COMPLIANCE_STEPS,
  type ComplianceAsk,
  type ComplianceDecision,
  type ComplianceStatus,
} from '../domain/compliance';
import { review, state, submitStep, type KybProgressionInput } from '../contract/messages';
import { show } from './reading';
import { refusing } from './refusing';
import { COMMIT, step } from './steps';

type Seen = Awaited<ReturnType<Activities['readCompliance']>>;

/**
 * None is a local activity: with many updates of one workflow at once the worker then leaves some of them
 * unprocessed.
 */
const readCompliance = step('readCompliance', COMMIT, 'Read the compliance record');
const applyComplianceRequest = step('applyComplianceRequest', COMMIT, 'Apply a step or a decision');
const followCompliance = step('followCompliance', COMMIT, 'Let the partner’s status follow its record');

export async function kybProgression(input: KybProgressionInput): Promise<void> {
  const now: { seen: Seen | null } = { seen: null };

  async function see(seen: Seen): Promise<ComplianceStatus> {
    // Commits at the same moment may be heard of in another order.
    if (seen.moves >= (now.seen?.moves ?? 0)) {
      now.seen = seen;
      show(seen.status, `compliance of partner \`${input.partnerId}\``, ...factsOf(seen));
    }
    if (seen.partnerFollows) await followCompliance(input);
    return seen.status;
  }

  async function apply(requestId: string): Promise<ComplianceStatus> {
    const applied = await applyComplianceRequest(input, requestId);
    if ('refusal' in applied) throw refusing({ ok: false, ...applied });
    return see(applied.seen);
  }

  /** A refusal here costs no history; a record that is not read yet lets the commit decide. */
  function refuseEarly(kind: ComplianceAsk['kind']): void {
    const refused = now.seen && complianceRefusal(now.seen.status, kind);
    if (refused) throw refusing(refused);
  }

  setHandler(state, () => now.seen?.status ?? 'not read yet', {
    description: 'The status of the compliance record',
  });
  for (const step of COMPLIANCE_STEPS) {
    setHandler(submitStep[step], apply, {
      validator: (_requestId) => refuseEarly(step),
    });
  }
  setHandler(review, apply, {
    validator: (_requestId, decision: ComplianceDecision) => refuseEarly(decision),
  });

  await see(await readCompliance(input));
  await condition(
    () => workflowInfo().historyLength > input.historyMax || workflowInfo().continueAsNewSuggested,
  );
  await condition(allHandlersFinished);
  await continueAsNew<typeof kybProgression>(input);
}

function factsOf({ steps, reviewer }: Seen): string[] {
  const list = COMPLIANCE_STEPS.map((step) => `${steps[step] ? '☑' : '☐'} ${step}`).join(', ');
  return [`Steps: ${list}`, `Reviewer: ${reviewer ?? 'none yet'}`];
}
