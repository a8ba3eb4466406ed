/**
 * What a process counts and measures about itself, in the form of Prometheus. A request is observed once, at its
 * end. No label carries an id, so the number of series stays small.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { ENVIRONMENTS } from '../domain/partners';
import { thisVersion } from '../runtime/version';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

const WEBHOOK_OUTCOMES = ['delivered', 'refused', 'blocked', 'failed'] as const;
const MAIL_OUTCOMES = ['sent', 'refused', 'late', 'failed'] as const;

export interface Metrics {
  readonly registry: Registry;
  /**
   * `operation` is the name of the route, or `none` if the request reached no route. `environment` is `none` where no
   * credential says it. `isNotConfigured`: it was answered 503 because that part was never switched on.
   */
  request(
    of: { method: string; operation: string; status: number; environment: string; isNotConfigured: boolean },
    seconds: number,
  ): void;
  /** An answer that repeated an earlier one, by key or by reference. */
  replayed(): void;
  /** Requests that are left out of the log of requests, because Postgres did not take them in time. */
  requestsNotLogged(count: number): void;
  /** One write of the ledger, with this many movements. */
  ledgerBatch(items: number): void;
  webhookAttempt(environment: string, outcome: (typeof WEBHOOK_OUTCOMES)[number]): void;
  /** A sealed text that could not be opened, such as the secret of a webhook endpoint. */
  unopened(environment: string): void;
  /**
   * Look-ups of BVNs and NINs that a company turned away because of our account with it.
   * @returns counts one of them. The company's counter is there from now on.
   */
  identityRefusals(environment: string, provider: string): () => void;
  /** Ends the clock that measures the lag of the event loop. */
  close(): void;
  /** `refused` and `late` mails are given up; a `failed` one is sent again until its last attempt. */
  mail(outcome: (typeof MAIL_OUTCOMES)[number]): void;
}

/** The buckets go from a quick answer to the deadline of a request. */
const SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const BATCH_SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256];
const LAG_RESOLUTION_MS = 20;
const NANOSECONDS = 1e9;

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  new Gauge({
    name: 'build_info',
    help: 'Always 1; the labels say which version and build the process runs',
    labelNames: ['version', 'build'],
    registers,
  }).set({ ...thisVersion() }, 1);
  const requests = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Time from the first look at a request to the end of its answer',
    labelNames: ['method', 'operation', 'status', 'environment', 'not_configured'],
    buckets: SECONDS,
    registers,
  });
  const replays = new Counter({
    name: 'idempotency_replays_total',
    help: 'Answers that repeated an earlier one, by Idempotency-Key or by reference',
    registers,
  });
  const notLogged = new Counter({
    name: 'requests_not_logged_total',
    help: 'Requests that the log of requests leaves out, because Postgres did not take them in time',
    registers,
  });
  const batches = new Histogram({
    name: 'ledger_batch_size',
    help: 'Movements that were written in one commit',
    buckets: BATCH_SIZES,
    registers,
  });
  const attempts = new Counter({
    name: 'webhook_attempts_total',
    help: 'Attempts to deliver a webhook: delivered (2xx), refused (another status), blocked by our own rules, failed',
    labelNames: ['environment', 'outcome'],
    registers,
  });
  const mails = new Counter({
    name: 'mails_total',
    help: 'Attempts to send a mail: sent, refused by the SMTP server for good, late (of no use any more), failed',
    labelNames: ['outcome'],
    registers,
  });
  const unopened = new Counter({
    name: 'seals_unopened_total',
    help: 'Sealed texts that could not be opened: their key is missing, or they were altered',
    labelNames: ['environment'],
    registers,
  });
  const identityRefusals = new Counter({
    name: 'identity_refusals_total',
    help: 'Look-ups of BVNs and NINs that a company turned away: it does not take our key, or our purse there is empty',
    labelNames: ['environment', 'provider'],
    registers,
  });
  // A counter that is not there yet has no increase, so its first event would raise no alarm.
  for (const environment of ENVIRONMENTS) {
    for (const outcome of WEBHOOK_OUTCOMES) attempts.inc({ environment, outcome }, 0);
  }
  for (const outcome of MAIL_OUTCOMES) mails.inc({ outcome }, 0);
  for (const environment of ENVIRONMENTS) unopened.inc({ environment }, 0);
  const delay = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS });
  delay.enable();
  new Gauge({
    name: 'event_loop_lag_seconds',
    help: 'Longest time since the last scrape that the process answered nothing',
    registers,
    collect() {
      this.set(Math.max(0, delay.max / NANOSECONDS - LAG_RESOLUTION_MS / 1_000));
      delay.reset();
    },
  });
  return {
    registry,
    request: ({ isNotConfigured, status, ...of }, seconds) =>
      requests.observe(
        { ...of, status: String(status), ...(isNotConfigured && { not_configured: 'true' }) },
        seconds,
      ),
    replayed: () => replays.inc(),
    requestsNotLogged: (count) => notLogged.inc(count),
    ledgerBatch: (items) => batches.observe(items),
    webhookAttempt: (environment, outcome) => attempts.inc({ environment, outcome }),
    unopened: (environment) => unopened.inc({ environment }),
    identityRefusals(environment, provider) {
      identityRefusals.inc({ environment, provider }, 0);
      return () => identityRefusals.inc({ environment, provider });
    },
    close: () => void delay.disable(),
    mail: (outcome) => mails.inc({ outcome }),
  };
}
