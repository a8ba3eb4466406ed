/**
 * The only reader of environment variables: one schema and one frozen object. All bad variables are reported at
 * once, and never the value of a secret. `.env.example` and docs/configuration.md list the same names.
 */
import { readFileSync } from 'node:fs';
import { BlockList, isIP } from 'node:net';
import { z } from 'zod';
import { PROCESS_ENVIRONMENTS, refusalsOf } from './config-refusals';
import { SERVED, servedEnvironments } from './served-environments';
import {
  companiesFor,
  LIVE_COMPANIES,
  readLiveProviders,
  USSD_GATEWAYS,
  type LiveCompany,
  type LiveRole,
} from './live-companies';
import {
  acceptedOf,
  API_SECRETS,
  SECRET_NAMES,
  SECRETS_OF,
  WORKER_SECRETS,
  type AcceptedName,
  type SecretName,
} from './secret-names';
import { databaseShape, hasServerElsewhere, processUrlProblems } from './database-urls';
import { isPlainRemote, usesTls } from './temporal-transport';

const HOUR_MS = 3_600_000;

/** A whole number within limits. Whatever is wrong with the value, one sentence gives the whole rule. */
const whole = (min: number, max = Number.MAX_SAFE_INTEGER) => {
  const upTo = max === Number.MAX_SAFE_INTEGER ? '' : ` and at most ${String(max)}`;
  const rule = `must be a whole number, at least ${String(min)}${upTo}`;
  return z.coerce.number(rule).int(rule).min(min, rule).max(max, rule);
};
const port = (fallback: number) => whole(0, 65_535).default(fallback);
const count = (fallback: number) => whole(1).default(fallback);
const millis = (fallback: number) => whole(0).default(fallback);
const flag = (fallback: boolean) =>
  z
    .enum(['true', 'false'])
    .default(fallback ? 'true' : 'false')
    .transform((text) => text === 'true');
const millisList = (fallback: readonly number[]) =>
  z
    .string()
    .regex(/^\d+(,\d+)*$/, 'milliseconds separated by commas')
    .default(fallback.join(','))
    .transform((text) => text.split(',').map(Number));
const key = z.base64().refine((text) => Buffer.from(text, 'base64').length === 32, '32 bytes in base64');
const keyList = z
  .string()
  .default('')
  .transform((text) => text.split(',').filter((one) => one !== ''))
  .pipe(z.array(key));

const paystackKey = z
  .string()
  .regex(/^sk_(live|test)_[A-Za-z0-9_]+$/, 'a secret key of Paystack: sk_live_... or sk_test_...');
/** The rule never shows the value, which may be a key that was put here by mistake. */
const liveProviders = (role: LiveRole) =>
  z
    .string()
    .default('none')
    .transform((text, context) => {
      const providers = readLiveProviders(role, text);
      if (providers) return providers;
      const known = companiesFor(role);
      const companies =
        known.length === 0 ? 'none or simulator' : 'none, simulator, or companies separated by commas';
      context.addIssue({ code: 'custom', message: `must be ${[companies, ...known].join(', ')}` });
      return z.NEVER;
    });
const companyKey = z.string().regex(/^[!-~]{8,200}$/, '8 to 200 visible characters');
const addressOf = (company: LiveCompany) =>
  z
    .string()
    .regex(/^https?:\/\/[^\s?#]+[^\s?#/]$/, 'an http:// or https:// address that does not end in a slash')
    .default(LIVE_COMPANIES[company].url);

/** Addresses and networks, such as `196.6.1.2,2001:db8::/32`, as a list that knows who is on it. */
const addressList = z.string().transform((text, context) => {
  const list = new BlockList();
  try {
    for (const entry of text.split(',')) {
      const [address = '', bits] = entry.split('/');
      const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
      if (bits === undefined) list.addAddress(address, family);
      else list.addSubnet(address, Number(bits), family);
    }
    return list;
  } catch {
    context.addIssue({ code: 'custom', message: 'must be addresses or networks separated by commas' });
    return z.NEVER;
  }
});

const pem = z.string().regex(/^\s*-----BEGIN /, 'PEM, which begins with -----BEGIN');
/** The path of a file in PEM. The configuration holds what is in the file. */
const fileContent = z
  .string()
  .transform((path, context) => {
    try {
      return readFileSync(path, 'utf8');
    } catch {
      context.addIssue({ code: 'custom', message: 'must name a file that can be read' });
      return z.NEVER;
    }
  })
  .pipe(pem);

/**
 * A name with a typing error, such as `prod`, would switch the rules of production off, so it is refused. Without a name a
 * process is development only as long as nothing says otherwise.
 */
const processEnvironment = z.enum(PROCESS_ENVIRONMENTS).optional();

/** Both variables of each of these secrets. */
const shapeOf = <Name extends SecretName>(names: readonly Name[]) =>
  Object.fromEntries(
    names.flatMap((name): [string, z.ZodType][] => [
      [name, key],
      [acceptedOf(name), keyList],
    ]),
  ) as unknown as Record<Name, typeof key> & Record<AcceptedName<Name>, typeof keyList>;

/** What API and worker processes need. Periods are in milliseconds; the defaults are the published ones. */
const serviceSchema = z.object({
  NODE_ENV: processEnvironment,
  /** The environments that this process serves, and of which it opens anything at all. */
  ENVIRONMENTS: z.enum(SERVED).default('both'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  /** The collector that gets the traces (traces.ts). Its address is logged with failures, so it holds no password. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .string()
    .regex(/^https?:\/\/[^\s?#@]+$/, 'an http:// or https:// address without a user and a query')
    .optional(),

  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: port(3000),
  /** How many connections an API process has open at once, on each of its ports. */
  HTTP_CONNECTIONS_MAX: count(2_000),
  /** How many of them one address has; half of them unless it is set. Behind a proxy all are those of the proxy. */
  HTTP_CONNECTIONS_PER_ADDRESS: whole(1).optional(),
  /** How many proxies in front of the API append the caller's address. With 0 no such header is trusted. */
  TRUST_PROXY: whole(0, 16).default(0),
  /** The hosts at which the credentials of an environment are accepted; all hosts when unset (D1). */
  SANDBOX_HOST: z.string().min(1).optional(),
  LIVE_HOST: z.string().min(1).optional(),
  /** The file with the local sandbox's key, which /docs fills in. */
  DOCS_KEY_FILE: z.string().min(1).optional(),
  /** Where a worker without an SMTP server keeps mails as files, which the API shows to callers on its machine. */
  MAIL_FOLDER: z.string().min(1).optional(),
  /** The operator port of the API (D91), and the port of the worker, which serves only probes and metrics. */
  OPERATOR_HOST: z.string().min(1).default('127.0.0.1'),
  OPERATOR_PORT: port(3100),
  WORKER_OPERATOR_PORT: port(3101),
  /** How often one operator or viewer may read people's data in an hour. */
  OPERATOR_PEOPLE_READS_PER_HOUR: count(60),
  /** The time between the first 503 of /ready and the end of the server, so that load balancers notice. */
  DRAIN_NOTICE_MS: millis(0),

  ...databaseShape,
  DATABASE_POOL_MAX: count(10),
  /**
   * How long to wait for a new connection, and for a request's turn at one. A request that waits longer is
   * answered 503.
   */
  DATABASE_CONNECT_MS: count(1_000),
  CELLS_PER_ENVIRONMENT: count(1),

  TEMPORAL_ADDRESS: z.string().min(1).default('127.0.0.1:7233'),
  TEMPORAL_NAMESPACE_SANDBOX: z.string().min(1).default('wallet-sandbox'),
  TEMPORAL_NAMESPACE_LIVE: z.string().min(1).default('wallet-live'),
  /** TLS to Temporal. Each of the variables below switches it on, too (temporal-transport.ts). */
  TEMPORAL_TLS: flag(false),
  TEMPORAL_TLS_SERVER_NAME: z.string().min(1).optional(),
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: fileContent.optional(),
  TEMPORAL_TLS_SERVER_CA_CERT_DATA: pem.optional(),
  TEMPORAL_TLS_CLIENT_CERT_PATH: fileContent.optional(),
  TEMPORAL_TLS_CLIENT_CERT_DATA: pem.optional(),
  TEMPORAL_TLS_CLIENT_KEY_PATH: fileContent.optional(),
  TEMPORAL_TLS_CLIENT_KEY_DATA: pem.optional(),
  TEMPORAL_API_KEY: z.string().min(1).optional(),
  /** Takes a plain connection to another machine in production, where nobody else can reach the network. */
  TEMPORAL_ALLOW_PLAINTEXT: flag(false),
  TEMPORAL_TASK_QUEUE: z.string().min(1).default('wallet-core'),
  /** Workers of several builds share the work by versions (worker-deployment.ts); else every worker takes every task. */
  WORKER_VERSIONING: flag(false),

  /**
   * Who serves live, the preferred one first: nobody (503, R22), companies, or the simulator for rehearsals. Payouts
   * include the names of accounts.
   */
  LIVE_PAYOUTS: liveProviders('LIVE_PAYOUTS'),
  LIVE_ACCOUNTS: liveProviders('LIVE_ACCOUNTS'),
  /** The companies after whose final failure another company of LIVE_PAYOUTS tries to pay (R47). */
  PAYOUT_FAIL_OVER: liveProviders('LIVE_PAYOUTS'),
  LIVE_IDENTITY: liveProviders('LIVE_IDENTITY'),
  /** The key of our account at Paystack. Its prefix says whether the money is real. */
  PAYSTACK_SECRET_KEY: paystackKey.optional(),
  /**
   * Stamp duty of transfers to banks: nobody has decided, we bear it, or it is charged to who pays (R46). Companies that
   * take it from our balance are named by ..._TAKES_DUTY.
   */
  STAMP_DUTY: z.enum(['off', 'absorb', 'charge']).default('off'),
  PAYSTACK_TAKES_DUTY: flag(true),
  MONNIFY_TAKES_DUTY: flag(false),
  /** The smallest transfer that Paystack takes, and the most that one costs us there: fee and stamp duty. */
  PAYSTACK_MIN_KOBO: whole(1).default(10_000),
  PAYSTACK_COST_MAX_KOBO: whole(0).default(10_000),
  /** The key before it, which still signs events that were sent before it was replaced. */
  PAYSTACK_SECRET_KEY_OLD: paystackKey.optional(),
  /** Our address for approvals is entered at Paystack, so that it asks us before it pays. */
  PAYSTACK_ASKS_FIRST: flag(false),
  PAYSTACK_BASE_URL: addressOf('paystack'),
  /** The keys of our account at Monnify, and the account there from which it pays. */
  MONNIFY_API_KEY: companyKey.optional(),
  MONNIFY_SECRET_KEY: companyKey.optional(),
  MONNIFY_SOURCE_ACCOUNT: z
    .string()
    .regex(/^[0-9]{10}$/, 'an account number of 10 digits')
    .optional(),
  /** Our contract there for account numbers, and the bank at which it opens them; 50515 is Moniepoint. */
  MONNIFY_CONTRACT_CODE: companyKey.optional(),
  MONNIFY_ACCOUNTS_BANK: z
    .string()
    .regex(/^[0-9]{3,6}$/, 'the code of a bank')
    .default('50515'),
  /** What our contract with Monnify says (`PayoutTerms`). */
  MONNIFY_MIN_KOBO: whole(1).default(2_000),
  MONNIFY_COST_MAX_KOBO: whole(0).default(10_000),
  MONNIFY_CALLS_PER_MINUTE: whole(3).default(120),
  MONNIFY_BASE_URL: addressOf('monnify'),
  /** The number of our account at Smile ID, and its key. */
  SMILE_PARTNER_ID: z
    .string()
    .regex(/^[1-9][0-9]{0,9}$/, 'a number without leading zeros')
    .optional(),
  SMILE_API_KEY: companyKey.optional(),
  SMILE_BASE_URL: addressOf('smile'),
  /** The key of our account at Prembly, and the id of our app there, which accounts of older date need. */
  PREMBLY_API_KEY: companyKey.optional(),
  PREMBLY_APP_ID: companyKey.optional(),
  PREMBLY_BASE_URL: addressOf('prembly'),
  /**
   * The gateway that carries USSD in live, and the addresses or networks from which it calls; all when unset. In a
   * rehearsal, `simulator`, every gateway may call.
   */
  LIVE_USSD: z.enum(['none', 'simulator', ...USSD_GATEWAYS]).default('none'),
  USSD_GATEWAY_ADDRESSES: addressList.optional(),
  BANKS_FILE: z.string().min(1).optional(),

  ...shapeOf(WORKER_SECRETS),

  RATE_LIMIT_STARTER: count(300),
  RATE_LIMIT_GROWTH: count(1_200),
  RATE_LIMIT_SCALE: count(6_000),
  RATE_LIMIT_UNAUTHENTICATED: count(60),
  RATE_LIMIT_LOGIN: count(10),
  RATE_LIMIT_NAME_ENQUIRY: count(60),
  /** Not below the published limit of the first tier, so only the higher tiers meet it (interface: Limits). */
  RATE_LIMIT_VERIFICATION: count(300),
  /** What a partner may store in its sandbox, and before its owner has confirmed the email address (D175). */
  SANDBOX_STORAGE_BYTES: count(1_000_000_000),
  SANDBOX_STORAGE_UNCONFIRMED_BYTES: count(50_000_000),

  /** The environments whose log of requests keeps bodies, with what is secret or personal hidden (D209). */
  REQUEST_LOG_BODIES: z.enum(['sandbox', 'all']).default('sandbox'),

  IDEMPOTENCY_WINDOW_MS: millis(24 * HOUR_MS),
  SANDBOX_PROVISIONING_MS: millisList([500, 1_500]),
  /**
   * How long the simulated provider takes. With the work around it, a transfer ends within the published 1 to 2
   * seconds.
   */
  SANDBOX_TRANSFER_MS: millisList([1_000, 1_700]),
  /** How long the simulated bureau takes, and below how long the reserved BVN …03 stays pending (D83). */
  SANDBOX_KYC_MS: millisList([1_000, 1_700]),
  SANDBOX_KYC_UNAVAILABLE_MS: millis(30_000),
  /** How long an identity provider is asked before a verification fails (D35). */
  KYC_GIVE_UP_AFTER_MS: millis(24 * HOUR_MS),
  PROVISIONING_PARK_AFTER_MS: millis(24 * HOUR_MS),
  /** Waits between status queries of a transfer whose outcome is unknown; the last one repeats (D58). */
  TRANSFER_REQUERY_MS: millisList([10_000, 30_000, 60_000, 120_000, 300_000, 900_000, 1_800_000, HOUR_MS]),
  TRANSFER_ALERT_AFTER_MS: millis(24 * HOUR_MS),
  /** At this age a transfer fails if provably no company has an order of it. */
  PAYOUT_HOLD_MS: millis(4 * HOUR_MS),
  /** So much of our balance with a company is never paid out. */
  PAYOUT_RESERVE_KOBO: whole(0).default(0),
  TRANSFER_LATE_REQUERY_MS: millis(6 * HOUR_MS),
  TRANSFER_REQUERY_UNTIL_MS: millis(72 * HOUR_MS),

  /** The part of every dial code that belongs to the service; a payment's six digits follow it (D25). */
  USSD_SERVICE_CODE: z
    .string()
    .regex(/^\*[0-9]{1,6}(\*[0-9]{1,6}){0,3}$/, 'digits after stars, as in *384*4827')
    .default('*384*4827'),
  USSD_SESSION_MS: millis(180_000),

  ALLOW_PRIVATE_WEBHOOKS: flag(false),
  /** Waits before each attempt of a delivery (D109). */
  WEBHOOK_RETRY_MS: millisList([
    0,
    5_000,
    300_000,
    1_800_000,
    2 * HOUR_MS,
    5 * HOUR_MS,
    10 * HOUR_MS,
    14 * HOUR_MS,
    20 * HOUR_MS,
    24 * HOUR_MS,
  ]),
  WEBHOOK_TIMEOUT_MS: millis(10_000),
  /** How long an endpoint that has never answered 2xx is left alone after an attempt: ten a minute (D176). */
  WEBHOOK_TRIAL_EVERY_MS: millis(6_000),
  /** Posts to one host in a second, of all partners of the environment together (D236). */
  WEBHOOK_HOST_PER_SECOND_SANDBOX: count(50),
  WEBHOOK_HOST_PER_SECOND_LIVE: count(2_000),
  WEBHOOK_DISABLE_AFTER_MS: millis(120 * HOUR_MS),

  SWEEP_EVERY_MS: millis(30_000),
  INTENTION_OVERDUE_MS: millis(5_000),
  RECONCILE_EVERY_MS: millis(60_000),
  /** Reconciliation does not judge what moved or began more recently, because it may still be under way. */
  RECONCILE_AFTER_MS: millis(15_000),
  RECONCILE_ALL_EVERY_MS: millis(24 * HOUR_MS),
  RETENTION_EVERY_MS: millis(HOUR_MS),
  /**
   * How long delivered webhooks, started intentions and the bytes of callbacks are kept. The ledger is kept for
   * ever.
   */
  RETENTION_MS: millis(90 * 24 * HOUR_MS),

  /** A child of `npm start` ends when its parent's pipe closes, so that nothing outlives a SIGKILL. */
  END_WITH_PARENT: flag(false),
});

const apiSchema = serviceSchema.extend(shapeOf(API_SECRETS));

/** The worker sends the mails. */
const workerSchema = serviceSchema.extend({
  /** The address at which partners reach the API, as mails show it, and the simulated bank of the sandbox, too. */
  PUBLIC_URL: z
    .string()
    .regex(
      /^https?:\/\/[^\s?#'"\\]+[^\s?#'"\\/]$/,
      'an http:// or https:// address that does not end in a slash',
    )
    .default('http://127.0.0.1:3000'),
  /** Where mails are handed over. Without it they wait in the outbox. */
  SMTP_URL: z
    .string()
    // A query could switch TLS off.
    .regex(/^smtps?:\/\/[^?#\s]+$/, 'an smtp:// or smtps:// address without a query')
    .optional(),
  /** The address of the sender. */
  MAIL_FROM: z.email('an email address').optional(),
  /** Waits after each failed attempt to hand a mail over. After the last attempt the mail is given up. */
  MAIL_RETRY_MS: millisList([5_000, 30_000, 120_000, 600_000, 1_800_000, HOUR_MS, 4 * HOUR_MS, 12 * HOUR_MS]),
});

/** What a command needs that speaks with Temporal alone. */
const temporalSchema = serviceSchema.pick({
  TEMPORAL_ADDRESS: true,
  TEMPORAL_NAMESPACE_SANDBOX: true,
  TEMPORAL_NAMESPACE_LIVE: true,
  TEMPORAL_TLS: true,
  TEMPORAL_TLS_SERVER_NAME: true,
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: true,
  TEMPORAL_TLS_SERVER_CA_CERT_DATA: true,
  TEMPORAL_TLS_CLIENT_CERT_PATH: true,
  TEMPORAL_TLS_CLIENT_CERT_DATA: true,
  TEMPORAL_TLS_CLIENT_KEY_PATH: true,
  TEMPORAL_TLS_CLIENT_KEY_DATA: true,
  TEMPORAL_API_KEY: true,
  TEMPORAL_ALLOW_PLAINTEXT: true,
  TEMPORAL_TASK_QUEUE: true,
});

/** Every secret that the first start invents, with its value. */
export type Secrets = Record<SecretName, string>;

const SECRET_SHAPE = shapeOf(SECRET_NAMES);
const OPTIONAL_SECRETS = Object.fromEntries(
  Object.entries(SECRET_SHAPE).map(([name, schema]) => [name, schema.optional()]),
) as { [Name in keyof typeof SECRET_SHAPE]: z.ZodOptional<(typeof SECRET_SHAPE)[Name]> };

/** What `npm start` and the tests need to bring up Postgres and Temporal by themselves. */
const startSchema = z.object({
  NODE_ENV: processEnvironment,
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: port(3000),
  OPERATOR_HOST: z.string().min(1).default('127.0.0.1'),
  OPERATOR_PORT: port(3100),
  WORKER_OPERATOR_PORT: port(3101),
  DATA_DIR: z.string().min(1).default('.data'),
  ...databaseShape,
  /** The person who may create the logins, for `npm run db:set-up`. */
  DATABASE_URL_ADMIN: z.string().min(1).optional(),
  TEST_DATABASE_URL: z.string().min(1).optional(),
  TEST_CELLS: count(1),
  CELLS_PER_ENVIRONMENT: count(1),
  DATABASE_POOL_MAX: count(10),
  POSTGRES_PORT: port(0),
  /** Where the movements of live are shipped to (`npm run movements:ship`). */
  MOVEMENTS_TO: z.url().optional(),
  MOVEMENTS_ACCESS_KEY: z.string().min(1).optional(),
  MOVEMENTS_SECRET_KEY: z.string().min(1).optional(),
  MOVEMENTS_REGION: z.string().min(1).default('us-east-1'),
  TEMPORAL_ADDRESS: z.string().min(1).optional(),
  TEMPORAL_CLI_PATH: z.string().min(1).optional(),
  TEMPORAL_PORT: port(0),
  TEMPORAL_UI_PORT: port(0),
  XDG_CACHE_HOME: z.string().min(1).optional(),
  /** A secret that is set is used; the others are generated. */
  ...OPTIONAL_SECRETS,
  PATH: z.string().default(''),
  /** Set by a program that runs the sandbox for itself, such as the demo. */
  END_WITH_PARENT: flag(false),
});

/** What the API and the worker both have. */
export type Config = Readonly<z.infer<typeof serviceSchema>>;
export type ApiConfig = Readonly<z.infer<typeof apiSchema>>;
export type WorkerConfig = Readonly<z.infer<typeof workerSchema>>;
/** What activities have of it. */
export type WorkConfig = Config & Pick<WorkerConfig, 'PUBLIC_URL'>;
export type StartConfig = Readonly<z.infer<typeof startSchema>>;

/** Names every wrong variable of one start, with its rule. It never repeats a value. */
export class ConfigError extends Error {}

/**
 * Reads the configuration of an API process.
 * @throws ConfigError naming every bad variable and its rule.
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env): ApiConfig {
  return read(apiSchema, env, wrongFor('api'));
}

/**
 * Reads the configuration of a worker process.
 * @throws ConfigError naming every bad variable and its rule.
 */
export function readWorkerConfig(env: NodeJS.ProcessEnv = process.env): WorkerConfig {
  return read(workerSchema, env, wrongFor('worker'));
}

/** Reads how Temporal is reached, for a command that needs nothing else. @throws ConfigError */
export function readTemporalConfig(
  env: NodeJS.ProcessEnv = process.env,
): Readonly<z.infer<typeof temporalSchema>> {
  return read(temporalSchema, env);
}

/** What is wrong with the configuration of a process although each of its variables is well-formed. */
function wrongFor(process: keyof typeof SECRETS_OF) {
  return (given: NodeJS.ProcessEnv, config: Config | undefined): string[] => {
    const unneeded = SECRET_NAMES.filter((name) => !SECRETS_OF[process].includes(name))
      .flatMap((name) => [name, acceptedOf(name)])
      .filter((name) => given[name] !== undefined);
    const refusals = config ? refusalsOf(config, unneeded) : [];
    const isElsewhere =
      hasServerElsewhere(given) || (config ? usesTls(config) || isPlainRemote(config) : false);
    return [
      ...(isElsewhere ? unlessNamed(given) : []),
      ...processUrlProblems(given, process, {
        isProduction: given['NODE_ENV'] === 'production',
        environments: servedEnvironments(SERVED.find((name) => name === given['ENVIRONMENTS']) ?? 'both'),
      }),
      ...refusals.map(({ variable, rule }) => `${variable}: ${rule}`),
    ];
  };
}

/** Without a name the rules of production would be off, and nobody would have said so. */
const unlessNamed = (given: NodeJS.ProcessEnv): string[] =>
  given['NODE_ENV'] === undefined
    ? [
        'NODE_ENV: must be set to production, or to development where no money is real, because the database or ' +
          'Temporal is on another machine or behind TLS',
      ]
    : [];

/** Reads the configuration of `npm start`, `npm run demo` and the tests' set-up. @throws ConfigError */
export function readStartConfig(env: NodeJS.ProcessEnv = process.env): StartConfig {
  return read(startSchema, env, (given) => (hasServerElsewhere(given) ? unlessNamed(given) : []));
}

/** The environment a child process inherits, with `more` laid over it. */
export function childEnvironment(more: Record<string, string>): NodeJS.ProcessEnv {
  return { ...process.env, ...more };
}

/** Takes variables that came after the start of this process. Nothing has been read from them before. */
export function takeEnvironment(more: Record<string, string>): void {
  Object.assign(process.env, more);
}

/** Reads the variables of an `.env` file in the working folder, as Node does. There need not be such a file. */
export function loadDotEnv(): void {
  try {
    process.loadEnvFile('.env');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** @param alsoWrong gives the lines for what is wrong although each variable is well-formed, if they all are. */
function read<Schema extends z.ZodObject>(
  schema: Schema,
  env: NodeJS.ProcessEnv,
  alsoWrong: (given: NodeJS.ProcessEnv, config: z.infer<Schema> | undefined) => string[] = () => [],
): Readonly<z.infer<Schema>> {
  // An empty variable in a compose file means "not set".
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = schema.safeParse(given);
  const issues = parsed.error?.issues ?? [];
  const malformed = issues.map(({ path, message }) => {
    const name = path.join('.');
    return `${name}: ${name in given ? message : 'is required'}`;
  });
  const isNamed = (line: string): boolean =>
    issues.some(({ path }) => line.startsWith(`${path.join('.')}: `));
  const lines = [...malformed, ...alsoWrong(given, parsed.data).filter((line) => !isNamed(line))];
  if (parsed.success && lines.length === 0) return Object.freeze(parsed.data);
  throw notUsable(lines);
}

const notUsable = (lines: readonly string[]): ConfigError =>
  new ConfigError(['The configuration is not usable:', ...lines.map((line) => `  ${line}`)].join('\n'));

export const CONFIG_NAMES = [
  ...new Set([apiSchema, workerSchema, startSchema].flatMap(({ shape }) => Object.keys(shape))),
];
