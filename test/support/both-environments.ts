/** Both environments, as a process of development has them. */
import type { Logger } from 'pino';
import { present } from '../../src/domain/assert';
import type { EnvironmentName } from '../../src/domain/partners';
import type { Config } from '../../src/runtime/config';
import { openEnvironments, type Environment } from '../../src/runtime/environment';

export function bothEnvironments(
  config: Config,
  logger: Logger,
  program: 'api' | 'worker',
): Record<EnvironmentName, Environment> {
  const { sandbox, live } = openEnvironments(config, logger, program);
  return { sandbox: present(sandbox, 'the sandbox'), live: present(live, 'live') };
}
