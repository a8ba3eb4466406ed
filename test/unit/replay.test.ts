/**
 * Workflows that began under an earlier version must go on under the present one: kept histories of every path are
 * replayed with the present code. When one fails here, running transfers would be stuck after a deployment: keep
 * the old path behind `patched`. `test/support/keep-histories.ts` makes the histories
 * (docs/how-to/change-a-workflow.md).
 */
import { Worker } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { bundleWorkflows } from '../../src/worker/bundle';
import { FIRST_STATE } from '../../src/contract/messages';
import * as workflows from '../../src/workflows';
import { keptHistories, readHistory, type WorkflowHistory } from '../support/histories';
import { installQuietRuntime } from '../support/quiet-runtime';

/** The activity of each history that is given another name, as renaming it in a workflow by mistake would. */
const RENAMED = [
  { name: 'wallet-provisioning-active', activity: 'openAccount' },
  { name: 'bank-transfer-completed', activity: 'submitTransfer' },
  { name: 'bank-transfer-fail-by-hand', activity: 'settleByOrder' },
  { name: 'kyc-verification-verified', activity: 'lookUpIdentity' },
  { name: 'kyc-verification-given-up', activity: 'giveUpVerification' },
  { name: 'webhook-dispatcher-idle', activity: 'deliverDue' },
  { name: 'bulk-transfer-paused', activity: 'runLines' },
  { name: 'scheduled-transfer-waited', activity: 'runDue' },
  { name: 'hold-expired', activity: 'expireHold' },
  { name: 'ussd-settled-late', activity: 'settleUssd' },
  { name: 'simulator-callback-sent', activity: 'callBackAsSimulator' },
  { name: 'bank-return-taken', activity: 'askAboutReturn' },
  { name: 'kyb-progression-live', activity: 'applyComplianceRequest' },
  { name: 'sandbox-reset', activity: 'erasePartner' },
  { name: 'reconcile', activity: 'reconcileCell' },
  { name: 'bank-lists', activity: 'refreshBanks' },
  { name: 'retention', activity: 'forgetOld' },
  { name: 'sweep', activity: 'sweepUp' },
];
const renamedId = (name: string): string => `${name}, renamed`;

/** What became of each history, by its name. One worker replays them all: a worker for each took ten times as long. */
const replayed = new Map<string, Error | undefined>();

beforeAll(async () => {
  installQuietRuntime();
  const histories = [
    ...keptHistories().map((name) => ({ workflowId: name, history: readHistory(name) })),
    ...RENAMED.map(({ name, activity }) => ({
      workflowId: renamedId(name),
      history: renamed(readHistory(name), activity),
    })),
  ];
  const workflowBundle = { code: await bundleWorkflows() };
  for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle }, histories)) {
    replayed.set(workflowId, error);
  }
});

test.each(keptHistories())('%s goes on with the present code', (name) => {
  expect(replayed.has(name)).toBe(true);
  expect(replayed.get(name)).toBeUndefined();
});

/** The bound of workflows/long-lived.ts, and what one round of a workflow writes beyond it. */
const HISTORY_MAX = 250;

test.each(keptHistories())('%s is replayed in a few hundred events', (name) => {
  expect(readHistory(name).events?.length).toBeLessThan(HISTORY_MAX);
});

test('every workflow type has a kept history', () => {
  const types = keptHistories().map(
    (name) => readHistory(name).events?.[0]?.workflowExecutionStartedEventAttributes?.workflowType?.name,
  );
  expect(new Set(types)).toEqual(new Set(Object.keys(workflows)));
});

/** The events of the first workflow task, and what came before them. */
function firstTask(history: WorkflowHistory): NonNullable<WorkflowHistory['events']> {
  const events = history.events ?? [];
  const tasks = events.flatMap((event, at) => (event.workflowTaskScheduledEventAttributes ? [at] : []));
  return events.slice(0, tasks[1]);
}

test.each(Object.keys(FIRST_STATE))('%s begins in a state that its start already shows', (type) => {
  const histories = keptHistories()
    .map(readHistory)
    .filter(
      ({ events }) => events?.[0]?.workflowExecutionStartedEventAttributes?.workflowType?.name === type,
    );
  expect(histories).not.toHaveLength(0);
  for (const history of histories) {
    const [started, ...first] = firstTask(history);
    const shown =
      started?.workflowExecutionStartedEventAttributes?.searchAttributes?.indexedFields?.BusinessState;
    expect(shown).toBeDefined();
    expect(JSON.stringify(first)).not.toContain('BusinessState');
  }
});

/** Gives an activity another name, as renaming it in a workflow by mistake would. */
function renamed(history: WorkflowHistory, activity: string): WorkflowHistory {
  for (const event of history.events ?? []) {
    const type = event.activityTaskScheduledEventAttributes?.activityType;
    if (type?.name === activity) type.name = 'renamed';
  }
  return history;
}

test.each(RENAMED)('$name with another activity than $activity is refused', ({ name }) => {
  expect(replayed.get(renamedId(name))).toBeInstanceOf(DeterminismViolationError);
});
