/** The refusals of an operation: every status with its codes, in both forms (interface: Errors; D53, D116). */
import type { oas31 } from 'zod-openapi';
import { REFUSALS, type RefusalCode } from '../../domain/refusals';
import { exampleError, statusOf } from '../../wire/errors';
import { countsAsStorage, hasBody, type OpenRoute, type Route } from '../route';
import { headersOf, type AnswerKind } from './headers';

type Response = oas31.ResponseObject | oas31.ReferenceObject;

/** Every code that a partner's call of this route can be refused with, in the published order (D135). */
export function codesOf(route: Route): RefusalCode[] {
  const general: readonly [applies: boolean | undefined, codes: readonly RefusalCode[]][] = [
    // On every operation a header can ask for a form that does not exist.
    [true, ['INVALID_TOKEN', 'RATE_LIMIT_EXCEEDED', 'VALIDATION_ERROR', ...OUTAGES]],
    [route.sandboxOnly, ['SANDBOX_ONLY']],
    // A token is needed, the role does not allow it, or live is closed until the owner's address is confirmed (D175).
    [true, ['FORBIDDEN']],
    [!route.sandboxOnly && !route.ofPerson && route.method !== 'GET', ['PARTNER_NOT_ACTIVE']],
    [route.path.includes(':'), ['NOT_FOUND']],
    [hasBody(route.method), ['PAYLOAD_TOO_LARGE']],
    [countsAsStorage(route), ['LIMIT_EXCEEDED']],
    [route.keyed, ['IDEMPOTENCY_KEY_REUSED', 'REQUEST_IN_PROGRESS']],
  ];
  return inOrder([...general.flatMap(([applies, codes]) => (applies ? codes : [])), ...route.doc.refusals]);
}

const OUTAGES = ['INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'] as const;

/** The same for a call without a partner's credential. The route itself decides who may call it. */
export const codesOfOpen = (route: OpenRoute): RefusalCode[] =>
  inOrder([
    'VALIDATION_ERROR',
    'PAYLOAD_TOO_LARGE',
    ...(route.ofStrangers ? (['RATE_LIMIT_EXCEEDED'] as const) : []),
    ...route.doc.refusals,
    ...OUTAGES,
  ]);

const inOrder = (codes: readonly RefusalCode[]): RefusalCode[] =>
  (Object.keys(REFUSALS) as RefusalCode[]).filter((code) => codes.includes(code));

/** The codes of one status. Where the guide has its own statuses, the two forms have different codes. */
interface Forms {
  reference: RefusalCode[];
  guide: RefusalCode[];
}

/** Statuses that mean the same on every operation that has them. */
const SHARED: Readonly<Record<string, { name: string; codes: RefusalCode[]; kind?: AnswerKind }>> = {
  // A token may end while the request is counted already.
  401: { name: 'InvalidToken', codes: ['INVALID_TOKEN'], kind: { counted: true } },
  413: { name: 'PayloadTooLarge', codes: ['PAYLOAD_TOO_LARGE'], kind: { counted: true } },
  429: { name: 'RateLimited', codes: ['RATE_LIMIT_EXCEEDED'], kind: { counted: true, retryable: true } },
  500: { name: 'InternalError', codes: ['INTERNAL_ERROR'], kind: { counted: true } },
  503: { name: 'Unavailable', codes: ['SERVICE_UNAVAILABLE'], kind: { counted: true, retryable: true } },
};

/** `components.responses`: the shared ones, and answers that no operation documents (D151). */
export function sharedResponses(): Record<string, oas31.ResponseObject> {
  const notHttp: Forms = { reference: ['VALIDATION_ERROR'], guide: [] };
  const shared = Object.entries(SHARED).map(([status, { name, codes, kind }]) => [
    name,
    response(Number(status), both(codes), kind ?? {}),
  ]);
  return {
    ...(Object.fromEntries(shared) as Record<string, oas31.ResponseObject>),
    UnknownRoute: response(404, both(['NOT_FOUND']), { counted: true }),
    MethodNotAllowed: response(405, both(['METHOD_NOT_ALLOWED']), { counted: true, namesMethods: true }),
    NotHttp: response(400, notHttp, {}),
    TooSlow: response(408, notHttp, {}),
    HeadersTooLarge: response(431, notHttp, {}),
  };
}

/** `components.examples`: every code in the reference form. */
export const codeExamples = (): Record<string, oas31.ExampleObject> =>
  Object.fromEntries(
    Object.entries(REFUSALS).map(([code, { status }]) => [
      code,
      { value: exampleError(code as RefusalCode, 'reference', status) },
    ]),
  );

/** One response per status of these codes. `counted` for calls that the partner's rate limit counts. */
export function refusalResponses(
  codes: readonly RefusalCode[],
  { byGuideTable, counted }: { byGuideTable: boolean; counted: boolean },
): Record<string, Response> {
  const byStatus = new Map<number, Forms>();
  for (const code of codes) {
    for (const form of ['reference', 'guide'] as const) {
      const status = statusOf({ code }, form, byGuideTable);
      const here = byStatus.get(status) ?? { reference: [], guide: [] };
      here[form].push(code);
      byStatus.set(status, here);
    }
  }
  return Object.fromEntries(
    [...byStatus].map(([status, forms]) => {
      const shared = SHARED[status];
      const retryable = forms.reference.includes('REQUEST_IN_PROGRESS');
      return [
        String(status),
        shared?.codes.join() === forms.reference.join()
          ? { $ref: `#/components/responses/${shared.name}` }
          : response(status, forms, { counted, retryable }),
      ];
    }),
  );
}

function both(codes: RefusalCode[]): Forms {
  return { reference: codes, guide: codes };
}

function response(status: number, { reference, guide }: Forms, kind: AnswerKind): oas31.ResponseObject {
  const codes = inOrder([...reference, ...guide]);
  const alternatives: oas31.SchemaObject[] = [];
  if (reference.length > 0) alternatives.push(narrowed('Error', { error: { enum: reference } }));
  if (guide.length > 0) {
    alternatives.push(narrowed('GuideError', { error: { properties: { code: { enum: guide } } } }));
  }
  return {
    description: codes.map((code) => `\`${code}\`: ${REFUSALS[code].message}`).join('\n\n'),
    headers: headersOf(kind),
    content: {
      'application/json': {
        schema: { anyOf: alternatives },
        examples: Object.fromEntries(
          codes.map((code) => [
            code,
            reference.includes(code)
              ? { $ref: `#/components/examples/${code}` }
              : { value: exampleError(code, 'guide', status) },
          ]),
        ),
      },
    },
  };
}

/** One of the two envelopes with only these codes in it. */
const narrowed = (name: string, properties: Record<string, oas31.SchemaObject>): oas31.SchemaObject => ({
  allOf: [{ $ref: `#/components/schemas/${name}` }, { properties }],
});
