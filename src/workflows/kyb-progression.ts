/**
 * A partner's compliance in one environment, for as long as the partner exists: each step and each decision is an
 * update, and the commit that applies it decides. The state is the record in Postgres. What the workflow remembers
 * is only used to refuse early and to show. So the next update starts another run after a run was ended, and a
 * long run continues as a new run (R15).
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
  type ComplianceStatus,
} from '../domain/compliance';
import { REVIEWED_STATUSES } from '../domain/waiting';
import { review, state, submitStep, type KybProgressionInput } from '../contract/messages';
import { showWaiting } from './reading';
import { refusing } from './refusing';
import { COMMIT, step } from './steps';
import { movesToTheCurrentBuild } from './versioning';

type Seen = Awaited<ReturnType<Activities['readCompliance']>>;

/**
 * None of them is a local activity: with local activities, a worker leaves some of many simultaneous updates of
 * one workflow unprocessed.
 */
const readCompliance = step('readCompliance', COMMIT, 'Read the compliance record');
const applyComplianceRequest = step('applyComplianceRequest', COMMIT, 'Apply a step or a decision');
const followCompliance = step('followCompliance', COMMIT, 'Let the partner’s status follow its record');

export async function kybProgression(input: KybProgressionInput): Promise<void> {
  const now: { seen: Seen | null } = { seen: null };

  async function see(seen: Seen): Promise<ComplianceStatus> {
    // Two commits at the same moment may be reported in the other order.
    if (seen.moves >= (now.seen?.moves ?? 0)) {
      now.seen = seen;
      showWaiting(
        seen.status,
        isReviewed(seen.status),
        `compliance of partner \`${input.partnerId}\``,
        ...factsOf(seen),
      );
    }
    if (seen.partnerFollows) await followCompliance(input);
    return seen.status;
  }

  async function apply(requestId: string): Promise<ComplianceStatus> {
    const applied = await applyComplianceRequest(input, requestId);
    if ('refusal' in applied) throw refusing({ ok: false, ...applied });
    return see(applied.seen);
  }

  /** A refusal here writes no history. While the record has not been read, only the commit decides. */
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
    validator: (_requestId, decision: ComplianceAsk['kind']) => refuseEarly(decision),
  });

  await see(await readCompliance(input));
  await condition(
    () => workflowInfo().historyLength > input.historyMax || workflowInfo().continueAsNewSuggested,
  );
  await condition(allHandlersFinished);
  await continueAsNew<typeof kybProgression>(input);
}

const isReviewed = (status: ComplianceStatus): boolean => REVIEWED_STATUSES.some((one) => one === status);

function factsOf({ steps, reviewer }: Seen): string[] {
  const list = COMPLIANCE_STEPS.map((step) => `${steps[step] ? '☑' : '☐'} ${step}`).join(', ');
  return [`Steps: ${list}`, `Reviewer: ${reviewer ?? 'none yet'}`];
}

movesToTheCurrentBuild(kybProgression);
