/**
 * Configurations that are refused although each of their variables is well-formed: a process that would serve live
 * money with them does not start. The table is declared once; `readConfig` asks it. A refusal names the
 * variable and its rule, and never shows a value.
 */

/** The names of the secrets that the first start invents (R29): 32 random bytes each, in base64. */
export const SECRET_NAMES = [
  'DATA_KEY',
  'BLIND_INDEX_KEY',
  'CURSOR_KEY',
  'JWT_KEY',
  'AUDIT_KEY',
  'PROVIDER_CALLBACK_SECRET_SANDBOX',
  'PROVIDER_CALLBACK_SECRET_LIVE',
  'PIN_PEPPER',
  'USSD_CALLBACK_SECRET_SANDBOX',
  'USSD_CALLBACK_SECRET_LIVE',
] as const;

type SecretName = (typeof SECRET_NAMES)[number];

/** Lists of earlier secrets, which still open or verify what they once sealed or signed. */
const OLD_SECRET_NAMES = ['DATA_KEYS_OLD', 'JWT_KEYS_OLD'] as const;

/** Names the environment of the process: a name that is not among them is refused. */
export const PROCESS_ENVIRONMENTS = ['development', 'test', 'production'] as const;

/** What the table looks at. */
export type Judged = Readonly<
  Record<SecretName, string> &
    Record<(typeof OLD_SECRET_NAMES)[number], readonly string[]> & {
      NODE_ENV: (typeof PROCESS_ENVIRONMENTS)[number];
      LIVE_PROVIDERS: 'none' | 'simulator';
      ALLOW_PRIVATE_WEBHOOKS: boolean;
      DOCS_KEY_FILE?: string | undefined;
    }
>;

export interface ConfigRefusal {
  /** The variable that is wrong. */
  variable: keyof Judged;
  /** What it must be, as the words after its name. */
  rule: string;
  /** Some rules keep the environments apart and hold everywhere; the others hold where live money is. */
  holds: 'everywhere' | 'in production';
  isBroken: (config: Judged) => boolean;
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

/** All secrets with their names; a list of earlier secrets has one for each. */
const secretsOf = (config: Judged): { name: keyof Judged; value: string }[] => [
  ...SECRET_NAMES.map((name) => ({ name, value: config[name] })),
  ...OLD_SECRET_NAMES.flatMap((name) => config[name].map((value) => ({ name, value }))),
];

/** Keeps sandbox and live apart: the secret that fits tells the environment. */
const differs = (variable: SecretName, other: SecretName): ConfigRefusal => ({
  variable,
  rule: `must differ from ${other}, because it tells live from the sandbox`,
  holds: 'everywhere',
  isBroken: (config) => config[variable] === config[other],
});

export const CONFIG_REFUSALS: readonly ConfigRefusal[] = [
  differs('PROVIDER_CALLBACK_SECRET_LIVE', 'PROVIDER_CALLBACK_SECRET_SANDBOX'),
  differs('USSD_CALLBACK_SECRET_LIVE', 'USSD_CALLBACK_SECRET_SANDBOX'),
  {
    variable: 'LIVE_PROVIDERS',
    rule: 'must not be simulator in production, because the simulator is a rehearsal',
    holds: 'in production',
    isBroken: (config) => config.LIVE_PROVIDERS === 'simulator',
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
  ...[...SECRET_NAMES, ...OLD_SECRET_NAMES].flatMap((variable): ConfigRefusal[] => [
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
];

/** The refusals of a configuration, in the order of the table. */
export const refusalsOf = (config: Judged): ConfigRefusal[] =>
  CONFIG_REFUSALS.filter(
    (one) => (one.holds === 'everywhere' || config.NODE_ENV === 'production') && one.isBroken(config),
  );
