/**
 * Faults that a partner asks for in the sandbox, to see what its program does after a lost answer (D207). A request that
 * says of itself that it is a repeat meets none, so that the repeat succeeds.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { done, refuse, refuseFields, type Outcome, type Refused } from '../domain/outcome';
import type { Answer, LongAnswer } from './route';

const SLOW_MS_MAX = 30_000;

/** `before`: how long the request waits, or with what it is refused, and does nothing. `after`: what it gets when it is done. */
export interface Fault {
  /** As it was asked for. */
  name: string;
  before: { waitMs: number; refusal: Refused | null };
  after: 'answer' | '503' | 'nothing';
}

const NOTHING_BEFORE = { waitMs: 0, refusal: null };
const BROKEN = refuse('SERVICE_UNAVAILABLE', { message: 'This fault was asked for by X-Sandbox-Fault' });

const FAULTS: Readonly<Record<string, Omit<Fault, 'name'>>> = {
  before_503: { before: { waitMs: 0, refusal: BROKEN }, after: 'answer' },
  after_503: { before: NOTHING_BEFORE, after: '503' },
  lost_answer: { before: NOTHING_BEFORE, after: 'nothing' },
  rate_limited: {
    before: { waitMs: 0, refusal: refuse('RATE_LIMIT_EXCEEDED', { retryAfterSeconds: 1 }) },
    after: 'answer',
  },
};

const UNKNOWN = refuseFields({
  field: 'X-Sandbox-Fault',
  message: 'must be before_503, after_503, lost_answer, rate_limited, or slow:<ms> of at most 30000',
});

/**
 * Reads the header of a sandbox request.
 * @returns the fault; null without the header, and for a repeat; VALIDATION_ERROR for a fault that there is not.
 */
export function faultOf(headers: IncomingHttpHeaders): Outcome<Fault | null> {
  const name = headers['x-sandbox-fault'];
  if (name === undefined) return done(null);
  const fault = typeof name === 'string' ? (FAULTS[name] ?? slow(name)) : null;
  if (!fault) return UNKNOWN;
  return done(Number(headers['x-retry-count'] ?? 0) > 0 ? null : { name: String(name), ...fault });
}

function slow(name: string): Omit<Fault, 'name'> | null {
  const [, digits] = /^slow:(\d{1,5})$/.exec(name) ?? [];
  const waitMs = Number(digits ?? NaN);
  return waitMs <= SLOW_MS_MAX ? { before: { waitMs, refusal: null }, after: 'answer' } : null;
}

/** A body that is no larger has come whole while nobody reads it. One that comes in chunks may be larger. */
const COMES_UNREAD_BYTES = 16_384;
/** The server waits ten seconds for the body of a request, and it is read after the fault was met. */
const BODY_WAITS_MS_MAX = 9_000;

/**
 * Refuses a fault for whose end the body of its request would not be waited for, or null.
 * @param headers of the request.
 */
export function tooSlowFor({ before }: Fault, headers: IncomingHttpHeaders): Refused | null {
  const { 'content-length': length = 0, 'transfer-encoding': chunked } = headers;
  const comes = chunked === undefined && Number(length) <= COMES_UNREAD_BYTES;
  if (comes || before.waitMs <= BODY_WAITS_MS_MAX) return null;
  return refuseFields({
    field: 'X-Sandbox-Fault',
    message: 'must be at most slow:9000 with a body of more than 16384 bytes, which is read after the wait',
  });
}

/**
 * Waits as the fault says.
 * @param gone aborted when the caller has gone.
 * @returns the refusal that it asks for, or null.
 * @throws when the caller goes meanwhile.
 */
export async function meetBefore({ before }: Fault, gone: AbortSignal): Promise<Refused | null> {
  if (before.waitMs > 0) await sleep(before.waitMs, undefined, { signal: gone });
  return before.refusal;
}

/** What the caller gets of an answer: the answer itself, a refusal, or nothing at all. The answer to a repeat arrives. */
export function meetAfter(
  { after }: Fault,
  { headers, body }: Answer | LongAnswer,
): Refused | 'answer' | 'nothing' {
  if (after === 'answer' || headers?.['Idempotent-Replayed'] !== undefined) return 'answer';
  if (typeof body === 'object') body?.destroy();
  return after === '503' ? BROKEN : 'nothing';
}
