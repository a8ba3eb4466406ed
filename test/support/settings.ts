/**
 * The settings of every program under test, beside the addresses of Postgres and Temporal: it logs what a failing
 * test shows, takes any free port, and has no limit that a test does not ask for.
 */
import { SECRET_NAMES, type SecretName } from '../../src/runtime/secret-names';

/** Every secret is different, so that none opens what another has sealed; 32 bytes in base64. */
export const TEST_SECRETS = Object.fromEntries(
  SECRET_NAMES.map((name, place) => [name, Buffer.alloc(32, place + 1).toString('base64')]),
) as Record<SecretName, string>;

export const TEST_SETTINGS: Record<string, string> = {
  ...TEST_SECRETS,
  NODE_ENV: 'test',
  LOG_LEVEL: 'warn',
  PORT: '0',
  OPERATOR_PORT: '0',
  WORKER_OPERATOR_PORT: '0',
  DATABASE_POOL_MAX: '5',
  // API, worker and tests share this process, which may be busy for longer than the published second.
  DATABASE_CONNECT_MS: '10000',
  RATE_LIMIT_STARTER: '1000000',
};

/** Published periods, shortened: nothing else differs from a platform that partners use. */
export const PLATFORM_SETTINGS: Record<string, string> = {
  ...TEST_SETTINGS,
  // No wait, because Temporal's shortest timer takes a second and most tests need many wallets.
  SANDBOX_PROVISIONING_MS: '0,0',
  SANDBOX_TRANSFER_MS: '100,200',
  // The waits grow as published, because transfers that tests leave open are asked about until the end of the run.
  TRANSFER_REQUERY_MS: '200,200,400,800,1600,3200,10000',
  TRANSFER_LATE_REQUERY_MS: '200',
  WEBHOOK_RETRY_MS: '0,200,200,200',
  WEBHOOK_TRIAL_EVERY_MS: '200',
  // All receivers of all tests are one host.
  WEBHOOK_HOST_PER_SECOND_SANDBOX: '5000',
  ALLOW_PRIVATE_WEBHOOKS: 'true',
  INTENTION_OVERDUE_MS: '500',
  RECONCILE_AFTER_MS: '1000',
  // Each run of a Schedule is a workflow, which takes time from the tests that do not wait for one.
  SWEEP_EVERY_MS: '15000',
  RECONCILE_EVERY_MS: '60000',
};

/** Laid over it where live is rehearsed with the simulator behind it. */
export const REHEARSAL = {
  LIVE_PAYOUTS: 'simulator',
  LIVE_ACCOUNTS: 'simulator',
  LIVE_IDENTITY: 'simulator',
  LIVE_USSD: 'simulator',
};

/**
 * Laid over it by the files that wait for what a sweep or a reconciliation finds. A run costs about a tenth of a second
 * of processor time, in both environments, so a shorter period takes more from all tests than it gives to one.
 */
export const FREQUENT_SCHEDULES: Record<string, string> = {
  SWEEP_EVERY_MS: '3000',
  RECONCILE_EVERY_MS: '6000',
};
