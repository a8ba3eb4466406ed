/**
 * Smile ID's adapter over the fake Smile ID, which is a process that speaks HTTP: the contract of the port, and one case
 * for each answer that Smile ID may give, those just past the edge included.
 */
import { randomUUID } from 'node:crypto';
import type { IdentityOrder, Provider } from '../../../src/providers/port';
import { createSmile } from '../../../src/providers/smile/smile';
import type { Fault } from '../../standins/kit';
import type { SmileState } from '../../standins/smile/state';
import { openFakeCompany, type FakeCompany } from '../../support/fake-company';
import { keepsTheContract } from '../../support/provider-contract';

const WITHIN_MS = 900;
const ADA = '22222222222';
const NOBODY_LISTENS = 'http://127.0.0.1:9';
const VERIFY = 'POST /v2/verify';
const STATUS = 'POST /v1/job_status';
const MINUTE_MS = 60_000;

let smile: FakeCompany<SmileState>;
let adapter: Required<Pick<Provider, 'name' | 'can' | 'identity'>>;
let key: string;

const openAdapter = (more: { url?: string; apiKey?: string } = {}) =>
  createSmile({
    url: smile.url,
    partnerId: '2420',
    apiKey: key,
    answersWithinMs: WITHIN_MS,
    ...more,
  }) as typeof adapter;

beforeAll(async () => {
  smile = await openFakeCompany<SmileState>('smile');
  key = (await smile.state()).settings.apiKey;
  adapter = openAdapter();
});
afterEach(() => smile.set({ faults: [], codes: {}, isAtWork: false }));
afterAll(() => smile.close());

const order = (more: Partial<IdentityOrder> = {}): IdentityOrder => ({
  verificationId: randomUUID(),
  type: 'bvn',
  number: ADA,
  expectedName: 'Ada Obi',
  submittedAt: new Date(),
  ...more,
});
const lookUp = (more: Partial<IdentityOrder> = {}) => adapter.identity.lookUp(order(more));
const jobsOf = async (verificationId: string) =>
  (await smile.state()).jobs.filter(({ userId }) => userId === verificationId).map(({ jobId }) => jobId);
const everywhere = (fault: Omit<Fault, 'on'>) => () => smile.faulty([VERIFY, STATUS], fault);
const found = (nameFits: boolean) => ({
  outcome: 'found',
  record: { name: null, nameFits, watchListed: null },
});

describe('Smile ID as a company', () => {
  keepsTheContract(['identity'], () =>
    Promise.resolve({
      provider: adapter,
      identity: { type: 'bvn', number: ADA, expectedName: 'Ada Obi' },
      troubles: {
        'a connection that breaks': everywhere({ does: 'drop before' }),
        'no answer': everywhere({ does: 'hang before' }),
        'an unknown word': everywhere({ does: 'answer', body: { ResultCode: '1099', IDNumber: ADA } }),
        'a page of HTML': everywhere({ does: 'answer', body: `<html>${ADA} Ada Obi</html>` }),
        'an error of the server': everywhere({ does: 'answer', status: 500, body: { error: ADA } }),
      },
    }),
  );
});

describe('the answer to a look-up', () => {
  const access = { outcome: 'refused', cause: 'access' };
  test.each<[code: string, what: string, answer: object]>([
    ['1020', 'exact match', found(true)],
    ['1021', 'partial match', found(false)],
    ['1022', 'no match', found(false)],
    ['1013', 'not in the register', { outcome: 'not_found' }],
    ['1014', 'no number of that form', { outcome: 'not_found' }],
    ['1023', 'no record', { outcome: 'not_found' }],
    ['1015', 'the register is away', { outcome: 'pending', pollAfterMs: expect.any(Number) }],
    ['1016', 'the product is not active', access],
    ['2205', 'not authorized', access],
    ['2405', 'not authorized', access],
  ])('%s (%s)', async (code, _what, answer) => {
    await smile.set({ codes: { [ADA]: code } });
    expect(await lookUp()).toEqual(answer);
  });

  test.each(['0001', '2201', '2413', '1012', '1024', 'constructor'])(
    '%s, which no row has, is an outage',
    async (code) => {
      await smile.set({ codes: { [ADA]: code } });
      await expect(lookUp()).rejects.toThrow(/^Smile ID answered HTTP \d+ without a result that is known$/);
    },
  );

  const result = (more: object) => ({ ResultCode: '1020', ...more });
  test.each<[what: string, body: unknown]>([
    ['the result of another job', result({ PartnerParams: { job_id: 'another' } })],
    ['a result without its job', result({})],
    ['the code of a result where errors have theirs', { code: '1020' }],
    ['a list', [result({})]],
    ['nothing', ''],
  ])('%s is an outage', async (_what, body) => {
    await smile.faulty([VERIFY], { does: 'answer', body });
    await expect(lookUp()).rejects.toThrow('without a result that is known');
  });

  test('a signature that is not Smile ID’s is an outage, whatever the answer says', async () => {
    const asked = order();
    const body = {
      ...result({ PartnerParams: { job_id: asked.verificationId } }),
      timestamp: new Date().toISOString(),
    };
    await smile.faulty([VERIFY], { does: 'answer', body: { ...body, signature: 'bm90IG91cnM=' } });
    await expect(adapter.identity.lookUp(asked)).rejects.toThrow('The signature of an answer');
  });

  test('where nobody listens, and with another key, nobody is looked up', async () => {
    await expect(openAdapter({ url: NOBODY_LISTENS }).identity.lookUp(order())).rejects.toThrow(
      'There is no connection to Smile ID: ECONNREFUSED',
    );
    expect(await openAdapter({ apiKey: 'another-key' }).identity.lookUp(order())).toEqual(access);
  });
});

describe('the question', () => {
  test('has the first and the last name, the kind of the number, and no more about the person', async () => {
    const asked = order({ type: 'nin', expectedName: 'Ada  Ngozi Obi' });
    expect(await adapter.identity.lookUp(asked)).toEqual(found(true));
    const job = (await smile.state()).jobs.at(-1);
    expect(job).toMatchObject({ jobId: asked.verificationId, idType: 'NIN_V2', number: ADA });
  });

  test.each([null, '', 'Ada', ' Ada '])('is not asked without two names: %j', async (expectedName) => {
    const asked = order({ expectedName });
    expect(await adapter.identity.lookUp(asked)).toEqual({ outcome: 'needs_name' });
    expect(await jobsOf(asked.verificationId)).toEqual([]);
  });

  test.each(['drop after', 'hang after'] as const)(
    'whose answer is lost (%s) is asked about: the number is looked up once',
    async (does) => {
      const asked = order();
      const over = await smile.faulty([VERIFY], { does, times: 1 });
      await expect(adapter.identity.lookUp(asked)).rejects.toThrow(/^Smile ID has not answered: [A-Za-z_]+$/);
      await over();
      expect(await adapter.identity.lookUp(asked)).toEqual(found(true));
      expect(await jobsOf(asked.verificationId)).toEqual([asked.verificationId]);
    },
  );

  test('that Smile ID is at work on is asked again', async () => {
    const asked = order();
    await adapter.identity.lookUp(asked);
    await smile.set({ isAtWork: true });
    expect(await adapter.identity.lookUp(asked)).toEqual({ outcome: 'pending', pollAfterMs: 10_000 });
  });

  test('about a job that Smile ID has and does not know is an outage', async () => {
    await smile.set({ codes: { [ADA]: '2215' } });
    await expect(lookUp()).rejects.toThrow('without a result that is known');
  });
});

describe('a register that was away', () => {
  test('is asked again by another job, once per wait, until it answers', async () => {
    const verificationId = randomUUID();
    const at = (ageMs: number) =>
      adapter.identity.lookUp(order({ verificationId, submittedAt: new Date(Date.now() - ageMs) }));
    await smile.set({ codes: { [ADA]: '1015' } });
    const first = await at(0);
    expect(first).toEqual({ outcome: 'pending', pollAfterMs: expect.any(Number) });
    expect((first as { pollAfterMs: number }).pollAfterMs).toBeGreaterThan(9_000);
    // So early there is no other job, however often it is asked.
    await at(8_000);
    expect(await jobsOf(verificationId)).toEqual([verificationId]);
    for (const ageMs of [10_000, 59_000, 60_000]) await at(ageMs);
    expect(await jobsOf(verificationId)).toEqual(['', '-1', '-2'].map((end) => verificationId + end));

    await smile.set({ codes: {} });
    expect(await at(5 * MINUTE_MS)).toEqual(found(true));
    expect(await at(5 * MINUTE_MS)).toEqual(found(true));
    expect(await jobsOf(verificationId)).toHaveLength(4);
  });

  test.each([
    [0, 10_000],
    [59 * MINUTE_MS, MINUTE_MS],
    [60 * MINUTE_MS, 60 * MINUTE_MS],
    [23.5 * 60 * MINUTE_MS, 30 * MINUTE_MS],
  ])('%i ms after the submission it is asked again %i ms later', async (ageMs, waitMs) => {
    await smile.set({ codes: { [ADA]: '1015' } });
    const answer = await lookUp({ submittedAt: new Date(Date.now() - ageMs) });
    const { pollAfterMs } = answer as { pollAfterMs: number };
    expect(pollAfterMs).toBeLessThanOrEqual(waitMs);
    expect(pollAfterMs).toBeGreaterThan(waitMs - 5_000);
  });
});
