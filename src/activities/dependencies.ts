/** What activities work with; given once by the worker. */
import type { Logger } from 'pino';
import type { Config } from '../runtime/config';
import type { Environment } from '../runtime/environment';
import type { Providers } from '../providers/providers';
import type { WebhookSender } from '../providers/webhooks/sender';
import type { Sealing } from '../secrets/sealing';

export interface Dependencies {
  environment: Environment;
  config: Config;
  sender: WebhookSender;
  sealing: Sealing;
  logger: Logger;
}

/** The environment's providers. Their absence is an outage: the workflow waits until somebody configures them. */
export function providersOf(environment: Environment): Providers {
  if (!environment.providers) throw new Error(`no provider is configured for ${environment.name}`);
  return environment.providers;
}
