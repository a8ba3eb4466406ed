/** Limits: of calls, of bodies, of money, and of every field that a request can have. */
import { randomBytes } from 'node:crypto';
import type { oas31 } from 'zod-openapi';
import { BODY_MAX_BYTES } from '../../src/api/body';
import { buildDocument } from '../../src/api/openapi/document';
import { KEYS_MAX } from '../../src/operations/partners/keys';
import { PEOPLE_MAX } from '../../src/operations/partners/people';
import { ENDPOINTS_MAX } from '../../src/operations/webhooks/endpoints';
import { HEADERS_MAX_BYTES } from '../../src/api/server';
import { readConfig } from '../../src/runtime/config';
import { SECRET_NAMES } from '../../src/runtime/secret-names';
import { feesFor, kindOf } from '../../src/domain/kinds';
import { LIMIT_NAMES, LIMIT_TIERS, LIMITS, SANDBOX_TIERS, type LimitName } from '../../src/domain/limits';
import { KOBO_MAX } from '../../src/domain/money';
import { ATTEMPT_RULES } from '../../src/domain/sign-in-attempts';
import { ACTIVE_SCHEDULES_MAX, FORWARDED_MAX } from '../../src/domain/scheduled-transfers';
import { PUBLISHED_TYPES } from '../../src/domain/transaction-types';
import { METADATA_MAX_BYTES, METADATA_MAX_DEPTH } from '../../src/wire/fields';
import { LIMIT_DEFAULT, LIMIT_MAX } from '../../src/wire/pages';
import { code, table } from './table';

const HOUR_MS = 3_600_000;
const grouped = (value: number): string => value.toLocaleString('en-US');

export function limitsPage(): string {
  return [
    '# Limits',
    'What is configured has its default here; [configuration.md](../configuration.md) names the variables.',
    table(['Limit', 'Value', 'Beyond it'], generalRows()),
    walletLimits(),
    `## Fees\n\nIn kobo, charged to the source on top of the amount, as far as they are not 0.\n\n${table(
      ['Transaction', 'Of 1 naira', 'Of 1,000 naira', 'Of 1,000,000 naira'],
      feeRows(),
    )}`,
    `## Fields of requests\n\nBeyond these: 422 \`VALIDATION_ERROR\`.\n\n${table(['Body', 'Field', 'Rule'], fieldRows())}`,
  ].join('\n\n');
}

function generalRows(): string[][] {
  const secrets: Record<string, string> = {};
  for (const name of SECRET_NAMES) secrets[name] = randomBytes(32).toString('base64');
  const config = readConfig({ DATABASE_URL: 'postgres://localhost', ...secrets });
  const perMinute = (count: number): string => `${grouped(count)} requests a minute`;
  return [
    ['Tier starter', perMinute(config.RATE_LIMIT_STARTER), '429 `RATE_LIMIT_EXCEEDED`'],
    ['Tier growth', perMinute(config.RATE_LIMIT_GROWTH), '429 `RATE_LIMIT_EXCEEDED`'],
    ['Tier scale', perMinute(config.RATE_LIMIT_SCALE), '429 `RATE_LIMIT_EXCEEDED`'],
    [
      'Without good credentials, per address',
      perMinute(config.RATE_LIMIT_UNAUTHENTICATED),
      '429 `RATE_LIMIT_EXCEEDED`',
    ],
    ...Object.entries(ATTEMPT_RULES).map(([counted, { free }]) => [
      `Wrong logins in a row, per ${counted}`,
      `${String(free)}, then one after each wait of 1 to 15 minutes`,
      '429 `RATE_LIMIT_EXCEEDED`',
    ]),
    [
      'Enquiries for the name of an account',
      perMinute(config.RATE_LIMIT_NAME_ENQUIRY),
      '429 `RATE_LIMIT_EXCEEDED`',
    ],
    ['BVNs and NINs of customers', perMinute(config.RATE_LIMIT_VERIFICATION), '429 `RATE_LIMIT_EXCEEDED`'],
    ['Body', `${grouped(BODY_MAX_BYTES)} bytes`, '413 `PAYLOAD_TOO_LARGE`'],
    ['Headers', `${grouped(HEADERS_MAX_BYTES)} bytes`, '431 `VALIDATION_ERROR`'],
    [
      'Metadata of one object',
      `${grouped(METADATA_MAX_BYTES)} bytes, ${String(METADATA_MAX_DEPTH)} levels`,
      '422 `VALIDATION_ERROR`',
    ],
    ['Page of a list', `${String(LIMIT_DEFAULT)}, at most ${String(LIMIT_MAX)}`, '422 `VALIDATION_ERROR`'],
    ['Amount, and amount with fee', `${grouped(KOBO_MAX)} kobo`, '422 `VALIDATION_ERROR`'],
    ['Balance', `${grouped(KOBO_MAX)} kobo`, '422 `LIMIT_EXCEEDED`'],
    ['API keys in one environment', String(KEYS_MAX), '422 `LIMIT_EXCEEDED`'],
    ['Users and open invitations', String(PEOPLE_MAX), '422 `LIMIT_EXCEEDED`'],
    ['Webhook endpoints', String(ENDPOINTS_MAX), '422 `LIMIT_EXCEEDED`'],
    [
      'Deliveries to an endpoint that has never answered 2xx',
      `one at a time, ${String(60_000 / config.WEBHOOK_TRIAL_EVERY_MS)} a minute`,
      'they wait',
    ],
    [
      'Posts to one host, of all partners together',
      `${String(config.WEBHOOK_HOST_PER_SECOND_SANDBOX)} a second in sandbox, ${grouped(config.WEBHOOK_HOST_PER_SECOND_LIVE)} in live`,
      'they wait',
    ],
    [
      'Active scheduled transfers',
      `${String(ACTIVE_SCHEDULES_MAX.sandbox)} in sandbox, ${grouped(ACTIVE_SCHEDULES_MAX.live)} in live`,
      '422 `LIMIT_EXCEEDED`',
    ],
    [
      'Due times that wait for their run because of forwards',
      grouped(FORWARDED_MAX.runs),
      '422 `LIMIT_EXCEEDED`',
    ],
    ['Storage of a sandbox', `${grouped(config.SANDBOX_STORAGE_BYTES)} bytes`, '422 `LIMIT_EXCEEDED`'],
    [
      'The same before the email address is confirmed',
      `${grouped(config.SANDBOX_STORAGE_UNCONFIRMED_BYTES)} bytes`,
      '422 `LIMIT_EXCEEDED`',
    ],
    ['Idempotency-Key', `${String(config.IDEMPOTENCY_WINDOW_MS / HOUR_MS)} hours`, 'it is a new request'],
  ];
}

/** The regulator's limits: the figures by tier, which types meet which, and how each is tried in the sandbox. */
function walletLimits(): string {
  const tiers = Object.entries<Tier>(LIMIT_TIERS);
  const figures = LIMIT_NAMES.map((limit) => [
    code(limit),
    LIMITS[limit].what,
    ...tiers.map(([, { allowedKobo }]) => {
      const kobo = allowedKobo[limit];
      return kobo === null ? '-' : grouped(kobo);
    }),
    LIMITS[limit].source,
  ]);
  const who = tiers.map(([tier, { who: people }]) => {
    const reserved = Object.entries(SANDBOX_TIERS).find(([, of]) => of === tier);
    return [code(tier), people, reserved ? code(`${reserved[0]}…`) : 'any other'];
  });
  const met = PUBLISHED_TYPES.map((type) => [code(type), kindOf(type).limits.map(code).join(', ') || 'none']);
  const tries = LIMIT_NAMES.map((limit) => [code(limit), TRIES[limit]]);
  return [
    '## Limits of wallets',
    `The limits of the Central Bank of Nigeria (CBN) and of NIBSS, in kobo, without fees. Live always enforces them; the
sandbox does for a partner that switches them on with \`PUT /v1/sandbox/limits {"enforced": true}\`. A payment beyond one is
refused with 422 \`LIMIT_EXCEEDED\` and \`detail: {limit, used_kobo, allowed_kobo, resets_at}\`, and nothing moves. A day
begins at midnight in Lagos. These are the figures that we found; CBN changes them, so **check with your compliance
officer** which hold for you.`,
    table(
      [
        'Limit',
        'Of what',
        ...tiers.map(([tier]) => code(tier)),
        'Source of the figures: check before you rely on it',
      ],
      figures,
    ),
    `A wallet comes into its tier by the verifications of its \`user_ref\`, in the commit that ends one. CBN's third tier
also needs a proof of address; the interface takes none, so there is no such tier here.`,
    table(['Tier', 'Who', 'user_ref in the sandbox'], who),
    '### Which types meet which limits',
    `A split counts as one payment of its whole amount. The capture of a hold is a payment; the hold itself moves nothing and
meets no limit. A line of a bulk transfer is a payment like any other. A payment that comes back gives its part of the
day back, on the day on which it was paid. What a bank transfer gives back always finds its wallet.
A \`reversal\` meets its limit only where its wallet is closed and people choose another one.`,
    table(['Type', 'Limits'], met),
    '### Trying them in the sandbox',
    table(['Limit', 'A payment that passes it by one kobo'], tries),
  ].join('\n\n');
}

interface Tier {
  who: string;
  allowedKobo: Readonly<Record<LimitName, number | null>>;
}

/** Each limit by a wallet whose user_ref begins with a reserved name. */
const TRIES: Record<LimitName, string> = {
  nip_transfer: '`limits_business…`: fund it with 30,000,000,000, then send 25,000,000,001 to a bank account',
  single_debit: '`limits_tier_1…`: pay 5,000,001; or pay 1 from a wallet without a verification',
  daily_debit: '`limits_tier_2…`: fund it three times with 10,000,000, pay 10,000,000 twice, then 1',
  daily_ussd: '`limits_tier_2…`: fund it twice with 10,000,000, pay 10,000,000 by USSD, then 1 by USSD',
  single_credit: '`limits_tier_1…`: fund it with 5,000,001',
  largest_balance: '`limits_tier_1…`: fund it six times with 5,000,000, then with 1',
};

function feeRows(): string[][] {
  const naira = [100, 100_000, 100_000_000];
  return PUBLISHED_TYPES.map((type) => [
    code(type),
    ...naira.map((amountKobo) => grouped(feesFor(type, amountKobo).customerFeeKobo)),
  ]);
}

/** Of every schema that a request body refers to. */
function fieldRows(): string[][] {
  const { paths = {}, components } = buildDocument();
  const used = new Set<string>();
  for (const operations of Object.values(paths)) {
    for (const operation of Object.values(operations as Record<string, oas31.OperationObject>)) {
      const references = JSON.stringify(operation.requestBody ?? {}).matchAll(/schemas\/(\w+)/g);
      for (const [, name = ''] of references) used.add(name);
    }
  }
  return [...used].flatMap((name) => {
    const { properties = {}, required = [] } = (components?.schemas?.[name] ?? {}) as oas31.SchemaObject;
    return Object.entries(properties as Record<string, oas31.SchemaObject>).map(([field, schema]) => [
      name,
      code(field),
      [required.includes(field) ? 'required' : 'optional', ...rulesOf(schema)].join(', '),
    ]);
  });
}

function rulesOf(schema: oas31.SchemaObject): string[] {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems, pattern } = schema;
  const between = (least: number | undefined, most: number | undefined, what: string): string[] => {
    if (least === undefined && most === undefined) return [];
    if (most === undefined || most === KOBO_MAX) return [`at least ${grouped(least ?? 0)}${what}`];
    return [`${least === undefined ? 'at most' : `${grouped(least)} to`} ${grouped(most)}${what}`];
  };
  return [
    ...(schema.enum ? [`one of ${(schema.enum as string[]).map(code).join(', ')}`] : []),
    ...('const' in schema ? [`only ${code(String(schema.const))}`] : []),
    ...between(minLength, maxLength, ' characters'),
    ...between(minimum, maximum, ''),
    ...between(minItems, maxItems, ' items'),
    ...(pattern === undefined ? [] : [code(pattern)]),
  ];
}
