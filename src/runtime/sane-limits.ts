/**
 * Between which values a limit, a pool or a period makes sense where live money is. A zero too many or too few is well-formed, and
 * switches a limit off, or the platform. Beyond these values a process of production does not start.
 */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The least and the most, both included. Of a list each value must be so, and there are at most 100. */
export interface Sane {
  least: number;
  most: number;
  /** The values as people say them. */
  says: string;
}

const between = (least: number, most: number, says: string): Sane => ({ least, most, says });
const requests = (most: number): Sane => between(1, most, `between 1 and ${String(most)} a minute`);

export const SANE_LIMITS = {
  HTTP_CONNECTIONS_MAX: between(10, 100_000, 'between 10 and 100000 connections'),
  HTTP_CONNECTIONS_PER_ADDRESS: between(1, 100_000, 'between 1 and 100000 connections'),
  DATABASE_POOL_MAX: between(1, 200, 'between 1 and 200 connections'),
  DATABASE_CONNECT_MS: between(100, MINUTE, 'between 100 milliseconds and a minute'),
  CELLS_PER_ENVIRONMENT: between(1, 1_000, 'between 1 and 1000 cells'),
  DRAIN_NOTICE_MS: between(0, 5 * MINUTE, 'at most five minutes'),
  RATE_LIMIT_STARTER: requests(1_000_000),
  RATE_LIMIT_GROWTH: requests(1_000_000),
  RATE_LIMIT_SCALE: requests(1_000_000),
  RATE_LIMIT_UNAUTHENTICATED: requests(100_000),
  RATE_LIMIT_LOGIN: requests(1_000),
  RATE_LIMIT_NAME_ENQUIRY: requests(100_000),
  RATE_LIMIT_VERIFICATION: requests(100_000),
  SANDBOX_STORAGE_BYTES: between(1_000_000, 1e12, 'between a megabyte and a terabyte'),
  SANDBOX_STORAGE_UNCONFIRMED_BYTES: between(1_000_000, 1e12, 'between a megabyte and a terabyte'),
  IDEMPOTENCY_WINDOW_MS: between(DAY, 365 * DAY, 'between a day, which is published, and a year'),
  SANDBOX_PROVISIONING_MS: between(0, HOUR, 'at most an hour'),
  SANDBOX_TRANSFER_MS: between(0, HOUR, 'at most an hour'),
  SANDBOX_KYC_MS: between(0, HOUR, 'at most an hour'),
  SANDBOX_KYC_UNAVAILABLE_MS: between(0, DAY, 'at most a day'),
  KYC_GIVE_UP_AFTER_MS: between(MINUTE, 30 * DAY, 'between a minute and 30 days'),
  PROVISIONING_PARK_AFTER_MS: between(MINUTE, 30 * DAY, 'between a minute and 30 days'),
  TRANSFER_REQUERY_MS: between(SECOND, DAY, 'between a second and a day'),
  TRANSFER_ALERT_AFTER_MS: between(MINUTE, 30 * DAY, 'between a minute and 30 days'),
  PAYOUT_HOLD_MS: between(MINUTE, 30 * DAY, 'between a minute and 30 days'),
  PAYOUT_RESERVE_KOBO: between(0, 1e14, 'at most a trillion naira'),
  TRANSFER_LATE_REQUERY_MS: between(MINUTE, 7 * DAY, 'between a minute and a week'),
  TRANSFER_REQUERY_UNTIL_MS: between(HOUR, 365 * DAY, 'between an hour and a year'),
  USSD_SESSION_MS: between(10 * SECOND, HOUR, 'between ten seconds and an hour'),
  WEBHOOK_RETRY_MS: between(0, 7 * DAY, 'at most a week'),
  WEBHOOK_TIMEOUT_MS: between(SECOND, MINUTE, 'between a second and a minute'),
  WEBHOOK_TRIAL_EVERY_MS: between(100, HOUR, 'between 100 milliseconds and an hour'),
  WEBHOOK_HOST_PER_SECOND_LIVE: between(1, 1_000_000, 'between 1 and 1000000 posts a second'),
  WEBHOOK_HOST_PER_SECOND_SANDBOX: between(1, 10_000, 'between 1 and 10000 posts a second'),
  OPERATOR_PEOPLE_READS_PER_HOUR: between(1, 10_000, 'between 1 and 10000 an hour'),
  WEBHOOK_DISABLE_AFTER_MS: between(HOUR, 365 * DAY, 'between an hour and a year'),
  SWEEP_EVERY_MS: between(SECOND, HOUR, 'between a second and an hour'),
  INTENTION_OVERDUE_MS: between(100, HOUR, 'between 100 milliseconds and an hour'),
  RECONCILE_EVERY_MS: between(SECOND, HOUR, 'between a second and an hour'),
  RECONCILE_AFTER_MS: between(SECOND, HOUR, 'between a second and an hour'),
  RECONCILE_ALL_EVERY_MS: between(HOUR, 7 * DAY, 'between an hour and a week'),
  RETENTION_EVERY_MS: between(MINUTE, 7 * DAY, 'between a minute and a week'),
  RETENTION_MS: between(DAY, 3_650 * DAY, 'between a day and ten years'),
  PAYSTACK_MIN_KOBO: between(1, 1e9, 'between 1 kobo and ten million naira'),
  PAYSTACK_COST_MAX_KOBO: between(0, 1e9, 'at most ten million naira'),
  MONNIFY_MIN_KOBO: between(1, 1e9, 'between 1 kobo and ten million naira'),
  MONNIFY_COST_MAX_KOBO: between(0, 1e9, 'at most ten million naira'),
  MONNIFY_CALLS_PER_MINUTE: between(3, 100_000, 'between 3 and 100000 a minute'),
  MAIL_RETRY_MS: between(SECOND, 7 * DAY, 'between a second and a week'),
} as const satisfies Record<string, Sane>;

export type LimitName = keyof typeof SANE_LIMITS;
export const LIMIT_NAMES = Object.keys(SANE_LIMITS) as LimitName[];

const LIST_MAX = 100;

/** Whether a value, or each value of a list, is a sane one. One that the process does not have is. */
export function isSane(name: LimitName, value: number | readonly number[] | undefined): boolean {
  const { least, most }: Sane = SANE_LIMITS[name];
  const values = value === undefined ? [] : typeof value === 'number' ? [value] : value;
  return values.length <= LIST_MAX && values.every((one) => one >= least && one <= most);
}
