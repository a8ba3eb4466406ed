/** What the API works with, opened once per process. */
import type { Logger } from 'pino';
import type { Pool } from 'pg';
import type { ApiConfig } from '../runtime/config';
import { databaseUrl } from '../runtime/database-urls';
import { poolSize } from '../runtime/logins';
import { listEventIds, listEventIdsBetween, listEventsOfIds } from '../db/events/live-events';
import { listRequestIds, listRequestIdsBetween, listRequestsOfIds } from '../db/partners/requests';
import { openPool } from '../db/pg/postgres';
import type { StreamedEvent } from '../domain/deliveries';
import type { EnvironmentName } from '../domain/partners';
import { REQUESTS_KEPT_DAYS, type LoggedRequest } from '../domain/request-log';
import { SECURITY_EVENT_KINDS, type SecurityEvent } from '../domain/security-events';
import { sealingOfPeople, type Environments } from '../runtime/environment';
import { createMetrics, type Metrics } from '../monitoring/metrics';
import { createPins, type Pins } from '../secrets/pins';
import type { Sealing } from '../secrets/sealing';
import { createCursors, type Cursors } from '../wire/pages';
import { writeStreamedEvent, writeStreamedRequest } from '../wire/streams';
import { createAccessLog, type AccessLog } from './access-log';
import { createAuthenticator, type Authenticator, type Hosts } from './authenticate';
import { createPasswords, type Passwords } from '../secrets/passwords';
import { pathSecret } from '../wire/ussd-gateway';
import { createOutageLog, type OutageLog } from './outage-log';
import { createRequestLog, type RequestLog } from './request-log';
import { createRateLimiter, type RateLimiter } from './rate-limit';
import { createStorageLimit, type StorageLimit } from './storage-limit';
import { createStrangerLimits, type StrangerLimits } from './stranger-limit';
import { createStreams, type Streams } from './streams';

const DAY_MS = 86_400_000;

export interface Services {
  /** Those that this process serves. */
  environments: Environments;
  config: ApiConfig;
  logger: Logger;
  metrics: Metrics;
  /** The host of each environment that has one of its own. */
  hosts: Hosts;
  authenticate: Authenticator;
  rateLimiter: RateLimiter;
  strangers: StrangerLimits;
  storage: StorageLimit;
  passwords: Passwords;
  /** Users, new partners and keys: with a login of their own, which sees no cell. */
  access: Pool;
  accessLog: AccessLog;
  /** The log of requests that partners read. */
  requestLog: RequestLog;
  /** Writes into the log that a request was answered 503; a line a second at most. */
  noteOutage: OutageLog;
  /** Writes a security event that has happened into the log. */
  logSecurityEvent: (event: SecurityEvent) => void;
  /** Does work after the answer, where its duration must not show. A failure is logged. */
  afterwards: (work: () => Promise<void>) => void;
  /** Seals what belongs to people, and so to no environment, under the key of live. */
  sealing: Sealing;
  eventStreams: Streams<StreamedEvent>;
  requestStreams: Streams<LoggedRequest>;
  cursors: Cursors;
  pins: Pins;
  /** The secrets with which the providers of each environment sign their callbacks, by their names: any is genuine. */
  callbackSecrets: Record<EnvironmentName, ReadonlyMap<string, readonly string[]>>;
  /** The secret parts of the addresses at which companies ask before they pay. */
  approvalSecrets: Record<EnvironmentName, readonly string[]>;
  /** The secret parts of the addresses at which a USSD gateway calls each environment. */
  ussdSecrets: Record<EnvironmentName, readonly string[]>;
  /** It works with the environments, so they are closed after it. */
  close(): Promise<void>;
}

export function createServices(environments: Environments, config: ApiConfig, logger: Logger): Services {
  const access = openPool(
    databaseUrl(config, 'access'),
    poolSize('access', config),
    config.DATABASE_CONNECT_MS,
    (error) =>
      logger.warn({ err: error }, 'A connection to Postgres broke; the next query opens another one'),
  );
  const strangers = createStrangerLimits(access, {
    address: config.RATE_LIMIT_UNAUTHENTICATED,
    login: config.RATE_LIMIT_LOGIN,
    nameEnquiry: config.RATE_LIMIT_NAME_ENQUIRY,
    verification: config.RATE_LIMIT_VERIFICATION,
  });
  const hosts: Hosts = { sandbox: config.SANDBOX_HOST, live: config.LIVE_HOST };
  const tokenKeys = [config.JWT_KEY, ...config.JWT_KEY_ACCEPTED];
  const metrics = createMetrics();
  const later = createAfterwards(logger);
  const requestLog = createRequestLog(logger, (count) => metrics.requestsNotLogged(count));
  const storage = createStorageLimit(
    { confirmed: config.SANDBOX_STORAGE_BYTES, unconfirmed: config.SANDBOX_STORAGE_UNCONFIRMED_BYTES },
    logger,
  );
  return {
    environments,
    config,
    logger,
    metrics,
    hosts,
    authenticate: createAuthenticator(environments, hosts, access, tokenKeys, strangers.tries, logger),
    rateLimiter: createRateLimiter({
      starter: config.RATE_LIMIT_STARTER,
      growth: config.RATE_LIMIT_GROWTH,
      scale: config.RATE_LIMIT_SCALE,
    }),
    strangers,
    storage,
    passwords: createPasswords(),
    access,
    sealing: sealingOfPeople(config),
    accessLog: createAccessLog(logger, Object.values(environments)[0]?.traces ?? null),
    requestLog,
    noteOutage: createOutageLog(logger),
    logSecurityEvent(event) {
      logger.info({ securityEvent: event }, SECURITY_EVENT_KINDS[event.kind].sentence);
    },
    eventStreams: createStreams(logger, {
      name: 'events',
      keptMs: () => config.RETENTION_MS,
      listIds: listEventIds,
      listIdsBetween: listEventIdsBetween,
      listOfIds: listEventsOfIds,
      write: writeStreamedEvent,
    }),
    requestStreams: createStreams(logger, {
      name: 'requests',
      keptMs: (environment) => REQUESTS_KEPT_DAYS[environment] * DAY_MS,
      listIds: listRequestIds,
      listIdsBetween: listRequestIdsBetween,
      listOfIds: listRequestsOfIds,
      write: writeStreamedRequest,
    }),
    cursors: createCursors(config.CURSOR_KEY, config.CURSOR_KEY_ACCEPTED),
    pins: createPins(config.PIN_PEPPER, config.PIN_PEPPER_ACCEPTED),
    callbackSecrets: {
      sandbox: new Map([
        [
          'simulator',
          [config.PROVIDER_CALLBACK_SECRET_SANDBOX, ...config.PROVIDER_CALLBACK_SECRET_SANDBOX_ACCEPTED],
        ],
      ]),
      live: new Map([
        [
          'simulator',
          [config.PROVIDER_CALLBACK_SECRET_LIVE, ...config.PROVIDER_CALLBACK_SECRET_LIVE_ACCEPTED],
        ],
        // Monnify signs with its secret key.
        ['monnify', [config.MONNIFY_SECRET_KEY].filter(isGiven)],
        // Paystack signs with the key with which we call it.
        ['paystack', [config.PAYSTACK_SECRET_KEY, config.PAYSTACK_SECRET_KEY_OLD].filter(isGiven)],
      ]),
    },
    approvalSecrets: {
      sandbox: [],
      live: [config.PROVIDER_CALLBACK_SECRET_LIVE, ...config.PROVIDER_CALLBACK_SECRET_LIVE_ACCEPTED].map(
        pathSecret,
      ),
    },
    ussdSecrets: {
      sandbox: [config.USSD_CALLBACK_SECRET_SANDBOX, ...config.USSD_CALLBACK_SECRET_SANDBOX_ACCEPTED].map(
        pathSecret,
      ),
      live: [config.USSD_CALLBACK_SECRET_LIVE, ...config.USSD_CALLBACK_SECRET_LIVE_ACCEPTED].map(pathSecret),
    },
    afterwards: later.begin,
    async close() {
      metrics.close();
      await later.ended();
      await storage.close();
      await requestLog.close();
      await access.end();
    },
  };
}

const isGiven = (value: string | undefined): value is string => value !== undefined;

function createAfterwards(logger: Logger) {
  const running = new Set<Promise<void>>();
  return {
    begin(work: () => Promise<void>): void {
      const done = work()
        .catch((error: unknown) => {
          logger.warn({ err: error }, 'The API could not do what follows an answer');
        })
        .finally(() => running.delete(done));
      running.add(done);
    },
    ended: () => Promise.all(running),
  };
}
