/**
 * Smile ID, which compares a name with the one that a register has for a BVN or NIN (Basic KYC). It tells neither the
 * name nor whether the person is on a watch list. `answers.ts` has what its answers mean.
 *
 * The id of a job keeps a number from being looked up twice: Smile ID refuses a second job with the same id, and is then
 * asked what became of the first.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { OwnerDetail } from '../../domain/owner-details';
import { writtenWords } from '../../domain/names';
import type { VerificationType } from '../../domain/verifications';
import { openCompany } from '../http';
import type { IdentityAnswer, IdentityOrder, Provider } from '../port';
import { readStatus, readVerified, type JobAnswer } from './answers';

const ID_TYPES: Record<VerificationType, string> = { bvn: 'BVN', nin: 'NIN_V2' };
/** Basic KYC, in Smile ID's numbering of its products. */
const JOB_TYPE = 5;
/** Smile ID compares both names, and is asked nothing without them. */
export const SMILE_DEMANDS: readonly OwnerDetail[] = ['firstName', 'lastName'];
const AT_WORK_POLL_MS = 10_000;

/**
 * A job that ended because the register was away stays ended, so from these ages of a verification on there is another
 * job for it, and then one every hour.
 */
const NEW_JOB_AT_MS = [10_000, 60_000, 300_000, 900_000, 3_600_000] as const;
const HOUR_MS = 3_600_000;

/**
 * Opens Smile ID.
 * @param options.partnerId the number of our account, without leading zeros.
 * @param options.answersWithinMs how long one call of the port may take.
 */
export function createSmile(options: {
  url: string;
  partnerId: string;
  apiKey: string;
  answersWithinMs: number;
}): Provider {
  const { partnerId, apiKey, answersWithinMs } = options;
  const call = openCompany({ company: 'Smile ID', url: options.url, headers: {} });

  const signatureAt = (timestamp: string): string =>
    createHmac('sha256', apiKey).update(timestamp).update(partnerId).update('sid_request').digest('base64');
  const isSignature = (timestamp: string, signature: string): boolean => {
    const [ours, theirs] = [Buffer.from(signatureAt(timestamp)), Buffer.from(signature)];
    return ours.length === theirs.length && timingSafeEqual(ours, theirs);
  };

  function post(path: string, body: object, deadlineMs: number) {
    const timestamp = new Date().toISOString();
    const whole = { ...body, partner_id: partnerId, timestamp, signature: signatureAt(timestamp) };
    return call({ method: 'POST', path, body: whole, withinMs: Math.max(deadlineMs - Date.now(), 1) });
  }

  /** What became of a job, which is begun if there is none with this id. */
  async function jobOf(order: IdentityOrder, names: Names, jobId: string, deadlineMs: number) {
    const ids = { job_id: jobId, user_id: order.verificationId };
    const begun = await post(
      '/v2/verify',
      {
        source_sdk: 'rest_api',
        source_sdk_version: '1.0.0',
        country: 'NG',
        id_type: ID_TYPES[order.type],
        id_number: order.number,
        first_name: names.first,
        last_name: names.last,
        partner_params: { ...ids, job_type: JOB_TYPE },
      },
      deadlineMs,
    );
    const answer = readVerified(begun, jobId, isSignature);
    if (answer.outcome !== 'exists') return { answer, isOld: false };
    const asked = await post('/v1/job_status', { ...ids, history: false, image_links: false }, deadlineMs);
    return { answer: readStatus(asked, jobId, isSignature), isOld: true };
  }

  async function lookUp(order: IdentityOrder): Promise<IdentityAnswer> {
    const names = namesIn(order.expectedName);
    if (!names) return { outcome: 'needs_name' };
    const deadlineMs = Date.now() + answersWithinMs;
    const ageMs = Date.now() - order.submittedAt.getTime();
    const { number, nextMs } = newestJob(ageMs);
    const first = await jobOf(order, names, order.verificationId, deadlineMs);
    const isAnswered = !first.isOld || first.answer.outcome !== 'register_away' || number === 0;
    const { answer } = isAnswered
      ? first
      : await jobOf(order, names, `${order.verificationId}-${number}`, deadlineMs);
    return toPort(answer, nextMs);
  }

  return {
    name: 'smile',
    can: { failsForGood: false, asksFirst: false },
    identity: { demands: SMILE_DEMANDS, lookUp },
  };
}

function toPort(answer: JobAnswer, nextJobMs: number): IdentityAnswer {
  switch (answer.outcome) {
    case 'register_away':
      return { outcome: 'pending', pollAfterMs: nextJobMs };
    case 'at_work':
      return { outcome: 'pending', pollAfterMs: AT_WORK_POLL_MS };
    case 'exists':
      throw new Error('Smile ID has a job and does not know what became of it');
    case 'found':
    case 'not_found':
    case 'refused':
      return answer;
  }
}

/** Which job a verification of this age has, counted from 0, and how long until the next one. */
function newestJob(ageMs: number): { number: number; nextMs: number } {
  const next = NEW_JOB_AT_MS.findIndex((atMs) => atMs > ageMs);
  const atMs = NEW_JOB_AT_MS[next];
  if (atMs !== undefined) return { number: next, nextMs: Math.min(atMs - ageMs, atMs) };
  const hours = Math.floor(ageMs / HOUR_MS);
  return { number: NEW_JOB_AT_MS.length - 1 + hours, nextMs: (hours + 1) * HOUR_MS - ageMs };
}

interface Names {
  first: string;
  last: string;
}

/**
 * The first and the last name in a full name; null where there are not two. Names between them are not sent: a
 * register that lacks them would call the person another one. They are in plain letters, as the registers have them.
 */
function namesIn(fullName: string | null): Names | null {
  const words = writtenWords(fullName ?? '');
  const [first] = words;
  const last = words.at(-1);
  return words.length >= 2 && first && last ? { first, last } : null;
}
