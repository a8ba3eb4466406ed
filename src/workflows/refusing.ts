/** How a workflow says no to a message: a failure of the update, never of the workflow. */
import { ApplicationFailure } from '@temporalio/workflow';
import { REFUSALS, type Refusal } from '../domain/refusals';

/** The failure that carries a refusal to the caller; benign, because nothing is wrong with the worker. */
export function refusing({ code, message, detail }: Refusal): ApplicationFailure {
  return ApplicationFailure.create({
    type: code,
    message: message ?? REFUSALS[code].message,
    nonRetryable: true,
    category: 'BENIGN',
    details: detail ? [detail] : [],
  });
}
