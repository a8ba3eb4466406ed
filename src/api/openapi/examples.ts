/**
 * An example of each body that partners send, which works as it stands, and of each answer, in the reference form. Both are made
 * of the examples of their fields.
 */
import type { oas31 } from 'zod-openapi';
import { EXAMPLE_NUMBERS, EXAMPLE_TEXTS } from '../../wire/example-values';
import { OPEN_ROUTES, ROUTES } from '../routes';
import { templateOf } from './operations';

type Json = Record<string, unknown>;

const BETWEEN_WALLETS = {
  status: 'completed',
  dest_account: null,
  psp_reference: null,
  psp_meta: null,
} as const;

/** Adds them to the document where an operation has none of its own. @returns the same document. */
export function withExamples(document: oas31.OpenAPIObject): oas31.OpenAPIObject {
  const whole = document as unknown as Json & { paths: Record<string, Record<string, Json>> };
  for (const { method, path, doc } of [...OPEN_ROUTES, ...ROUTES]) {
    const operation = whole.paths[templateOf(path)]?.[method.toLowerCase()];
    if (doc.sdk === null || !operation) continue;
    const body = operation['requestBody'] as { content: Record<string, Json> } | undefined;
    for (const content of Object.values(body?.content ?? {})) {
      content['example'] ??= exampleOf(content['schema'] as Json, { document: whole, isWhole: false });
    }
    for (const answer of Object.values(operation['responses'] as Record<string, Json>)) {
      const json = (answer['content'] as Record<string, Json> | undefined)?.['application/json'];
      if (!json || 'examples' in json) continue;
      json['example'] = withWhatItDid(
        doc.sdk,
        exampleOf(json['schema'] as Json, { document: whole, isWhole: true }),
      );
    }
  }
  return document;
}

const NO_ACCOUNT_YET = {
  status: 'pending',
  account_number: '',
  account_name: '',
  bank_code: '',
  bank_name: '',
  mfb_reference: '',
  account_status: 'provisioning',
} as const;

/** What an operation has done by the time of its answer. */
const DONE: Readonly<Record<string, Json>> = {
  'transfers.p2p': { ...BETWEEN_WALLETS, type: 'p2p_transfer' },
  'transfers.bank': { type: 'bank_transfer', status: 'processing', dest_wallet: null, completed_at: null },
  'wallets.create': NO_ACCOUNT_YET,
  'wallets.freeze': { status: 'frozen' },
  'wallets.close': { status: 'closed' },
  'wallets.reopen': NO_ACCOUNT_YET,
  'apiKeys.create': { key: 'sk_test_4fzQ...' },
  'apiKeys.rotate': { key: 'sk_test_4fzQ...' },
  'holds.capture': { ...BETWEEN_WALLETS, type: 'p2p_transfer' },
  'payments.payQr': { ...BETWEEN_WALLETS, type: 'qr_payment' },
  'payments.split': { ...BETWEEN_WALLETS, type: 'split_payment', dest_wallet: null },
};

function withWhatItDid(sdk: string | null, example: unknown): unknown {
  const done = DONE[sdk ?? ''];
  if (!done) return example;
  const { data } = example as { data: Json | Json[] };
  const told = Array.isArray(data) ? data.map((one) => ({ ...one, ...done })) : { ...data, ...done };
  return { ...(example as Json), data: told };
}

interface Making {
  document: Json;
  /** Whether optional fields are shown, as in answers. */
  isWhole: boolean;
}

/** @param name of the field, which tells what its text is about where its schema does not. */
function exampleOf(schema: Json, making: Making, name = ''): unknown {
  const { document, isWhole } = making;
  if (typeof schema['$ref'] === 'string') return exampleOf(found(schema['$ref'], document), making, name);
  // A sum of one kind is no example for all kinds: an amount is not a fee.
  if (isWhole && name in EXAMPLE_NUMBERS && /^(?:integer|number)$/.test(String([schema['type']].flat()[0])))
    return EXAMPLE_NUMBERS[name];
  const [example] = (schema['examples'] ?? []) as unknown[];
  if (example !== undefined) return example;
  if ('example' in schema) return schema['example'];
  const parts = schema['allOf'] as Json[] | undefined;
  if (parts) return Object.assign({}, ...parts.map((part) => exampleOf(part, making, name))) as unknown;
  const choices = (schema['anyOf'] ?? schema['oneOf'] ?? []) as Json[];
  // What may be absent is shown where it says how things stand, and not where it says what has gone wrong.
  if (isWhole && choices.some(isNull) && isRare(name)) return null;
  // The reference form comes first.
  const [first] = choices;
  if (first) return exampleOf(first, making, name);
  if ('const' in schema) return schema['const'];
  const words = schema['enum'] as string[] | undefined;
  if (words) return (isWhole && USUAL.find((word) => words.includes(word))) || words[0];
  const [type, other] = [schema['type']].flat();
  if (isWhole && other === 'null' && isRare(name)) return null;
  if (type === 'array') {
    return Array.from({ length: Math.max(1, Number(schema['minItems'] ?? 1)) }, () =>
      exampleOf(schema['items'] as Json, making, name),
    );
  }
  if (type === 'object') {
    const properties = (schema['properties'] ?? {}) as Record<string, Json>;
    const names = isWhole ? Object.keys(properties) : ((schema['required'] ?? []) as string[]);
    return Object.fromEntries(names.map((one) => [one, exampleOf(properties[one] ?? {}, making, one)]));
  }
  if (type === 'string') return textOf(schema['format'] as string | undefined, name);
  return type === 'boolean'
    ? !FALSE.has(name)
    : type === 'null'
      ? null
      : Math.max(1, Number(schema['minimum'] ?? 1));
}

const isNull = ({ type }: Json): boolean => type === 'null';
const RARE =
  /^(?:.*_reason|reason|.*_error|refusal|fault|fail.*|(?:closed|revoked|frozen|ended|disabled|cancelled)_.*|next_cursor|next_after|inbound|split_config|source_account|error.*|resolved_name|name_decision|captured_amount)$/;
const isRare = (name: string): boolean => RARE.test(name);

/** A text whose schema has no example of its own, by the name of its field. */
const textOf = (format: string | undefined, name: string): string =>
  EXAMPLE_TEXTS[name] ??
  (format === 'date' ? '2026-01-15' : format === 'uri' ? 'https://acme.example' : 'text');

/** How things usually stand, where an answer could say one of several words. */
const USUAL = [
  'active',
  'completed',
  'verified',
  'paid',
  'delivered',
  'p2p_transfer',
  'account_issued',
  'issued',
];
const FALSE: ReadonlySet<string> = new Set(['has_more', 'disabled', 'replayed']);

/** What a reference such as `#/components/schemas/Wallet` leads to. */
export const found = (reference: string, document: Json): Json =>
  reference
    .split('/')
    .slice(1)
    .reduce((part, name) => part[name] as Json, document);
