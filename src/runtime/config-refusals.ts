/**
 * Configurations that are refused although each of their variables is well-formed: a process that would serve live
 * money with them does not start. The table is declared once; `readConfig` asks it. A refusal names the
 * variable and its rule, and never shows a value.
 */

import type { BlockList } from 'node:net';
import {
  LIVE_COMPANIES,
  LIVE_COMPANY_NAMES,
  LIVE_ROLES,
  type LiveProviders,
  type LiveRole,
  type UssdGateway,
} from './live-companies';
import { isSane, LIMIT_NAMES, SANE_LIMITS, type LimitName } from './sane-limits';
import { servedEnvironments, type Served } from './served-environments';
import { acceptedOf, API_SECRETS, SECRET_NAMES, type AcceptedName, type SecretName } from './secret-names';
import { certificateKeyOf, certificateOf, isPlainRemote, type TemporalSettings } from './temporal-transport';

/** Names the environment of the process: a name that is not among them is refused. */
export const PROCESS_ENVIRONMENTS = ['development', 'test', 'production'] as const;

/** What the table looks at. */
export type Judged = Readonly<
  // A process has only its own secrets.
  Partial<Record<SecretName, string>> &
    Partial<Record<AcceptedName, readonly string[]>> &
    Partial<Record<LimitName, number | readonly number[] | undefined>> &
    Record<LiveRole, LiveProviders> & {
      NODE_ENV?: (typeof PROCESS_ENVIRONMENTS)[number] | undefined;
      PAYSTACK_SECRET_KEY?: string | undefined;
      PAYSTACK_SECRET_KEY_OLD?: string | undefined;
      PAYSTACK_BASE_URL: string;
      MONNIFY_API_KEY?: string | undefined;
      MONNIFY_SECRET_KEY?: string | undefined;
      MONNIFY_SOURCE_ACCOUNT?: string | undefined;
      MONNIFY_CONTRACT_CODE?: string | undefined;
      MONNIFY_BASE_URL: string;
      SMILE_PARTNER_ID?: string | undefined;
      SMILE_API_KEY?: string | undefined;
      SMILE_BASE_URL: string;
      PREMBLY_API_KEY?: string | undefined;
      PREMBLY_BASE_URL: string;
      LIVE_USSD: 'none' | 'simulator' | UssdGateway;
      USSD_GATEWAY_ADDRESSES?: BlockList | undefined;
      ENVIRONMENTS: Served;
      ALLOW_PRIVATE_WEBHOOKS: boolean;
      DOCS_KEY_FILE?: string | undefined;
      MAIL_FOLDER?: string | undefined;
      TEMPORAL_NAMESPACE_SANDBOX: string;
      TEMPORAL_NAMESPACE_LIVE: string;
      /** Only a process that sends mails has it. */
      PUBLIC_URL?: string;
      SMTP_URL?: string | undefined;
      MAIL_FROM?: string | undefined;
    } & TemporalSettings
>;

export interface ConfigRefusal {
  /** The variable that is wrong. */
  variable: keyof Judged;
  /** What it must be, as the words after its name. */
  rule: string;
  /** Some rules keep the environments apart and hold everywhere; the others hold where live money is. */
  holds: 'everywhere' | 'in production';
  /** @param unneeded the secrets that the process was given and never reads. */
  isBroken: (config: Judged, unneeded: readonly string[]) => boolean;
}

/** A secret of 32 random bytes has fewer different bytes than this once in more than 10^13 times. */
const DIFFERENT_BYTES_MIN = 18;

/**
 * Whether somebody could guess a secret: it repeats itself, counts up or down, or is a text such as a password.
 * 32 random bytes are never any of these.
 */
function isTrivial(base64: string): boolean {
  const bytes = [...Buffer.from(base64, 'base64')];
  const steps = new Set(bytes.slice(1).map((byte, place) => (byte - (bytes[place] ?? 0) + 256) % 256));
  const isText = bytes.every((byte) => byte >= 0x20 && byte < 0x7f);
  return new Set(bytes).size < DIFFERENT_BYTES_MIN || steps.size === 1 || isText;
}

/**
 * All values with the names of their variables. They are compared as bytes, because one value can be written in
 * several ways.
 */
const secretsOf = (config: Judged): { name: keyof Judged; value: string }[] =>
  SECRET_NAMES.flatMap((name) => {
    const newest = config[name];
    return [
      ...(newest === undefined ? [] : [{ name, value: newest }]),
      ...(config[acceptedOf(name)] ?? []).map((value) => ({ name: acceptedOf(name), value })),
    ];
  }).map(({ name, value }) => ({ name, value: Buffer.from(value, 'base64').toString('base64') }));

/** Keeps sandbox and live apart: the secret that fits tells the environment. Accepted values count too. */
const differs = (variable: SecretName, other: SecretName): ConfigRefusal => ({
  variable,
  rule: `must differ from ${other}, because it tells live from the sandbox`,
  holds: 'everywhere',
  isBroken: (config) => {
    const all = secretsOf(config);
    const valuesOf = (name: SecretName): string[] =>
      all.filter((one) => one.name === name || one.name === acceptedOf(name)).map(({ value }) => value);
    return valuesOf(variable).some((value) => valuesOf(other).includes(value));
  },
});

/** Both variables of each secret. */
const bothOf = (names: readonly SecretName[]): (SecretName | AcceptedName)[] =>
  names.flatMap((name) => [name, acceptedOf(name)]);

/** What is given as a value or as a file. */
const TLS_FILES = [
  ['TEMPORAL_TLS_SERVER_CA_CERT_DATA', 'TEMPORAL_TLS_SERVER_CA_CERT_PATH'],
  ['TEMPORAL_TLS_CLIENT_CERT_DATA', 'TEMPORAL_TLS_CLIENT_CERT_PATH'],
  ['TEMPORAL_TLS_CLIENT_KEY_DATA', 'TEMPORAL_TLS_CLIENT_KEY_PATH'],
] as const;

/** A process of the sandbox reads who serves live, because it can demand the same, and never asks one of them. */
const servesLive = ({ ENVIRONMENTS: served }: Judged): boolean => servedEnvironments(served).includes('live');

/** The keys of our accounts at companies. */
const COMPANY_KEYS = [
  'PAYSTACK_SECRET_KEY',
  'PAYSTACK_SECRET_KEY_OLD',
  'MONNIFY_API_KEY',
  'MONNIFY_SECRET_KEY',
  'SMILE_API_KEY',
  'PREMBLY_API_KEY',
] as const;

const isRealGateway = ({ LIVE_USSD: gateway }: Judged): boolean =>
  gateway !== 'none' && gateway !== 'simulator';

export const CONFIG_REFUSALS: readonly ConfigRefusal[] = [
  differs('PROVIDER_CALLBACK_SECRET_LIVE', 'PROVIDER_CALLBACK_SECRET_SANDBOX'),
  differs('USSD_CALLBACK_SECRET_LIVE', 'USSD_CALLBACK_SECRET_SANDBOX'),
  {
    variable: 'TEMPORAL_NAMESPACE_LIVE',
    rule: 'must differ from TEMPORAL_NAMESPACE_SANDBOX, because the workflows of both have the same ids',
    holds: 'everywhere',
    isBroken: (config) => config.TEMPORAL_NAMESPACE_LIVE === config.TEMPORAL_NAMESPACE_SANDBOX,
  },
  ...LIVE_COMPANY_NAMES.flatMap((company) => {
    const { serves, needs } = LIVE_COMPANIES[company];
    return needs.map((variable): ConfigRefusal => ({
      variable,
      rule: `must be set where ${serves.join(' or ')} has ${company}`,
      holds: 'everywhere',
      isBroken: (config) =>
        servesLive(config) &&
        serves.some((role) => config[role].includes(company)) &&
        config[variable] === undefined,
    }));
  }),
  {
    variable: 'MONNIFY_CONTRACT_CODE',
    rule: 'must be set where LIVE_ACCOUNTS has monnify',
    holds: 'everywhere',
    isBroken: (config) =>
      servesLive(config) &&
      config.LIVE_ACCOUNTS.includes('monnify') &&
      config.MONNIFY_CONTRACT_CODE === undefined,
  },
  ...TLS_FILES.map(([data, path]): ConfigRefusal => ({
    variable: data,
    rule: `must not be set together with ${path}`,
    holds: 'everywhere',
    isBroken: (config) => config[data] !== undefined && config[path] !== undefined,
  })),
  {
    variable: 'TEMPORAL_TLS_CLIENT_CERT_DATA',
    rule: 'must come with the key of the certificate, and the key with it; either may be the file of the same name',
    holds: 'everywhere',
    isBroken: (config) => (certificateOf(config) === undefined) !== (certificateKeyOf(config) === undefined),
  },
  {
    variable: 'ENVIRONMENTS',
    rule: 'must be sandbox or live in production, because a process of both would let the sandbox slow live',
    holds: 'in production',
    isBroken: (config) => config.ENVIRONMENTS === 'both',
  },
  ...COMPANY_KEYS.map((variable): ConfigRefusal => ({
    variable,
    rule: 'must not be given to a process of the sandbox in production, because it has no use for it',
    holds: 'in production',
    isBroken: (config) => !servesLive(config) && config[variable] !== undefined,
  })),
  {
    variable: 'TEMPORAL_ADDRESS',
    rule:
      'must not be another machine without TLS in production: set TEMPORAL_TLS=true, or TEMPORAL_ALLOW_PLAINTEXT=true ' +
      'where nobody else can reach the network between the two',
    holds: 'in production',
    isBroken: (config) => isPlainRemote(config) && !config.TEMPORAL_ALLOW_PLAINTEXT,
  },
  ...([...LIVE_ROLES, 'LIVE_USSD'] as const).map((variable): ConfigRefusal => ({
    variable,
    rule: 'must not be simulator in production, because the simulator is a rehearsal',
    holds: 'in production',
    isBroken: (config) => config[variable].includes('simulator'),
  })),
  {
    variable: 'PAYSTACK_SECRET_KEY',
    rule: 'must not be a test key in production, because transfers would complete and nobody would be paid',
    holds: 'in production',
    isBroken: (config) => config.PAYSTACK_SECRET_KEY?.startsWith('sk_test_') === true,
  },
  {
    variable: 'PAYSTACK_SECRET_KEY_OLD',
    rule: 'must not be a test key in production, because the events of tests would be genuine',
    holds: 'in production',
    isBroken: (config) => config.PAYSTACK_SECRET_KEY_OLD?.startsWith('sk_test_') === true,
  },
  {
    variable: 'MONNIFY_API_KEY',
    rule: 'must not be a test key in production, because transfers would complete and nobody would be paid',
    holds: 'in production',
    isBroken: (config) => config.MONNIFY_API_KEY?.startsWith('MK_TEST_') === true,
  },
  ...LIVE_COMPANY_NAMES.map((company): ConfigRefusal => {
    const { address, url } = LIVE_COMPANIES[company];
    return {
      variable: address,
      rule: `must be ${url} in production, because keys and customers' data are sent to it`,
      holds: 'in production',
      isBroken: (config) => config[address] !== url,
    };
  }),
  {
    variable: 'USSD_GATEWAY_ADDRESSES',
    rule: 'must be set in production where LIVE_USSD names a gateway, because gateways sign nothing',
    holds: 'in production',
    isBroken: (config) =>
      servesLive(config) && isRealGateway(config) && config.USSD_GATEWAY_ADDRESSES === undefined,
  },
  {
    variable: 'ALLOW_PRIVATE_WEBHOOKS',
    rule: 'must not be true in production, because partners could reach addresses inside the network',
    holds: 'in production',
    isBroken: (config) => config.ALLOW_PRIVATE_WEBHOOKS,
  },
  {
    variable: 'DOCS_KEY_FILE',
    rule: 'must not be set in production, because it belongs to the local sandbox',
    holds: 'in production',
    isBroken: (config) => config.DOCS_KEY_FILE !== undefined,
  },
  {
    variable: 'MAIL_FOLDER',
    rule: 'must not be set in production, because tokens would lie in files',
    holds: 'in production',
    isBroken: (config) => config.MAIL_FOLDER !== undefined,
  },
  {
    variable: 'PUBLIC_URL',
    rule: 'must be an https:// address in production, because tokens are sent to it',
    holds: 'in production',
    isBroken: (config) => config.PUBLIC_URL?.startsWith('https://') === false,
  },
  {
    variable: 'SMTP_URL',
    rule: 'must be set in production, because live keys wait for mails',
    holds: 'in production',
    isBroken: (config) => config.PUBLIC_URL !== undefined && config.SMTP_URL === undefined,
  },
  {
    variable: 'MAIL_FROM',
    rule: 'must be set in production, because live keys wait for mails',
    holds: 'in production',
    isBroken: (config) => config.PUBLIC_URL !== undefined && config.MAIL_FROM === undefined,
  },
  ...LIMIT_NAMES.map((variable): ConfigRefusal => ({
    variable,
    rule: `must be ${SANE_LIMITS[variable].says} in production`,
    holds: 'in production',
    isBroken: (config) => !isSane(variable, config[variable]),
  })),
  ...bothOf(SECRET_NAMES).flatMap((variable): ConfigRefusal[] => [
    {
      variable,
      rule: 'must be random in production: it repeats itself, counts, or is a text',
      holds: 'in production',
      isBroken: (config) =>
        secretsOf(config).some(({ name, value }) => name === variable && isTrivial(value)),
    },
    {
      variable,
      rule: 'must differ from every other secret in production',
      holds: 'in production',
      isBroken: (config) => {
        const all = secretsOf(config);
        return all.some(
          (one) => one.name === variable && all.some((other) => other !== one && other.value === one.value),
        );
      },
    },
  ]),
  ...bothOf(API_SECRETS).map((variable): ConfigRefusal => ({
    variable,
    rule: 'must not be given to this process in production, because it has no use for it',
    holds: 'in production',
    isBroken: (_config, unneeded) => unneeded.includes(variable),
  })),
];

/** The refusals of a configuration, in the order of the table. */
export const refusalsOf = (config: Judged, unneeded: readonly string[]): ConfigRefusal[] =>
  CONFIG_REFUSALS.filter(
    (one) =>
      (one.holds === 'everywhere' || config.NODE_ENV === 'production') && one.isBroken(config, unneeded),
  );
