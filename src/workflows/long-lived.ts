/**
 * Workflows that live long go on as new runs, because whoever takes one over replays its whole history: after a restart of a
 * worker all of them at once. A few hundred events are replayed in some milliseconds, and a few thousand of many workflows
 * take longer than their tasks may, again and again.
 */
import {
  allHandlersFinished,
  condition,
  continueAsNew,
  workflowInfo,
  type Workflow,
} from '@temporalio/workflow';

/** The longest history with which a run goes on. What one round of a workflow writes comes on top. */
const HISTORY_MAX = 200;

/**
 * Ends this run and begins another one where the history is long.
 * @param input of the next run: with it alone the workflow must do what this run would do from here on.
 */
export async function anewWhenLong<Of extends Workflow>(...input: Parameters<Of>): Promise<void> {
  const { historyLength, continueAsNewSuggested } = workflowInfo();
  if (historyLength <= HISTORY_MAX && !continueAsNewSuggested) return;
  await condition(allHandlersFinished);
  await continueAsNew<Of>(...input);
}
