/** What the API works with, opened once per process. */
import type { Logger } from 'pino';
import type { Pool } from 'pg';
import type { Config } from '../runtime/config';
import { openPool } from '../db/pg/postgres';
import type { EnvironmentName } from '../domain/partners';
import type { Environment } from '../runtime/environment';
import { createMetrics, type Metrics } from '../monitoring/metrics';
import { createPins, type Pins } from '../secrets/pins';
import { createSealing, type Sealing } from '../secrets/sealing';
import { createCursors, type Cursors } from '../wire/pages';
import { createAuthenticator, type Authenticator } from './authenticate';
import { createPasswords, type Passwords } from '../secrets/passwords';
import { createRateLimiter, type RateLimiter } from './rate-limit';
import { createStrangerLimits, type StrangerLimits } from './stranger-limit';

export interface Services {
  environments: Record<EnvironmentName, Environment>;
  config: Config;
  logger: Logger;
  metrics: Metrics;
  authenticate: Authenticator;
  rateLimiter: RateLimiter;
  strangers: StrangerLimits;
  passwords: Passwords;
  /** Users, new partners and keys: under a separate role, which sees no cell. */
  access: Pool;
  cursors: Cursors;
  sealing: Sealing;
  pins: Pins;
  close(): Promise<void>;
}

/**
 * Few connections are enough: registrations, logins and keys are rare, and callers without a credential are
 * counted by one statement at a time.
 */
const ACCESS_CONNECTIONS = 3;

export function createServices(
  environments: Record<EnvironmentName, Environment>,
  config: Config,
  logger: Logger,
): Services {
  const access = openPool(
    config.DATABASE_URL,
    'access',
    ACCESS_CONNECTIONS,
    config.DATABASE_CONNECT_MS,
    (error) =>
      logger.warn({ err: error }, 'A connection to Postgres broke; the next query opens another one'),
  );
  const strangers = createStrangerLimits(access, {
    address: config.RATE_LIMIT_UNAUTHENTICATED,
    login: config.RATE_LIMIT_LOGIN,
  });
  const tokenKeys = [config.JWT_KEY, ...config.JWT_KEYS_OLD];
  const metrics = createMetrics();
  return {
    environments,
    config,
    logger,
    metrics,
    authenticate: createAuthenticator(environments, access, tokenKeys, strangers.tries, logger),
    rateLimiter: createRateLimiter({
      starter: config.RATE_LIMIT_STARTER,
      growth: config.RATE_LIMIT_GROWTH,
      scale: config.RATE_LIMIT_SCALE,
    }),
    strangers,
    passwords: createPasswords(),
    access,
    cursors: createCursors(Buffer.from(config.CURSOR_KEY, 'base64')),
    sealing: createSealing(config.DATA_KEY, config.DATA_KEYS_OLD),
    pins: createPins(config.PIN_PEPPER),
    async close() {
      metrics.close();
      await access.end();
    },
  };
}
