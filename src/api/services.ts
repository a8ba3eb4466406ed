/** What the front door works with, opened once per process. */
import type { Logger } from 'pino';
import type { Config } from '../config';
import type { EnvironmentName } from '../domain/partners';
import type { Environment } from '../environment';
import { createSealing, type Sealing } from '../sealing';
import { createCursors, type Cursors } from '../wire/pages';
import { createAuthenticator, type Authenticator } from './authenticate';
import {
  createRateLimiter,
  createStrangerLimiter,
  type RateLimiter,
  type StrangerLimiter,
} from './rate-limit';

export interface Services {
  environments: Record<EnvironmentName, Environment>;
  config: Config;
  logger: Logger;
  authenticate: Authenticator;
  rateLimiter: RateLimiter;
  strangers: StrangerLimiter;
  cursors: Cursors;
  sealing: Sealing;
}

export function createServices(
  environments: Record<EnvironmentName, Environment>,
  config: Config,
  logger: Logger,
): Services {
  return {
    environments,
    config,
    logger,
    authenticate: createAuthenticator(environments, config.JWT_KEY, logger),
    rateLimiter: createRateLimiter({
      starter: config.RATE_LIMIT_STARTER,
      growth: config.RATE_LIMIT_GROWTH,
      scale: config.RATE_LIMIT_SCALE,
    }),
    strangers: createStrangerLimiter(config.RATE_LIMIT_UNAUTHENTICATED),
    cursors: createCursors(Buffer.from(config.CURSOR_KEY, 'base64')),
    sealing: createSealing(config.DATA_KEY, config.DATA_KEYS_OLD),
  };
}
