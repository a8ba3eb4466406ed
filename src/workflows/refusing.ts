/** How a workflow refuses a message: the update fails, and the workflow goes on. */
import { ApplicationFailure } from '@temporalio/workflow';
import type { Refused } from '../domain/outcome';
import { REFUSALS } from '../domain/refusals';

/** The failure that carries a refusal to the caller; benign, because nothing is wrong with the worker. */
export function refusing({ refusal: { code, message, detail } }: Refused): ApplicationFailure {
  return ApplicationFailure.create({
    type: code,
    message: message ?? REFUSALS[code].message,
    nonRetryable: true,
    category: 'BENIGN',
    details: detail ? [detail] : [],
  });
}
