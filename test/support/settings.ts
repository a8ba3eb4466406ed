/**
 * What every program under test is set to, beside the addresses it finds its Postgres and its Temporal at: it logs
 * what a failing test shows, takes any free port, and is held back by no limit that a test does not ask for.
 */
import { SECRET_NAMES } from '../../src/runtime/config';

type SecretName = (typeof SECRET_NAMES)[number];

/** Each another one, so that no secret opens what another has closed; 32 bytes in base64. */
export const TEST_SECRETS = Object.fromEntries(
  SECRET_NAMES.map((name, place) => [name, Buffer.alloc(32, place + 1).toString('base64')]),
) as Record<SecretName, string>;

export const TEST_SETTINGS: Record<string, string> = {
  ...TEST_SECRETS,
  LOG_LEVEL: 'warn',
  PORT: '0',
  OPERATOR_PORT: '0',
  WORKER_OPERATOR_PORT: '0',
  DATABASE_POOL_MAX: '5',
  // API, worker and tests share this process, which may be busy for longer than the published second.
  DATABASE_CONNECT_MS: '10000',
  RATE_LIMIT_STARTER: '1000000',
};
