/** A refusal in the form that was asked, and its HTTP status (interface: Errors; D53, D116). */
import { refuse, refuseFields, type Refused } from '../domain/outcome';
import type { EnvironmentName } from '../domain/partners';
import type { Refusal, RefusalCode } from '../domain/refusals';
import { DIALECTS, type Form } from './forms';

const EXAMPLE_ID = '0198c0de-0000-7000-8000-000000000001';
/** The published context of the codes that have one. */
const EXAMPLE_DETAILS: Partial<Record<RefusalCode, Record<string, unknown>>> = {
  INSUFFICIENT_FUNDS: { availableKobo: 100_000, requiredKobo: 150_750 },
  DUPLICATE_REFERENCE: { transactionId: EXAMPLE_ID },
  HOLD_NOT_OPEN: { status: 'captured', transactionId: EXAMPLE_ID },
  WALLET_ALREADY_EXISTS: { walletId: EXAMPLE_ID },
  WALLET_NOT_EMPTY: { balanceKobo: 100_000, openTransactions: 1 },
};
const EXAMPLE_PROBLEMS = refuseFields({ field: 'reference', message: 'is required' });

/**
 * What may be wrong with a credential. Unknown, revoked and expired ones get the same text, so that nobody learns
 * that a credential was once valid (D174).
 */
export const UNAUTHENTICATED = {
  absent: 'There is no Authorization header; it must be: Bearer <API key or access token>',
  otherScheme: 'The Authorization header must be given once, as: Bearer <API key or access token>',
  malformed: 'This is no API key: its prefix, its length or its last characters are wrong',
  unknown: 'The API key or access token is unknown, revoked or expired',
} as const;

export const unauthenticated = (problem: keyof typeof UNAUTHENTICATED): Refused =>
  refuse('INVALID_TOKEN', { message: UNAUTHENTICATED[problem] });

/**
 * The credential belongs to the other environment than the one that is served at this address. Its prefix, or the signature of
 * the token, says so; whether it is in force is not looked up.
 * @param host at which that environment is served, where it is known.
 */
export const servedElsewhere = (environment: EnvironmentName, host: string | undefined): Refused =>
  refuse('INVALID_TOKEN', {
    message:
      `The credential is one of ${NAMED[environment]}, which is not served at this address` +
      (host === undefined ? ': use the address of the API for it' : `: use ${host}`),
    detail: { environment, ...(host !== undefined && { host }) },
  });

const NAMED: Readonly<Record<EnvironmentName, string>> = { sandbox: 'the sandbox', live: 'live' };

/** What an answer with this code looks like. */
export function exampleError(refusalCode: RefusalCode, form: Form, status: number): unknown {
  const detailOfCode = EXAMPLE_DETAILS[refusalCode];
  const refusal: Refusal =
    refusalCode === 'VALIDATION_ERROR'
      ? EXAMPLE_PROBLEMS.refusal
      : { code: refusalCode, ...(detailOfCode && { detail: detailOfCode }) };
  return JSON.parse(writeError(refusal, form, status, 'req_0198c0de000070008000000000000001'));
}

/** @param byOwnTable true for the operations for which a form may publish statuses of its own (D53). */
export const statusOf = (refusal: Refusal, form: Form, byOwnTable: boolean): number =>
  DIALECTS[form].error.statusOf(refusal, byOwnTable);

/** The envelope as JSON text. */
export const writeError = (refusal: Refusal, form: Form, status: number, requestId: string): string =>
  DIALECTS[form].error.write(refusal, status, requestId);
