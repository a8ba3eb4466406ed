/** What activities need. The worker gives it to them once. */
import type { Logger } from 'pino';
import type { Config } from '../runtime/config';
import type { Environment } from '../runtime/environment';
import type { Providers } from '../providers/port';
import type { WebhookSender } from '../providers/webhooks/sender';
import type { Sealing } from '../secrets/sealing';

export interface Dependencies {
  environment: Environment;
  config: Config;
  sender: WebhookSender;
  sealing: Sealing;
  logger: Logger;
}

/**
 * The company that serves this part of the environment.
 * @throws an outage if no company serves it. Then the workflow waits until one is configured.
 */
export function serving<Part extends keyof Providers>(
  environment: Environment,
  part: Part,
): NonNullable<Providers[Part]> {
  const company = environment.providers[part];
  if (!company) throw new Error(`no provider serves ${part} in ${environment.name}`);
  return company;
}
