/**
 * A fake of Smile ID for tests and rehearsals: it is not Smile ID, and knows nobody. A process of its own, written
 * from Smile ID's public pages (Basic KYC, "Result codes", "Error codes") and from the requests of its official SDKs
 * (signature, job status). It speaks `POST /v2/verify` and `POST /v1/job_status`.
 *
 *     npx tsx test/standins/smile/main.ts --folder <folder> [--port 0] [--control-port 0]
 *
 * `kit.ts` has its control port, and `state.ts` the settings.
 */
import { createHmac } from 'node:crypto';
import { runFake, type Answer } from '../kit';
import { NEW_SMILE, type SmileSettings, type SmileState } from './state';

const TEXTS: Record<string, string> = {
  '1013': 'Unable to Validate ID',
  '1014': 'Error - Unsupported ID number format',
  '1015': 'Error - Queried Database Unavailable',
  '1016': 'Error - Need to Activate Product',
  '1020': 'Exact Match',
  '1021': 'Partial Match',
  '1022': 'No Match',
  '1023': 'Not Found',
};
const ID_TYPES = ['BVN', 'NIN_V2'];

const refusal = (code: string, error: string): Answer => ({ status: 400, body: { error, code } });
const signatureOf = ({ apiKey, partnerId }: SmileSettings, timestamp: string): string =>
  createHmac('sha256', apiKey).update(`${timestamp}${partnerId}sid_request`).digest('base64');

function signed(settings: SmileSettings, body: object): Answer {
  const timestamp = new Date().toISOString();
  return { status: 200, body: { ...body, timestamp, signature: signatureOf(settings, timestamp) } };
}

const isSame = (one: unknown, other: string): boolean =>
  typeof one === 'string' && one.toUpperCase() === other.toUpperCase();

function codeOf({ codes, people }: SmileSettings, body: Record<string, unknown>): string {
  const number = String(body['id_number']);
  const code = codes[number];
  if (code !== undefined) return code;
  if (!/^[0-9]{11}$/.test(number)) return '1014';
  const person = people[number];
  if (!person) return '1013';
  const fitting = [isSame(body['first_name'], person.first), isSame(body['last_name'], person.last)];
  if (fitting.every(Boolean)) return '1020';
  return fitting.some(Boolean) ? '1021' : '1022';
}

function verify(state: SmileState, body: Record<string, unknown>): Answer {
  const { settings, jobs } = state;
  const ids = body['partner_params'] as Partial<Record<string, unknown>> | undefined;
  const [jobId, userId, idType] = [ids?.['job_id'], ids?.['user_id'], body['id_type']];
  const needed = [jobId, userId, body['source_sdk'], body['source_sdk_version'], body['id_number']];
  if (body['country'] !== 'NG' || needed.some((one) => typeof one !== 'string' || one === '')) {
    return refusal('2413', 'A required parameter is missing');
  }
  if (ids?.['job_type'] !== 5) return refusal('2212', 'Invalid job type');
  if (!ID_TYPES.includes(String(idType))) return refusal('2204', 'A parameter is of the wrong data type');
  if (jobs.some((job) => job.jobId === jobId))
    return refusal('2215', `Job already exists for job_id ${String(jobId)}`);
  const code = codeOf(settings, body);
  const text = TEXTS[code];
  // An error is no job.
  if (text === undefined) return refusal(code, 'An error of the fake');
  const result = {
    JSONVersion: '1.0.0',
    SmileJobID: String(jobs.length + 1).padStart(10, '0'),
    PartnerParams: ids,
    ResultType: 'ID Verification',
    ResultText: text,
    ResultCode: code,
    IsFinalResult: 'true',
    Actions: { Verify_ID_Number: code.startsWith('102') ? 'Verified' : 'Not Verified', Names: text },
    Country: 'NG',
    IDType: idType,
    IDNumber: body['id_number'],
  };
  jobs.push({
    jobId: String(jobId),
    userId: String(userId),
    idType: String(idType),
    number: String(body['id_number']),
    result,
  });
  return signed(settings, result);
}

function status({ settings, jobs }: SmileState, body: Record<string, unknown>): Answer {
  const job = jobs.find(({ jobId, userId }) => jobId === body['job_id'] && userId === body['user_id']);
  if (!job) return refusal('2304', 'No such job');
  if (settings.isAtWork) return signed(settings, { job_complete: false, job_success: false, code: '2302' });
  return signed(settings, { job_complete: true, job_success: true, code: '2302', result: job.result });
}

runFake(NEW_SMILE, (state, { called, body }) => {
  const { settings } = state;
  const isOurs =
    body['partner_id'] === settings.partnerId &&
    body['signature'] === signatureOf(settings, String(body['timestamp']));
  if (!isOurs) return refusal('2205', 'You are not authorized to do that.');
  if (called === 'POST /v2/verify') return verify(state, body);
  if (called === 'POST /v1/job_status') return status(state, body);
  return { status: 404, body: { message: 'Not Found' } };
});
