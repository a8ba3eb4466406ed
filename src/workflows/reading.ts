/**
 * What an operator reads about a workflow in the Temporal UI: its state as a search attribute, and what it is
 * doing as lines of Markdown. The lines hold ids, states and times; never a secret, a phone number, a BVN, a NIN
 * or the name of an account's owner, because everybody who may open the UI can read them.
 */
import { setCurrentDetails, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import { searchAttributes } from '../contract/messages';

/**
 * Shows where the workflow stands, and replaces what was shown before. A state that has not changed writes no
 * history.
 * @param businessState by which operators list workflows.
 * @param about what the workflow is for, in a few words.
 * @param facts one line each.
 */
export function show(businessState: string, about: string, ...facts: readonly string[]): void {
  const shown = workflowInfo().typedSearchAttributes.get(searchAttributes.businessState);
  if (shown !== businessState) {
    upsertSearchAttributes([{ key: searchAttributes.businessState, value: businessState }]);
  }
  const lines = facts.map((fact) => `- ${fact}`);
  setCurrentDetails(
    [`**${businessState}** · ${about}`, ...(lines.length > 0 ? ['', ...lines] : [])].join('\n'),
  );
}

/**
 * The same for a state in which a person may have to decide: both attributes change together, so that the history has one
 * event for them.
 * @param isWaiting whether a person is waited for in this state.
 */
export function showWaiting(
  businessState: string,
  isWaiting: boolean,
  about: string,
  ...facts: readonly string[]
): void {
  const known = workflowInfo().typedSearchAttributes;
  if (known.get(searchAttributes.businessState) !== businessState) {
    upsertSearchAttributes([
      { key: searchAttributes.businessState, value: businessState },
      { key: searchAttributes.needsAttention, value: isWaiting },
    ]);
  }
  show(businessState, about, ...facts);
}

/** Raises or lowers the flag that operators list by. */
export function needAttention(needed: boolean): void {
  upsertSearchAttributes([{ key: searchAttributes.needsAttention, value: needed }]);
}

/** A time as operators read it, to the second. @param ms since 1970, as `Date.now()` gives it. */
export const moment = (ms: number): string =>
  `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
