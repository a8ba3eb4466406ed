/** The headers of requests and answers, as the document describes them (D44, D122, D125, D133, D141). */
import type { oas31 } from 'zod-openapi';
import { DIALECTS } from '../../wire/forms';

type Headers = Record<string, oas31.HeaderObject>;
type HeaderReferences = Record<string, oas31.ReferenceObject>;

const integer = (description: string): oas31.HeaderObject => ({
  description,
  schema: { type: 'integer', minimum: 0 },
});

const EVERY_ANSWER: Headers = {
  'X-Request-Id': {
    description: 'The id of this request, by which support finds it',
    schema: { type: 'string' },
  },
  'X-API-Version': { description: 'The version of the interface', schema: { type: 'string' } },
};
const COUNTED: Headers = {
  'X-RateLimit-Limit': integer("Requests per minute of the partner's tier"),
  'X-RateLimit-Remaining': integer('How many of them are left in this minute'),
  'X-RateLimit-Reset': integer('Seconds until the minute ends'),
};
const REPLAYED: Headers = {
  'Idempotent-Replayed': {
    description: 'Only on a repeat: this is the answer to the first request with this key or reference',
    schema: { type: 'string', enum: ['true'] },
  },
};
const RETRY_AFTER: Headers = { 'Retry-After': integer('Seconds to wait before the same request again') };
const ALLOW: Headers = { Allow: { description: 'The methods of this path', schema: { type: 'string' } } };

export interface AnswerKind {
  /** Counted in the partner's rate limit. */
  counted?: boolean;
  replayable?: boolean;
  retryable?: boolean;
  namesMethods?: boolean;
}

/** `components.headers`. */
export const HEADERS: Headers = { ...EVERY_ANSWER, ...COUNTED, ...REPLAYED, ...RETRY_AFTER, ...ALLOW };

/** The headers of one answer, by reference to the components. */
export function headersOf(kind: AnswerKind): HeaderReferences {
  const headers = {
    ...EVERY_ANSWER,
    ...(kind.counted && COUNTED),
    ...(kind.replayable && REPLAYED),
    ...(kind.retryable && RETRY_AFTER),
    ...(kind.namesMethods && ALLOW),
  };
  return Object.fromEntries(
    Object.keys(headers).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}

export const PARAMETERS = {
  ResponseForm: {
    name: 'X-Response-Form',
    in: 'header',
    description:
      "The form of the answer. Without it a body with the guide's keys (`amount_kobo`, `source_wallet_id`, ...) " +
      'is answered in guide form, everything else in reference form. `quickstart` changes wallets only.',
    schema: { type: 'string', enum: Object.keys(DIALECTS) },
  },
  SandboxFault: {
    name: 'X-Sandbox-Fault',
    in: 'header',
    description:
      'Sandbox: what goes wrong with this request. `before_503` and `rate_limited` refuse it and do nothing; ' +
      '`after_503` and `lost_answer` do it and lose the answer; `slow:<ms>` waits first, and does nothing for a caller who has gone meanwhile. A request with ' +
      '`X-Retry-Count` above 0, as the SDK sends it with its repeats, meets no fault. Live ignores both.',
    schema: { type: 'string', examples: ['lost_answer', 'slow:2000'] },
  },
  Strict: {
    name: 'X-Strict',
    in: 'header',
    description:
      '`true` refuses a body with fields that the operation does not read, as a 422 `VALIDATION_ERROR` that names each with the name ' +
      'that was probably meant. Without it they have no effect, and a call that moves money names them in `meta.ignored_fields`.',
    schema: { type: 'string', enum: ['true', 'false'] },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'For 24 hours a repeat with the same key and body gets the first answer, byte for byte, and changes ' +
      'nothing. 1 to 255 printable ASCII characters.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[ -~]+$' },
  },
} as const satisfies Record<string, oas31.ParameterObject>;
