/** What an operator reads of a workflow: its state as a search attribute and as a line on its page. */
import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import { searchAttributes } from '../contract/messages';

/** Shows the state; the details are Markdown. */
export function show(businessState: string, details: string): void {
  upsertSearchAttributes([{ key: searchAttributes.businessState, value: businessState }]);
  setCurrentDetails(details);
}

/** Raises or lowers the flag that operators list by. */
export function needAttention(needed: boolean): void {
  upsertSearchAttributes([{ key: searchAttributes.needsAttention, value: needed }]);
}
