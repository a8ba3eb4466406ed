/**
 * What Smile ID's answers mean. The rows come from its public pages (Basic KYC; "Result codes"; "Error codes"; the
 * job status of its official SDKs). A code that is in no row is an outage: nothing is known, and it is asked again.
 */
import { z } from 'zod';
import type { IdentityAnswer } from '../port';
import type { Reply } from '../http';

/** What became of one job: an answer of the port, or that there is none yet. */
export type JobAnswer =
  | Extract<IdentityAnswer, { outcome: 'found' | 'not_found' | 'refused' }>
  /** Smile ID had a job with this id before. */
  | { outcome: 'exists' }
  /** The register did not answer Smile ID, and the job has ended by that. */
  | { outcome: 'register_away' }
  /** Smile ID is still at work. */
  | { outcome: 'at_work' };

const compared = (nameFits: boolean): JobAnswer => ({
  outcome: 'found',
  record: { name: null, nameFits, watchListed: null },
});
const NOT_FOUND: JobAnswer = { outcome: 'not_found' };
const NO_ACCESS: JobAnswer = { outcome: 'refused', cause: 'access' };

/** The codes of results and of errors, which are four digits each. */
const BY_CODE: ReadonlyMap<string, JobAnswer> = new Map([
  ['1020', compared(true)],
  // Some of the names are those of the register. Two names are sent, so one of them is another one (D35).
  ['1021', compared(false)],
  ['1022', compared(false)],
  ['1013', NOT_FOUND],
  // The register cannot have a number of this form.
  ['1014', NOT_FOUND],
  ['1023', NOT_FOUND],
  ['1015', { outcome: 'register_away' }],
  ['1016', NO_ACCESS],
  ['2205', NO_ACCESS],
  ['2405', NO_ACCESS],
  ['2215', { outcome: 'exists' }],
]);

const code = z.union([z.string(), z.int().transform(String)]);
const resultSchema = z.object({
  ResultCode: code,
  PartnerParams: z.object({ job_id: z.string() }),
});
const statusSchema = z.object({ job_complete: z.union([z.boolean(), z.literal(['true', 'false'])]) });
const endedSchema = z.object({ result: z.unknown() });
const refusalSchema = z.object({ code });
const signedSchema = z.object({ timestamp: z.string(), signature: z.string() });

/** Whether a signature is the one that Smile ID makes at this time. */
export type IsSignature = (timestamp: string, signature: string) => boolean;

/**
 * What the answer to a new job means.
 * @throws Error, as an outage, for an answer that says nothing certain about this job.
 */
export const readVerified = (reply: Reply, jobId: string, isSignature: IsSignature): JobAnswer =>
  readResult(signed(reply, isSignature), jobId) ?? unknown(reply);

/** What the answer to a question about a job means. @throws Error as `readVerified`. */
export function readStatus(reply: Reply, jobId: string, isSignature: IsSignature): JobAnswer {
  const json = signed(reply, isSignature);
  const status = statusSchema.safeParse(json).data;
  if (!status) return readResult(json, jobId) ?? unknown(reply);
  if (String(status.job_complete) === 'false') return { outcome: 'at_work' };
  return readResult(endedSchema.safeParse(json).data?.result, jobId) ?? unknown(reply);
}

/** The answer by its code. A result must be about this job; an error is about no job. */
function readResult(json: unknown, jobId: string): JobAnswer | undefined {
  const result = resultSchema.safeParse(json).data;
  if (result) return result.PartnerParams.job_id === jobId ? BY_CODE.get(result.ResultCode) : undefined;
  const refusal = BY_CODE.get(refusalSchema.safeParse(json).data?.code ?? '');
  return refusal?.outcome === 'refused' || refusal?.outcome === 'exists' ? refusal : undefined;
}

/** The body of an answer. A signature that is there must be right; the pages do not promise one in every answer. */
function signed(reply: Reply, isSignature: IsSignature): unknown {
  if (reply.kind === 'not connected') throw new Error(`There is no connection to Smile ID: ${reply.cause}`);
  const { data } = signedSchema.safeParse(reply.json);
  if (data && !isSignature(data.timestamp, data.signature)) {
    throw new Error('The signature of an answer is not Smile ID’s');
  }
  return reply.json;
}

/** It repeats no text of Smile ID's, because that may hold the number. */
function unknown(reply: Reply): never {
  const status = reply.kind === 'answered' ? String(reply.status) : 'nothing';
  throw new Error(`Smile ID answered HTTP ${status} without a result that is known`);
}
