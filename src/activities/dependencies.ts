/** What activities need. The worker gives it to them once. */
import { ApplicationFailure } from '@temporalio/common';
import type { Logger } from 'pino';
import { refuse, type Refused } from '../domain/outcome';
import { REFUSALS } from '../domain/refusals';
import type { WorkConfig } from '../runtime/config';
import type { Environment } from '../runtime/environment';
import type { WebhookSender } from '../providers/webhooks/sender';

export interface Dependencies {
  environment: Environment;
  config: WorkConfig;
  sender: WebhookSender;
  logger: Logger;
  /** Aborts when the worker is told to end: what stays for more to do leaves at once. */
  ending: AbortSignal;
}

/**
 * Stops a step that simulates something, wherever money is real. The workflow has no such message there, but whoever
 * reaches Temporal can call a step from a workflow of their own.
 */
export function assertSimulation({ allowsSimulation }: Environment): void {
  if (!allowsSimulation) throw stopping(refuse('SANDBOX_ONLY'));
}

/** The failure of a step that is refused and not tried again. The type of the failure is the code. */
export function stopping({ refusal: { code, message } }: Refused): ApplicationFailure {
  return ApplicationFailure.create({
    type: code,
    message: message ?? REFUSALS[code].message,
    nonRetryable: true,
  });
}
