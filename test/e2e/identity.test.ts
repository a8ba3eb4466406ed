/**
 * Live verifications through real companies on the whole platform. The fakes of the companies are processes that speak
 * HTTP, and have the faults of a real connection (D35).
 */
import { newId } from '../../src/db/pg/ids';
import type { Environment } from '../../src/runtime/environment';
import type { Calls, Json } from '../support/calls';
import { testThatNoneIsReadable } from '../support/canaries';
import { openFakeCompany, type FakeCompany } from '../support/fake-company';
import { logLines } from '../support/log';
import { openWallet } from '../support/partners';
import { openPlatform, type Platform } from '../support/platform';
import { until } from '../support/until';
import { LIVE_CELL } from '../setup/cells';
import type { PremblyState } from '../standins/prembly/state';
import type { SmileState } from '../standins/smile/state';

/** They cannot occur anywhere by chance. */
const PERSON = { first: 'Zubeninathrel', last: 'Okwuquvambi' };
const NUMBERS = { bvn: '73914628503', nin: '58203946177', unknown: '64028175399' };
const KEYS = { smile: 'canary-of-smile-5f1d', prembly: 'canary-of-prembly-88ce' };

let smile: FakeCompany<SmileState>;
let prembly: FakeCompany<PremblyState>;
let platform: Platform;
let live: Calls;
let environment: Environment;
beforeAll(async () => {
  [smile, prembly] = await Promise.all([
    openFakeCompany<SmileState>('smile'),
    openFakeCompany<PremblyState>('prembly'),
  ]);
  const people = { [NUMBERS.bvn]: PERSON, [NUMBERS.nin]: PERSON };
  await smile.set({ apiKey: KEYS.smile, people });
  await prembly.set({ apiKey: KEYS.prembly, people });
  platform = await openPlatform({
    settings: {
      LIVE_IDENTITY: 'smile,prembly',
      SMILE_PARTNER_ID: '2420',
      SMILE_API_KEY: KEYS.smile,
      SMILE_BASE_URL: smile.url,
      PREMBLY_API_KEY: KEYS.prembly,
      PREMBLY_BASE_URL: prembly.url,
      LOG_LEVEL: 'trace',
    },
  });
  const [url] = await Promise.all([platform.startApi(), platform.startWorker()]);
  live = await platform.inLive(await platform.partner(url), url);
  environment = platform.environments().live;
  await platform.sql(`UPDATE platform.partners SET status = 'active' WHERE id = $1`, [live.partnerId]);
});
afterEach(() => Promise.all([smile.set({ faults: [], codes: {} }), prembly.set({ faults: [], codes: {} })]));
afterAll(async () => {
  await platform.close();
  await Promise.all([smile.close(), prembly.close()]);
});

/** Somebody with a wallet that names them. */
async function customer(named = { first_name: PERSON.first, last_name: PERSON.last }): Promise<string> {
  const userRef = `user-${newId()}`;
  await openWallet(environment, environment.pool, live.partnerId, { userRef, metadata: named });
  return userRef;
}

async function submit(number: string, userRef: string, type: 'bvn' | 'nin' = 'bvn'): Promise<string> {
  const { status, body } = await live.post(`/v1/kyc/${type}`, { user_ref: userRef, [type]: number });
  expect(status).toBe(202);
  return body.data.verification_id;
}
const shown = async (userRef: string): Promise<Json> =>
  (await live.get(`/v1/kyc/${userRef}/status`)).body.data.verifications[0];
const ended = (userRef: string): Promise<Json> =>
  until('the end of the verification', async () => {
    const verification = await shown(userRef);
    return verification.status !== 'pending' && verification;
  });
const jobsOf = async (id: string) => (await smile.state()).jobs.filter(({ userId }) => userId === id).length;
const waitsForPeople = (id: string) =>
  until('a call for people', async () => {
    const asked = `ResourceId='${id}' AND NeedsAttention=true`;
    return (await environment.temporal.workflow.count(asked)).count === 1;
  });

const companyOf = async (id: string): Promise<Json> =>
  (await platform.sql(`SELECT company, watch_listed FROM ${LIVE_CELL}.verifications WHERE id = $1`, [id]))[0];
const down = (company: FakeCompany<SmileState> | FakeCompany<PremblyState>, requests: string[]) =>
  company.faulty(requests, { does: 'answer', status: 503, body: '<html>Sorry</html>' });
const SMILE_REQUESTS = ['POST /v2/verify', 'POST /v1/job_status'];
const PREMBLY_REQUESTS = ['POST /verification/bvn', 'POST /verification/vnin'];

describe('Smile ID, while Prembly is away,', () => {
  beforeEach(() => down(prembly, PREMBLY_REQUESTS));

  test.each<[what: string, number: string, type: 'bvn' | 'nin', name: string, reason: string | null]>([
    ['is the owner’s', NUMBERS.bvn, 'bvn', PERSON.last, null],
    ['is the owner’s NIN', NUMBERS.nin, 'nin', PERSON.last, null],
    ['belongs to another name', NUMBERS.bvn, 'bvn', 'Another', 'NAME_MISMATCH'],
    ['is nobody’s', NUMBERS.unknown, 'bvn', PERSON.last, 'BVN_NOT_FOUND'],
    ['is nobody’s NIN', NUMBERS.unknown, 'nin', PERSON.last, 'NIN_NOT_FOUND'],
  ])('a number that %s', async (_what, number, type, lastName, reason) => {
    const userRef = await customer({ first_name: PERSON.first, last_name: lastName });
    const id = await submit(number, userRef, type);
    const status = reason === null ? 'verified' : 'failed';
    expect(await ended(userRef)).toMatchObject({ verification_id: id, status, failure_reason: reason });
    expect(await jobsOf(id)).toBe(1);
    expect(await companyOf(id)).toEqual({ company: 'smile', watch_listed: null });
  });

  test('whose answer is lost, and that is then away, is asked again: one look-up', async () => {
    await smile.set({
      faults: [
        { on: 'POST /v2/verify', does: 'drop after', times: 1 },
        { on: 'POST /v2/verify', does: 'answer', status: 503, body: '<html>Sorry</html>', times: 1 },
      ],
    });
    const userRef = await customer();
    const id = await submit(NUMBERS.bvn, userRef);
    expect(await ended(userRef)).toMatchObject({ status: 'verified' });
    expect(await jobsOf(id)).toBe(1);
  });

  test('that does not take our key keeps the customer pending, and calls people', async () => {
    await smile.set({ codes: { [NUMBERS.bvn]: '2205' } });
    const userRef = await customer();
    const id = await submit(NUMBERS.bvn, userRef);
    await waitsForPeople(id);
    expect(await shown(userRef)).toMatchObject({ status: 'pending', failure_reason: null });
    expect(logLines()).toContainEqual(
      expect.objectContaining({ provider: 'smile', trouble: 'access', verificationId: id }),
    );
    await smile.set({ codes: {} });
    expect(await ended(userRef)).toMatchObject({ status: 'verified' });
  });

  test('is not asked about somebody without a name, until the partner tells it', async () => {
    const userRef = `user-${newId()}`;
    const id = await submit(NUMBERS.bvn, userRef);
    await waitsForPeople(id);
    expect(await jobsOf(id)).toBe(0);
    const metadata = { first_name: PERSON.first, last_name: PERSON.last };
    await openWallet(environment, environment.pool, live.partnerId, { userRef, metadata });
    expect(await ended(userRef)).toMatchObject({ verification_id: id, status: 'verified' });
  });
});

describe('Prembly, while Smile ID is away,', () => {
  beforeEach(() => down(smile, SMILE_REQUESTS));

  test.each<[what: string, number: string, type: 'bvn' | 'nin', name: string, reason: string | null]>([
    ['is the owner’s', NUMBERS.bvn, 'bvn', PERSON.last, null],
    ['is the owner’s NIN', NUMBERS.nin, 'nin', PERSON.last, null],
    ['belongs to another name', NUMBERS.bvn, 'bvn', 'Another', 'NAME_MISMATCH'],
    ['is nobody’s', NUMBERS.unknown, 'bvn', PERSON.last, 'BVN_NOT_FOUND'],
  ])('answers for a number that %s', async (_what, number, type, lastName, reason) => {
    const userRef = await customer({ first_name: PERSON.first, last_name: lastName });
    const id = await submit(number, userRef, type);
    expect(await ended(userRef)).toMatchObject({ failure_reason: reason });
    expect(await companyOf(id)).toEqual({ company: 'prembly', watch_listed: null });
  });

  test('fails somebody of the watch list', async () => {
    await prembly.set({ codes: { [NUMBERS.bvn]: '07' } });
    const userRef = await customer();
    const id = await submit(NUMBERS.bvn, userRef);
    expect(await ended(userRef)).toMatchObject({ status: 'failed', failure_reason: 'WATCH_LISTED' });
    expect(await companyOf(id)).toEqual({ company: 'prembly', watch_listed: true });
  });

  test('keeps the customer pending while our purse is empty, and calls people', async () => {
    await prembly.set({ codes: { [NUMBERS.bvn]: '03' } });
    const userRef = await customer();
    const id = await submit(NUMBERS.bvn, userRef);
    await waitsForPeople(id);
    expect(logLines()).toContainEqual(
      expect.objectContaining({ provider: 'prembly', trouble: 'float', verificationId: id }),
    );
    await prembly.set({ codes: {} });
    expect(await ended(userRef)).toMatchObject({ status: 'verified' });
  });
});

test('somebody without a name is looked up by Prembly alone, and operators see who answered', async () => {
  const userRef = `user-${newId()}`;
  const id = await submit(NUMBERS.bvn, userRef);
  expect(await ended(userRef)).toMatchObject({ verification_id: id, status: 'verified' });
  expect([await jobsOf(id), await companyOf(id)]).toEqual([0, { company: 'prembly', watch_listed: null }]);
  const walletId = await openWallet(environment, environment.pool, live.partnerId, { userRef });
  const operator = await platform.openOperator();
  const path = `/ops/live/partners/${live.partnerId}/wallets/${walletId}/person?reason=Complaint%2017`;
  const { status, body } = await operator.get(path);
  expect(status).toBe(200);
  expect(body.data.verifications).toMatchObject([{ company: 'prembly', watch_listed: null }]);
});

testThatNoneIsReadable(
  () => platform,
  () => ({ ...NUMBERS, ...PERSON, ...KEYS }),
  { lines: 51, rows: 50, workflows: { 'kyc/': 15 } },
);
